// Lists and pages of services, read from a sorted index or from ranked hits: by offset, or after a cursor.

import { historyChanged } from '../domain/errors.ts'
import type { Timelines } from '../domain/feed.ts'
import { writeIdWords } from '../domain/ids.ts'
import {
  type AppliedFilters,
  directionOf,
  type FilterName,
  filterOf,
  type IndexedOrder,
  type SortOrder,
  toApplied,
} from '../domain/queries/filters.ts'
import {
  type KeywordQuery,
  type ListQuery,
  MAX_SEARCH_DEPTH,
  type Page,
  type PagedQuery,
  type PagePosition,
  pagedList,
  pagedSearch,
  placeOfList,
  placeOfSearch,
  toCursor,
} from '../domain/queries/queries.ts'
import type { SlotOrder, SortedSlots } from '../memory/sorted-slots.ts'
import { say } from '../messages/message.ts'
import type { RankingSource } from '../search/ranking/answer.ts'
import { type RetrieveKeywords, toKeywordRanker } from '../search/ranking/rank-keywords.ts'
import { type Hit, type Hits, NO_HITS, type SearchIndex } from '../search/search-index.ts'
import type { Seq } from '../store/store.ts'
import type { Columns, KeyColumn } from './columns.ts'
import { type FilterSet, type PolicyTest, rangeOf, type SlotTest, toAcceptor } from './filters.ts'
import type { Records, SlotTable } from './records.ts'
import type { Narrowed, SortedIndexes } from './sorted-indexes.ts'
import type { CatalogParts } from './writer.ts'

/** A sequence of slots with positions from 0 to `size - 1`. */
type SlotSequence = Pick<SortedSlots, 'size' | 'scan' | 'countWhile'>

/** The slots of an order with those without a key first, for a scan from the end to the beginning. */
class MissingFirst implements SlotSequence {
  readonly #slots: SortedSlots
  readonly #isMissing: (slot: number) => boolean
  /** The number of slots without a key, by which all other positions are shifted. */
  readonly missing: number

  /** @param slots an order in which slots without a key come last */
  constructor(slots: SortedSlots, isMissing: (slot: number) => boolean) {
    this.#slots = slots
    this.#isMissing = isMissing
    this.missing = slots.size - slots.countWhile(slot => !isMissing(slot))
  }

  get size(): number {
    return this.#slots.size
  }

  scan(from: number, step: 1 | -1, visit: (slot: number) => boolean): void {
    if (step === 1) throw new Error('Entries without a key come first only for a backward scan.')
    if (from < 0 || from >= this.size) return
    const present = this.size - this.missing
    if (from >= this.missing && !this.#scanBack(from - this.missing, 0, visit)) return
    this.#scanBack(Math.min(present + from, this.size - 1), present, visit)
  }

  countWhile(holds: (slot: number) => boolean): number {
    const isMissing = this.#isMissing
    const present = this.size - this.missing
    const missing = this.#slots.countWhile(slot => !isMissing(slot) || holds(slot)) - present
    return missing < this.missing
      ? missing
      : missing + this.#slots.countWhile(slot => !isMissing(slot) && holds(slot))
  }

  /** Visits the positions of the order from `from` down to `last`; returns whether the scan continues. */
  #scanBack(from: number, last: number, visit: (slot: number) => boolean): boolean {
    let continues = true
    let left = from - last + 1
    if (left > 0)
      this.#slots.scan(from, -1, slot => {
        continues = visit(slot)
        return continues && --left > 0
      })
    return continues
  }
}

// Finds where a page continues in a sorted index, by the keys of an entry that may have been removed.

type CursorParts = { readonly columns: Columns; readonly ids: SlotTable }

const keysAt = ({ columns }: CursorParts, order: IndexedOrder, slot: number): readonly (string | number)[] =>
  order === 'age' ? [] : columns.keys[order].cursorKeys(slot)

/** The position of the first slot after the place, in the direction of the scan. */
function positionAfter(
  { columns, ids }: CursorParts,
  set: SlotSequence,
  order: IndexedOrder,
  step: 1 | -1,
  { id, keys }: PagePosition,
): number {
  const words = new Uint32Array(4)
  writeIdWords(id, words, 0)
  const column: KeyColumn | undefined = order === 'age' ? undefined : columns.keys[order]
  const compareKeys = column?.comparisonToCursor(keys) ?? (() => 0)
  const isKeyMissing = set instanceof MissingFirst && column?.isMissingKey?.(keys)
  const compare = (slot: number) => {
    const byKey = compareKeys(slot)
    // If entries without a key come first, an entry with a key sorts after them.
    const sign = set instanceof MissingFirst && column?.isMissing?.(slot) !== isKeyMissing ? -1 : 1
    return sign * byKey || ids.compareTo(slot, words)
  }
  return step === 1
    ? set.countWhile(slot => compare(slot) <= 0)
    : set.countWhile(slot => compare(slot) < 0) - 1
}

