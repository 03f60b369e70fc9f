// The storage interface. Both engines implement it, and the contract suite in test/store runs against each.
import type { ServiceEvent, Timelines } from '../domain/feed.ts'
import type { EditResult } from '../domain/listing/edit.ts'
import type { Entry } from '../domain/listing/service.ts'
import type { Finding, Judgement, ProbeHistory } from '../domain/standing/judge.ts'
import type { ProbeCounts, ProbeDay, ProbeRecord } from '../domain/standing/standing.ts'
import type { TrustFacts } from '../domain/standing/trust.ts'
import type { StoredTerms } from '../domain/terms/terms.ts'
import type { Message } from '../messages/message.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Accuracy, AccuracyPeriod } from './accuracy.ts'
import type { CollectionTable } from './collections.ts'
import type { TableRows } from './copy.ts'
import type { ChallengeTable, KeyTable, SessionTable } from './keys.ts'
import type { BudgetTable, LeaseTable } from './leases.ts'
import type { PaymentLog } from './payments.ts'
import type { PurchaseTable } from './purchases.ts'
import type { ActTable, ReportTable } from './reports.ts'
import type { OnUpgraded } from './schema.ts'
import type { SourceTable } from './sources.ts'
import type { SpendingTable } from './spending.ts'
import type { WebhookTable } from './webhooks.ts'

/** Sequence number of a write. Seqs are in commit order: a reader that has read up to n has missed no smaller one. */
export type Seq = number

/** The current state of an entry, as of its last visible write. */
export type Change = {
  readonly seq: Seq
  /** The seq at which its public object last changed. */
  readonly objectSeq: Seq
  readonly id: string
  /** null for a tombstone. */
  readonly entry: Entry | null
  /**
   * Of a tombstone: the endpoint, so that a client about to pay there can be warned. Absent if the entry was unverified, and if a
   * third party or a source withdrew its own listing.
   */
  readonly endpoint?: string | undefined
  /** The embedding last stored by `putEmbeddings`; it may belong to an older text of the entry. */
  readonly embedding?: Uint8Array | undefined
}

/** The end of the history, read in one transaction. */
export type StoreHistory = {
  readonly timelines: Timelines
  /** Number of the last write; `event` is that of the last event. */
  readonly seq: Seq
  readonly event: number
  /** How many seqs the next write skips, because readers may have received them before a restore. */
  readonly gap: number
}

/** The embedding of an entry's text, opaque to the store. */
export type StoredEmbedding = { readonly id: string; readonly embedding: Uint8Array }

/** An idempotency key: a retry with the same key and body returns the first result. */
export type IdempotentRequest = {
  /** Id of the API key that sent it; idempotency keys are scoped to it. */
  readonly caller: string
  readonly key: string
  /** Hash of the request body. */
  readonly fingerprint: string
  readonly at: Date
}

export type InsertResult = {
  readonly seq: Seq
  /** The entries as they were stored; with an idempotency key that was used before, those of the first call. */
  readonly entries: readonly Entry[]
  readonly repeated: boolean
}

/** A judgement, and when the next probe is due; null if the entry is not probed again. */
export type ScheduledJudgement = Judgement & { readonly dueAt: Date | null }

/** A probe of an entry, and what follows from it once its history is known. */
export type MeasuredProbe = {
  readonly probe: ProbeRecord
  readonly judge: (history: ProbeHistory) => ScheduledJudgement
}

/** The source that removed its entry. */
export type RemovedBy = { readonly sourceUrl: string }

/** Whether a source may add a locally removed entry again; or the source that removed it, which binds that source alone. */
export type Removal = 'for_now' | 'for_good' | RemovedBy

/** The reason for a removal, or a function of the entry that returns it. */
export type RemovalReason = Message | null | ((entry: Entry) => Message | null)

/** An entry or its tombstone. `removedBy` is null if the entry was removed locally. */
export type EntryOrTombstone =
  | { readonly entry: Entry }
  | { readonly entry: null; readonly removedBy: RemovedBy | null }

/** An entry with its latest facts and finding; null before the first probe. */
export type StoredEntry = {
  readonly entry: Entry
  readonly facts: TrustFacts | null
  readonly finding: Finding | null
}

