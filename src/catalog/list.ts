// Answers a list from the kept orders: it walks one of them and stops at the page; it never sorts.

import { toIntentFilter } from '../domain/intent-filter.ts'
import { toPriceWords } from '../domain/money.ts'
import type { ListQuery, SortOrder } from '../domain/queries.ts'
import type { Columns } from './columns.ts'
import type { Kept, KeptOrders, Narrowed } from './kept-orders.ts'

export type SlotPage = { readonly slots: readonly number[]; readonly total: number }

const NOTHING: SlotPage = { slots: [], total: 0 }
const STANDARD_ORDER: Readonly<Record<Kept, SortOrder>> = {
  age: 'desc',
  name: 'asc',
  price: 'asc',
  trustScore: 'desc',
}

/** `matches` narrows the list further to the entries that hold the words of a query. */
export function listSlots(
  { columns, orders }: { columns: Columns; orders: KeptOrders },
  query: ListQuery,
  matches?: (slot: number) => boolean,
): SlotPage {
  const narrowed = orders.narrow(query)
  if (!narrowed) return NOTHING
  const kept: Kept = query.sortBy ?? 'age'
  const step = (query.sortOrder ?? STANDARD_ORDER[kept]) === 'asc' ? 1 : -1
  const jump = matches ? undefined : countWithoutLooking(narrowed, columns)
  if (jump !== undefined && !isTested(narrowed, kept)) return takePage(narrowed, kept, step, query, jump)
  return testEach(narrowed, kept, step, query, jump, acceptorOf(narrowed, columns, matches))
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

function takePage(
  { set }: Narrowed,
  kept: Kept,
  step: 1 | -1,
  { offset, limit }: ListQuery,
  total: number,
): SlotPage {
  const slots: number[] = []
  const wanted = Math.min(limit, total - offset)
  if (wanted <= 0) return { slots, total }
  set[kept].walk(step === 1 ? offset : total - 1 - offset, step, slot => slots.push(slot) < wanted)
  return { slots, total }
}

function testEach(
  { set }: Narrowed,
  kept: Kept,
  step: 1 | -1,
  { offset, limit }: ListQuery,
  total: number | undefined,
  accepts: ((slot: number) => boolean) | undefined,
): SlotPage {
  if (!accepts) return NOTHING
  const slots: number[] = []
  const end = offset + limit
  let count = 0
  set[kept].walk(step === 1 ? 0 : set[kept].size - 1, step, slot => {
    if (!accepts(slot)) return true
    if (count >= offset && count < end) slots.push(slot)
    count++
    // With the total known there is nothing to learn behind the page.
    return total === undefined || count < end
  })
  return { slots, total: total ?? count }
}

export function acceptorOf({ rest }: Narrowed, columns: Columns, matches?: (slot: number) => boolean) {
  const passes = columns.acceptor(toIntentFilter(rest))
  return passes && matches ? (slot: number) => matches(slot) && passes(slot) : passes
}
