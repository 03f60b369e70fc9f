// Lists and pages of services, read from a sorted index or from ranked hits.

import {
  type AppliedFilters,
  type Direction,
  directionOf,
  type FilterName,
  filterOf,
  type IndexedOrder,
  toApplied,
} from '../domain/queries/filters.ts'
import { type KeywordQuery, type ListQuery, MAX_SEARCH_DEPTH, type Page } from '../domain/queries/queries.ts'
import type { SlotOrder, SlotTest, SortedSlots } from '../memory/sorted-slots.ts'
import type { RankingSource } from '../search/ranking/answer.ts'
import { type RetrieveKeywords, toKeywordRanker } from '../search/ranking/rank-keywords.ts'
import { NO_HITS, type SearchIndex } from '../search/search-index.ts'
import type { Columns, KeyColumn } from './columns.ts'
import { type FilterSet, type PolicyTest, rangeOf, toAcceptor } from './filters.ts'
import type { Records, SlotTable } from './records.ts'
import type { Narrowed, SortedIndexes } from './sorted-indexes.ts'
import type { CatalogParts } from './writer.ts'

/** A sequence of slots with positions from 0 to `size - 1`. */
type SlotSequence = Pick<SortedSlots, 'size' | 'scan'>

/** The slots of an order with those without a key first, for a scan from the end to the beginning. */
class MissingFirst implements SlotSequence {
  readonly #slots: SortedSlots
  /** The number of slots without a key, by which all other positions are shifted. */
  readonly missing: number

  /** @param slots an order in which slots without a key come last */
  constructor(slots: SortedSlots, isMissing: SlotTest) {
    this.#slots = slots
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

// Serves a list from a sorted index: it scans from the first entry of the page to its last and never sorts.

type SlotPage = {
  readonly slots: readonly number[]
  readonly total: number
  /** How many a policy leaves out. */
  readonly suppressed?: number | undefined
}

const NOTHING: SlotPage = { slots: [], total: 0 }

type Parts = { readonly columns: Columns; readonly sortedIndexes: SortedIndexes }

type Options = {
  /** Also restricts the list to entries that contain the words of a query. */
  readonly matches?: SlotTest | undefined
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
  const { limit: _, offset: __, sortBy: ___, sortOrder: ____, ...filters } = query
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
  { matches, allowed }: Options,
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
  const scan: Scan = { slots, step, range, offset: query.offset, limit: query.limit }
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

/** A scan of a sorted index. */
type Scan = {
  readonly slots: SlotSequence
  readonly step: 1 | -1
  /** Nothing passes outside of it. */
  readonly range: Positions
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
function takePage({ slots, step, range: { from, to }, offset, limit }: Scan): SlotPage {
  const page: number[] = []
  const first = step === 1 ? from + offset : to - 1 - offset
  const wanted = Math.min(limit, step === 1 ? to - first : first - from + 1)
  if (wanted > 0) slots.scan(first, step, slot => page.push(slot) < wanted)
  return { slots: page, total: Math.max(0, to - from) }
}

function testEach(
  { slots, step, range, offset, limit }: Scan,
  total: number | undefined,
  accepts: SlotTest,
): SlotPage {
  if (range.from >= range.to) return NOTHING
  const page: number[] = []
  let left = range.to - range.from
  let passed = 0
  slots.scan(step === 1 ? range.from : range.to - 1, step, slot => {
    left--
    if (accepts(slot) && passed++ >= offset && page.length < limit) page.push(slot)
    // A total that is not known is counted.
    return left > 0 && (total === undefined || passed < offset + limit)
  })
  return { slots: page, total: total ?? passed }
}

// Pages of services.

type PageParts = {
  readonly ids: SlotTable
  readonly columns: Columns
  readonly sortedIndexes: SortedIndexes
  readonly records: Records
  readonly index: SearchIndex
  readonly ranking: RankingSource
  /** Breaks ties between hits of equal relevance. */
  readonly order: SlotOrder
}

export function pageOfList(parts: PageParts, query: ListQuery, allowed?: Allowed): Page {
  const { columns, index, order, ids } = parts
  if (query.query === undefined || query.sortBy !== undefined) {
    const matches = query.query === undefined ? undefined : index.matchAll(query.query)
    return toPage(
      parts,
      listSlots(parts, query, { allowed, matches: matches && (slot => matches.has(slot)) }),
    )
  }
  const filter = toApplied(query)
  const accepts = toAcceptor(columns, filter)
  const retrieve = accepts ? index.retrieverOfAll(query.query, order) : () => NO_HITS
  const under = toRestricted(retrieve, allowed, accepts)
  const rank = toKeywordRanker(parts.ranking, filter, under.retrieve)
  const { offset, limit } = query
  const isReversed = query.sortOrder === 'asc'
  // The index allocates as many hits as requested: a page far beyond the end must not cost memory.
  const { hits, total } = rank(isReversed ? ids.size : Math.min(offset + limit, ids.size))
  const slots = (isReversed ? hits.toReversed() : hits).slice(offset, offset + limit).map(({ slot }) => slot)
  return toPage(parts, { slots, total, suppressed: under.suppressed() })
}

export function pageOfSearch(parts: PageParts, query: KeywordQuery, allowed?: Allowed): Page {
  const { q, limit, offset, prefix = false } = query
  const under = toRestricted(parts.index.retrieverOfAny(q, parts.order, { prefix }), allowed)
  const rank = toKeywordRanker(parts.ranking, {}, under.retrieve)
  const { hits, total } = rank(offset + limit)
  return toPage(parts, {
    slots: hits.slice(offset).map(({ slot }) => slot),
    total: total > MAX_SEARCH_DEPTH ? undefined : total,
    suppressed: under.suppressed(),
  })
}

const toPage = (
  { records }: PageParts,
  { slots, total, suppressed }: Pick<SlotPage, 'slots'> & Pick<Page, 'total' | 'suppressed'>,
): Page => ({ services: records.array(slots), total, ...(suppressed !== undefined && { suppressed }) })

/** Retrieves only what a policy allows, and counts what the first retrieval left out: each entry is tested once in it. */
function toRestricted(
  retrieve: RetrieveKeywords,
  allowed: Allowed | undefined,
  filter?: SlotTest,
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

// Lists of ids and slots: those of a seller, those of an owner, verified ones, and given ids in an order.

/** Entries of one payee that are read, and those that are listed. */
const MAX_OF_PAYEE = 10_000
const MAX_OF_SELLER = 100

/** A stable sort; entries without a key come last. */
export function sortIds(
  { ids: table, columns }: CatalogParts,
  ids: readonly string[],
  order: IndexedOrder,
  direction: Direction,
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
