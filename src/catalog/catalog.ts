// The read model: everything readable, in memory and ready to send. Its data structures are in writer.ts; only follow.ts writes entries
// to it.

import { DirectoryError } from '../domain/errors.ts'
import type { Changes, Cursor, Scale, Timelines } from '../domain/feed.ts'
import type { OfferFilters } from '../domain/formats/bazaar.ts'
import type { Encoded } from '../domain/json.ts'
import type { LanguageCode } from '../domain/languages/languages.ts'
import type { Backing, Marks } from '../domain/listing/backing.ts'
import type { Category } from '../domain/listing/categories.ts'
import type { Hidden, Service, StatusRecord } from '../domain/listing/service.ts'
import type { DollarPrice, Rates } from '../domain/money/rates.ts'
import type { Policy } from '../domain/policy.ts'
import {
  type AppliedFilters,
  type Direction,
  type Facets,
  type Filters,
  type IndexedOrder,
  toApplied,
} from '../domain/queries/filters.ts'
import type {
  IntentAnswer,
  IntentQuery,
  KeywordQuery,
  ListQuery,
  Page,
  Rank,
  RankQuery,
} from '../domain/queries/queries.ts'
import type { Resolution, ResolveQuery } from '../domain/resolve/resolution.ts'
import type { DeliveryCount } from '../domain/standing/delivery.ts'
import type { SeenRequirements } from '../domain/terms/terms.ts'
import { comparePayee, type PayeeSeen } from '../domain/terms/terms-view.ts'
import type { SlotTest } from '../memory/sorted-slots.ts'
import { say } from '../messages/message.ts'
import { answerIntent } from '../search/ranking/answer.ts'
import { explainRank } from '../search/ranking/explain-rank.ts'
import { createSearchIndex, type SearchIndex } from '../search/search-index.ts'
import type { Change, Seq, StoredEmbedding, StoreHistory } from '../store/store.ts'
import { marksOf, toBackingOf } from './backing.ts'
import { pageOfChanges } from './changes.ts'
import { countCategories, countFacets } from './facets.ts'
import { type FilterSet, type PolicyTest, toAcceptor, toPolicyTest } from './filters.ts'
import {
  listOfOwner,
  listOfSeller,
  listVerified,
  pageOfList,
  pageOfSearch,
  sortIds,
  type Totals,
} from './lists.ts'
import { listOffers, type OfferHits, type OfferPage, searchOffers } from './offers.ts'
import { resolvePayment } from './places.ts'
import { CatalogParts, CatalogWriter } from './writer.ts'

export type PolicyView = PolicyTest & {
  readonly generation: number
  readonly applied: Seq
  readonly policy: Policy
  readonly within: (set: FilterSet) => FilterSet
  /** Sizes of lists by their filters, which are counted once. */
  readonly totals: Map<string, Totals>
  /** How many services the policy hides from the answer to a sentence, by the filters of the sentence. */
  readonly refused: Map<string, number>
}

/** Counts that are kept for a policy. */
const MAX_COUNTS = 1_000

export class Catalog {
  readonly #parts: CatalogParts
  readonly #writer: CatalogWriter
  readonly #policy: Policy | undefined
  #view: PolicyView | undefined

  /**
   * @param index an empty index; one with a semantic index is costly to open
   * @param over the catalog that this one shows a part of
   */
  constructor(
    index: SearchIndex = createSearchIndex(),
    over?: { readonly parts: CatalogParts; readonly writer: CatalogWriter; readonly policy: Policy },
  ) {
    this.#parts = over?.parts ?? new CatalogParts(index)
    this.#writer = over?.writer ?? new CatalogWriter(this.#parts)
    this.#policy = over?.policy
  }

