// The operations of the product, one function each. Every interface calls this interface; it also exists over HTTP.

import type { EventBatch } from '../catalog/event-tail.ts'
import type { IntentAnswer, Page } from '../domain/answers.ts'
import type { Backing, Marks } from '../domain/backing.ts'
import type { Category } from '../domain/categories.ts'
import type { CensusDay } from '../domain/census.ts'
import type { CheckReport } from '../domain/check.ts'
import type { Encoded } from '../domain/encoded.ts'
import type { Problem } from '../domain/errors.ts'
import type { Distributions, Facets } from '../domain/facets.ts'
import type { Filters } from '../domain/filters.ts'
import type { History } from '../domain/history.ts'
import type { LanguageCode } from '../domain/languages/languages.ts'
import type { IndexedOrder, SortOrder } from '../domain/orders.ts'
import type { ProbingState } from '../domain/probes.ts'
import type { ProvenanceRecord } from '../domain/provenance.ts'
import type { HistoryQuery, IntentQuery, KeywordQuery, ListQuery } from '../domain/queries.ts'
import type { DollarPrice } from '../domain/rates.ts'
import type { ResolveQuery } from '../domain/resolve/query.ts'
import type { Resolution } from '../domain/resolve/resolution.ts'
import type { Service } from '../domain/service.ts'
import type { Trust } from '../domain/trust.ts'
import type { ExportEntry, StatusRecord } from '../domain/views.ts'
import type { SourceState } from '../store/sources.ts'
import type { StoredEvent } from '../store/store.ts'
import type { Bazaar } from './bazaar.ts'
import type { CensusReads } from './census.ts'
import type { Feed } from './feed.ts'
import type { Outcomes } from './outcomes.ts'
import type { OwnServicesReads } from './own-services.ts'
import type { Owners, Written } from './owners.ts'
import type { PurchaseReads } from './purchases.ts'
import type { Reports } from './reports.ts'
import type { SignIn } from './sign-in.ts'
import type { TermsReads } from './terms.ts'
import type { Webhooks } from './webhooks.ts'

export type Checked = {
  readonly report: Encoded<CheckReport>
  /** Paths of the fields that were sent and not used. */
  readonly ignored: readonly string[]
}

export type Registered = Written & { readonly id: string }

export type Health = {
  /** starting: the catalog has not caught up yet; degraded: it serves, but the store is away or keeps no writes. */
  readonly state: 'starting' | 'ready' | 'degraded'
  /** What is wrong with the store, in a sentence; null: nothing. */
  readonly reason: string | null
  readonly seq: number
  readonly services: number
  /** How long the catalog has been behind the store. */
  readonly lagMs: number
  readonly storeErrors: number
  /** null: this process takes no part in the rounds of probes. */
  readonly probing: ProbingState | null
  /** The last snapshot of the catalog that this process read or wrote: everything up to that write. null: none yet. */
  readonly snapshot: { readonly seq: number; readonly at: string } | null
  /** The last file of the nightly export; null: none yet, or none is written. */
  readonly nightlyExport: { readonly file: string; readonly at: string; readonly bytes: number } | null
}

/** A source that is followed, and how that fares. */
export type FollowedSource = Pick<SourceState, 'url' | 'kind' | 'checkedAt' | 'succeededAt' | 'failures'>

export interface Directory
  extends Feed,
    Bazaar,
    Owners,
    OwnServicesReads,
    SignIn,
    Webhooks,
    Reports,
    Outcomes,
    TermsReads,
    CensusReads,
    PurchaseReads {
  list(query: ListQuery): Promise<Page>
  /** @throws DirectoryError `not_found`, `hidden` */
  get(id: string): Promise<Encoded<Service>>
  /** @throws DirectoryError `not_found`, `hidden` */
  status(id: string): Promise<Encoded<StatusRecord>>
  /** Probes and changes with their reasons, newest first. @throws DirectoryError `not_found`, `hidden` */
  history(id: string, query: HistoryQuery): Promise<Encoded<History>>
  /** Where the trust score comes from. @throws DirectoryError `not_found`, `hidden` */
  trust(id: string): Promise<Encoded<Trust>>
  /** Where it came from. @throws DirectoryError `not_found`, `hidden` */
  provenance(id: string): Promise<Encoded<ProvenanceRecord>>
  /** Who stands behind it, and which entries of others it can be taken for. @throws DirectoryError `not_found`, `hidden` */
  backing(id: string): Promise<Encoded<Backing>>
  /** Whether a URL is safe to pay, by what is listed here and what its endpoint was seen to ask for. */
  resolve(query: ResolveQuery): Promise<Encoded<Resolution>>
  /**
   * Asks any URL what a probe would ask it, and lists nothing. `from` is where the request comes from, where the interface knows:
   * a wallet costs nothing, so its keys are counted by that as well.
   * @throws DirectoryError `unauthorized`, `forbidden`, `invalid_request`, `rate_limited`
   */
  check(body: unknown, by: { readonly key: string; readonly from?: string }): Promise<Checked>
  /**
   * Registers what a provider sent. When it resolves the entry is on disk and found by every read of this process. `from` is where
   * the request comes from, where the interface knows: what wallets write is counted by that as well.
   * @throws DirectoryError `unauthorized`, `forbidden`, `invalid_request`, `idempotency_conflict`, `rate_limited`
   */
  register(
    body: unknown,
    by: { readonly key: string; readonly once?: string; readonly from?: string },
  ): Promise<Registered>
  search(query: KeywordQuery): Promise<Page>
  /** `from` is where the request comes from, where the interface knows: a search that finds nothing counts by that. */
  searchByIntent(
    query: IntentQuery,
    by?: { readonly from?: string | undefined },
  ): Promise<Encoded<IntentAnswer>>
  /** Every service, at one moment, newest last. */
  export(): AsyncIterable<ExportEntry>
  categories(): Promise<Category[]>
  health(): Promise<Health>
}

