// Serves a list from a sorted index: it scans from the first entry of the page to its last and never sorts.

import { type FilterName, toApplied } from '../../domain/queries/filters.ts'
import { directionOf, type IndexedOrder } from '../../domain/queries/orders.ts'
import type { PagePosition } from '../../domain/queries/page-cursor.ts'
import type { ListQuery } from '../../domain/queries/queries.ts'
import type { Columns } from '../columns/columns.ts'
import type { SlotTable } from '../columns/id-table.ts'
import type { KeyColumn } from '../columns/key-column.ts'
import { type FilterSet, rangeOf, toAcceptor } from '../filters.ts'
import { positionAfter } from './cursor.ts'
import { MissingFirst, type SlotSequence } from './missing-first.ts'
import type { Narrowed, SortedIndexes } from './sorted-indexes.ts'

export type SlotPage = {
  readonly slots: readonly number[]
  readonly total: number
  /** Whether more entries follow. */
  readonly isMore: boolean
}

const NOTHING: SlotPage = { slots: [], total: 0, isMore: false }

type Parts = { readonly columns: Columns; readonly sortedIndexes: SortedIndexes; readonly ids: SlotTable }

type Options = {
  /** Also restricts the list to entries that contain the words of a query. */
  readonly matches?: ((slot: number) => boolean) | undefined
  /** The page begins after this position; without it, at the offset. */
  readonly place?: PagePosition | undefined
}

export function listSlots(parts: Parts, query: ListQuery, { matches, place }: Options = {}): SlotPage {
  const { columns, sortedIndexes } = parts
  const narrowed = sortedIndexes.narrow(toApplied(query))
  if (!narrowed) return NOTHING
  const order: IndexedOrder = query.sortBy ?? 'age'
  const step = (query.sortOrder ?? directionOf(order)) === 'asc' ? 1 : -1
  const slots = step === 1 ? narrowed.set[order] : descending(narrowed.set, order, columns)
  const passing = matches ? undefined : passingRange(narrowed, columns)
  const start = place && positionAfter(parts, slots, order, step, place)
  const scan: Scan = { slots, step, start, offset: place ? 0 : query.offset, limit: query.limit }
  if (passing && passing.order === undefined) return takePage(scan, passing)
  if (passing && passing.order === order) return takePage(scan, shiftRange(passing, slots))
  return testEach(scan, passing && passing.to - passing.from, acceptorOf(narrowed, columns, matches))
}

/** The sequence for a scan from the end, in which entries without a key also come last. */
function descending(set: FilterSet, order: IndexedOrder, columns: Columns): SlotSequence {
  const column: KeyColumn | undefined = order === 'age' ? undefined : columns.keys[order]
  return column?.isMissing && !column.isTotal
    ? new MissingFirst(set[order], slot => column.isMissing!(slot))
    : set[order]
}

/** Shifts the range past entries without a key, which no bound passes. */
function shiftRange({ from, to }: Passing, slots: SlotSequence): Passing {
  const by = slots instanceof MissingFirst ? slots.missing : 0
  return { from: from + by, to: to + by }
}

/** A scan of a sorted index from a position, or from its beginning. */
type Scan = {
  readonly slots: SlotSequence
  readonly step: 1 | -1
  readonly start: number | undefined
  /** Entries to skip. */
  readonly offset: number
  readonly limit: number
}

/** The range of passing entries in one order, or in every order if none is named. */
type Passing = { readonly order?: IndexedOrder; readonly from: number; readonly to: number }

/** Defined if the set covers all filters, or if the only remaining one bounds an order. */
function passingRange({ set, rest }: Narrowed, columns: Columns): Passing | undefined {
  const [first, ...others] = Object.keys(rest) as FilterName[]
  if (first === undefined) return { from: 0, to: set.age.size }
  return others.length === 0 ? rangeOf(columns, set, first, rest[first]) : undefined
}

/** A page of a range in which all entries pass. */
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
  // If the total has to be counted, the scan begins at the first entry, also for a later page.
  const from = total === undefined ? beginning : (start ?? beginning)
  // By offset, the total shows whether more follow; after a position, one more passing entry does.
  const wanted = start === undefined ? offset + limit : offset + limit + 1
  let position = from
  let count = 0
  let passed = 0
  slots.scan(from, step, slot => {
    const isAfterStart = start === undefined || (position - start) * step >= 0
    position += step
    if (!accepts(slot)) return true
    count++
    if (isAfterStart && passed++ >= offset && page.length < limit) page.push(slot)
    return total === undefined || passed < wanted
  })
  const all = total ?? count
  return { slots: page, total: all, isMore: (start === undefined ? all : passed) > offset + limit }
}

function acceptorOf({ rest }: Narrowed, columns: Columns, matches?: (slot: number) => boolean) {
  const passes = toAcceptor(columns, rest)
  return passes && matches ? (slot: number) => matches(slot) && passes(slot) : passes
}
