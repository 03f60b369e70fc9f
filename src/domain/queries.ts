// What can be asked: the parameters of list, keyword search and intent search, stated once for every door.

import { z } from 'zod'
import { CATEGORY_ID } from './categories.ts'
import { invalid, type Problem } from './errors.ts'
import { CURSOR } from './history.ts'
import { SPOKEN } from './languages/languages.ts'
import { DECIMAL } from './money.ts'
import { nearest } from './nearest.ts'
import { type Place, readCursor, type Walked } from './page-cursor.ts'
import { toProblems } from './problems.ts'
import { STATUSES } from './standing.ts'
import { hasAtMost, visible } from './text.ts'
import { CURSOR_PATTERN, readCursor as readHistoryCursor } from './timelines.ts'

export const SORT_KEYS = ['price', 'trustScore', 'name'] as const
export type SortKey = (typeof SORT_KEYS)[number]
export const SORT_ORDERS = ['asc', 'desc'] as const
export type SortOrder = (typeof SORT_ORDERS)[number]

export const MAX_LIMIT = 100
/** Entries a page of a list unless given. */
export const STANDARD_LIMIT = 20
/** Searches rank, so a far page costs as much as all before it. */
export const MAX_SEARCH_DEPTH = 10_000
export const MAX_QUERY_LENGTH = 500

/** A query string carries digits, other doors a number. */
const wholeNumber = (value: unknown) =>
  typeof value === 'string' && /^\d+$/.test(value) ? Math.min(Number(value), Number.MAX_SAFE_INTEGER) : value

export const limit = (standard: number, most = MAX_LIMIT) =>
  z
    .preprocess(
      wholeNumber,
      z.int({ error: 'must be a whole number from 1' }).min(1, 'must be a whole number from 1'),
    )
    .transform(count => Math.min(count, most))
    .default(standard)
    .meta({ type: 'integer', minimum: 1, maximum: most, default: standard })
    .describe(`Entries a page, ${standard} unless given; more than ${most} is served as ${most}`)

export const offset = z
  .preprocess(
    wholeNumber,
    z.int({ error: 'must be a whole number from 0' }).min(0, 'must be a whole number from 0'),
  )
  .default(0)
  .meta({ type: 'integer', minimum: 0, default: 0 })
  .describe('Entries to skip')

const cursor = z
  .string({ error: 'must be a cursor' })
  .describe(
    'Pages that do not drift while the catalog changes: empty to begin, then what the link to the next page says; takes the place of offset',
  )
  .optional()
/** Empty means something else than absent. */
const SPEAKING_WHEN_EMPTY = 'cursor'

