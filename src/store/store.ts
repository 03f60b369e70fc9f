// Where entries are kept. One interface for every engine; the contract suite in test/store proves each of them.
import type { Edited } from '../domain/edit.ts'
import type { ServiceEvent } from '../domain/events.ts'
import type { Finding } from '../domain/finding.ts'
import type { Judgement, ProbeHistory } from '../domain/judge.ts'
import type { ProbeDay, ProbeRecord } from '../domain/probes.ts'
import type { Entry, Origin } from '../domain/service.ts'
import type { SeenTerms } from '../domain/terms.ts'
import type { Timelines } from '../domain/timelines.ts'
import type { TrustFacts } from '../domain/trust.ts'
import type { Message } from '../messages/message.ts'
import type { BackupRecord } from './backup.ts'
import type { BudgetTable } from './budgets.ts'
import type { CensusTable } from './census.ts'
import type { HostTable } from './hosts.ts'
import type { ChallengeTable, KeyTable } from './keys.ts'
import type { LeaseTable } from './leases.ts'
import type { OutcomeTable } from './outcomes.ts'
import type { PaymentLog } from './payments.ts'
import type { PurchaseTable } from './purchases.ts'
import type { ReportTable } from './reports.ts'
import type { SnapshotStore } from './snapshots.ts'
import type { SourceTable } from './sources.ts'
import type { WebhookTable } from './webhooks.ts'

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
  /** Of what was removed: where it was, so that who is asked to pay there can be told. Absent where its removal is not kept, where it was unverified, and where a stranger or a source took its listing back. */
  readonly endpoint?: string | undefined
  /** What `putEmbeddings` was last given for it; it may be that of an older text. */
  readonly embedding?: Uint8Array | undefined
}

/** How far the history has come, at one moment. */
export type StoreHistory = {
  readonly timelines: Timelines
  /** The last write, and the last event. */
  readonly seq: Seq
  readonly event: number
  /** How many numbers the next write leaves free, because others may have been given them before a restore. */
  readonly gap: number
}

/** What a search index has worked out of an entry's text; the store does not look inside. */
export type StoredEmbedding = { readonly id: string; readonly embedding: Uint8Array }

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

/** An entry as it shall be, with what is written beside it in the same transaction. */
export type Changed = Edited

/** A judgement, and when the next probe is due; null: never again. */
export type Judged = Judgement & { readonly dueAt: Date | null }

/** A probe, or the answers of one that count for the entry as it is now; `against` may throw `Outdated`. */
export type ProbeToRecord =
  | ProbeRecord
  | {
      readonly serviceId: string
      readonly against: (entry: Entry) => ProbeRecord
      /** What was seen to be sold: purchases of it are part of the history. */
      readonly resourceUrl?: string | undefined
    }

export type Judge = (entry: Entry, history: ProbeHistory) => Judged

/** A source that removed an entry of its own, and what it was there. */
export type RemovedBy = Pick<Origin, 'home' | 'homeUrl'> & { readonly sourceUrl: string }

/** Whether what was removed here may come back by a list; or the source that removed it, whose word it is and nobody else's. */
export type Removal = 'for_now' | 'for_good' | RemovedBy

/** Why it is removed, or what tells it of the entry. */
export type RemovalReason = Message | null | ((entry: Entry) => Message | null)

/** What is kept under an id. Removed by null: it was removed here. */
export type Known = { readonly entry: Entry } | { readonly entry: null; readonly removedBy: RemovedBy | null }

/** An entry with what was last found out about it; null where nothing was yet. */
export type Kept = {
  readonly entry: Entry
  readonly facts: TrustFacts | null
  readonly finding: Finding | null
}

