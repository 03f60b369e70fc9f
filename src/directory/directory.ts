// The operations of the product, one function each. Every interface calls this interface; it also exists over HTTP.

import type { EventBatch } from '../catalog/follow/event-tail.ts'
import type { Problem } from '../domain/errors.ts'
import type { Encoded } from '../domain/json/encoded.ts'
import type { LanguageCode } from '../domain/languages/languages.ts'
import type { Backing, Marks } from '../domain/listing/backing.ts'
import type { Service } from '../domain/listing/service.ts'
import type { ExportEntry, StatusRecord } from '../domain/listing/views.ts'
import type { DollarPrice } from '../domain/money/rates.ts'
import type { IntentAnswer, Page } from '../domain/queries/answers.ts'
import type { Distributions, Facets } from '../domain/queries/facets.ts'
import type { AppliedFilters, Filters } from '../domain/queries/filters.ts'
import type { IndexedOrder, SortOrder } from '../domain/queries/orders.ts'
import type { IntentQuery, KeywordQuery, ListQuery } from '../domain/queries/queries.ts'
import type { ResolveQuery } from '../domain/resolve/query.ts'
import type { Resolution } from '../domain/resolve/resolution.ts'
import type { DeliveryCount } from '../domain/standing/delivery.ts'
import type { ProbingState } from '../domain/standing/probes.ts'
import type { PayeeSeen } from '../domain/terms/payee-seen.ts'
import type { SourceState } from '../store/sources.ts'
import type { StoredEvent } from '../store/store.ts'
import type { Bazaar } from './bazaar.ts'
import type { Feed } from './feed.ts'
import type { Outcomes } from './outcomes.ts'
import type { Owners } from './owners.ts'
import type { PurchaseReads } from './purchases.ts'
import type { Reports } from './reports.ts'
import type { ServiceRecords } from './service-records.ts'
import type { Services } from './services.ts'
import type { SignIn } from './sign-in.ts'
import type { Webhooks } from './webhooks.ts'
import type { OperationName } from './wire.ts'

export type Health = {
  /** starting: the catalog has not caught up yet; degraded: it serves, but the store is unavailable or cannot write. */
  readonly state: 'starting' | 'ready' | 'degraded'
  /** The problem of the store, as a sentence; null: none. */
  readonly reason: string | null
  readonly seq: number
  readonly services: number
  /** The share of the store that a start has read so far, 0 to 1. */
  readonly loaded: number
  /** How long the catalog has lagged behind the store. */
  readonly lagMs: number
  readonly storeErrors: number
  /** null: this process does not probe. */
  readonly probing: ProbingState | null
}

/** A followed source and its state. */
export type FollowedSource = Pick<SourceState, 'url' | 'kind' | 'checkedAt' | 'succeededAt' | 'failures'>

export interface Directory
  extends Feed,
    Bazaar,
    Owners,
    SignIn,
    Webhooks,
    Reports,
    Outcomes,
    Services,
    ServiceRecords,
    PurchaseReads {
  list(query: ListQuery): Promise<Page>
  /** Whether a URL is safe to pay, by the listings here and by the terms that its endpoint was seen to declare. */
  resolve(query: ResolveQuery): Promise<Encoded<Resolution>>
  search(query: KeywordQuery): Promise<Page>
  searchByIntent(query: IntentQuery): Promise<Encoded<IntentAnswer>>
  /** All services at one point in time, oldest first. */
  export(): AsyncIterable<ExportEntry>
  health(): Promise<Health>
}

/**
 * Reads from memory, without promises. A promise costs more than such a read (4 µs of 12 on an ordinary core), so the busiest interface
 * uses this one.
 */
export interface Reads {
  /** Responses do not change as long as this number does not. */
  readonly generation: number
  /**
   * @throws DirectoryError `history_changed`, also where only another process knows the cursor: `Directory.list` and
   * `Directory.search` query the store in that case
   */
  list(query: ListQuery): Page
  /** undefined: unknown here; another process may know it, in which case `Directory.get` queries the store. */
  find(id: string): Encoded<Service> | undefined
  findStatus(id: string): Encoded<StatusRecord> | undefined
  get(id: string): Encoded<Service>
  status(id: string): Encoded<StatusRecord>
  search(query: KeywordQuery): Page
  /**
   * @param options isBrief: reasons leave out what the service object shows; reasonLanguage: language of the reasons, default that of the query;
   * onFilter: called with the filters as applied
   */
  searchByIntent(
    query: IntentQuery,
    options?: {
      readonly isBrief?: boolean
      readonly reasonLanguage?: LanguageCode
      readonly onFilter?: ((filter: AppliedFilters) => void) | undefined
    },
  ): Encoded<IntentAnswer>
  /** Services paid at an address, the most trusted first. */
  soldBy(payee: string): Encoded<Service>[]
  /** Number of services for each filter value, in addition to the other filters. */
  facets(filters: Filters): Facets
  /** Sorts services by an order, stably; those without a key are last in both directions. */
  sorted(ids: readonly string[], order: IndexedOrder, direction: SortOrder): string[]
  /** The known price of a request: the listed one, or a higher one that was seen. */
  cost(id: string): string | undefined
  /** The same in US dollars; undefined if no rate is known. */
  dollarPrice(id: string): DollarPrice | undefined
  /** Whether its endpoint was seen to name the registered network and address; undefined if no terms were seen. */
  payeeSeen(service: Pick<Service, 'id' | 'x402Config'>): PayeeSeen | undefined
  /** Median of its newest response times in milliseconds, to two digits; undefined before the first. */
  latency(id: string): number | undefined
  /** Whether it is an invented example. */
  isSample(id: string): boolean
  /** Number of invented examples that pass the filters. */
  countSamples(filters: Filters): number
  /** Whether its owner took it out of service. */
  isRetired(id: string): boolean
  /** Counts of its purchases if it did not deliver at last, or seldom. */
  poorDelivery(id: string): DeliveryCount | undefined
  /** Whether payments on a network are read; otherwise a count of 0 says nothing. */
  readsPayments(network: string): boolean
  backing(id: string): Backing
  marks(id: string): Marks
  resolve(query: ResolveQuery): Encoded<Resolution>
  distributions(): Distributions
  /** Verified services by age, oldest first, and their total number. */
  verified(from: number, count: number): { readonly ids: readonly string[]; readonly total: number }
}

export type RecentEvent = StoredEvent

/** A directory in this process. */
export interface LocalDirectory extends Directory {
  readonly reads: Reads
  /** Operations that memory may answer without a promise; undefined where it cannot. */
  readonly fromMemory: { readonly [N in OperationName]?: (...args: Parameters<Directory[N]>) => unknown }
  /** The problems of a registration body, for any caller. */
  problemsOf(body: unknown): readonly Problem[]
  /** All services with all fields, at one point in time, oldest first. */
  exportServices(): Iterable<Encoded<Service>>
  /** Memory of the catalog. */
  readonly bytes: number
  /** Events in batches that all listeners share, so that an interface with thousands of listeners encodes each once. */
  listen(after: string | number | undefined, signal: AbortSignal): AsyncGenerator<EventBatch, void>
  /** Without the reasons of failures, which are for the operator only: they may name internal hosts. */
  sources(): Promise<FollowedSource[]>
  /** The latest events, newest first: those with one of the last `numbers` numbers of the log. */
  recent(numbers: number): Promise<RecentEvent[]>
  /** The latest events of one service, newest first. */
  eventsOf(id: string, limit: number): Promise<RecentEvent[]>
}
