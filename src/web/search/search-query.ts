// What people type, and the state of the search page, read from its URL and written back to it.
import { invalid, MAX_PROBLEMS, toProblem } from '../../domain/errors.ts'
import {
  DIRECTIONS,
  type Direction,
  directionOf,
  FILTER_NAMES,
  type FilterName,
  type Filters,
  filterOf,
  REVOCABLE,
  type Revocable,
  type SortKey,
} from '../../domain/queries/filters.ts'
import { parseListQuery } from '../../domain/queries/queries.ts'
import { findSimilarName } from '../../domain/text/nearest.ts'
import { say } from '../../messages/message.ts'
import type { Query } from '../view.ts'

/** Letters, digits and signs in full width, as a Japanese keyboard gives them. */
const FULL_WIDTH = /[\uff01-\uff5e]/g
const OFFSET = 0xfee0

const toHalfWidth = (text: string): string =>
  text.replace(FULL_WIDTH, sign => String.fromCharCode(sign.charCodeAt(0) - OFFSET)).replaceAll('\u3000', ' ')

/** A number, with a full stop of either script. */
export const toTypedNumber = (text: string): string => toHalfWidth(text).replaceAll('。', '.').trim()

/** A code or an address. */
export const toTypedCode = (text: string): string => toHalfWidth(text).trim()

const ENCLOSED = /^[「『（(<“"'‘]\s*(.*?)\s*[」』）)>”"'’]$/s
const HOST_FIRST = /^(?:[\p{L}\d-]+\.)+\p{L}{2,}(?::\d+)?(?:[/?#]|$)/u

/** A URL that can be read is kept as it is, whatever signs its path has. */
export function toTypedUrl(text: string): string {
  const plain = text.trim().replace(ENCLOSED, '$1')
  if (/^https?:/i.test(plain)) return plain
  const url = toTypedCode(plain)
  return HOST_FIRST.test(url) ? `https://${url}` : url
}

// The state of the search page, read from its URL and written back to it.

/** Without a parameter the page uses an order of its own; `newest` selects the default order of the API. */
type Sort = Exclude<SortKey, 'price'> | 'newest'

export type Search = {
  readonly q: string
  readonly filters: Filters
  readonly sortBy: Sort | undefined
  readonly sortOrder: Direction | undefined
  /** Constraints of the sentence that the reader has removed. */
  readonly without: readonly Revocable[]
  readonly offset: number
}

const readFilter = (name: FilterName, given: string): string =>
  filterOf(name).control === 'decimal' ? toTypedNumber(given) : given.trim()

const KNOWN = ['q', ...FILTER_NAMES, 'sortBy', 'sortOrder', 'without', 'offset', 'lang']

/** Shorter names, like the `s` of some sites, are near to many. */
const MIN_MEANT = 3

/** Other sites add parameters of their own, which are dropped; but one that was probably meant for this page must not be ignored. */
function refuseMisnamed(parameters: Readonly<Record<string, string>>): void {
  const others = Object.keys(parameters).filter(name => name.length >= MIN_MEANT && !KNOWN.includes(name))
  const problems = others.slice(0, MAX_PROBLEMS).flatMap(name => {
    const nearest = findSimilarName(name, KNOWN)
    return nearest === undefined ? [] : [toProblem(name, say('parameter_unknown', { nearest }))]
  })
  if (problems.length > 0) throw invalid(problems)
}

/** @throws DirectoryError `invalid_request`, like the list of the API */
export function readSearch(parameters: Readonly<Record<string, string>>): Search {
  refuseMisnamed(parameters)
  const { q = '', offset = '', without = '' } = parameters
  const { sortBy = '', sortOrder = '' } = { ...parameters, ...readOrder(parameters.sortBy) }
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
    // Prices of different currencies are in no order unless they are converted.
    sortBy: isNewest ? 'newest' : list.sortBy === 'price' ? 'usdPrice' : list.sortBy,
    sortOrder: list.sortOrder,
    without: REVOCABLE.filter(name => without.split(',').includes(name)),
    offset: list.offset,
  }
}

/** Whether the results of a sentence stand as the API ranks them. */
export const isByRelevance = ({ sortBy, sortOrder }: Search): boolean =>
  sortBy === undefined && sortOrder !== 'asc'

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

/** An order as one choice: the order and its direction. `best`: by relevance. */
type Choice = { readonly sort: Sort | 'best'; readonly order: Direction }

const usualOrder = (sort: Choice['sort']): Direction =>
  sort === 'best' ? 'desc' : directionOf(sort === 'newest' ? 'age' : sort)

/** Of a page without a question, the most trusted come first. */
const standardOf = ({ q }: Search): Choice['sort'] => (q === '' ? 'trustScore' : 'best')

/** Offered always. Prices are compared in dollars; any other order is offered only while the URL selects it. */
const CHOICES: readonly Choice[] = [
  { sort: 'trustScore', order: 'desc' },
  { sort: 'usdPrice', order: 'asc' },
  { sort: 'usdPrice', order: 'desc' },
  { sort: 'latency', order: 'asc' },
  { sort: 'newest', order: 'desc' },
  { sort: 'name', order: 'asc' },
]

const isSame = (a: Choice, b: Choice): boolean => a.sort === b.sort && a.order === b.order

/** The orders to choose from, the usual one of the page first, and the one that is selected. */
export function ordersOf(search: Search): { readonly choices: readonly Choice[]; readonly chosen: Choice } {
  const standard = standardOf(search)
  const { sortBy: sort = standard } = search
  const chosen = { sort, order: search.sortOrder ?? usualOrder(sort) }
  const offered = [{ sort: standard, order: usualOrder(standard) }, ...CHOICES, chosen]
  const choices = offered.filter((choice, i) => offered.findIndex(each => isSame(each, choice)) === i)
  return { choices, chosen: choices.find(choice => isSame(choice, chosen))! }
}

const BETWEEN = '.'

/** The value of a choice in the form, where one control has both; empty for the usual order of the page. */
export function toOrderValue(search: Search, { sort, order }: Choice): string {
  if (order !== usualOrder(sort)) return `${sort}${BETWEEN}${order}`
  return sort === standardOf(search) ? '' : sort
}

/** Undefined for what has no direction of its own. */
function readOrder(value = ''): { sortBy: string; sortOrder: string } | undefined {
  const [sort = '', order] = value.split(BETWEEN)
  if (!DIRECTIONS.some(each => each === order)) return undefined
  return { sortBy: sort === 'best' ? '' : sort, sortOrder: order! }
}
