// Filters that bound an order pass a contiguous range of its sorted index, so they need no test per entry.
import { type AppliedFilters, FILTER_NAMES, type FilterName, filterOf } from '../../domain/queries/filters.ts'
import type { SortKey } from '../../domain/queries/orders.ts'
import type { Columns } from '../columns/columns.ts'
import type { FilterSet } from '../lists/sorted-indexes.ts'
import { withinBound } from './column-filters.ts'

/** The positions in an order from `from` to before `to`. */
export type Range = {
  readonly filter: FilterName
  readonly order: SortKey
  readonly from: number
  readonly to: number
}

/** undefined if the filter bounds no order. */
export function rangeOf(
  columns: Columns,
  set: FilterSet,
  filter: FilterName,
  applied: unknown,
): Range | undefined {
  const { bound } = filterOf(filter)
  if (!bound) return undefined
  const { order, is } = bound
  const slots = set[order]
  const isWithin = withinBound(columns, bound, applied)
  return is === 'atMost'
    ? { filter, order, from: 0, to: slots.countWhile(isWithin) }
    : { filter, order, from: slots.countWhile(slot => !isWithin(slot)), to: slots.size }
}

/** The smallest range over all filters; undefined if none bounds an order. */
export function smallestRange(columns: Columns, set: FilterSet, filters: AppliedFilters): Range | undefined {
  let smallest: Range | undefined
  for (const name of FILTER_NAMES) {
    const range = filters[name] === undefined ? undefined : rangeOf(columns, set, name, filters[name])
    if (range && (!smallest || range.to - range.from < smallest.to - smallest.from)) smallest = range
  }
  return smallest
}