// Serves a list from a sorted index: it scans from the first entry of the page to its last and never sorts.

type SlotPage = {
  readonly slots: readonly number[]
  readonly total: number
  /** Whether more entries follow. */
  readonly isMore: boolean
  /** How many a policy leaves out. */
  readonly suppressed?: number
}

const NOTHING: SlotPage = { slots: [], total: 0, isMore: false }

type Parts = { readonly columns: Columns; readonly sortedIndexes: SortedIndexes; readonly ids: SlotTable }

type Options = {
  /** Also restricts the list to entries that contain the words of a query. */
  readonly matches?: ((slot: number) => boolean) | undefined
  /** The page begins after this position; without it, at the offset. */
  readonly place?: PagePosition | undefined
  readonly allowed?: Allowed | undefined
}

/** What a policy allows: as a test and of each set, with the sizes of lists under it by their filters. */
type Allowed = PolicyTest & {
  /** The part of a set that is allowed. */
  readonly within: (set: FilterSet) => FilterSet
  readonly totals: Map<string, Totals>
}

/** How many entries pass the filters and the policy, and how many the filters alone. */
export type Totals = { readonly total: number; readonly unrestricted: number }

function listSlots(parts: Parts, query: ListQuery, options: Options = {}): SlotPage {
  const { allowed, matches } = options
  if (!allowed) return listFiltered(parts, query, options)
  const { totals } = allowed
  // The order, the words of a query and the filters decide the size of a list; its page does not.
  const { limit: _, offset: __, cursor: ___, sortBy: ____, sortOrder: _____, ...filters } = query
  const key = JSON.stringify(filters)
  const known = totals.get(key)
  const page = listFiltered(parts, query, options, known?.total)
  if (known) return { ...page, suppressed: known.unrestricted - known.total }
  const unrestricted = listFiltered(parts, { ...query, limit: 0, offset: 0 }, { matches }).total
  if (totals.size < MAX_TOTALS) totals.set(key, { total: page.total, unrestricted })
  return { ...page, suppressed: unrestricted - page.total }
}

/** Sizes of lists that are kept for a policy. */
const MAX_TOTALS = 1_000

/** @param total of the passing entries, if it is known */
function listFiltered(
  parts: Parts,
  query: ListQuery,
  { matches, place, allowed }: Options,
  total?: number,
): SlotPage {
  const { columns, sortedIndexes } = parts
  const found = sortedIndexes.narrow(toApplied(query))
  if (!found) return NOTHING
  const narrowed = allowed ? { ...found, set: allowed.within(found.set) } : found
  const order: IndexedOrder = query.sortBy ?? 'age'
  const step = (query.sortOrder ?? directionOf(order)) === 'asc' ? 1 : -1
  const slots = step === 1 ? narrowed.set[order] : descending(narrowed.set, order, columns)
  const { range, rest } = boundsOf(narrowed, columns, order, slots)
  const start = place && positionAfter(parts, slots, order, step, place)
  const scan: Scan = { slots, step, range, start, offset: place ? 0 : query.offset, limit: query.limit }
  if (!matches && Object.keys(rest).length === 0) return takePage(scan)
  const passes = toAcceptor(columns, rest)
  if (!passes) return NOTHING
  if (matches) return testEach(scan, total, slot => matches(slot) && passes(slot))
  return testEach(scan, total ?? knownTotal(narrowed, columns), passes)
}

/** The sequence for a scan from the end, in which entries without a key also come last. */
function descending(set: FilterSet, order: IndexedOrder, columns: Columns): SlotSequence {
  const column: KeyColumn | undefined = order === 'age' ? undefined : columns.keys[order]
  return column?.isMissing && !column.isTotal
    ? new MissingFirst(set[order], slot => column.isMissing!(slot))
    : set[order]
}

/** The positions to which filters bound the order, and the filters that bound nothing in it. */
function boundsOf(
  { set, rest }: Narrowed,
  columns: Columns,
  order: IndexedOrder,
  slots: SlotSequence,
): { readonly range: Positions; readonly rest: AppliedFilters } {
  let range: Positions = { from: 0, to: slots.size }
  const others = { ...rest }
  // Entries without a key, which no bound passes, may be first.
  const shift = slots instanceof MissingFirst ? slots.missing : 0
  for (const name of Object.keys(rest) as FilterName[]) {
    const bounds = filterOf(name).bound?.order === order && rangeOf(columns, set, name, rest[name])
    if (!bounds) continue
    delete others[name]
    range = { from: Math.max(range.from, bounds.from + shift), to: Math.min(range.to, bounds.to + shift) }
  }
  return { range, rest: others }
}

