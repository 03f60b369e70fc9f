// Reads a list query of plain values by hand, to what the schema makes of it: most queries are plain, and the schema is
// the dearest part of a list that nobody asked for before.
import { DECIMAL } from './money.ts'
import { type ListQuery, MAX_LIMIT, SORT_KEYS, SORT_ORDERS, STANDARD_LIMIT } from './queries.ts'
import { STATUSES } from './standing.ts'

/** Good as a category, a chain and a currency alike. */
const WORD = /^[a-z\d][a-z\d:-]{0,31}$/i
const COUNT = /^\d{1,15}$/

type Plain = { -readonly [K in keyof ListQuery]: ListQuery[K] }

/** undefined: the schema shall judge it, and say what is wrong. */
export function readPlainList(input: Readonly<Record<string, string>>): ListQuery | undefined {
  const query: Plain = { limit: STANDARD_LIMIT, offset: 0 }
  for (const name in input) if (!put(query, name, input[name]!)) return undefined
  return query
}

function put(query: Plain, name: string, value: string): boolean {
  switch (name) {
    case 'limit':
      query.limit = Math.min(Number(value), MAX_LIMIT)
      return COUNT.test(value) && query.limit > 0
    case 'offset':
      query.offset = Number(value)
      return COUNT.test(value)
    case 'category':
    case 'chain':
    case 'currency':
      query[name] = value
      return WORD.test(value)
    case 'maxPricePerRequest':
      query.maxPricePerRequest = value
      return DECIMAL.test(value)
    case 'status':
      query.status = oneOf(STATUSES, value)
      return query.status !== undefined
    case 'sortBy':
      query.sortBy = oneOf(SORT_KEYS, value)
      return query.sortBy !== undefined
    case 'sortOrder':
      query.sortOrder = oneOf(SORT_ORDERS, value)
      return query.sortOrder !== undefined
    default:
      return false
  }
}

const oneOf = <T extends string>(values: readonly T[], text: string): T | undefined =>
  values.find(value => value === text)
