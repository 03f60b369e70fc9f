// What the operations of a directory work on, and how they find a service. Each group of operations takes what it needs.
import type { Catalog } from '../catalog/catalog.ts'
import type { EventTail } from '../catalog/event-tail.ts'
import type { Checker } from '../domain/check.ts'
import { DirectoryError } from '../domain/errors.ts'
import { idTimeMs, isServiceId } from '../domain/ids.ts'
import { hiddenError } from '../domain/listing/edit.ts'
import type { DraftPolicy, Entry } from '../domain/listing/service.ts'
import type { Act, OperatorDesk } from '../domain/operating.ts'
import type { OutcomeProofs } from '../domain/purchases/purchases-view.ts'
import { say } from '../messages/message.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Seq, Store, StoredEntry } from '../store/store.ts'
import type { Sender } from '../webhooks/send.ts'
import type { Caller, Keyring } from './keys.ts'
import { type OperationName, WIRE, type WireForm } from './wire.ts'
import type { ChargeWrite } from './writes.ts'

/** Who calls: an API key. */
export type By = { readonly key: string }

/** A result with the paths of the fields of the body that were not used. */
export type WithIgnored<Result> = Result & { readonly ignored: readonly string[] }

/** The operations as their files write them: those that take a key get its caller too, which `authorizeCalls` finds. */
export type Work<Operations> = {
  readonly [N in keyof Operations]: Operations[N] extends (
    ...args: [...infer A, infer B extends By]
  ) => infer R
    ? (...args: [...A, B & Caller]) => R
    : Operations[N]
}

/**
 * Makes operations check the key: it needs the scope that the table names. So no operation can forget to.
 * Each @throws DirectoryError `unauthorized`, `forbidden`
 */
export function authorizeCalls<Operations extends object>(
  keys: Pick<Keyring, 'authorize'>,
  work: Work<Operations>,
): Operations {
  type Run = (...args: readonly unknown[]) => unknown
  const operations = Object.entries(work as Readonly<Record<string, Run>>).map(([name, run]) => {
    const { scope }: Partial<WireForm> = WIRE[name as OperationName] ?? {}
    if (scope === undefined) return [name, run]
    const call = async (...args: readonly unknown[]) => {
      const by = args.at(-1) as By
      const caller = await keys.authorize(by.key, scope === 'agent' ? undefined : scope)
      return run(...args.slice(0, -1), { ...by, ...caller })
    }
    return [name, call]
  })
  return Object.fromEntries(operations) as Operations
}

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

export type OperationDeps = Given & {
  readonly newId: (now: Date) => string
  /** @throws DirectoryError `not_ready` */
  readonly requireCatalog: () => Catalog
  readonly finder: Finder
  /** Resolves when every read includes everything up to the write, or after two seconds. Never fails. */
  readonly waitUntilVisible: (seq: Seq) => Promise<void>
  readonly chargeWrite: ChargeWrite
  /** Notices about an entry compared with others; none if it is not visible yet. */
  readonly noticesOn: (entry: Entry) => string[]
  /** Logs an act of an operator. */
  readonly note: (who: string, act: Act['act'], about: string) => Promise<void>
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
