// The shapes of Agentic Resource Discovery (ARD 0.5), a protocol for querying registries of agents and tools.
import { z } from 'zod'
import { say } from '../../messages/message.ts'
import { chainKey } from '../chains/chains.ts'
import { invalid, toProblem } from '../errors.ts'
import { categoryKey } from '../listing/categories.ts'
import type { Service } from '../listing/service.ts'
import { expecting, toProblems } from '../problems.ts'
import { limit, requiredWords } from '../queries/queries.ts'

/** The media type of an entry: a service that is paid over x402, described by the service object at its URL. */
export const ARD_TYPE = 'application/x402+json'
export const REGISTRY_TYPE = 'application/ai-registry+json'
export const ARD_PATH = '/ard'

const entrySchema = z
  .object({
    identifier: z.string().describe('urn:air:<host of this directory>:service:<id>'),
    displayName: z.string().describe('Name of the service'),
    type: z.literal(ARD_TYPE).describe('Media type of what the entry leads to'),
    url: z.string().describe('The service object'),
    description: z.string().describe('What the service does'),
    tags: z.array(z.string()).describe('Its category and its chains in CAIP-2'),
    updatedAt: z.string().describe('When it last changed'),
    metadata: z
      .record(z.string(), z.union([z.string(), z.number()]))
      .describe(
        'endpoint, category, status, trustScore, chain, network, paymentAddress, pricePerRequest, currency',
      ),
  })
  .meta({ id: 'ArdEntry', title: 'An entry of a registry' })
export type ArdEntry = z.output<typeof entrySchema>

/** The publisher is the registry, because a service can be listed by others than the owner of its host. */
export const toArdEntry = (service: Service, base: string): ArdEntry => {
  const { id, name, description, category, pricing, x402Config, supportedChains } = service
  return {
    identifier: `urn:air:${publisherOf(base)}:service:${id}`,
    displayName: name,
    type: ARD_TYPE,
    url: `${base}/api/services/${id}`,
    description,
    tags: [category, ...supportedChains.map(chainKey)],
    updatedAt: service.updatedAt,
    metadata: {
      endpoint: service.endpoint,
      category,
      status: service.status,
      trustScore: service.trustScore,
      chain: chainKey(x402Config.network),
      ...x402Config,
      pricePerRequest: pricing.pricePerRequest,
      currency: pricing.currency,
    },
  }
}

/** A publisher may contain only letters, digits, dots and hyphens. */
export const publisherOf = (base: string): string => new URL(base).hostname.replace(/[^\w.-]/g, '')

/** The paths that can be filtered by and counted, with the values of an entry at each. */
export const ARD_FIELDS: Readonly<Record<string, (entry: ArdEntry) => readonly string[]>> = {
  type: ({ type }) => [type],
  publisher: ({ identifier }) => [identifier.split(':')[2]!],
  tags: ({ tags }) => tags,
  'metadata.category': ({ metadata }) => [categoryKey(String(metadata.category))],
  'metadata.status': ({ metadata }) => [String(metadata.status)],
  // All chains that it supports, like the chain filter of the list.
  'metadata.chain': ({ tags }) => tags.slice(1),
  'metadata.currency': ({ metadata }) => [String(metadata.currency)],
}
const FIELD_NAMES = Object.keys(ARD_FIELDS)
/** Values per path of a filter; every entry of a search is tested against them. */
const MAX_VALUES = 50
/** Facets per request. */
const MAX_FACETS = 10

const field = z.enum(FIELD_NAMES as [string, ...string[]], {
  error: expecting('not_one_of', { values: FIELD_NAMES }),
})
const value = z
  .string({ error: expecting('text_expected', { max: 256 }) })
  .max(256, expecting('text_expected', { max: 256 }))
const filterSchema = z
  .partialRecord(field, z.union([value, z.array(value).min(1).max(MAX_VALUES)]), {
    error: issue =>
      issue.code === 'invalid_key'
        ? expecting('not_one_of', { values: FIELD_NAMES })
        : expecting('object_expected', { fields: FIELD_NAMES }),
  })
  .describe('Values by path. An entry passes with any of the values at each path, and must pass at all paths')
export type ArdFilter = z.output<typeof filterSchema>

const strict = <T extends z.ZodRawShape>(shape: T) =>
  z.strictObject(shape, {
    error: issue =>
      issue.code === 'unrecognized_keys'
        ? expecting('filter_fields_unknown', { known: Object.keys(shape), names: issue.keys })
        : expecting('object_expected', { fields: Object.keys(shape) }),
  })

const count = (min: number, max: number) =>
  z
    .int({ error: expecting('whole_number_between', { min, max }) })
    .min(min, expecting('whole_number_between', { min, max }))

const text = requiredWords.describe('What is needed, in natural language')
/** Entries per page, and values per facet. */
const MAX_PAGE = 100

export const ardSearchRequestSchema = strict({
  query: strict({ text, filter: filterSchema.optional() }).describe('What to search for'),
  federation: z
    .enum(['auto', 'referrals', 'none'], {
      error: expecting('not_one_of', { values: ['auto', 'referrals', 'none'] }),
    })
    .optional()
    .describe('This registry queries no others, so each mode returns its own entries'),
  pageSize: count(1, MAX_PAGE)
    .optional()
    .describe(`Default 10; more than ${MAX_PAGE} is served as ${MAX_PAGE}`),
  pageToken: z
    .string()
    .regex(/^\d{1,3}$/, expecting('page_before_expected'))
    .optional()
    .describe('`pageToken` of the previous page'),
}).meta({ id: 'ArdSearchRequest', title: 'A search in a registry' })

