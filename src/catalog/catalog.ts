// The read model: everything readable, in memory and ready to send. What it holds is in parts.ts; only `follow` writes to it,
// by writer.ts.
import type { IntentAnswer, Page } from '../domain/answers.ts'
import type { Backing, Marks } from '../domain/backing.ts'
import type { OfferFilters } from '../domain/bazaar-query.ts'
import type { Category } from '../domain/categories.ts'
import type { CensusDay } from '../domain/census.ts'
import type { Encoded } from '../domain/encoded.ts'
import type { Distributions, Facets } from '../domain/facets.ts'
import type { Changes } from '../domain/feed.ts'
import { type Filters, toApplied } from '../domain/filters.ts'
import type { LanguageCode } from '../domain/languages/languages.ts'
import type { IndexedOrder, SortOrder } from '../domain/orders.ts'
import type { IntentQuery, KeywordQuery, ListQuery } from '../domain/queries.ts'
import type { DollarPrice, Rates } from '../domain/rates.ts'
import type { ResolveQuery } from '../domain/resolve/query.ts'
import type { Resolution } from '../domain/resolve/resolution.ts'
import type { Hidden, Service } from '../domain/service.ts'
import type { Cursor, Scale, Timelines } from '../domain/timelines.ts'
import type { StatusRecord } from '../domain/views.ts'
import type { Snapshot } from '../memory/snapshot.ts'
import { answerIntent } from '../search/ranking/answer.ts'
import { createSearchIndex, type SearchIndex } from '../search/search-index.ts'
import { toSearchedWords } from '../search/sentence/searched-words.ts'
import type { Change, Seq, StoredEmbedding, StoreHistory } from '../store/store.ts'
import { countCategories } from './category-counts.ts'
import { takeCensus } from './census.ts'
import { pageOfChanges } from './changes.ts'
import { Demand, MAX_TOLD } from './demand.ts'
import { listOffers, type OfferHits, type OfferPage, searchOffers } from './discover.ts'
import { countFacets, measureDistributions } from './facets.ts'
import { listOfOwner, listOfSeller, listVerified, sortIds } from './id-lists.ts'
import { marksOf, toBackingOf } from './others.ts'
import { type KnownCursor, pageOfList, pageOfSearch } from './pages.ts'
import { CatalogParts } from './parts.ts'
import { resolvePayment } from './resolve.ts'
import { CatalogWriter } from './writer.ts'

type OnNothing = (words: readonly string[]) => void

export class Catalog {
  /** What searchers see, for whoever decides what to buy. */
  readonly demand = new Demand()
  readonly #parts: CatalogParts
  readonly #writer: CatalogWriter

  /** The index is handed in empty; one with a semantic index is costly to open. */
  constructor(index: SearchIndex = createSearchIndex()) {
    this.#parts = new CatalogParts(index)
    this.#writer = new CatalogWriter(this.#parts)
  }

  /** What prices are told in dollars by. */
  get rates(): Rates {
    return this.#parts.columns.rates
  }

  /** Every read returns the same as long as this does not rise. */
  get generation(): number {
    return this.#writer.generation
  }

  /** Everything up to this write is visible in every read. */
  get seq(): Seq {
    return this.#parts.position.seq
  }

  get size(): number {
    return this.#parts.ids.size
  }

  get bytes(): number {
    return this.#parts.bytes
  }

  service(id: string): Encoded<Service> | undefined {
    return this.#at(id, slot => this.#parts.records.service(slot))
  }

  status(id: string): Encoded<StatusRecord> | undefined {
    return this.#at(id, slot => this.#parts.records.status(slot))
  }

  /** When an operator took the entry out of sight, and why; undefined where none did. */
  hidden(id: string): Hidden | undefined {
    return this.#parts.hidden.find(id)?.hidden
  }

  /** What a request costs as far as anybody knows, which may be more than what is listed. */
  cost(id: string): string | undefined {
    return this.#at(id, slot => this.#parts.columns.keys.price.decimal(slot))
  }

  /** The same in dollars; undefined where no rate tells it. */
  dollarPrice(id: string): DollarPrice | undefined {
    return this.#at(id, slot => this.#parts.columns.dollarPrice(slot))
  }

  /** Milliseconds within which half of its newest answers came; undefined before the first. */
  latency(id: string): number | undefined {
    return this.#at(id, slot => this.#parts.columns.keys.latency.number(slot))
  }

  /** Whether all that is told of it is invented. */
  isSample(id: string): boolean {
    return this.#at(id, slot => this.#parts.places.isSample(slot)) ?? false
  }

  /** Who stands behind a service, and what else it can be taken for. */
  backing(id: string): Backing | undefined {
    return this.#at(id, slot => toBackingOf(this.#parts, slot))
  }

  marks(id: string): Marks | undefined {
    return this.#at(id, slot => marksOf(this.#parts, slot))
  }

