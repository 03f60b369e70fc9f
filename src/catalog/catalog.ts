// The read model: everything readable, in memory and ready to send. `follow` is its only writer.
import type { IntentAnswer, Page } from '../domain/answers.ts'
import type { Backing, Marks } from '../domain/backing.ts'
import type { OfferFilters } from '../domain/bazaar-query.ts'
import type { Category } from '../domain/categories.ts'
import type { Encoded } from '../domain/encoded.ts'
import type { Distributions, Facets } from '../domain/facets.ts'
import type { Changes } from '../domain/feed.ts'
import { type Filters, toApplied } from '../domain/filters.ts'
import { directionOf, type IndexedOrder } from '../domain/orders.ts'
import { toFollowed } from '../domain/provenance.ts'
import type { IntentQuery, KeywordQuery, ListQuery } from '../domain/queries.ts'
import { type DollarPrice, isInDollars, type Rates } from '../domain/rates.ts'
import type { ResolveQuery } from '../domain/resolve/query.ts'
import type { Resolution } from '../domain/resolve/resolution.ts'
import type { Entry, Hidden, Service } from '../domain/service.ts'
import type { Cursor, Scale, Timelines } from '../domain/timelines.ts'
import type { StatusRecord } from '../domain/views.ts'
import type { Snapshot } from '../memory/snapshot.ts'
import { answerIntent, type RankingSource } from '../search/ranking/answer.ts'
import { explainBriefly } from '../search/ranking/explain.ts'
import { createSearchIndex, type SearchIndex } from '../search/search-index.ts'
import type { Change, Seq, StoredEmbedding, StoreHistory } from '../store/store.ts'
import { Backings } from './backings.ts'
import { countCategories } from './category-counts.ts'
import { ChangeLog } from './change-log.ts'
import { pageOfChanges } from './changes.ts'
import { Columns } from './columns.ts'
import { Crowds } from './crowds.ts'
import { Demand, MAX_TOLD } from './demand.ts'
import { listOffers, type OfferHits, type OfferPage, searchOffers } from './discover.ts'
import { countFacets, measureDistributions } from './facets.ts'
import { FilterCache } from './filter-cache.ts'
import { HiddenEntries, isHidden } from './hidden-entries.ts'
import { SlotTable } from './id-table.ts'
import { Likeness } from './likeness.ts'
import { Listings } from './listings.ts'
import { Namesakes } from './namesakes.ts'
import { Offers } from './offers.ts'
import { marksOf, toBackingOf } from './others.ts'
import { type KnownCursor, pageOfList, pageOfSearch } from './pages.ts'
import { Places } from './places.ts'
import { Position } from './position.ts'
import { createRankingSource } from './ranking-source.ts'
import { Records } from './records.ts'
import { resolvePayment } from './resolve.ts'
import { SortedIndexes } from './sorted-indexes.ts'

/** From this share of new entries on, sorting everything anew is cheaper than finding a place for each. */
const MANY = { count: 2_000, share: 0.1 }

/** A step must not hold a request up. */
const REVALUED_AT_ONCE = 250

/** So many embeddings wait in memory to be stored. */
const MAX_UNSTORED = 20_000

/** So many entries of one payee are looked at, and the most trusted of them told. */
const OF_SELLER = { looks: 10_000, told: 100 }