/** A scan of a sorted index from a position, or from its beginning. */
type Scan = {
  readonly slots: SlotSequence
  readonly step: 1 | -1
  /** Nothing passes outside of it. */
  readonly range: Positions
  readonly start: number | undefined
  /** Entries to skip. */
  readonly offset: number
  readonly limit: number
}

/** Positions in an order, from `from` to before `to`. */
type Positions = { readonly from: number; readonly to: number }

/** The number of passing entries, if a single filter bounds some order. */
function knownTotal({ set, rest }: Narrowed, columns: Columns): number | undefined {
  const [first, ...others] = Object.keys(rest) as FilterName[]
  const range = first && others.length === 0 ? rangeOf(columns, set, first, rest[first]) : undefined
  return range && range.to - range.from
}

/** A page of a range in which all entries pass. */
function takePage({ slots, step, range: { from, to }, start, offset, limit }: Scan): SlotPage {
  const page: number[] = []
  const first = step === 1 ? Math.max(start ?? from, from) + offset : Math.min(start ?? to, to - 1) - offset
  const left = step === 1 ? to - first : first - from + 1
  const wanted = Math.min(limit, left)
  if (wanted > 0) slots.scan(first, step, slot => page.push(slot) < wanted)
  return { slots: page, total: Math.max(0, to - from), isMore: left > limit }
}

function testEach(
  { slots, step, range, start, offset, limit }: Scan,
  total: number | undefined,
  accepts: SlotTest,
): SlotPage {
  if (range.from >= range.to) return NOTHING
  const page: number[] = []
  const beginning = step === 1 ? range.from : range.to - 1
  // If the total has to be counted, the scan begins at the first entry, also for a later page.
  const from = total === undefined ? beginning : (start ?? beginning)
  // By offset, the total shows whether more follow; after a position, one more passing entry does.
  const wanted = start === undefined ? offset + limit : offset + limit + 1
  let position = from
  let left = step === 1 ? range.to - from : from - range.from + 1
  let count = 0
  let passed = 0
  slots.scan(from, step, slot => {
    const isAfterStart = start === undefined || (position - start) * step >= 0
    position += step
    left--
    if (!accepts(slot)) return left > 0
    count++
    if (isAfterStart && passed++ >= offset && page.length < limit) page.push(slot)
    return left > 0 && (total === undefined || passed < wanted)
  })
  const all = total ?? count
  return { slots: page, total: all, isMore: (start === undefined ? all : passed) > offset + limit }
}

// A page of ranked hits: by offset, or after a position. Ranks change with the catalog, so a position is a sort key, not a count.

type RankPage = {
  readonly hits: readonly Hit[]
  readonly total: number
  /** Whether more hits follow. */
  readonly isMore: boolean
}

/** Extra hits for new entries above the position, so that one ranking is nearly always enough. */
const SLACK = 32

type Ranking = {
  /** The best `count` hits. */
  readonly rank: (count: number) => Hits
  /** Maximum number of ranked hits. */
  readonly max: number
  readonly trustOf: (slot: number) => number
  readonly idOf: (slot: number) => string
}

function pageByOffset({ rank, max }: Ranking, offset: number, limit: number): RankPage {
  // The index allocates as many hits as requested: a page far beyond the end must not cost memory.
  const { hits, total } = rank(Math.min(offset + limit, max))
  return {
    hits: offset === 0 ? hits : hits.slice(offset),
    total,
    isMore: offset + limit < Math.min(total, max),
  }
}

function pageAfter(ranking: Ranking, place: PagePosition, limit: number): RankPage {
  for (let count = place.seen + limit + SLACK; ; count *= 2) {
    const { hits, total } = ranking.rank(Math.min(count, ranking.max))
    const rest = hits.filter(hit => compareTo(ranking, hit, place) > 0)
    const isAll = hits.length < count
    if (rest.length > limit || isAll)
      return { hits: rest.slice(0, limit), total, isMore: rest.length > limit }
  }
}

/** From the least relevant hit on; ranks everything. */
function pageReversed(
  ranking: Ranking,
  { offset, limit, place }: { offset: number; limit: number; place: PagePosition | undefined },
): RankPage {
  const { hits, total } = ranking.rank(ranking.max)
  const reversed = hits.toReversed()
  const rest = place ? reversed.filter(hit => compareTo(ranking, hit, place) < 0) : reversed.slice(offset)
  return { hits: rest.slice(0, limit), total, isMore: rest.length > limit }
}

