// The state of the search page, read from its URL and written back to it.
import {
  FILTER_NAMES,
  type FilterName,
  type Filters,
  filterOf,
  REVOCABLE,
  type Revocable,
} from '../domain/filters.ts'
import type { SortKey, SortOrder } from '../domain/orders.ts'
import { parseListQuery } from '../domain/queries.ts'
import type { Query } from './links.ts'
import { toTypedNumber } from './typed-text.ts'

/** Without a parameter the page uses an order of its own; `newest` selects the default order of the API. */
export type Sort = SortKey | 'newest'

export type Search = {
  readonly q: string
  readonly filters: Filters
  readonly sortBy: Sort | undefined
  readonly sortOrder: SortOrder | undefined
  /** Constraints of the sentence that the reader has removed. */
  readonly without: readonly Revocable[]
  readonly offset: number
}

const readFilter = (name: FilterName, given: string): string =>
  filterOf(name).control === 'decimal' ? toTypedNumber(given) : given.trim()

/** @throws DirectoryError `invalid_request`, like the list of the API */
export function readSearch(parameters: Readonly<Record<string, string>>): Search {
  const { q = '', sortBy = '', sortOrder = '', offset = '', without = '' } = parameters
  const filters = Object.fromEntries(
    FILTER_NAMES.map(name => [name, readFilter(name, parameters[name] ?? '')]),
  )
  const isNewest = sortBy === 'newest'
  const list = parseListQuery({ ...filters, sortBy: isNewest ? '' : sortBy, sortOrder, offset })
  return {
    q: q.trim(),
    filters: Object.fromEntries(
      FILTER_NAMES.filter(name => list[name] !== undefined).map(name => [name, list[name]]),
    ),
    sortBy: isNewest ? 'newest' : list.sortBy,
    sortOrder: list.sortOrder,
    without: REVOCABLE.filter(name => without.split(',').includes(name)),
    offset: list.offset,
  }
}

/** Any other change returns to the first page, so the offset is included only when it is part of the change. */
export const toQuery = (search: Search, change: Partial<Search> = {}): Query => {
  const { q, filters, sortBy, sortOrder, without } = { ...search, ...change }
  return {
    q,
    ...filters,
    sortBy,
    sortOrder,
    without: without.join(','),
    offset: change.offset === 0 ? undefined : change.offset,
  }
}

/** The orders that are offered. Prices are compared in dollars; any other order is offered only while the URL selects it. */
const SORTS: readonly Sort[] = ['trustScore', 'usdPrice', 'latency', 'newest', 'name']

export const sortsOf = ({ sortBy }: Search): readonly Sort[] =>
  sortBy === undefined || SORTS.includes(sortBy) ? SORTS : [...SORTS, sortBy]
