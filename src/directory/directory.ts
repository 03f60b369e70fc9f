// The operations of the product, one function each. Every interface calls this interface; it also exists over HTTP.

import type { Catalog } from '../catalog/catalog.ts'
import type { EventBatch } from '../catalog/follow/event-tail.ts'
import type { Problem } from '../domain/errors.ts'
import type { Encoded } from '../domain/json/encoded.ts'
import type { Service } from '../domain/listing/service.ts'
import type { ProbingState } from '../domain/standing/probes.ts'
import type { SourceState } from '../store/sources.ts'
import type { StoredEvent } from '../store/store.ts'
import type { Bazaar } from './bazaar.ts'
import type { Feed } from './feed.ts'
import type { Lists } from './lists.ts'
import type { Outcomes } from './outcomes.ts'
import type { Owners } from './owners.ts'
import type { PurchaseReads } from './purchases.ts'
import type { Reports } from './reports.ts'
import type { ServiceRecords } from './service-records.ts'
import type { Services } from './services.ts'
import type { Sessions, SignIn } from './sign-in.ts'
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
  extends Lists,
    Feed,
    Bazaar,
    Owners,
    SignIn,
    Webhooks,
    Reports,
    Outcomes,
    Services,
    ServiceRecords,
    PurchaseReads {
  health(): Promise<Health>
}

export type RecentEvent = StoredEvent

/** A directory in this process. */
export interface LocalDirectory extends Directory, Sessions {
  /** The catalog in memory. @throws DirectoryError `not_ready` */
  readonly reads: Catalog
  /** Returns what was read of an id. @throws DirectoryError `not_found`, `hidden` */
  require<T>(value: T | undefined, id: string): T
  /** Whether payments on a network are read; otherwise a count of 0 says nothing. */
  readsPayments(network: string): boolean
  /**
   * Operations that memory may answer without a promise, which would cost more than the read. It returns undefined where memory does
   * not know, and throws `history_changed` where perhaps another process knows the cursor: the operation itself asks the store.
   */
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