export class Catalog {
  /** What searchers see, for whoever decides what to buy. */
  readonly demand = new Demand()
  readonly #ids = new SlotTable()
  readonly #records = new Records()
  readonly #columns = new Columns()
  readonly #orders = new SortedIndexes(this.#columns, this.#ids)
  readonly #filters = new FilterCache(this.#columns)
  readonly #index: SearchIndex
  readonly #log = new ChangeLog()
  readonly #offers = new Offers()
  readonly #namesakes = new Namesakes()
  readonly #backings = new Backings()
  readonly #places = new Places()
  readonly #listings = new Listings(this.#records, this.#places)
  readonly #likeness = new Likeness()
  readonly #hidden = new HiddenEntries()
  readonly #crowds = new Crowds({ ids: this.#ids, places: this.#places, backings: this.#backings })
  /** What questions about payments are answered from. */
  readonly #placed = {
    ids: this.#ids,
    places: this.#places,
    listings: this.#listings,
    backings: this.#backings,
    crowds: this.#crowds,
    hidden: this.#hidden,
  }
  readonly #ranking: RankingSource
  readonly #position = new Position()
  /** Written, but not yet in the sorted indexes. */
  readonly #unplaced = new Set<number>()
  /** Embeddings that had to be made and are not stored yet; undefined where they are made once more later on. */
  readonly #unstored = new Map<number, Uint8Array | undefined>()
  #generation = 0
  /** Applied so far; beyond `seq` while more is to come. */
  #applied: Seq = 0

  /** The index is handed in empty; one with a semantic index is costly to open. */
  constructor(index: SearchIndex = createSearchIndex()) {
    this.#index = index
    this.#ranking = createRankingSource({
      columns: this.#columns,
      orders: this.#orders,
      filters: this.#filters,
      records: this.#records,
      likeness: this.#likeness,
      backings: this.#backings,
      namesakes: this.#namesakes,
      ids: this.#ids,
      offers: this.#offers,
      order: this.#byTrust,
      index,
    })
  }

  /** What prices are told in dollars by. */
  get rates(): Rates {
    return this.#columns.rates
  }

  /** Every read returns the same as long as this does not rise. */
  get generation(): number {
    return this.#generation
  }

  /** Everything up to this write is visible in every read. */
  get seq(): Seq {
    return this.#position.seq
  }

  get size(): number {
    return this.#ids.size
  }

  get bytes(): number {
    return (
      this.#ids.bytes +
      this.#records.bytes +
      this.#columns.bytes +
      this.#orders.bytes +
      this.#filters.bytes +
      this.#index.bytes +
      this.#log.bytes +
      this.#offers.bytes +
      this.#namesakes.bytes +
      this.#likeness.bytes +
      this.#backings.bytes +
      this.#places.bytes
    )
  }

  service(id: string): Encoded<Service> | undefined {
    const slot = this.#ids.find(id)
    return slot === undefined ? undefined : this.#records.service(slot)
  }

  status(id: string): Encoded<StatusRecord> | undefined {
    const slot = this.#ids.find(id)
    return slot === undefined ? undefined : this.#records.status(slot)
  }

  /** When an operator took the entry out of sight, and why; undefined where none did. */
  hidden(id: string): Hidden | undefined {
    return this.#hidden.find(id)?.hidden
  }

  /** What a request costs as far as anybody knows, which may be more than what is listed. */
  cost(id: string): string | undefined {
    const slot = this.#ids.find(id)
    return slot === undefined ? undefined : this.#columns.keys.price.decimal(slot)
  }

  /** The same in dollars; undefined where no rate tells it. */
  dollarPrice(id: string): DollarPrice | undefined {
    const slot = this.#ids.find(id)
    return slot === undefined ? undefined : this.#columns.dollarPrice(slot)
  }

  /** Milliseconds within which half of its newest answers came; undefined before the first. */
  latency(id: string): number | undefined {
    const slot = this.#ids.find(id)
    return slot === undefined ? undefined : this.#columns.keys.latency.number(slot)
  }

  /** Who stands behind a service, and what else it can be taken for. */
  backing(id: string): Backing | undefined {
    const slot = this.#ids.find(id)
    return slot === undefined ? undefined : toBackingOf(this.#parts, slot)
  }

  marks(id: string): Marks | undefined {
    const slot = this.#ids.find(id)
    return slot === undefined ? undefined : marksOf(this.#parts, slot)
  }

  /** Whether a URL is safe to pay. */
  resolve(query: ResolveQuery, now: Date): Encoded<Resolution> {
    return resolvePayment(this.#placed, query, now)
  }

  list(query: ListQuery, known?: KnownCursor): Page {
    return pageOfList(this.#parts, query, known)
  }

  search(query: KeywordQuery, known?: KnownCursor): Page {
    return pageOfSearch(this.#parts, query, known)
  }

  /**
   * @param isBrief whether reasons leave out what a reader of the service sees
   * @param isCounted whether somebody looks at the answer, so that it counts as demand
   */
  searchByIntent(query: IntentQuery, { isBrief = false, isCounted = true } = {}): Encoded<IntentAnswer> {
    return answerIntent(this.#ranking, query, {
      ...(isBrief && { explain: explainBriefly }),
      onHits: slots => {
        if (!isCounted) return
        for (const slot of slots.slice(0, MAX_TOLD)) this.demand.add(this.#ids.id(slot))
      },
    })
  }

  facets(filters: Filters): Facets {
    return countFacets(this.#parts, toApplied(filters))
  }

  /** Ids of entries by an order in its usual direction; of equals the one that comes first stays first. */
  sorted(ids: readonly string[], order: IndexedOrder): string[] {
    const direction = directionOf(order) === 'asc' ? 1 : -1
    const keys = order === 'age' ? this.#ids : this.#columns.keys[order]
    return ids
      .flatMap(id => this.#ids.find(id) ?? [])
      .sort((a, b) => direction * keys.compare(a, b))
      .map(slot => this.#ids.id(slot))
  }

  /** Ids of verified entries by age, oldest first, and how many there are. */
  verified(from: number, count: number): { readonly ids: readonly string[]; readonly total: number } {
    const age = this.#orders.narrow({ status: 'verified' })?.set.age
    const ids: string[] = []
    if (age && count > 0) age.scan(from, 1, slot => ids.push(this.#ids.id(slot)) < count)
    return { ids, total: age?.size ?? 0 }
  }

  /** Services that are paid at an address, the most trusted first; no more than a page can show. */
  soldBy(payee: string): Encoded<Service>[] {
    return this.#offers
      .withPayee(payee, OF_SELLER.looks)
      .sort(this.#byTrust)
      .slice(0, OF_SELLER.told)
      .map(slot => this.#records.service(slot))
  }

  /**
   * Ids of entries that belong to an owner, hidden ones too, or are paid at the address; and maybe a few more, so who asks
   * looks at each. The newest first.
   */
  ofOwner(owner: string, payee: string | undefined): string[] {
    const paid = payee === undefined ? [] : this.#offers.withPayee(payee, OF_SELLER.looks)
    const slots = new Set([...this.#namesakes.ownedBy(owner), ...paid])
    const ids = [...slots].map(slot => this.#ids.id(slot))
    return [...ids, ...this.#hidden.all().map(({ id }) => id)].sort().reverse()
  }

  distributions(): Distributions {
    return measureDistributions(this.#parts)
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
    const { age } = this.#orders.all
    const slots = new Uint32Array(age.size)
    let count = 0
    age.scan(0, 1, slot => {
      slots[count++] = slot
      return true
    })
    return this.#records.freeze(slots)
  }

  /** The present state of what changed after `since`, oldest change first. */
  changes(since: Seq, limit: number): { readonly page: Encoded<Changes>; readonly count: number } {
    return pageOfChanges(this.#parts, since, limit)
  }

  /** The last write that changed a public object. */
  get lastChange(): Seq {
    return this.#log.last
  }

  get timelines(): Timelines {
    return this.#position.timelines
  }

  /** As `Position.includes`. */
  includes(
    scale: Scale,
    cursor: Cursor,
    last: number,
    readHistory: () => Promise<StoreHistory>,
  ): Promise<boolean> {
    return this.#position.includes(scale, cursor, last, readHistory)
  }

  /** Calls back whenever `seq` has risen; returns the way to stop. */
  watch(onRise: () => void): () => void {
    return this.#position.watch(onRise)
  }

  /** With `more` to come, the sorted indexes and `seq` wait for the last page. */
  apply(
    changes: readonly Change[],
    { more = false, timelines }: { more?: boolean; timelines?: Timelines } = {},
  ): void {
    if (timelines) this.#position.timelines = timelines
    for (const { id, entry, objectSeq, embedding, endpoint } of changes) {
      if (entry) this.#put(entry, objectSeq, embedding)
      else this.#forget(id, objectSeq, endpoint)
    }
    this.#applied = Math.max(this.#applied, changes.at(-1)?.seq ?? 0)
    if (more) return
    for (const _ of this.placing());
    this.#log.settle()
    if (this.#applied > this.seq) this.#generation++
    this.#position.reach(this.#applied)
  }

  /** Puts what was applied with `more` to come into the sorted indexes, so that the last page need not; in a few long steps. */
  *placing(): Generator<void> {
    const slots = [...this.#unplaced]
    this.#unplaced.clear()
    if (slots.length > MANY.count && slots.length > MANY.share * this.size)
      yield* this.#orders.insertMany(slots)
    else for (const slot of slots) this.#orders.insert(slot)
  }

  /** Tells prices in dollars by these rates from now on; in steps, between which anything may be read and applied. */
  *revalue(rates: Rates): Generator<void> {
    this.#columns.rates = rates
    const { currencies, currency } = this.#columns
    const isAffected = currencies.texts.map(code => !isInDollars(code))
    const ids: string[] = []
    this.#orders.all.age.scan(0, 1, slot => {
      if (isAffected[currency[slot]!]) ids.push(this.#ids.id(slot))
      return true
    })
    for (let i = 0; i < ids.length; i++) {
      if (i % REVALUED_AT_ONCE === 0 && i > 0) yield
      this.#revalueOne(ids[i]!)
    }
    this.#generation++
  }

  /** Puts everything into a snapshot, or makes an empty catalog what a snapshot holds; in steps, between which nothing may be applied. */
  *carry(snapshot: Snapshot): Generator<void> {
    if (snapshot.isReading) this.#filters.clear()
    this.#ids.carry(snapshot)
    yield* this.#records.carry(snapshot)
    yield* this.#columns.carry(snapshot)
    this.#orders.carry(snapshot)
    yield
    yield* this.#index.carry(snapshot)
    this.#log.carry(snapshot)
    this.#offers.carry(snapshot)
    this.#namesakes.carry(snapshot)
    this.#backings.carry(snapshot)
    this.#likeness.carry(snapshot)
    this.#hidden.carry(snapshot)
    yield* this.#places.carry(snapshot)
    for (const slot of snapshot.numbers([...this.#unstored.keys()]))
      if (snapshot.isReading) this.#unstored.set(slot, undefined)
    // It becomes visible with the next page that is applied.
    this.#applied = snapshot.number(this.#applied)
    // The keys are those of the rates at which the snapshot was made.
    if (snapshot.isReading) yield* this.revalue(this.#columns.rates)
  }

  /** Takes out embeddings that had to be made and are worth storing, at most `limit`. */
  takeEmbeddings(limit: number): StoredEmbedding[] {
    const embeddings: StoredEmbedding[] = []
    for (const [slot, made] of this.#unstored) {
      if (embeddings.length === limit) break
      this.#unstored.delete(slot)
      const embedding = made ?? this.#index.embedDocument(this.#records.service(slot).decode())
      if (embedding) embeddings.push({ id: this.#ids.id(slot), embedding })
    }
    return embeddings
  }

  /** Resolves when everything up to `seq` is visible. */
  reached(seq: Seq): Promise<void> {
    return this.#position.reached(seq)
  }

  /** Equal relevance: the more trusted first, then the older. */
  readonly #byTrust = (a: number, b: number): number =>
    this.#columns.trust[b]! - this.#columns.trust[a]! || this.#ids.compare(a, b)

  /** What answers are made from. */
  get #parts() {
    return {
      columns: this.#columns,
      orders: this.#orders,
      filters: this.#filters,
      ids: this.#ids,
      offers: this.#offers,
      namesakes: this.#namesakes,
      backings: this.#backings,
      records: this.#records,
      index: this.#index,
      log: this.#log,
      order: this.#byTrust,
      ranking: this.#ranking,
      seq: this.seq,
      timelines: this.timelines,
    }
  }

  #put(entry: Entry, objectSeq: Seq, embedding: Uint8Array | undefined): void {
    if (isHidden(entry)) {
      if (this.#hidden.put(entry, objectSeq)) this.#drop(entry.id, objectSeq)
      return
    }
    this.#hidden.delete(entry.id)
    const found = this.#ids.find(entry.id)
    const slot = found ?? this.#ids.add(entry.id)
    if (found === undefined) {
      this.#unplaced.add(slot)
    } else if (!this.#unplaced.has(slot) && this.#columns.moves(slot, entry)) {
      this.#orders.remove(slot)
      this.#unplaced.add(slot)
    }
    if (found !== undefined) this.#crowds.leave(slot)
    const before = found === undefined ? undefined : this.#records.service(slot).decode()
    if (!before || textOf(entry) !== textOf(before)) {
      const made = this.#index.set(slot, entry, { embedding, before })
      if (made) this.#unstored.set(slot, this.#unstored.size < MAX_UNSTORED ? made : undefined)
    }
    if (this.#columns.write(slot, entry)) this.#filters.changed(slot)
    this.#records.write(slot, entry)
    this.#log.put(slot, objectSeq, toFragment(toFollowed(entry)))
    this.#offers.write(slot, entry)
    this.#namesakes.write(slot, entry)
    this.#backings.write(slot, entry)
    this.#places.write(slot, entry)
    this.#crowds.enter(slot)
    this.#listings.forget(slot)
    this.#likeness.write(slot, entry)
  }

  #revalueOne(id: string): void {
    const slot = this.#ids.find(id)
    // What is gone or not in the orders yet gets its key when it is written.
    if (slot === undefined) return
    const { price, usdPrice } = this.#columns.keys
    const { currency, freeQuota } = this.#records.service(slot).decode().pricing
    // By what it costs, which may be more than what is listed.
    const service = { pricing: { currency, freeQuota, pricePerRequest: price.decimal(slot) } }
    if (!usdPrice.moves(slot, service)) return
    const isPlaced = !this.#unplaced.has(slot)
    if (isPlaced) this.#orders.remove(slot)
    usdPrice.write(slot, service)
    if (isPlaced) this.#orders.insert(slot)
    this.#filters.changed(slot)
  }

  #forget(id: string, seq: Seq, endpoint: string | undefined): void {
    this.#hidden.delete(id)
    if (endpoint !== undefined) this.#places.bury(endpoint)
    this.#drop(id, seq)
  }

  #drop(id: string, seq: Seq): void {
    const slot = this.#ids.find(id)
    this.#log.bury(id, slot, seq)
    if (slot === undefined) return
    if (!this.#unplaced.delete(slot)) this.#orders.remove(slot)
    this.#index.delete(slot, this.#records.service(slot).decode())
    this.#unstored.delete(slot)
    this.#crowds.leave(slot)
    this.#columns.release(slot)
    this.#offers.release(slot)
    this.#namesakes.release(slot)
    this.#backings.release(slot)
    this.#places.release(slot)
    this.#listings.forget(slot)
    this.#records.release(slot)
    this.#ids.remove(id)
  }
}

/** Fields as they stand among others in JSON. */
const toFragment = (fields: object | null): string =>
  fields === null ? '' : `${JSON.stringify(fields).slice(1, -1)},`

/** What the search index reads of a service. */
const textOf = ({ name, description, category, endpoint }: Entry | Service): string =>
  `${name}\n${description}\n${category}\n${endpoint}`
