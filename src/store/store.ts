// Where entries are kept. One interface for every engine; the contract suite in test/store proves each of them.
import type { ServiceEvent } from '../domain/events.ts'
import type { Entry } from '../domain/service.ts'

/** Number of a write. Number order is commit order: a reader that has seen n never misses a smaller one. */
export type Seq = number

/** The present state of an entry, at its last write that a reader can see. */
export type Change = {
  readonly seq: Seq
  /** The seq at which its public object last changed. */
  readonly objectSeq: Seq
  readonly id: string
  /** null: removed. */
  readonly entry: Entry | null
}

/** Makes a retry safe: the same key with the same body gets the first answer again. */
export type RequestKey = {
  /** Id of the API key that sent it; request keys of different callers never meet. */
  readonly caller: string
  readonly key: string
  /** Hash of what was sent. */
  readonly fingerprint: string
  readonly at: Date
}

export type Inserted = {
  readonly seq: Seq
  /** What is kept under the request key, or else what was handed in. */
  readonly entries: readonly Entry[]
  readonly repeated: boolean
}

export type Changed = { readonly entry: Entry; readonly events: readonly ServiceEvent[] }

export interface Store extends AsyncDisposable {
  /**
   * Resolves when the entries are on disk. Concurrent calls share a commit. Draws one seq per entry, appends a
   * `registered` event each and makes each due for its first probe (samples are never due).
   * @throws DirectoryError `idempotency_conflict` when the request key was used with another fingerprint within 24 h.
   */
  insert(entries: readonly Entry[], once?: RequestKey): Promise<Inserted>
  /**
   * Reads, changes and writes in one transaction; ids that are unknown or removed are left out. `change` is synchronous:
   * nothing may wait while rows are locked. It returns undefined to leave an entry as it is, and does nothing else: it is
   * called again where the transaction has to be repeated.
   * Resolves to the seq of its last write, or the last one drawn where it wrote nothing.
   */
  update(ids: readonly string[], change: (entry: Entry) => Changed | undefined): Promise<Seq>
  /** Leaves a tombstone and a `removed` event that tells what was there (`before`). Resolves to undefined where there is nothing to remove. */
  remove(id: string, at: Date, reason: string | null): Promise<Seq | undefined>
  /** The present state of every entry written after `since`, in commit order, tombstones included. */
  changes(since: Seq, limit: number): Promise<Change[]>
  /** The highest seq drawn so far. */
  lastSeq(): Promise<Seq>
  /** Calls back soon after entries were written by any process; who watches first and reads then misses nothing. Returns the way to stop. */
  watch(onCommit: () => void): () => void
  readonly schedule: ProbeSchedule
  readonly events: EventLog
  readonly probes: ProbeLog
  readonly keys: KeyTable
}

export type StoredEvent = ServiceEvent & {
  readonly number: number
  readonly seq: Seq
  readonly serviceId: string
}

export interface EventLog {
  /** Events after the given number, oldest first. */
  after(number: number, limit: number): Promise<StoredEvent[]>
  /** Events of one service before the given number (or the newest), newest first. */
  of(serviceId: string, limit: number, before?: number): Promise<StoredEvent[]>
}

export const PROBE_OUTCOMES = ['payable', 'mismatched', 'unpayable', 'unreachable', 'refused'] as const
export type ProbeOutcome = (typeof PROBE_OUTCOMES)[number]

export type ProbeRecord = {
  readonly serviceId: string
  /** ISO 8601 UTC. */
  readonly at: string
  readonly outcome: ProbeOutcome
  readonly httpStatus: number | null
  readonly latencyMs: number | null
  /** Exact decimal, where the answer named a price in a known asset. */
  readonly priceSeen: string | null
  /** Sentences for the owner. */
  readonly reasons: readonly string[]
}

export interface ProbeLog {
  append(records: readonly ProbeRecord[]): Promise<void>
  /** Probes of one service before the given time (or the newest), newest first. */
  of(serviceId: string, limit: number, before?: string): Promise<ProbeRecord[]>
  /** Forgets probes older than the given time; resolves to how many. */
  prune(before: string): Promise<number>
}

/** When each service is probed next. Draws no seq: readers of the catalog are not disturbed. */
export interface ProbeSchedule {
  /** Takes entries whose probe is due, oldest first, and hides them from other processes until the lease ends. */
  claimDue(now: Date, limit: number, leaseMs: number): Promise<Entry[]>
  /** Ends the lease and sets the next probe; null: never again. */
  set(serviceId: string, dueAt: Date | null): Promise<void>
}

export const SCOPES = ['register', 'admin'] as const
export type Scope = (typeof SCOPES)[number]

export type KeyRecord = {
  readonly id: string
  readonly name: string
  /** SHA-256 of the key, lower-case hex; the key itself is never kept. */
  readonly hash: string
  readonly scopes: readonly Scope[]
  readonly createdAt: string
  readonly expiresAt: string | null
  readonly revokedAt: string | null
  readonly lastUsedAt: string | null
}

export interface KeyTable {
  insert(record: KeyRecord): Promise<void>
  find(hash: string): Promise<KeyRecord | undefined>
  list(): Promise<KeyRecord[]>
  /** Resolves to false where there is no such key or it was revoked before. */
  revoke(id: string, at: Date): Promise<boolean>
  touch(id: string, at: Date): Promise<void>
}
