// Answers a list from the kept orders: it walks one of them and stops at the page; it never sorts.

import { toIntentFilter } from '../domain/intent-filter.ts'
import { toPriceWords } from '../domain/money.ts'
import type { Place } from '../domain/page-cursor.ts'
import type { ListQuery, SortOrder } from '../domain/queries.ts'
import type { OrderedSlots } from '../memory/sorted-slots.ts'
import type { Columns } from './columns.ts'
import { positionAfter } from './cursor.ts'
import { toAcceptor } from './filter-test.ts'
import type { SlotTable } from './id-table.ts'
import type { Kept, KeptOrders, Narrowed } from './sorted-indexes.ts'

export type SlotPage = {
  readonly slots: readonly number[]
  readonly total: number
  /** Whether more entries follow. */
  readonly isMore: boolean
}

const NOTHING: SlotPage = { slots: [], total: 0, isMore: false }
const STANDARD_ORDER: Readonly<Record<Kept, SortOrder>> = {
  age: 'desc',
  name: 'asc',
  price: 'asc',
  trustScore: 'desc',
}

type Parts = { readonly columns: Columns; readonly orders: KeptOrders; readonly ids: SlotTable }

type Options = {
  /** Narrows the list further to the entries that hold the words of a query. */
  readonly matches?: ((slot: number) => boolean) | undefined
  /** The page begins behind it; otherwise at the offset. */
  readonly place?: Place | undefined
}

export function listSlots(parts: Parts, query: ListQuery, { matches, place }: Options = {}): SlotPage {
  const { columns, orders } = parts
  const narrowed = orders.narrow(query)
  if (!narrowed) return NOTHING
  const kept: Kept = query.sortBy ?? 'age'
  const step = (query.sortOrder ?? STANDARD_ORDER[kept]) === 'asc' ? 1 : -1
  const slots = narrowed.set[kept]
  const jump = matches ? undefined : countWithoutLooking(narrowed, columns)
  const start = place && positionAfter(parts, slots, kept, step, place)
  const walk: Walk = { slots, step, start, offset: place ? 0 : query.offset, limit: query.limit }
  if (jump !== undefined && !isTested(narrowed, kept)) return takePage(walk, jump)
  return testEach(walk, jump, acceptorOf(narrowed, columns, matches))
}

/** One of the kept orders from a position on, or from its beginning. */
type Walk = {
  readonly slots: OrderedSlots
  readonly step: 1 | -1
  readonly start: number | undefined
  /** Entries to skip. */
  readonly offset: number
  readonly limit: number
}

/** How many entries pass, where the set's size or one binary search tells. */
export function countWithoutLooking({ set, rest }: Narrowed, columns: Columns): number | undefined {
  if (
    rest.status !== undefined ||
    rest.currency !== undefined ||
    rest.category !== undefined ||
    rest.chain !== undefined
  ) {
    return undefined
  }
  if (rest.maxPricePerRequest === undefined) return set.age.size
  const max = toPriceWords(rest.maxPricePerRequest)
  return set.price.countWhile(slot => columns.isPricedUpTo(slot, max))
}

/** A price limit needs no test in the order of prices: what passes stands in front. */
const isTested = ({ rest }: Narrowed, kept: Kept): boolean =>
  rest.maxPricePerRequest !== undefined && kept !== 'price'

/** @param total how many stand in front and pass, all of them in a row */
function takePage({ slots, step, start, offset, limit }: Walk, total: number): SlotPage {
  const page: number[] = []
  const first = step === 1 ? (start ?? 0) + offset : Math.min(start ?? total, total - 1) - offset
  const left = step === 1 ? total - first : first + 1
  const wanted = Math.min(limit, left)
  if (wanted > 0) slots.walk(first, step, slot => page.push(slot) < wanted)
  return { slots: page, total, isMore: left > limit }
}

function testEach(
  { slots, step, start, offset, limit }: Walk,
  total: number | undefined,
  accepts: ((slot: number) => boolean) | undefined,
): SlotPage {
  if (!accepts) return NOTHING
  const page: number[] = []
  const beginning = step === 1 ? 0 : slots.size - 1
  // Where all have to be counted the walk begins in front, also for a later page.
  const from = total === undefined ? beginning : (start ?? beginning)
  // A total tells whether something follows a counted page; behind a place one entry more tells it.
  const wanted = start === undefined ? offset + limit : offset + limit + 1
  let position = from
  let count = 0
  let passed = 0
  slots.walk(from, step, slot => {
    const isBehind = start === undefined || (position - start) * step >= 0
    position += step
    if (!accepts(slot)) return true
    count++
    if (isBehind && passed++ >= offset && page.length < limit) page.push(slot)
    return total === undefined || passed < wanted
  })
  const all = total ?? count
  return { slots: page, total: all, isMore: (start === undefined ? all : passed) > offset + limit }
}

export function acceptorOf({ rest }: Narrowed, columns: Columns, matches?: (slot: number) => boolean) {
  const passes = toAcceptor(columns, toIntentFilter(rest))
  return passes && matches ? (slot: number) => matches(slot) && passes(slot) : passes
}