export interface Store extends AsyncDisposable {
  /** Recomputes every trust score of another formula than that of this program, so that no two formulas stand side by side. */
  useFormula(): Promise<void>
  /**
   * Resolves when the entries are on disk. Concurrent calls share a commit. Takes one seq per entry, appends one
   * `registered` event per entry and schedules its first probe (samples are never scheduled). An entry from a source may
   * replace the tombstone of one that a source removed; it inherits nothing from it. What the operator hides by its wallet or host is
   * stored as hidden, without event and probe; `update` does the same with an entry that moves there.
   * @throws DirectoryError `idempotency_conflict` if the idempotency key was used with another fingerprint within 24 h. The same fingerprint finds
   * its result for a week.
   */
  insert(entries: readonly Entry[], idempotencyKey?: IdempotentRequest): Promise<InsertResult>
  /**
   * Reads, changes and writes in one transaction; skips ids that are unknown or removed. `change` is synchronous, because rows are
   * locked while it runs. It returns undefined to leave an entry unchanged, and must have no side effects: it is called again if the
   * transaction is retried. `EditResult` says what is written with the entry: events, the next probe, and what is forgotten. Samples are
   * never probed.
   * Resolves to the seq of its last write, or to the last seq taken if nothing was written.
   */
  update(ids: readonly string[], change: (entry: Entry) => EditResult | undefined): Promise<Seq>
  /**
   * Leaves a tombstone and a `removed` event that holds the entry (`before`). Resolves to undefined if there is nothing to remove.
   * `check` receives the entry in the same transaction; if it throws, nothing is removed. It returns whether sources may add the
   * entry again; `for_good` stores a hash of its seller.
   */
  remove(
    id: string,
    at: Date,
    reason: RemovalReason,
    check?: (entry: Entry) => Removal,
  ): Promise<Seq | undefined>
  /** undefined if unknown or removed. */
  find(id: string): Promise<StoredEntry | undefined>
  /** Entries and tombstones by id; ids that never existed are left out. */
  lookUp(ids: readonly string[]): Promise<Map<string, EntryOrTombstone>>
  /** Entries ordered by id, after the given id. */
  byId(after: string, limit: number): Promise<Entry[]>
  /** Entries that follow a source, ordered by id, after the given id. */
  ofSource(sourceUrl: string, after: string, limit: number): Promise<Entry[]>
  /** The number of entries that follow a source. */
  countOfSource(sourceUrl: string): Promise<number>
  /** Entries whose payment address is one of these, compared without case. */
  paidTo(addresses: readonly string[]): Promise<Entry[]>
  /** Those of these seller hashes for which an entry was removed permanently. */
  removedSellers(hashes: readonly string[]): Promise<Set<string>>
  /** The current state of every entry written after `since`, in commit order, tombstones included. */
  changes(since: Seq, limit: number): Promise<Change[]>
  /**
   * Stores embeddings, so that the next start does not compute them again; skips ids that are unknown or removed.
   * Takes no seq. An embedding is deleted with its entry and is not part of backups.
   */
  putEmbeddings(embeddings: readonly StoredEmbedding[]): Promise<void>
  /** The timelines of everything that `changes` has returned so far. */
  readonly timelines: Timelines
  history(): Promise<StoreHistory>
  /** The seq of the last write. */
  lastSeq(): Promise<Seq>
  /** How often verdicts and purchases of a period turned out wrong. */
  accuracy(period: AccuracyPeriod): Promise<Accuracy>
  /** Calls back soon after any process wrote entries; a caller that watches before it reads misses nothing. Returns a stop function. */
  watch(onCommit: () => void): () => void
  /**
   * Why writes currently fail, as a sentence that is safe to publish; undefined if no trouble is known. In doubt it makes a trial
   * write, so that the state also recovers in a process that writes nothing else.
   */
  trouble(): Promise<string | undefined>
  /**
   * Writes a copy of a database file, which opens as it is. Does not block other processes.
   * @throws DirectoryError `invalid_request` if the file exists, or if the store is not a file
   */
  backup(path: string): Promise<void>
  /** Every row of every table, as of one moment. @param onCount is told the number of rows, before the first */
  dump(onCount?: (rows: number) => void): AsyncIterable<TableRows>
  /**
   * Fills an empty store with the rows of another, of any engine, in one transaction. Numbers are preserved; later ones follow after
   * a gap, in a new timeline.
   * @throws DirectoryError `invalid_request` if the store is not empty
   */
  load(tables: AsyncIterable<TableRows>): Promise<void>
  readonly schedule: ProbeSchedule
  readonly leases: LeaseTable
  readonly budgets: BudgetTable
  readonly events: EventLog
  readonly probes: ProbeLog
  readonly terms: TermsTable
  readonly payments: PaymentLog
  readonly keys: KeyTable
  readonly challenges: ChallengeTable
  readonly sessions: SessionTable
  readonly sources: SourceTable
  readonly webhooks: WebhookTable
  readonly reports: ReportTable
  readonly collections: CollectionTable
  readonly spending: SpendingTable
  readonly acts: ActTable
  readonly purchases: PurchaseTable
}

export type StoredEvent = ServiceEvent & {
  readonly number: number
  readonly seq: Seq
  readonly serviceId: string
}