/** Positive if the hit comes after the position: less relevant, less trusted, or newer. */
function compareTo({ trustOf, idOf }: Ranking, { slot, key }: Hit, { keys, id }: PagePosition): number {
  const [placeKey, placeTrust] = keys as [number, number]
  if (key !== placeKey) return placeKey - key
  const trust = trustOf(slot)
  if (trust !== placeTrust) return placeTrust - trust
  const own = idOf(slot)
  return own === id ? 0 : own < id ? -1 : 1
}

// Pages of services: by offset, or by a cursor, which is stable while the catalog changes.

type PageParts = {
  readonly ids: SlotTable
  readonly columns: Columns
  readonly sortedIndexes: SortedIndexes
  readonly records: Records
  readonly index: SearchIndex
  readonly ranking: RankingSource
  /** Breaks ties between hits of equal relevance. */
  readonly order: SlotOrder
  readonly seq: Seq
  readonly timelines: Timelines
}

/** The cursor part of a query. */
type PageRequest = {
  readonly cursor: string | undefined
  readonly place: PagePosition | undefined
  /** Called only if a next cursor is created. */
  readonly paged: () => PagedQuery
}

/** Whether the cursor belongs to the history, if the caller has already checked it against the store. */
export type KnownCursor = { readonly isKnown: boolean }

/** @throws DirectoryError `history_changed` */
export function pageOfList(parts: PageParts, query: ListQuery, known?: KnownCursor, allowed?: Allowed): Page {
  const { columns, index, order } = parts
  const place = checkPlace(parts, placeOfList(query), known)
  const request = { cursor: query.cursor, place, paged: () => pagedList(query) }
  if (query.query === undefined || query.sortBy !== undefined) {
    const matches = query.query === undefined ? undefined : index.matchAll(query.query)
    const page = listSlots(parts, query, {
      place,
      allowed,
      matches: matches && (slot => matches.has(slot)),
    })
    return toPage(parts, page, request, slot => keysAt(parts, query.sortBy ?? 'age', slot))
  }
  const accepts = toAcceptor(columns, toApplied(query))
  const words = query.query
  const filter = toApplied(query)
  const retrieve = accepts ? index.retrieverOfAll(words, order) : () => NO_HITS
  const under = toRestricted(retrieve, allowed, accepts)
  const rank = toKeywordRanker(parts.ranking, filter, under.retrieve)
  const ranking = toRanking(parts, rank, parts.ids.size)
  const { offset, limit } = query
  const page =
    query.sortOrder === 'asc'
      ? pageReversed(ranking, { offset, limit, place })
      : place
        ? pageAfter(ranking, place, limit)
        : pageByOffset(ranking, offset, limit)
  return toRankedPage(parts, page, request, page.total, under.suppressed())
}

/** @throws DirectoryError `history_changed` */
export function pageOfSearch(
  parts: PageParts,
  query: KeywordQuery,
  known?: KnownCursor,
  allowed?: Allowed,
): Page {
  const { q, limit, offset, prefix = false } = query
  const place = checkPlace(parts, placeOfSearch(query), known)
  const under = toRestricted(parts.index.retrieverOfAny(q, parts.order, { prefix }), allowed)
  const rank = toKeywordRanker(parts.ranking, {}, under.retrieve)
  const ranking = toRanking(parts, rank, MAX_SEARCH_DEPTH)
  const page = place ? pageAfter(ranking, place, limit) : pageByOffset(ranking, offset, limit)
  const request = { cursor: query.cursor, place, paged: () => pagedSearch(query) }
  const total = page.total > MAX_SEARCH_DEPTH ? undefined : page.total
  return toRankedPage(parts, page, request, total, under.suppressed())
}

/** Retrieves only what a policy allows, and counts what the first retrieval left out: each entry is tested once in it. */
function toRestricted(
  retrieve: RetrieveKeywords,
  allowed: Allowed | undefined,
  filter?: (slot: number) => boolean,
): { readonly retrieve: RetrieveKeywords; readonly suppressed: () => number | undefined } {
  if (!allowed)
    return { retrieve: (count, accept = filter) => retrieve(count, accept), suppressed: () => undefined }
  const { passes, refusals } = allowed
  let suppressed: number | undefined
  return {
    retrieve(count, accept = filter) {
      const before = refusals.count
      const found = retrieve(count, accept ? slot => accept(slot) && passes(slot) : passes)
      suppressed ??= refusals.count - before
      return found
    },
    suppressed: () => suppressed ?? 0,
  }
}