export const ardSearchSchema = z
  .object({
    results: z
      .array(
        entrySchema.extend({
          score: z.int().min(0).max(100).describe('Relevance; independent of trust'),
          source: z.string().describe('The registry that holds the entry'),
        }),
      )
      .describe('Best first'),
    referrals: z.array(z.unknown()).optional().describe('With federation "referrals"; always empty'),
    pageToken: z.string().optional().describe('For the next page; left out on the last'),
  })
  .meta({ id: 'ArdSearch', title: 'Search results of a registry' })

export const ardExploreRequestSchema = strict({
  query: strict({ text: text.optional(), filter: filterSchema.optional() })
    .optional()
    .describe('What to search for'),
  resultType: strict({
    facets: z
      .array(
        strict({
          field: field.describe('The field whose values are counted'),
          limit: count(1, MAX_PAGE).optional().describe('Most values to return'),
          minCount: count(1, 1_000_000).optional().describe('Leaves out values with fewer entries'),
        }),
      )
      .min(1)
      .max(MAX_FACETS)
      .describe('What to count'),
  }).describe('What to count'),
}).meta({ id: 'ArdExploreRequest', title: 'What to count in a registry' })

export const ardExploreSchema = z
  .object({
    resultType: z.literal('facets').describe('Always facets'),
    facets: z
      .record(
        z.string(),
        z.object({
          buckets: z
            .array(
              z.object({
                value: z.string().describe('The value'),
                count: z.int().describe('Entries that have it'),
              }),
            )
            .describe('Values, the most frequent first'),
          otherCount: z.int().optional().describe('Entries with other values'),
        }),
      )
      .describe('The counts, by field'),
  })
  .meta({ id: 'ArdExplore', title: 'Counts of a registry by facet' })

export const ardListSchema = z
  .object({
    items: z.array(entrySchema).describe('The services of this page'),
    total: z.int().optional().describe('Number of all entries'),
    pageToken: z.string().optional().describe('Send for the next page; absent on the last'),
  })
  .meta({ id: 'ArdList', title: 'A page of a registry' })

/** @throws DirectoryError `invalid_request` that lists every problem */
export function readArd<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const parsed = schema.safeParse(body)
  if (!parsed.success) throw invalid(toProblems(parsed.error, body))
  return parsed.data
}

/** Returns whether an entry has one of the values at every path. */
export const passesArd = (filter: ArdFilter, entry: ArdEntry): boolean =>
  Object.entries(filter).every(([path, wanted]) => {
    const keys = [wanted ?? []].flat().map(each => each.toLowerCase())
    return ARD_FIELDS[path]!(entry).some(each => keys.includes(each.toLowerCase()))
  })

/** Paths with an equivalent list filter. Without a text to search, only these apply, so that entries are not tested one by one. */
const LISTED: Readonly<Record<string, 'category' | 'status' | 'chain'>> = {
  'metadata.category': 'category',
  'metadata.status': 'status',
  'metadata.chain': 'chain',
}
export const LISTED_FIELDS = ['type', 'publisher', ...Object.keys(LISTED)]
export const listedName = (path: string) => LISTED[path]

/** @throws DirectoryError `invalid_request` where a filter can only be applied in a search */
export function toListed(
  filter: ArdFilter,
  base: string,
): { readonly filters: Record<string, string>; readonly isNone: boolean } {
  const filters: Record<string, string> = {}
  let isNone = false
  for (const [path, wanted] of Object.entries(filter)) {
    const values = [wanted ?? []].flat()
    const name = LISTED[path]
    if (path === 'type') isNone ||= !values.includes(ARD_TYPE)
    else if (path === 'publisher') isNone ||= !values.includes(publisherOf(base))
    else if (name && values.length === 1) filters[name] = values[0]!
    else throw invalid([toProblem(`query.filter.${path}`, say('ard_text_needed', { known: LISTED_FIELDS }))])
  }
  return { filters, isNone }
}

export const ardListQuerySchema = z.object({
  filter: z
    .string()
    .max(1_000)
    .optional()
    .describe(
      `Like metadata.status = 'verified' AND metadata.chain = 'eip155:8453'; by ${LISTED_FIELDS.join(', ')}`,
    ),
  orderBy: z
    .string()
    .regex(
      /^displayName( ASC| DESC)?$/,
      expecting('not_one_of', { values: ['displayName', 'displayName DESC'] }),
    )
    .optional()
    .describe('displayName or displayName DESC; default: newest first'),
  pageSize: limit(20),
  pageToken: z
    .string()
    .regex(/^\d{1,9}$/, expecting('page_before_expected'))
    .optional()
    .describe('`pageToken` of the previous page'),
})

/** @throws DirectoryError `invalid_request` */
export function readExpression(text: string): ArdFilter {
  const pairs = text.split(/\s+AND\s+/).map(part => /^\s*([\w.]+)\s*=\s*'([^']*)'\s*$/.exec(part)?.slice(1))
  if (pairs.some(pair => pair === undefined || !LISTED_FIELDS.includes(pair[0]!)))
    throw invalid([toProblem('filter', say('ard_expression_expected', { known: LISTED_FIELDS }))])
  return Object.fromEntries(pairs as [string, string][])
}