const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` })

const foldedOneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.preprocess(value => (typeof value === 'string' ? value.toLowerCase() : value), oneOf(values))

const words = z
  .string({ error: 'must be text' })
  .refine(text => hasAtMost(MAX_QUERY_LENGTH, text), {
    error: `must have at most ${MAX_QUERY_LENGTH} characters`,
  })
  .meta({ maxLength: MAX_QUERY_LENGTH })

export const requiredWords = words
  .refine(text => text.trim() !== '', { error: 'must not be empty' })
  .meta({ minLength: 1 })

const filters = {
  category: z
    .string()
    .regex(CATEGORY_ID, 'must be a category id, like weather')
    .describe('Category id, without regard to case')
    .optional(),
  chain: visible(64, 'a chain', { spaced: true })
    .describe('Name, alias or CAIP-2 id of a chain: base, Base, eip155:8453 and 8453 are the same')
    .optional(),
  status: foldedOneOf(STATUSES).describe('Standing of the service').optional(),
  maxPricePerRequest: z
    .string({ error: 'must be a decimal amount, like 0.01' })
    .regex(DECIMAL, 'must be a decimal amount, like 0.01')
    .describe('Highest price a request, inclusive, compared exactly')
    .optional(),
  currency: visible(32, 'a currency code', { spaced: true })
    .describe('Only prices in this currency, without regard to case')
    .optional(),
}
export type Filters = z.output<z.ZodObject<typeof filters>>

export const listQuerySchema = z.object({
  query: words.describe('Words that must all occur in name, description, category or host').optional(),
  ...filters,
  sortBy: oneOf(SORT_KEYS).describe('Newest first, or by relevance with query, unless given').optional(),
  sortOrder: oneOf(SORT_ORDERS)
    .describe(
      'asc for price and name, desc for trustScore unless given; without sortBy it turns the default order round',
    )
    .optional(),
  limit: limit(STANDARD_LIMIT),
  offset,
  cursor,
})
export type ListQuery = z.output<typeof listQuerySchema>

export const walkedList = ({ limit: _, offset: __, cursor: ___, ...query }: ListQuery): Walked => ({
  order: query.sortBy ?? (query.query === undefined ? 'age' : 'relevance'),
  fields: Object.keys(filters)
    .concat('query', 'sortOrder')
    .map(name => query[name as keyof typeof query]),
})

/** Where the page begins; undefined at the beginning. @throws DirectoryError `invalid_request` */
export const placeOfList = (query: ListQuery): Place | undefined =>
  query.cursor ? readCursor(query.cursor, walkedList(query)) : undefined

/** A query string carries words, other doors a boolean. */
const yesOrNo = (value: unknown) => (value === 'true' ? true : value === 'false' ? false : value)

export const keywordQuerySchema = z.object({
  q: requiredWords.describe('Words; entries with more of them come first'),
  prefix: z
    .preprocess(yesOrNo, z.boolean({ error: 'must be true or false' }))
    .optional()
    .meta({ type: 'boolean', default: false })
    .describe('Whether the last word may be the beginning of one, for results as you type'),
  limit: limit(20),
  offset,
  cursor,
})
export type KeywordQuery = z.output<typeof keywordQuerySchema>

export const walkedSearch = ({ q, prefix }: KeywordQuery): Walked => ({
  order: 'relevance',
  fields: ['search', q, prefix],
})

/** Where the page begins; undefined at the beginning. @throws DirectoryError `invalid_request` */
export const placeOfSearch = (query: KeywordQuery): Place | undefined =>
  query.cursor ? readCursor(query.cursor, walkedSearch(query)) : undefined

/** What can be read in a sentence as a filter. */
export const CONSTRAINT_NAMES = [
  'maxPricePerRequest',
  'currency',
  'chain',
  'status',
  'category',
  'freeQuota',
] as const
export type ConstraintName = (typeof CONSTRAINT_NAMES)[number]

const listed = (value: unknown) => (typeof value === 'string' ? value.split(',') : value)

export const intentQuerySchema = z.object({
  q: requiredWords.describe(`What you need, as you would say it, in ${SPOKEN}`),
  ...filters,
  without: z
    .preprocess(listed, z.array(oneOf(CONSTRAINT_NAMES)).max(CONSTRAINT_NAMES.length))
    .optional()
    .meta({ type: 'string' })
    .describe('Constraints of the sentence that shall not hold, parted by commas, like chain,status'),
  limit: limit(10),
})
export type IntentQuery = z.output<typeof intentQuerySchema>

export const historyQuerySchema = z.object({
  limit: limit(20),
  before: z
    .string()
    .regex(CURSOR, 'must be what next said on the page before')
    .describe('Where to go on: what next said on the page before')
    .optional(),
  days: z
    .preprocess(
      wholeNumber,
      z
        .int({ error: 'must be a whole number from 0 to 366' })
        .min(0, 'must be a whole number from 0 to 366')
        .max(366, 'must be a whole number from 0 to 366'),
    )
    .default(30)
    .meta({ type: 'integer', minimum: 0, maximum: 366, default: 30 })
    .describe('Days to sum up, 30 unless given'),
})
export type HistoryQuery = z.output<typeof historyQuerySchema>

const MAX_CHANGES = 1_000
const MAX_WAIT_SECONDS = 30

const fromZero = z.preprocess(
  wholeNumber,
  z.int({ error: 'must be a whole number from 0' }).min(0, 'must be a whole number from 0'),
)

/** A query string carries text, other doors may hand over a bare number. */
const historyCursor = (message: string) =>
  z
    .preprocess(
      value => (typeof value === 'number' ? String(value) : value),
      z.string({ error: message }).refine(text => readHistoryCursor(text) !== undefined, { error: message }),
    )
    .meta({ type: 'string', pattern: CURSOR_PATTERN })

export const changesQuerySchema = z.object({
  since: historyCursor('must be what next said before, or 0')
    .default('0')
    .meta({ default: '0' })
    .describe('What next said before; 0 begins with the oldest'),
  limit: limit(100, MAX_CHANGES),
  wait: fromZero
    .transform(seconds => Math.min(seconds, MAX_WAIT_SECONDS))
    .default(0)
    .meta({ type: 'integer', minimum: 0, maximum: MAX_WAIT_SECONDS, default: 0 })
    .describe(`Seconds to wait where nothing has changed; more than ${MAX_WAIT_SECONDS} is served as that`),
})
export type ChangesQuery = Omit<z.output<typeof changesQuerySchema>, 'since'> & {
  readonly since: string | number
}

export const eventsQuerySchema = z.object({
  after: historyCursor('must be the id of an event, or 0')
    .optional()
    .describe(
      'The id (cursor) of the last event that is held; Last-Event-ID goes before it. From now on unless given',
    ),
})
export type EventsQuery = z.output<typeof eventsQuerySchema>

export const parseChangesQuery = (input: unknown): ChangesQuery => parse(changesQuerySchema, input)

export const parseEventsQuery = (input: unknown): EventsQuery => parse(eventsQuerySchema, input)

export const parseHistoryQuery = (input: unknown): HistoryQuery => parse(historyQuerySchema, input)

export function parseListQuery(input: unknown): ListQuery {
  const query = parse(listQuerySchema, input)
  refuseOffsetWithCursor(query)
  placeOfList(query)
  return query
}

const parseKeywords = remembering(keywordQuerySchema)

export function parseKeywordQuery(input: unknown): KeywordQuery {
  const query = parseKeywords(input)
  if (query.offset + query.limit > MAX_SEARCH_DEPTH) {
    throw invalid([{ path: 'offset', message: `offset + limit must not exceed ${MAX_SEARCH_DEPTH}` }])
  }
  refuseOffsetWithCursor(query)
  placeOfSearch(query)
  return query
}

function refuseOffsetWithCursor({ offset, cursor }: { offset: number; cursor?: string | undefined }): void {
  if (cursor !== undefined && offset > 0)
    throw invalid([{ path: 'offset', message: 'does not go with cursor; leave one of them out' }])
}

export const parseIntentQuery: (input: unknown) => IntentQuery = remembering(intentQuerySchema)

const MOST_REMEMBERED = 256

/** Words are always others, what is asked for beside them is nearly always the same: that is judged once. */
function remembering<S extends z.ZodObject>(schema: S): (input: unknown) => z.output<S> {
  const judged = new Map<string, z.output<S>>()
  return input => {
    const { q, ...rest } = input as Record<string, unknown>
    if (typeof q !== 'string' || q.length > MAX_QUERY_LENGTH || q.trim() === '') return parse(schema, input)
    let key = ''
    for (const name in rest) {
      const value = rest[name]
      if (typeof value !== 'string') return parse(schema, input)
      key += `${name.length} ${name}${value.length} ${value}`
    }
    let known = judged.get(key)
    if (known === undefined) {
      known = parse(schema, input)
      if (judged.size >= MOST_REMEMBERED) judged.clear()
      judged.set(key, known)
    }
    return { ...known, q }
  }
}

/** A parameter that is accepted and ignored would mislead, so an unknown one is refused with the nearest known name. */
function parse<S extends z.ZodObject>(schema: S, input: unknown): z.output<S> {
  const given = input as Record<string, unknown>
  const { shape } = schema
  const present: Record<string, unknown> = {}
  const problems: Problem[] = []
  for (const name of Object.keys(given)) {
    const value = given[name]
    if (!Object.hasOwn(shape, name)) {
      const known = nearest(name, Object.keys(shape))
      problems.push({ path: name, message: `is not a parameter here; did you mean ${known}?` })
    } else if (value !== '' || name === SPEAKING_WHEN_EMPTY || !isOptional(shape[name]!)) {
      present[name] = value
    }
  }
  const parsed = schema.safeParse(present)
  if (!parsed.success) problems.push(...toProblems(parsed.error, present))
  if (problems.length > 0 || !parsed.success) throw invalid(problems)
  return parsed.data
}

const isOptional = (parameter: z.core.$ZodType): boolean =>
  (parameter as z.ZodType).safeParse(undefined).success
