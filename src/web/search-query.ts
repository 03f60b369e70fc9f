// The state of the search page and its address: the one is read from the other and written back.
import { FILTER_NAMES, type Filters, REVOCABLE, type Revocable } from '../domain/filters.ts'
import type { SortKey, SortOrder } from '../domain/orders.ts'
import { parseListQuery } from '../domain/queries.ts'
import type { Query } from './links.ts'

export const PAGE_SIZE = 20

/** The order of the list when nothing is asked is the page's own; `newest` names the one of the API. */
export type Sort = SortKey | 'newest'

export type Search = {
  readonly q: string
  readonly filters: Filters
  readonly sortBy: Sort | undefined
  readonly sortOrder: SortOrder | undefined
  /** Constraints of the sentence that the reader has taken away. */
  readonly without: readonly Revocable[]
  readonly offset: number
}

/** @throws DirectoryError `invalid_request`, as the list of the API would */
export function readSearch(parameters: Readonly<Record<string, string>>): Search {
  const { q = '', sortBy = '', sortOrder = '', offset = '', without = '' } = parameters
  const filters = Object.fromEntries(FILTER_NAMES.map(name => [name, parameters[name]?.trim() ?? '']))
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

/** Pages start anew whenever something else changes, so the place is named only where it is asked for. */
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

/** Prices are ordered in one measure; any other order stays where it is asked for by its address. */
const SORTS: readonly Sort[] = ['trustScore', 'usdPrice', 'latency', 'newest', 'name']

export const sortsOf = ({ sortBy }: Search): readonly Sort[] =>
  sortBy === undefined || SORTS.includes(sortBy) ? SORTS : [...SORTS, sortBy]