/** If a failover or restore lost what earlier pages showed, later pages would not be consistent with them. */
function checkPlace({ timelines, seq }: PageParts, place: PagePosition | undefined, known?: KnownCursor) {
  if (place && !(known?.isKnown ?? timelines.has('seq', place.since, seq)))
    throw historyChanged('cursor', say('begin_with_empty_cursor'))
  return place
}

const toRanking = ({ columns, ids }: PageParts, rank: Ranking['rank'], max: number): Ranking => ({
  rank,
  max,
  trustOf: slot => columns.trust[slot]!,
  idOf: slot => ids.id(slot),
})

function toRankedPage(
  parts: PageParts,
  { hits, isMore }: Omit<RankPage, 'total'>,
  request: PageRequest,
  total: number | undefined,
  suppressed: number | undefined,
): Page {
  const page = { slots: hits.map(({ slot }) => slot), total, isMore, suppressed }
  const keyOf = (slot: number) => hits.find(hit => hit.slot === slot)!.key
  return toPage(parts, page, request, slot => [keyOf(slot), parts.columns.trust[slot]!])
}

/** With a cursor, adds the cursor of the next page, and the position from which the changes feed continues. */
function toPage(
  { records, ids, seq, timelines }: PageParts,
  {
    slots,
    total,
    isMore,
    suppressed,
  }: Pick<SlotPage, 'slots' | 'isMore'> & Pick<Page, 'total' | 'suppressed'>,
  { cursor, place, paged }: PageRequest,
  keysOf: (slot: number) => readonly (string | number)[],
): Page {
  const services = records.array(slots)
  const read = { services, total, ...(suppressed !== undefined && { suppressed }) }
  if (cursor === undefined) return read
  // This process may be behind the one that served the first page, so the changes feed starts at the earlier of both positions.
  const since = timelines.toCursor('seq', Math.min(place?.since.number ?? seq, seq))
  const last = isMore ? slots.at(-1) : undefined
  if (last === undefined) return { ...read, since }
  const seen = (place?.seen ?? 0) + slots.length
  const next = toCursor(paged(), { id: ids.id(last), keys: keysOf(last), seen, since })
  return { ...read, since, next }
}

// Lists of ids and slots: those of a seller, those of an owner, verified ones, and given ids in an order.

/** Entries of one payee that are read, and those that are listed. */
const MAX_OF_PAYEE = 10_000
const MAX_OF_SELLER = 100

/** A stable sort; entries without a key come last. */
export function sortIds(
  { ids: table, columns }: CatalogParts,
  ids: readonly string[],
  order: IndexedOrder,
  direction: SortOrder,
): string[] {
  const step = direction === 'asc' ? 1 : -1
  const column: KeyColumn | undefined = order === 'age' ? undefined : columns.keys[order]
  const keys = column ?? table
  const missing = (slot: number) => (column?.isMissing?.(slot) ? 1 : 0)
  return ids
    .flatMap(id => table.find(id) ?? [])
    .sort((a, b) => missing(a) - missing(b) || step * keys.compare(a, b))
    .map(slot => table.id(slot))
}

/** Ids of verified entries, oldest first, and their total number. */
export function listVerified(
  { sortedIndexes, ids: table }: CatalogParts,
  from: number,
  count: number,
): { readonly ids: readonly string[]; readonly total: number } {
  const age = sortedIndexes.narrow({ status: 'verified' })?.set.age
  const ids: string[] = []
  if (age && count > 0) age.scan(from, 1, slot => ids.push(table.id(slot)) < count)
  return { ids, total: age?.size ?? 0 }
}

/** Slots of the entries with a payment address, the most trusted first, and last those that must not be paid. */
export const listOfSeller = ({ offers, order }: CatalogParts, payee: string): number[] =>
  offers.withPayee(payee, MAX_OF_PAYEE).sort(order).slice(0, MAX_OF_SELLER)

/**
 * Ids of entries that belong to an owner or have the payment address, and of all hidden ones, newest first. It may contain false
 * positives, so the caller checks each.
 */
export function listOfOwner(
  { offers, namesakes, ids: table, hidden }: CatalogParts,
  owner: string,
  payee: string | undefined,
): string[] {
  const paid = payee === undefined ? [] : offers.withPayee(payee, MAX_OF_PAYEE)
  const slots = new Set([...namesakes.ownedBy(owner), ...paid])
  const ids = [...slots].map(slot => table.id(slot))
  return [...ids, ...hidden.all().map(({ id }) => id)].sort().reverse()
}
