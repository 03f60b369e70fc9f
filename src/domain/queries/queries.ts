// The queries of list, keyword search and intent search, stated once for every interface, and their responses.
import { z } from 'zod'
import { say } from '../../messages/message.ts'
import { invalid, toProblem } from '../errors.ts'
import { CURSOR_PATTERN, readCursor as readHistoryCursor } from '../feed.ts'
import type { Encoded } from '../json.ts'
import { LANGUAGE_CHOICE } from '../languages/languages.ts'
import { marksSchema } from '../listing/backing.ts'
import { type Service, serviceSchema } from '../listing/service.ts'
import {
  createQueryReader,
  expecting,
  saidSchema,
  wholeNumber,
  wholeNumberBetween,
  wholeNumberFrom,
} from '../problems.ts'
import { CURSOR } from '../standing/history.ts'
import { dollarFields, PROTOCOLS } from '../terms/terms.ts'
import { hasAtMost } from '../text/text.ts'
import {
  CONSTRAINT_NAMES,
  CONSTRAINTS,
  type ConstraintName,
  DIRECTIONS,
  type Direction,
  directionOf,
  FILTER_PARAMETERS,
  oneOf,
  REVOCABLE,
  SORT_KEYS,
} from './filters.ts'

/** Entries per page. */
export const MAX_LIMIT = 100
/** Default number of entries per page. */
export const STANDARD_LIMIT = 20
/** Searches rank, so a page costs as much as all pages before it. */
export const MAX_SEARCH_DEPTH = 10_000
/** In code points. */
export const MAX_QUERY_LENGTH = 500

export const limit = (standard: number, max = MAX_LIMIT) =>
  wholeNumberFrom(1)
    .transform(count => Math.min(count, max))
    .default(standard)
    .meta({ type: 'integer', minimum: 1, maximum: max, default: standard })
    .describe(`Entries per page, default ${standard}; more than ${max} is served as ${max}`)

export const offset = wholeNumberFrom(0)
  .default(0)
  .meta({ type: 'integer', minimum: 0, default: 0 })
  .describe('Entries to skip')

const words = z
  .string({ error: expecting('not_text') })
  .refine(text => hasAtMost(MAX_QUERY_LENGTH, text), {
    error: expecting('text_too_long', { max: MAX_QUERY_LENGTH }),
  })
  .meta({ maxLength: MAX_QUERY_LENGTH })

export const requiredWords = words
  .refine(text => text.trim() !== '', { error: expecting('empty') })
  .meta({ minLength: 1 })

/** The orders with this default direction. */
const usuallyIn = (direction: Direction): string =>
  `${direction} for ${SORT_KEYS.filter(key => directionOf(key) === direction).join(', ')}`

export const listQuerySchema = z.object({
  query: words.describe('Words that must all occur in name, description, category or host').optional(),
  ...FILTER_PARAMETERS,
  sortBy: oneOf(SORT_KEYS).describe('Default: newest first, or by relevance with query').optional(),
  sortOrder: oneOf(DIRECTIONS)
    .describe(
      `Default: ${usuallyIn('asc')}; ${usuallyIn('desc')}. Without sortBy it reverses the default order`,
    )
    .optional(),
  limit: limit(STANDARD_LIMIT),
  offset,
})
export type ListQuery = z.output<typeof listQuerySchema>

/** A query string has text, other interfaces have a boolean. */
const toBoolean = (value: unknown) => (value === 'true' ? true : value === 'false' ? false : value)

export const keywordQuerySchema = z.object({
  q: requiredWords.describe('Words; entries with more of them rank first'),
  prefix: z
    .preprocess(toBoolean, z.boolean({ error: expecting('not_boolean') }))
    .optional()
    .meta({ type: 'boolean', default: false })
    .describe('true: the last word may be a prefix, for results while typing'),
  limit: limit(20),
  offset,
})
export type KeywordQuery = z.output<typeof keywordQuerySchema>

const splitByComma = (value: unknown) => (typeof value === 'string' ? value.split(',') : value)

export const intentQuerySchema = z.object({
  q: requiredWords.describe(`What you need, in natural language, in ${LANGUAGE_CHOICE}`),
  ...FILTER_PARAMETERS,
  without: z
    .preprocess(
      splitByComma,
      z
        .array(oneOf(REVOCABLE), { error: expecting('some_of_expected', { values: REVOCABLE }) })
        .max(REVOCABLE.length, expecting('some_of_expected', { values: REVOCABLE })),
    )
    .optional()
    .meta({ type: 'string', items: undefined, maxItems: undefined })
    .describe(
      'Constraints of the sentence to ignore, separated by commas, like chain,status; excluded: includes what the sentence excludes; wishes: ignores its wishes',
    ),
  limit: limit(10),
})
export type IntentQuery = z.output<typeof intentQuerySchema>

