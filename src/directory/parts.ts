// What the operations of a directory work on. Each group of operations takes what it needs.
import type { Catalog } from '../catalog/catalog.ts'
import type { EventTail } from '../catalog/event-tail.ts'
import type { Checker } from '../domain/check.ts'
import { DirectoryError } from '../domain/errors.ts'
import { blockOf } from '../domain/hosts/endpoint.ts'
import { idTimeMs, isServiceId } from '../domain/ids.ts'
import { isBacked, toBackingFacts } from '../domain/listing/backing.ts'
import { hiddenError } from '../domain/listing/edit.ts'
import type { DraftPolicy, Entry } from '../domain/listing/service.ts'
import type { Act, Backup, Backups, Settings, SourcePreview } from '../domain/operating.ts'
import { DAY_MS } from '../domain/time.ts'
import { say } from '../messages/message.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Seq, Store, StoredEntry } from '../store/store.ts'
import type { Sender } from '../webhooks/send.ts'
import type { Caller, Keyring } from './keys.ts'

/** Who calls: an API key. */
export type By = { readonly key: string }

/** `from`: the network of the caller, if the interface knows it. Wallets cost nothing, so their keys are also limited by it. */
export type ByFrom = By & { readonly from?: string }

/** What a process gives its directory. */
export type Given = {
  readonly store: Store
  readonly tail: EventTail
  readonly keys: Keyring
  readonly clock: Clock
  /** What registrations may contain. */
  readonly draftPolicy: DraftPolicy
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

// Limits how much of the database wallets can fill. Wallets cost nothing, so their writes are also limited by network, in number and in
// bytes; writes with keys of the operator are not limited.

/** ofWallet: a seller who changes a price every minute, or lists two thousand services. from: several sellers may share an address. */
const MAX_PER_DAY = { ofWallet: 2_000, from: 10_000, megabytesFrom: 20 }
const MEGABYTE = 1_000_000

/**
 * Makes a registration, change or removal, and counts it if it wrote something: `written` is the number of bytes.
 * @throws DirectoryError `rate_limited`
 */
export type ChargeWrite = <T extends { readonly written: number }>(
  caller: Caller,
  from: string | undefined,
  write: () => Promise<T>,
) => Promise<T>

export function createWriteBudget({
  store,
  clock,
  max = MAX_PER_DAY,
}: {
  readonly store: Pick<Store, 'budgets' | 'paidTo'>
  readonly clock: Clock
  readonly max?: typeof MAX_PER_DAY
}): ChargeWrite {
  const budgetsOf = (wallet: string, network: string | undefined, written = 0) => [
    { name: `writes by ${wallet}`, most: max.ofWallet, amount: Math.min(1, written) },
    ...(network === undefined
      ? []
      : [
          { name: `writes from ${network}`, most: max.from, amount: Math.min(1, written) },
          { name: `bytes from ${network}`, most: max.megabytesFrom * MEGABYTE, amount: written },
        ]),
  ]
  const take = (budgets: ReturnType<typeof budgetsOf>) => store.budgets.take(budgets, clock.now(), DAY_MS)

  return async (caller, from, write) => {
    const { wallet } = caller
    if (wallet === null) return write()
    let network = from === undefined ? undefined : blockOf(from)
    // What was refused or repeated is not counted, so the budgets are only looked at before.
    let spent = await take(budgetsOf(wallet, network))
    // A share that strangers on the same network cannot use up.
    if (spent && network !== undefined && (await isKnownOwner(store, wallet))) {
      network += ' by known owners'
      spent = await take(budgetsOf(wallet, network))
    }
    if (spent) {
      const most = spent.name.startsWith('writes by') ? max.ofWallet : max.from
      throw new DirectoryError('rate_limited', say('writes_spent', { most, megabytes: max.megabytesFrom }))
    }
    const result = await write()
    // In full, even if writes beside it have spent a budget meanwhile: all of it is stored.
    const counted = budgetsOf(wallet, network, result.written)
    if (result.written > 0) await take(counted.map(each => ({ ...each, most: Number.POSITIVE_INFINITY })))
    return result
  }
}

export const bytesOf = (stored: unknown): number => Buffer.byteLength(JSON.stringify(stored))

/** Whether a wallet is no stranger: it has claimed a verified service that pays it. */
async function isKnownOwner(store: Pick<Store, 'paidTo'>, wallet: string): Promise<boolean> {
  const paid = await store.paidTo([wallet.slice(wallet.indexOf(':') + 1)])
  return paid.some(entry => entry.owner === wallet && isBacked(toBackingFacts(entry)))
}
