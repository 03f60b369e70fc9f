// Answers a list from a sorted index: it scans it from the page's first entry on and stops at its last; it never sorts.

import { type FilterName, toApplied } from '../domain/filters.ts'
import { directionOf, type IndexedOrder } from '../domain/orders.ts'
import type { PagePosition } from '../domain/page-cursor.ts'
import type { ListQuery } from '../domain/queries.ts'
import { rangeOf } from './bounds.ts'
import type { Columns } from './columns.ts'
import { positionAfter } from './cursor.ts'
import { toAcceptor } from './filter-predicate.ts'
import type { SlotTable } from './id-table.ts'
import type { KeyColumn } from './key-column.ts'
import { MissingFirst, type SlotSequence } from './missing-first.ts'
import type { FilterSet, Narrowed, SortedIndexes } from './sorted-indexes.ts'

export type SlotPage = {
  readonly slots: readonly number[]
  readonly total: number
  /** Whether more entries follow. */
  readonly isMore: boolean
}

const NOTHING: SlotPage = { slots: [], total: 0, isMore: false }

type Parts = { readonly columns: Columns; readonly orders: SortedIndexes; readonly ids: SlotTable }

type Options = {
  /** Narrows the list further to the entries that hold the words of a query. */
  readonly matches?: ((slot: number) => boolean) | undefined
  /** The page begins behind it; otherwise at the offset. */
  readonly place?: PagePosition | undefined
}

export function listSlots(parts: Parts, query: ListQuery, { matches, place }: Options = {}): SlotPage {
  const { columns, orders } = parts
  const narrowed = orders.narrow(toApplied(query))
  if (!narrowed) return NOTHING
  const order: IndexedOrder = query.sortBy ?? 'age'
  const step = (query.sortOrder ?? directionOf(order)) === 'asc' ? 1 : -1
  const slots = step === 1 ? narrowed.set[order] : backwards(narrowed.set, order, columns)
  const known = matches ? undefined : passingRange(narrowed, columns)
  const start = place && positionAfter(parts, slots, order, step, place)
  const scan: Scan = { slots, step, start, offset: place ? 0 : query.offset, limit: query.limit }
  if (known && known.order === undefined) return takePage(scan, known)
  if (known && known.order === order) return takePage(scan, shifted(known, slots))
  return testEach(scan, known && known.to - known.from, acceptorOf(narrowed, columns, matches))
}

/** For a scan from the end: whatever has no key is read last there too. */
function backwards(set: FilterSet, order: IndexedOrder, columns: Columns): SlotSequence {
  const column: KeyColumn | undefined = order === 'age' ? undefined : columns.keys[order]
  return column?.isMissing && !column.isTotal
    ? new MissingFirst(set[order], slot => column.isMissing!(slot))
    : set[order]
}

/** A bound lets nothing through that has no key. */
function shifted({ from, to }: Passing, slots: SlotSequence): Passing {
  const by = slots instanceof MissingFirst ? slots.missing : 0
  return { from: from + by, to: to + by }
}

/** A sorted index from a position on, or from its beginning. */
type Scan = {
  readonly slots: SlotSequence
  readonly step: 1 | -1
  readonly start: number | undefined
  /** Entries to skip. */
  readonly offset: number
  readonly limit: number
}

/** Where those that pass stand: in one order, or in any where none is named. */
type Passing = { readonly order?: IndexedOrder; readonly from: number; readonly to: number }

/** Known without looking at each where the set says it all, or one filter is left that bounds an order. */
function passingRange({ set, rest }: Narrowed, columns: Columns): Passing | undefined {
  const [first, ...others] = Object.keys(rest) as FilterName[]
  if (first === undefined) return { from: 0, to: set.age.size }
  return others.length === 0 ? rangeOf(columns, set, first, rest[first]) : undefined
}

/** How many entries pass, where the set's size or one binary search tells. */
export function countWithoutLooking(narrowed: Narrowed, columns: Columns): number | undefined {
  const known = passingRange(narrowed, columns)
  return known && known.to - known.from
}

/** Of entries that stand together and all pass. */
function takePage({ slots, step, start, offset, limit }: Scan, { from, to }: Passing): SlotPage {
  const page: number[] = []
  const first = step === 1 ? Math.max(start ?? from, from) + offset : Math.min(start ?? to, to - 1) - offset
  const left = step === 1 ? to - first : first - from + 1
  const wanted = Math.min(limit, left)
  if (wanted > 0) slots.scan(first, step, slot => page.push(slot) < wanted)
  return { slots: page, total: to - from, isMore: left > limit }
}

function testEach(
  { slots, step, start, offset, limit }: Scan,
  total: number | undefined,
  accepts: ((slot: number) => boolean) | undefined,
): SlotPage {
  if (!accepts) return NOTHING
  const page: number[] = []
  const beginning = step === 1 ? 0 : slots.size - 1
  // Where all have to be counted the scan begins in front, also for a later page.
  const from = total === undefined ? beginning : (start ?? beginning)
  // A total tells whether something follows a counted page; behind a place one entry more tells it.
  const wanted = start === undefined ? offset + limit : offset + limit + 1
  let position = from
  let count = 0
  let passed = 0
  slots.scan(from, step, slot => {
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
  const passes = toAcceptor(columns, rest)
  return passes && matches ? (slot: number) => matches(slot) && passes(slot) : passes
}