export interface EventLog {
  /** Events after the given number, oldest first. */
  after(number: number, limit: number): Promise<StoredEvent[]>
  /** The number of the last event; 0 before the first. */
  last(): Promise<number>
  /** Events of one service before the given number (or the newest), newest first. */
  of(serviceId: string, limit: number, before?: number): Promise<StoredEvent[]>
}

/** A position in the history of a service. An event follows the probe of the same time, which caused it. */
export type HistoryPosition = {
  readonly at: string
  /** The number of an event; 0 for a probe. */
  readonly number: number
}

export type HistoryItem =
  | { readonly kind: 'probe'; readonly probe: ProbeRecord }
  | { readonly kind: 'event'; readonly event: StoredEvent }

export interface ProbeLog {
  /**
   * In one transaction: passes the present entry to `measure`, stores its probe, adds it to the tally of its day, passes the history
   * to its `judge`, writes the judged entry, its events, the finding and the next due date, and ends the holder's lease.
   * An extra probe does not postpone the drawn one: the earlier of the two dates is stored.
   * Both functions are synchronous and must have no side effects: they are called again if the transaction is retried.
   * Resolves to the seq of the write. Resolves to undefined and writes nothing if the entry is unknown or removed, the probe is
   * already stored, `holder` is given and no longer holds the entry's lease, or nothing was measured of the entry as it is now.
   */
  record(
    serviceId: string,
    measure: (entry: Entry) => MeasuredProbe | undefined,
    holder?: string,
  ): Promise<Seq | undefined>
  /** Probes and events of one service before the given position (or the newest), newest first. */
  history(serviceId: string, limit: number, before?: HistoryPosition): Promise<HistoryItem[]>
  /** The daily tallies of one service since its last move, newest first. */
  days(serviceId: string, limit: number): Promise<ProbeDay[]>
  /** The probes of all services since the given time, and when the newest of all was made. */
  count(since: Date): Promise<{ readonly byOutcome: ProbeCounts; readonly newestAt: string | null }>
  /** Deletes probes before the given time and days before the given day; days outlive their probes. Resolves to the number of probes. */
  prune(before: { readonly probes: Date; readonly days: Date }): Promise<number>
}

/** The payment terms last observed at each endpoint. Written by `record`, deleted when the probes of an entry are forgotten. */
export interface TermsTable {
  /** undefined before the first readable response. */
  of(serviceId: string): Promise<StoredTerms | undefined>
  /** By service id; services without observed terms are left out. */
  ofAll(serviceIds: readonly string[]): Promise<Map<string, StoredTerms>>
}

export type ProbeLease = {
  /** Names the prober that leases them; only it can record their probes. */
  readonly holder: string
  readonly leaseMs: number
}

/** An entry whose probe begins; requested: its owner asked for an extra one. */
export type LeasedEntry = StoredEntry & { readonly isRequested?: true }

/** When each service is probed next. Its writes take no seq, so they do not wake followers. */
export interface ProbeSchedule {
  /**
   * Leases entries whose probe is due, the longest overdue first unless `first` is 'newest', and hides them from all other probers
   * until the lease ends.
   */
  leaseDue(now: Date, limit: number, lease: ProbeLease, first?: 'oldest' | 'newest'): Promise<LeasedEntry[]>
  /** When the extra probe that was requested last may begin: those beyond a number wait for their turn. undefined: none was. */
  requestedAt(serviceId: string): Promise<Date | undefined>
  /** The number of due entries that nobody has leased, counted up to the limit. */
  countDue(now: Date, limit: number): Promise<number>
  /** The number of entries that are due or were never probed, leased ones and those whose host is busy too. */
  countWaiting(now: Date, limit: number): Promise<number>
  /** Ends a lease of the holder and sets the next probe; null ends probing. Does nothing if the holder has no lease. */
  release(serviceId: string, holder: string, dueAt: Date | null): Promise<void>
  /** Ends all leases of the holder; due dates do not change. */
  releaseAll(holder: string): Promise<void>
}

export type OpenOptions = {
  readonly clock: Clock
  /** Number of read connections to a database server; 4 by default. */
  readonly readers?: number | undefined
  /** If given, `openStore` waits for an unreachable database server and calls this once with the reason. Otherwise that is an error. */
  readonly onWaiting?: (sentence: string) => void
  /** Called with the reason when writes begin to fail, and with undefined when they succeed again. */
  readonly onTrouble?: ((sentence: string | undefined) => void) | undefined
  /** The database is already open elsewhere, for example in another thread, so a missing file is an error. Otherwise it is created. */
  readonly mustExist?: boolean | undefined
  readonly onUpgraded?: OnUpgraded | undefined
  /** Ends the wait for the server. */
  readonly signal?: AbortSignal | undefined
}
