// Reads a list query of plain values by hand, to what the schema makes of it: most queries are plain, and the schema is
// the dearest part of a list that nobody asked for before.
import { DECIMAL } from './money.ts'
import { type ListQuery, MAX_LIMIT, SORT_KEYS, SORT_ORDERS, STANDARD_LIMIT } from './queries.ts'
import { STATUSES } from './standing.ts'

/** Nothing to decode, and but for the colon nothing that a link would have to encode. */
const QUESTION = /^[\w.:=&-]*$/
/** Good as a category, a chain and a currency alike. */
const WORD = /^[a-z\d][a-z\d:-]{0,31}$/i
const COUNT = /^\d{1,15}$/
const NOT_GIVEN = -1

type Plain = { -readonly [K in keyof ListQuery]: ListQuery[K] }

export type PlainList = {
  readonly query: ListQuery
  /** What is asked besides the page, as it stands in links: each part with a `&` behind it. */
  readonly kept: string
}

/**
 * @param question what stands behind the `?`
 * @returns undefined: the schema shall judge it, and say what is wrong
 */
export function readPlainList(question: string): PlainList | undefined {
  if (!QUESTION.test(question)) return undefined
  const query: Plain = { limit: NOT_GIVEN, offset: NOT_GIVEN }
  let kept = ''
  for (let start = 0; start < question.length; ) {
    const next = question.indexOf('&', start)
    const end = next < 0 ? question.length : next
    const equals = question.indexOf('=', start)
    if (equals < 0 || equals > end) return undefined
    const name = question.slice(start, equals)
    const value = question.slice(equals + 1, end)
    if (name === 'limit' || name === 'offset') {
      if (query[name] !== NOT_GIVEN || !COUNT.test(value)) return undefined
      query[name] = Number(value)
    } else {
      if (!put(query, name, value)) return undefined
      kept += `${question.slice(start, end)}&`
    }
    start = end + 1
  }
  if (query.limit === 0) return undefined
  query.limit = query.limit === NOT_GIVEN ? STANDARD_LIMIT : Math.min(query.limit, MAX_LIMIT)
  if (query.offset === NOT_GIVEN) query.offset = 0
  return { query, kept: kept.includes(':') ? kept.replaceAll(':', '%3A') : kept }
}

/** False where the value is not plain, or given twice. */
function put(query: Plain, name: string, value: string): boolean {
  switch (name) {
    case 'category':
    case 'chain':
    case 'currency':
      if (query[name] !== undefined) return false
      query[name] = value
      return WORD.test(value)
    case 'maxPricePerRequest':
      if (query.maxPricePerRequest !== undefined) return false
      query.maxPricePerRequest = value
      return DECIMAL.test(value)
    case 'status':
      if (query.status !== undefined) return false
      query.status = oneOf(STATUSES, value)
      return query.status !== undefined
    case 'sortBy':
      if (query.sortBy !== undefined) return false
      query.sortBy = oneOf(SORT_KEYS, value)
      return query.sortBy !== undefined
    case 'sortOrder':
      if (query.sortOrder !== undefined) return false
      query.sortOrder = oneOf(SORT_ORDERS, value)
      return query.sortOrder !== undefined
    default:
      return false
  }
}

const oneOf = <T extends string>(values: readonly T[], text: string): T | undefined =>
  values.find(value => value === text)