export const historyQuerySchema = z.object({
  limit: limit(20),
  before: z
    .string()
    .regex(CURSOR, expecting('page_before_expected'))
    .describe('Position to continue from: `next` of the previous page')
    .optional(),
  days: z
    .preprocess(wholeNumber, wholeNumberBetween(0, 366))
    .default(30)
    .meta({ type: 'integer', minimum: 0, maximum: 366, default: 30 })
    .describe('Number of days to sum up, default 30'),
})
export type HistoryQuery = z.output<typeof historyQuerySchema>

/** Changes per response. */
const MAX_CHANGES = 1_000

/** A query string has text, other interfaces may pass a number. */
const historyCursor = (message: string) =>
  z
    .preprocess(
      value => (typeof value === 'number' ? String(value) : value),
      z.string({ error: message }).refine(text => readHistoryCursor(text) !== undefined, { error: message }),
    )
    .meta({ type: 'string', pattern: CURSOR_PATTERN })

export const changesQuerySchema = z.object({
  since: historyCursor(expecting('feed_cursor_expected'))
    .default('0')
    .meta({ default: '0' })
    .describe('`next` of the previous response; 0 starts with the oldest'),
  limit: limit(100, MAX_CHANGES),
})
export type ChangesQuery = Omit<z.output<typeof changesQuerySchema>, 'since'> & {
  readonly since: string | number
}

export const eventsQuerySchema = z.object({
  after: historyCursor(expecting('feed_cursor_expected'))
    .optional()
    .describe(
      'The id (cursor) of the last event received; Last-Event-ID has precedence. Default: from now on',
    ),
})
export type EventsQuery = z.output<typeof eventsQuerySchema>

export const parseChangesQuery: (input: unknown) => ChangesQuery = createQueryReader(changesQuerySchema)

export const parseEventsQuery: (input: unknown) => EventsQuery = createQueryReader(eventsQuerySchema)

export const parseHistoryQuery: (input: unknown) => HistoryQuery = createQueryReader(historyQuerySchema)

export const parseListQuery: (input: unknown) => ListQuery = createQueryReader(listQuerySchema)

const readKeywords = createQueryReader(keywordQuerySchema)

export function parseKeywordQuery(input: unknown): KeywordQuery {
  const query = readKeywords(input)
  if (query.offset + query.limit > MAX_SEARCH_DEPTH) {
    throw invalid([toProblem('offset', say('search_too_deep', { max: MAX_SEARCH_DEPTH }))])
  }
  return query
}

export const parseIntentQuery: (input: unknown) => IntentQuery = createQueryReader(intentQuerySchema)

// Responses of lists and searches.

/** One page of services, ready to send. */
export type Page = {
  readonly services: Encoded<Service[]>
  /** Number of results on all pages; undefined if a search has more than 10,000, which it does not count. */
  readonly total: number | undefined
  /** How many more the policy of the caller leaves out; undefined without a policy. */
  readonly suppressed?: number | undefined
}

export const suppressedSchema = z.object({
  policy: z
    .int()
    .min(0)
    .describe('Services that meet the conditions, whatever their words, and that the policy leaves out'),
})

const constraintFields = Object.fromEntries(
  CONSTRAINT_NAMES.map(name => [name, CONSTRAINTS[name].schema.optional()]),
) as unknown as {
  readonly [N in ConstraintName]: z.ZodOptional<(typeof CONSTRAINTS)[N]['schema']>
}

export const constraintsSchema = z
  .object({
    ...constraintFields,
    excluded: z
      .array(z.string())
      .optional()
      .describe('Names, words and chains whose services are left out: "not Google", "not on Solana"'),
    unapplied: z
      .array(
        z.object({
          text: z.string().describe('The part of the sentence'),
          why: z.string().describe('Why it was not applied'),
        }),
      )
      .describe('Parts read as a constraint that could not be applied'),
  })
  .meta({ id: 'Constraints', title: 'What was understood as a filter and applied' })
export type Constraints = Readonly<z.output<typeof constraintsSchema>>

/** Preferences that change the order and exclude nothing. */
export const WISHES = ['cheap', 'reliable', 'fast', 'free'] as const
export type Wish = (typeof WISHES)[number]

export const intentResultSchema = z
  .object({
    service: serviceSchema.describe('The service'),
    score: z.number().min(0).max(1).describe('Relevance'),
    weak: z
      .literal(true)
      .optional()
      .describe('A poor match, shown last because fewer than three others match well'),
    matchedTokens: z.array(z.string()).describe('The tokens of the sentence that the service matched'),
    reason: z.string().describe('Why this service'),
    ...dollarFields,
    protocols: z
      .array(z.enum(PROTOCOLS))
      .describe('By which protocols it can be paid, as last seen; x402 before its terms were read'),
    backing: marksSchema.describe('Who stands behind the entry'),
  })
  .meta({ id: 'IntentResult', title: 'A service that was found' })