export interface Store extends AsyncDisposable {
  /**
   * Resolves when the entries are on disk. Concurrent calls share a commit. Draws one seq per entry, appends a
   * `registered` event each and makes each due for its first probe (samples are never due). An entry of a source may
   * stand in the place of one that a source removed, and has nothing of it.
   * @throws DirectoryError `idempotency_conflict` when the request key was used with another fingerprint within 24 h.
   */
  insert(entries: readonly Entry[], once?: RequestKey): Promise<Inserted>
  /**
   * Reads, changes and writes in one transaction; ids that are unknown or removed are left out. `change` is synchronous:
   * nothing may wait while rows are locked. It returns undefined to leave an entry as it is, and does nothing else: it is
   * called again where the transaction has to be repeated. `dueAt` ends the lease and forgets the date that was drawn; `extraProbeAt`
   * leaves both. Neither makes a sample due, and of many in quick succession the later ones wait (`MAX_EXTRA_PROBES`, `EXTRA_PROBE_EVERY_MS`).
   * To forget probes is to forget facts, finding and days, and to count them no more: they stay in the history. To forget
   * payments is to forget that they were this entry's own.
   * Resolves to the seq of its last write, or the last one drawn where it wrote nothing.
   */
  update(ids: readonly string[], change: (entry: Entry) => Changed | undefined): Promise<Seq>
  /**
   * Leaves a tombstone and a `removed` event that tells what was there (`before`). Resolves to undefined where there is nothing
   * to remove. `check` sees the entry in the same transaction and may throw: then nothing is removed. It says whether lists may
   * bring it back; `for_good` keeps a hash of where it was sold.
   */
  remove(
    id: string,
    at: Date,
    reason: RemovalReason,
    check?: (entry: Entry) => Removal,
  ): Promise<Seq | undefined>
  /** undefined: unknown or removed. */
  find(id: string): Promise<Kept | undefined>
  /** What is kept under these ids, removed or not; what never was is left out. */
  known(ids: readonly string[]): Promise<Map<string, Known>>
  /** Entries in the order of their ids, after the given one. */
  byId(after: string, limit: number): Promise<Entry[]>
  /** Entries that follow a source, by id, after the given one. */
  ofSource(sourceUrl: string, after: string, limit: number): Promise<Entry[]>
  /** How many entries follow a source. */
  countOfSource(sourceUrl: string): Promise<number>
  /** Entries that are paid at one of these addresses, whatever the case of its letters. */
  paidTo(addresses: readonly string[]): Promise<Entry[]>
  /** Those of these sellers (by their hashes) at which an entry was removed. */
  removedSellers(hashes: readonly string[]): Promise<Set<string>>
  /** The present state of every entry written after `since`, in commit order, tombstones included. */
  changes(since: Seq, limit: number): Promise<Change[]>
  /**
   * Keeps embeddings beside their entries, so that the next start is spared the work; unknown and removed ids are left out.
   * Draws no seq. An embedding is lost with its entry, and no backup holds it.
   */
  putEmbeddings(embeddings: readonly StoredEmbedding[]): Promise<void>
  /** The timelines of everything that `changes` has told so far. */
  readonly timelines: Timelines
  history(): Promise<StoreHistory>
  /** The seq of the last write. */
  lastSeq(): Promise<Seq>
  /** Calls back soon after entries were written by any process; who watches first and reads then misses nothing. Returns the way to stop. */
  watch(onCommit: () => void): () => void
  /**
   * Why writes are not kept right now, in a sentence for everybody; undefined: nothing is known to be wrong. Where there is
   * doubt it tries one, so that trouble which has passed is over also where nobody writes.
   */
  trouble(): Promise<string | undefined>
  /** Everything that is worth keeping, as it is at one moment, in an order in which it can be put back; other calls go on meanwhile. */
  backup(onCount?: (rows: number) => void): AsyncIterable<BackupRecord>
  /**
   * Fills an empty store, in one transaction. Seqs and events stay what they were; the next ones come after a gap, in a timeline
   * of their own.
   * @throws DirectoryError `invalid_request` where the store holds anything, or a record means nothing to it
   */
  restore(records: AsyncIterable<BackupRecord>): Promise<void>
  readonly schedule: ProbeSchedule
  readonly leases: LeaseTable
  readonly budgets: BudgetTable
  readonly hosts: HostTable
  readonly events: EventLog
  readonly probes: ProbeLog
  readonly terms: TermsTable
  readonly payments: PaymentLog
  readonly keys: KeyTable
  readonly challenges: ChallengeTable
  readonly sources: SourceTable
  readonly webhooks: WebhookTable
  readonly reports: ReportTable
  readonly census: CensusTable
  readonly purchases: PurchaseTable
  readonly outcomes: OutcomeTable
  /** Only where nodes on other machines read the same store: beside a file a snapshot is a file too. */
  readonly snapshots?: SnapshotStore
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

/** A place in the history of a service. An event stands after the probe of the same time, from which it came. */
export type HistoryPlace = {
  readonly at: string
  /** The number of an event; 0 for a probe. */
  readonly number: number
}

export type HistoryItem =
  | { readonly kind: 'probe'; readonly probe: ProbeRecord }
  | { readonly kind: 'event'; readonly event: StoredEvent }

export interface ProbeLog {
  /**
   * In one transaction: keeps the probe and adds it to its day, hands the entry and what is kept of its probes to `judge`,
   * and writes the judged entry, its events, what was found and the next due date; the holder's lease ends with it.
   * A probe that came besides the one that was drawn puts that off no further: the sooner of the two dates holds.
   * `judge` is synchronous and does nothing else: it is called again where the transaction has to be repeated.
   * Resolves to the seq of the write; undefined where the entry is unknown or removed, the same probe was kept before, a
   * holder is named that no longer holds the entry's lease, or the probe is `Outdated`: then nothing is written.
   */
  record(probe: ProbeToRecord, judge: Judge, holder?: string): Promise<Seq | undefined>
  /** Probes and events of one service before the given place (or the newest), newest first. */
  history(serviceId: string, limit: number, before?: HistoryPlace): Promise<HistoryItem[]>
  /** The days of one service since it is where it is, newest first. */
  days(serviceId: string, limit: number): Promise<ProbeDay[]>
  /** Forgets probes older than the given time, and days before the given day; the days of forgotten probes stay. Resolves to how many probes. */
  prune(before: { readonly probes: Date; readonly days: Date }): Promise<number>
}

/** What endpoints were last seen asking for. Written by `record`, forgotten with the probes of an entry. */
export interface TermsTable {
  /** undefined before the first readable answer. */
  of(serviceId: string): Promise<SeenTerms | undefined>
  /** Those of these services that have any. */
  ofAll(serviceIds: readonly string[]): Promise<Map<string, SeenTerms>>
}

export type ProbeLease = {
  /** Names who takes them: only this one settles what it probed. */
  readonly holder: string
  readonly leaseMs: number
}

/** When each service is probed next. Draws no seq: readers of the catalog are not disturbed. */
export interface ProbeSchedule {
  /**
   * Takes entries whose probe is due, the longest due first unless the newest are asked for, and hides them from
   * everybody until the lease ends. Dates and leases that lie further ahead than they can (`MAX_AHEAD_MS`) are over.
   */
  claimDue(now: Date, limit: number, lease: ProbeLease, first?: 'oldest' | 'newest'): Promise<Kept[]>
  /** How many are due and not claimed, counted no further than the limit. */
  countDue(now: Date, limit: number): Promise<number>
  /** Ends a lease of the holder and sets the next probe; null: never again. Does nothing where the holder has none. */
  release(serviceId: string, holder: string, dueAt: Date | null): Promise<void>
  /** Ends all leases of the holder: what it had is due as before. */
  releaseAll(holder: string): Promise<void>
}
