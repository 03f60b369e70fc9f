// The operations of the product, one function each. Every door calls this interface; it also exists over HTTP.
import type { IntentAnswer, Page } from './domain/answers.ts'
import type { Category } from './domain/categories.ts'
import type { Encoded } from './domain/encoded.ts'
import type { IntentQuery, KeywordQuery, ListQuery } from './domain/queries.ts'
import type { Service } from './domain/service.ts'
import type { ExportEntry, StatusRecord } from './domain/views.ts'

export type Registered = {
  readonly service: Encoded<Service>
  /** Sentences about what was accepted but looks wrong. */
  readonly notices: readonly string[]
  /** Paths of the fields that were sent and not used. */
  readonly ignored: readonly string[]
}

export type Health = {
  /** starting: the catalog has not caught up yet; degraded: it serves, but the store is away. */
  readonly state: 'starting' | 'ready' | 'degraded'
  readonly seq: number
  readonly services: number
  /** How long the catalog has been behind the store. */
  readonly lagMs: number
  readonly storeErrors: number
}

export interface Directory {
  list(query: ListQuery): Promise<Page>
  /** @throws DirectoryError `not_found` */
  get(id: string): Promise<Encoded<Service>>
  /** @throws DirectoryError `not_found` */
  status(id: string): Promise<Encoded<StatusRecord>>
  /**
   * Registers what a provider sent. When it resolves the entry is on disk and found by every read of this process.
   * @throws DirectoryError `unauthorized`, `forbidden`, `invalid_request`, `idempotency_conflict`
   */
  register(body: unknown, by: { readonly key: string; readonly once?: string }): Promise<Registered>
  search(query: KeywordQuery): Promise<Page>
  searchByIntent(query: IntentQuery): Promise<Encoded<IntentAnswer>>
  /** Every service, at one moment, newest last. */
  export(): AsyncIterable<ExportEntry>
  categories(): Promise<Category[]>
  health(): Promise<Health>
}