export const intentAnswerSchema = z
  .object({
    query: z.string().describe('As received'),
    tokens: z.array(z.string()).describe('Content words of the query, in order'),
    matchedTokens: z.array(z.string()).describe('The tokens that matched a service'),
    absentTokens: z
      .array(z.string())
      .optional()
      .describe('The tokens that no service here has, if there are any: the results are for the others'),
    total: z
      .int()
      .min(0)
      .describe(
        'Number of matching services: all with a word of the sentence that meet its conditions, and the nearest of those similar in meaning; weak results do not count',
      ),
    reason: z.string().describe('Why this answer, in the language of the query'),
    constraints: constraintsSchema.describe('What was read from the sentence as conditions'),
    wishes: z
      .array(z.enum(WISHES))
      .describe('Preferences that change the order and exclude nothing: cheap, reliable, fast, free'),
    suppressed: suppressedSchema
      .extend({
        weak: z.int().min(0).describe('Ranked results that hardly fit'),
        sameSeller: z
          .int()
          .min(0)
          .describe('Ranked results behind others of their seller, or copies of others'),
        danger: z.int().min(0).describe('Ranked results that must not be paid'),
      })
      .describe('What was found and is not among the results, by the reason'),
    results: z.array(intentResultSchema).describe('Best first'),
    steps: z
      .array(
        z.object({
          text: z.string().describe('The part of the sentence'),
          results: z.array(intentResultSchema).describe('Best first'),
        }),
      )
      .optional()
      .describe(
        'If the sentence requests several things in a row: each of them, with its first three results',
      ),
    nearest: z
      .object({
        relaxed: z.string().describe('The constraint that was left out'),
        results: z.array(intentResultSchema).describe('Best first'),
      })
      .optional()
      .describe('When no service meets all constraints: the results with one constraint relaxed'),
  })
  .meta({ id: 'IntentAnswer', title: 'The answer to a sentence' })
export type IntentAnswer = Readonly<z.output<typeof intentAnswerSchema>>

// Where a service stands for a sentence: its place, who is before it, which part of the score decides, and what would help.

export const rankQuerySchema = z.object({
  q: requiredWords.describe('The sentence of a buyer, as for the search by a sentence'),
})
export type RankQuery = z.output<typeof rankQuerySchema>

/** What puts one service before another. */
export const DECIDING = [
  'words',
  'meaning',
  'standing',
  'wish',
  'seller',
  'copy',
  'danger',
  'sample',
  'tie',
] as const
export type Deciding = (typeof DECIDING)[number]

const share = z.number().min(0)
const partsSchema = z
  .object({
    words: share.describe('What the words of the sentence add to the relevance'),
    meaning: share.describe('What its meaning adds'),
    standing: share.describe('What status, payers and purchases multiply the relevance by'),
    limit: share.describe('The relevance from which on more hardly counts, until there is more proof'),
    wish: share.describe('What a wish of the sentence, like cheap, multiplies it by; 1 without a wish'),
  })
  .meta({ id: 'ScoreParts', title: 'The parts of a score' })

export const rankSchema = z
  .object({
    id: z.string().describe('Id of the service'),
    query: z.string().describe('The sentence as received'),
    position: z
      .int()
      .min(1)
      .nullable()
      .describe('Its place among the first 100 results that fit; null: it is not among them'),
    total: z.int().min(0).describe('How many services fit'),
    score: z.number().min(0).max(1).nullable().describe('As in the results; null: it was not scored'),
    parts: partsSchema.nullable().describe('null: a condition of the sentence leaves the service out'),
    unmet: z
      .array(z.enum([...CONSTRAINT_NAMES, 'excluded']))
      .describe('The conditions of the sentence that it does not meet'),
    before: z
      .array(
        z.object({
          id: z.string().describe('Id of a service that is before it'),
          name: z.string().describe('Its name'),
          position: z.int().min(1).describe('Its place'),
          score: z.number().min(0).max(1).describe('Its score'),
          parts: partsSchema.describe('The parts of its score'),
          decides: z
            .enum(DECIDING)
            .describe(
              'The part that would gain most if it were that of the service before; seller: two services of a seller keep their places, others follow; copy: of equal names or descriptions the one with the stronger claim is first; danger: must not be paid; tie: equal scores',
            ),
        }),
      )
      .describe('The first five services before it'),
    help: z.array(saidSchema).describe('What would help, the most important first'),
  })
  .meta({ id: 'Rank', title: 'Where a service stands for a sentence' })
export type Rank = Readonly<z.output<typeof rankSchema>>
