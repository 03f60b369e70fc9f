// What the operations of a directory work on. Each group of operations takes what it needs.
import type { Catalog } from '../catalog/catalog.ts'
import type { EventTail } from '../catalog/event-tail.ts'
import type { Checker } from '../domain/check.ts'
import { DirectoryError } from '../domain/errors.ts'
import { idTimeMs, isServiceId } from '../domain/ids.ts'
import { hiddenError } from '../domain/listing/edit.ts'
import type { DraftPolicy, Entry } from '../domain/listing/service.ts'
import type { Act, Backup, Backups, Settings, SourcePreview } from '../domain/operating.ts'
import { say } from '../messages/message.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Seq, Store, StoredEntry } from '../store/store.ts'
import type { Sender } from '../webhooks/send.ts'
import type { Keyring } from './keys.ts'
import type { ChargeWrite } from './write-budget.ts'

/** What a process gives its directory. */
export type Given = {
  readonly store: Store
  readonly tail: EventTail
  readonly keys: Keyring
  readonly clock: Clock
  /** Of registrations; that of a key is in `Caller`. */
  readonly policy: DraftPolicy
  /**
   * undefined: wallets cannot sign in, and payers cannot report outcomes, because a message that names no directory could have been
   * signed for another one.
   */
  readonly publicUrl?: string | undefined
  /** undefined: this directory sends no requests. */
  readonly check?: Checker | undefined
  /** undefined: this directory sends no webhooks. */
  readonly send?: Sender | undefined
  /** undefined: payers cannot report outcomes. */
  readonly proofs?: OutcomeProofs | undefined
  /** undefined: this process serves no operators. */
  readonly desk?: OperatorDesk | undefined
}

export type Parts = Given & {
  readonly newId: (now: Date) => string
  /** @throws DirectoryError `not_ready` */
  readonly ready: () => Catalog
  readonly finder: Finder
  /** Resolves when every read includes everything up to the write, or after two seconds. Never fails. */
  readonly waitUntilVisible: (seq: Seq) => Promise<void>
  readonly chargeWrite: ChargeWrite
  /** Notices about an entry compared with others; none if it is not visible yet. */
  readonly noticesOn: (entry: Entry) => string[]
  /** Logs an act of an operator. */
  readonly note: (who: string, act: Act['act'], about: string) => Promise<void>
}

/** A settlement on chain, and whether it is a payment for the service. */
export type SeenSettlement = {
  /** ISO 8601 UTC. */
  readonly at: string
  readonly asset: string
  /** In the asset's smallest units. */
  readonly amount: string
  /** In whole units. */
  readonly price: string
  readonly currency: string
  /** dust: less than a tenth of the price. others: by its amount it pays for another service of the wallet. */
  readonly fit: 'own' | 'dust' | 'others'
}

export type OutcomeProofs = {
  /** Whether a node reads the chain. */
  reads(chain: string): boolean
  /** @throws if the node is unavailable */
  settlement(
    entry: Entry,
    payment: {
      readonly chain: string
      readonly transaction: string
      readonly payer: string
      readonly payee: string
    },
  ): Promise<SeenSettlement | 'missing' | 'young' | 'plain'>
}

/** What the process does for operators besides its store. */
export interface OperatorDesk {
  settings(): Settings
  /** In millionths of a dollar. */
  readonly budgetPerDay: number
  readonly isFile: boolean
  backUp(at: Date): Promise<Backup>
  backups(): Promise<Backups>
  /** @throws DirectoryError `invalid_request` with what is wrong with the source */
  preview(url: string): Promise<Omit<SourcePreview, 'source'>>
  /** Removes the services of a source; resolves to their number. */
  dropEntries(url: string): Promise<number>
}

// Finds what an operation is about, and says why it cannot be found.

/** Each @throws DirectoryError `not_found`, `hidden` */
export type Finder = {
  requireFound<T>(value: T | undefined, id: string): T
  /** Checks what the store has; another process may just have hidden it. */
  requireVisible(stored: StoredEntry | undefined, id: string): StoredEntry
  /** An entry for which another node may just have sent 201; older ids that are unknown here do not exist. */
  findRecent(id: string): Promise<Entry>
}

/** Within this time every node on the store learns of an entry; includes a margin for clocks that differ. */
const VISIBLE_EVERYWHERE_MS = 10_000

export function createFinder({
  store,
  catalog,
  clock,
}: {
  readonly store: Pick<Store, 'find'>
  readonly catalog: Pick<Catalog, 'hidden'>
  readonly clock: Clock
}): Finder {
  function requireFound<T>(value: T | undefined, id: string): T {
    const hidden = catalog.hidden(id)
    if (hidden) throw hiddenError(hidden)
    if (value === undefined)
      throw new DirectoryError('not_found', say('service_unknown', { id: id.slice(0, 64) }))
    return value
  }

  return {
    requireFound,
    requireVisible(stored, id) {
      const present = requireFound(stored, id)
      if (present.entry.hidden) throw hiddenError(present.entry.hidden)
      return present
    },
    async findRecent(id) {
      const isRecent =
        isServiceId(id) && Math.abs(clock.now().getTime() - idTimeMs(id)) < VISIBLE_EVERYWHERE_MS
      const entry = isRecent ? (await store.find(id))?.entry : undefined
      if (entry?.hidden) throw hiddenError(entry.hidden)
      return requireFound(entry, id)
    },
  }
}