  /** Whether a URL is safe to pay. */
  resolve(query: ResolveQuery, now: Date): Encoded<Resolution> {
    return resolvePayment(this.#parts, query, now)
  }

  list(query: ListQuery, known?: KnownCursor): Page {
    return pageOfList(this.#parts, query, known)
  }

  search(query: KeywordQuery, known?: KnownCursor): Page {
    return pageOfSearch(this.#parts, query, known)
  }

  /**
   * @param isBrief whether reasons leave out what a reader of the service sees
   * @param speaks the language of the reasons; left out: that of the query
   * @param isCounted whether somebody looks at the answer, so that it counts as demand
   * @param onNothing told the words where nothing fits them
   */
  searchByIntent(
    query: IntentQuery,
    {
      isBrief = false,
      speaks,
      isCounted = true,
      onNothing,
    }: {
      isBrief?: boolean
      speaks?: LanguageCode
      isCounted?: boolean
      onNothing?: OnNothing | undefined
    } = {},
  ): Encoded<IntentAnswer> {
    return answerIntent(this.#parts.ranking, query, {
      onNothing,
      isBrief,
      speaks,
      onHits: slots => {
        if (!isCounted) return
        for (const slot of slots.slice(0, MAX_TOLD)) this.demand.add(this.#parts.ids.id(slot))
      },
    })
  }

  /** The words that may be told of a search. */
  wordsOf(sentence: string): readonly string[] {
    return toSearchedWords(this.#parts.index.readIntent(sentence))
  }

  facets(filters: Filters): Facets {
    return countFacets(this.#parts, toApplied(filters))
  }

  /** As `sortIds`. */
  sorted(ids: readonly string[], order: IndexedOrder, direction: SortOrder): string[] {
    return sortIds(this.#parts, ids, order, direction)
  }

  /** As `listVerified`. */
  verified(from: number, count: number): { readonly ids: readonly string[]; readonly total: number } {
    return listVerified(this.#parts, from, count)
  }

  /** Services that are paid at an address, the most trusted first; no more than a page can show. */
  soldBy(payee: string): Encoded<Service>[] {
    return listOfSeller(this.#parts, payee).map(slot => this.#parts.records.service(slot))
  }

  /** As `listOfOwner`. */
  ofOwner(owner: string, payee: string | undefined): string[] {
    return listOfOwner(this.#parts, owner, payee)
  }

  distributions(): Distributions {
    return measureDistributions(this.#parts)
  }

  /** What it is made of now. @param day the one that it is now */
  census(day: string): CensusDay {
    return takeCensus(this.#parts, day)
  }

  /** A page of the list of x402. @param options all: with those that are inactive */
  offers(query: OfferFilters & { limit: number; offset: number }, options?: { all?: boolean }): OfferPage {
    return listOffers(this.#parts, query, options)
  }

  searchOffers(words: string, filters: OfferFilters, page: { offset: number; limit: number }): OfferHits {
    return searchOffers(this.#parts, words, filters, page)
  }

  categories(): Category[] {
    return countCategories(this.#parts)
  }

  /** Every service at this moment, oldest first, however long the reader takes. */
  freeze(): Iterable<Encoded<Service>> {
    const { age } = this.#parts.orders.all
    const slots = new Uint32Array(age.size)
    let count = 0
    age.scan(0, 1, slot => {
      slots[count++] = slot
      return true
    })
    return this.#parts.records.freeze(slots)
  }

  /** The present state of what changed after `since`, oldest change first. */
  changes(since: Seq, limit: number): { readonly page: Encoded<Changes>; readonly count: number } {
    return pageOfChanges(this.#parts, since, limit)
  }

  /** The last write that changed a public object. */
  get lastChange(): Seq {
    return this.#parts.log.last
  }

  get timelines(): Timelines {
    return this.#parts.position.timelines
  }

  /** As `Position.includes`. */
  includes(
    scale: Scale,
    cursor: Cursor,
    last: number,
    readHistory: () => Promise<StoreHistory>,
  ): Promise<boolean> {
    return this.#parts.position.includes(scale, cursor, last, readHistory)
  }

  /** Calls back whenever `seq` has risen; returns the way to stop. */
  watch(onRise: () => void): () => void {
    return this.#parts.position.watch(onRise)
  }

  /** With `more` to come, the sorted indexes and `seq` wait for the last page. */
  apply(changes: readonly Change[], options?: { more?: boolean; timelines?: Timelines }): void {
    this.#writer.apply(changes, options)
  }

  /** Puts what was applied with `more` to come into the sorted indexes, so that the last page need not; in a few long steps. */
  placing(): Generator<void> {
    return this.#writer.placing()
  }

  /** Tells prices in dollars by these rates from now on; in steps, between which anything may be read and applied. */
  revalue(rates: Rates): Generator<void> {
    return this.#writer.revalue(rates)
  }

  /** Puts everything into a snapshot, or makes an empty catalog what a snapshot holds; in steps, between which nothing may be applied. */
  serialize(snapshot: Snapshot): Generator<void> {
    return this.#writer.serialize(snapshot)
  }

  /** Takes out embeddings that had to be made and are worth storing, at most `limit`. */
  takeEmbeddings(limit: number): StoredEmbedding[] {
    return this.#writer.takeEmbeddings(limit)
  }

  /** Resolves when everything up to `seq` is visible. */
  reached(seq: Seq): Promise<void> {
    return this.#parts.position.reached(seq)
  }

  /** What there is at the slot of an id; undefined where nothing has it. */
  #at<T>(id: string, read: (slot: number) => T): T | undefined {
    const slot = this.#parts.ids.find(id)
    return slot === undefined ? undefined : read(slot)
  }
}