  /** The same catalog, of which lists, searches and verdicts show only what the policy allows. */
  under(policy: Policy): Catalog {
    return new Catalog(this.#parts.index, { parts: this.#parts, writer: this.#writer, policy })
  }

  /** What the policy allows now; undefined without a policy. */
  get #allowed(): PolicyView | undefined {
    if (!this.#policy) return undefined
    const { generation, applied } = this.#writer
    if (this.#view?.generation !== generation || this.#view.applied !== applied) {
      const test = toPolicyTest(this.#parts, this.#policy)
      const parts = new Map<FilterSet, FilterSet>()
      this.#view = {
        generation,
        applied,
        policy: this.#policy,
        ...test,
        within: set =>
          parts.get(set) ?? parts.set(set, this.#parts.sortedIndexes.subset(set, test.passes)).get(set)!,
        totals: new Map(),
        refused: new Map(),
      }
    }
    return this.#view
  }

  /** @throws DirectoryError `not_approved`, and `not_found` for what cannot be judged because it is not in the catalog */
  requireApproved(id: string): void {
    const slot = this.#parts.ids.find(id)
    const allowed = this.#allowed
    // The reader of a hidden one learns why.
    if (!allowed || (slot === undefined && this.hidden(id))) return
    if (slot === undefined)
      throw new DirectoryError('not_found', say('service_unknown', { id: id.slice(0, 64) }))
    if (!allowed.passes(slot)) throw new DirectoryError('not_approved', say('not_approved'))
  }

  /** Exchange rates for dollar prices. */
  get rates(): Rates {
    return this.#parts.columns.rates
  }

  /** While this number is unchanged, every read returns the same. */
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

  /** When and why an operator hid the entry; undefined if it is not hidden. */
  hidden(id: string): Hidden | undefined {
    return this.#parts.hidden.find(id)?.hidden
  }

  /** The known cost of a request, which may be higher than the listed price. */
  cost(id: string): string | undefined {
    return this.#at(id, slot => this.#parts.columns.keys.price.decimal(slot))
  }

  /** The same in dollars; undefined without an exchange rate. */
  dollarPrice(id: string): DollarPrice | undefined {
    return this.#at(id, slot => this.#parts.columns.dollarPrice(slot))
  }

  /** Whether its endpoint was seen to name the registered network and address; undefined if no terms were seen. */
  payeeSeen({ id, x402Config }: Pick<Service, 'id' | 'x402Config'>): PayeeSeen | undefined {
    const ways = this.waysSeen(id)
    return ways && comparePayee(ways, x402Config)
  }

  /** The ways to pay that its endpoint was seen to offer; undefined if no terms were seen. */
  waysSeen(id: string): readonly SeenRequirements[] | undefined {
    return this.#at(id, slot => this.#parts.places.seen(slot)?.resources[0]?.ways)
  }

  /** Median latency of its newest responses in milliseconds; undefined before the first. */
  latency(id: string): number | undefined {
    return this.#at(id, slot => this.#parts.columns.keys.latency.number(slot))
  }

  /** Whether it is invented sample data. */
  isSample(id: string): boolean {
    return this.#at(id, slot => this.#parts.places.isSample(slot)) ?? false
  }

  /** Number of samples that pass the filters. */
  countSamples(filters: Filters): number {
    const slots = [...this.#parts.places.samples]
    const accepts = slots.length > 0 ? toAcceptor(this.#parts.columns, toApplied(filters)) : undefined
    return accepts ? slots.filter(accepts).length : 0
  }

  /** Whether its owner discontinued it. */
  isRetired(id: string): boolean {
    return this.#at(id, slot => this.#parts.places.is(slot, 'retired')) ?? false
  }

  /** Counts of its purchases if it did not deliver at last, or seldom. */
  poorDelivery(id: string): DeliveryCount | undefined {
    return this.#at(id, slot => this.#parts.places.poorDelivery(slot))
  }

  /** Who backs a service, and which other services it can be mistaken for. */
  backing(id: string): Backing | undefined {
    return this.#at(id, slot => toBackingOf(this.#parts, slot))
  }

  marks(id: string): Marks | undefined {
    return this.#at(id, slot => marksOf(this.#parts, slot))
  }

  /** Whether a URL is safe to pay. */
  resolve(query: ResolveQuery, now: Date): Encoded<Resolution> {
    return resolvePayment(this.#parts, query, now, this.#allowed)
  }

  list(query: ListQuery): Page {
    return pageOfList(this.#parts, query, this.#allowed)
  }

  search(query: KeywordQuery): Page {
    return pageOfSearch(this.#parts, query, this.#allowed)
  }

  /**
   * @param explained the places of the results that get a reason; by default all
   * @param isBrief whether reasons leave out what the service object already shows
   * @param reasonLanguage the language of the reasons; by default that of the query
   * @param onFilter called with the applied filters
   */
  searchByIntent(
    query: IntentQuery,
    {
      isBrief = false,
      explained,
      reasonLanguage,
      onFilter,
    }: {
      isBrief?: boolean
      explained?: { readonly from: number; readonly to: number }
      reasonLanguage?: LanguageCode
      onFilter?: ((filter: AppliedFilters) => void) | undefined
    } = {},
  ): Encoded<IntentAnswer> {
    return answerIntent(this.#parts.ranking, query, {
      onFilter,
      isBrief,
      explained,
      reasonLanguage,
      allowed: this.#allowed?.passes,
      countRefused: filter => this.#countRefused(filter, passes => this.#countOutside(filter, passes)),
    })
  }

  /** Where a service stands for a sentence. @param language of the conditions and wishes in what would help */
  rank(id: string, query: RankQuery, language: LanguageCode = 'en'): Rank | undefined {
    const allowed = this.#allowed?.passes
    return this.#at(id, slot => explainRank(this.#parts.ranking, query, { id, slot }, { language, allowed }))
  }

  /** How many a policy leaves out of what is asked for; counted once. */
  #countRefused(asked: object, countBy: (passes: SlotTest) => number): number {
    if (!this.#allowed) return 0
    const { passes, refused } = this.#allowed
    const key = JSON.stringify(asked)
    const count = refused.get(key) ?? countBy(passes)
    if (refused.size < MAX_COUNTS) refused.set(key, count)
    return count
  }

  /** How many entries pass the filters, but not the policy. */
  #countOutside(filter: AppliedFilters, passes: SlotTest): number {
    const narrowed = this.#parts.sortedIndexes.narrow(filter)
    const accepts = narrowed && toAcceptor(this.#parts.columns, narrowed.rest)
    let count = 0
    if (accepts)
      narrowed.set.age.scan(0, 1, slot => {
        if (accepts(slot) && !passes(slot)) count++
        return true
      })
    return count
  }

  facets(filters: Filters): Facets {
    return countFacets(this.#parts, toApplied(filters))
  }

  /** See `sortIds`. */
  sorted(ids: readonly string[], order: IndexedOrder, direction: Direction): string[] {
    return sortIds(this.#parts, ids, order, direction)
  }

  /** See `listVerified`. */
  verified(from: number, count: number): { readonly ids: readonly string[]; readonly total: number } {
    return listVerified(this.#parts, from, count)
  }

  /** Services with this payment address, at most 100: the most trusted first, and last those that must not be paid. */
  soldBy(payee: string): Encoded<Service>[] {
    return listOfSeller(this.#parts, payee).map(slot => this.#parts.records.service(slot))
  }

  /** See `listOfOwner`. */
  ofOwner(owner: string, payee: string | undefined): string[] {
    return listOfOwner(this.#parts, owner, payee)
  }

  /** A page of the x402 discovery list. */
  offers(query: OfferFilters & { limit: number; offset: number }): OfferPage {
    return listOffers(this.#parts, query, this.#allowed?.passes)
  }

  searchOffers(
    words: string,
    filters: OfferFilters,
    page: { offset: number; limit: number },
  ): OfferHits & Pick<OfferPage, 'suppressed'> {
    const whole = { ...filters, limit: 0, offset: 0 }
    return {
      ...searchOffers(this.#parts, words, filters, page, this.#allowed?.passes),
      suppressed: this.#countRefused(
        { offers: filters },
        passes => listOffers(this.#parts, whole, passes).suppressed,
      ),
    }
  }

  categories(): Category[] {
    return countCategories(this.#parts, this.#allowed?.passes)
  }

  /** Ids of all entries, hidden ones included. */
  everyId(): string[] {
    const ids = this.#parts.hidden.all().map(({ id }) => id)
    this.#parts.sortedIndexes.all.age.scan(0, 1, slot => ids.push(this.#parts.ids.id(slot)) > 0)
    return ids
  }

  /** A consistent view of every service, oldest first, however slowly it is read. */
  freeze(): Iterable<Encoded<Service>> {
    const { age } = this.#parts.sortedIndexes.all
    const slots = new Uint32Array(age.size)
    let count = 0
    age.scan(0, 1, slot => {
      slots[count++] = slot
      return true
    })
    return this.#parts.records.freeze(slots)
  }

  /** The current state of what changed after `since`, oldest change first. */
  changes(since: Seq, limit: number): Encoded<Changes> {
    return pageOfChanges(this.#parts, since, limit)
  }

  get timelines(): Timelines {
    return this.#parts.position.timelines
  }

  /** See `Position.onUnknownCursor`. */
  set onUnknownCursor(tell: (found: Record<string, unknown>) => void) {
    this.#parts.position.onUnknownCursor = tell
  }

  /** See `Position.includes`. */
  includes(
    scale: Scale,
    cursor: Cursor,
    last: number,
    readHistory: () => Promise<StoreHistory>,
  ): Promise<boolean> {
    return this.#parts.position.includes(scale, cursor, last, readHistory)
  }

  /** Calls back whenever `seq` has risen; returns a function that stops it. */
  watch(onRise: () => void): () => void {
    return this.#parts.position.watch(onRise)
  }

  /** With `more` pages to come, sorted indexes and `seq` are updated only with the last page. */
  apply(changes: readonly Change[], options?: { more?: boolean; timelines?: Timelines }): void {
    this.#writer.apply(changes, options)
  }

  /** Inserts pages applied with `more` into the sorted indexes ahead of the last page, in a few long steps. */
  placing(): Generator<void> {
    return this.#writer.placing()
  }

  /** Switches dollar prices to these rates, in steps; reads and `apply` may run in between. */
  revalue(rates: Rates): Generator<void> {
    return this.#writer.revalue(rates)
  }

  /** Removes and returns computed embeddings that are not stored yet, at most `limit`. */
  takeEmbeddings(limit: number): StoredEmbedding[] {
    return this.#writer.takeEmbeddings(limit)
  }

  /** Resolves when everything up to `seq` is visible. */
  whenReached(seq: Seq): Promise<void> {
    return this.#parts.position.whenReached(seq)
  }

  /** Reads from the slot of an id; undefined if the id is unknown. */
  #at<T>(id: string, read: (slot: number) => T): T | undefined {
    const slot = this.#parts.ids.find(id)
    return slot === undefined ? undefined : read(slot)
  }
}