/**
 * The reads that come from memory, answered at once. A promise costs more than such an answer (4 µs of 12 on an
 * ordinary core), so the busiest interface asks this way.
 */
export interface Reads {
  /** Every answer stays the same as long as this does. */
  readonly generation: number
  /**
   * @throws DirectoryError `history_changed`, also where another process may know the cursor already: `Directory.list` asks the store
   * then, and so does `Directory.search`
   */
  list(query: ListQuery): Page
  /** undefined: not here; another process may know it already, so `Directory.get` asks the store where that can be. */
  find(id: string): Encoded<Service> | undefined
  findStatus(id: string): Encoded<StatusRecord> | undefined
  get(id: string): Encoded<Service>
  status(id: string): Encoded<StatusRecord>
  search(query: KeywordQuery): Page
  /**
   * @param options isBrief: reasons leave out what a reader of the service sees; speaks: their language, left out that of the query;
   * onNothing: told the words where nothing fits them
   */
  searchByIntent(
    query: IntentQuery,
    options?: {
      readonly isBrief?: boolean
      readonly speaks?: LanguageCode
      readonly onNothing?: ((words: readonly string[]) => void) | undefined
    },
  ): Encoded<IntentAnswer>
  /** The words that may be told of a search. */
  wordsOf(sentence: string): readonly string[]
  /** Services that are paid at an address, the most trusted first. */
  soldBy(payee: string): Encoded<Service>[]
  /** How many services each value of a filter leaves beside the other filters. */
  facets(filters: Filters): Facets
  /** Services by an order; what has no key comes last in both directions, and of equals the one that comes first stays first. */
  sorted(ids: readonly string[], order: IndexedOrder, direction: SortOrder): string[]
  /** What a request costs as far as anybody knows: the listed price, or a higher one that was seen. */
  cost(id: string): string | undefined
  /** The same in US dollars; undefined where no rate tells it. */
  dollarPrice(id: string): DollarPrice | undefined
  /** Milliseconds within which half of its newest answers came, to two digits; undefined before the first. */
  latency(id: string): number | undefined
  /** Whether all that is told of it is invented. */
  isSample(id: string): boolean
  backing(id: string): Backing
  marks(id: string): Marks
  resolve(query: ResolveQuery): Encoded<Resolution>
  distributions(): Distributions
  /** What the catalog is made of now. */
  census(): CensusDay
  /** Verified services by age, oldest first, and how many there are. */
  verified(from: number, count: number): { readonly ids: readonly string[]; readonly total: number }
}

export type RecentEvent = StoredEvent

/** A directory in this process. */
export interface LocalDirectory extends Directory {
  readonly reads: Reads
  /** What is wrong with a registration body, whoever sends it. */
  problemsOf(body: unknown): readonly Problem[]
  /** Counts words that nothing was found for, by where the request came from. */
  countUnmet(words: readonly string[], from: string): void
  /** Every service with all of its fields, at one moment, oldest first. */
  exportServices(): Iterable<Encoded<Service>>
  /** Memory that the catalog holds. */
  readonly bytes: number
  /** Events in batches that all listeners share: an interface with thousands of them encodes each once. */
  listen(after: string | number | undefined, signal: AbortSignal): AsyncGenerator<EventBatch, void>
  /** Why one of them fails is for the operator alone: it may name hosts that are nobody's business. */
  sources(): Promise<FollowedSource[]>
  /** What happened last, newest first: as many as lie among the last numbers of the log. */
  recent(numbers: number): Promise<RecentEvent[]>
  /** What happened to one service last, newest first. */
  eventsOf(id: string, limit: number): Promise<RecentEvent[]>
}
