// The catalog as a registry of Agentic Resource Discovery: its search, over the intent search.
import { z } from 'zod'
import { serviceExample } from '../../directory/examples.ts'
import { chainKey } from '../../domain/chains/chains.ts'
import { DirectoryError } from '../../domain/errors.ts'
import { categoryKey } from '../../domain/listing/categories.ts'
import type { Service } from '../../domain/listing/service.ts'
import { expecting, readBody } from '../../domain/problems.ts'
import { oneOf } from '../../domain/queries/filters.ts'
import { parseIntentQuery, requiredWords } from '../../domain/queries/queries.ts'
import {
  BODY_FAILURES,
  COMMON_HEADERS,
  failures,
  json,
  jsonBody,
  ok,
  READ_FAILURES,
  schemaRef,
} from '../openapi/describe.ts'
import { answerProblem, JSON_TYPE } from '../pipeline/answer.ts'
import { addressFor, bearerOf } from '../pipeline/caller.ts'
import { queryIn, readJsonObject, refuseParameters } from '../pipeline/request.ts'
import type { ApiRoute, Endpoint } from './api-route.ts'

// The shapes of Agentic Resource Discovery (ARD 0.91), a protocol for querying registries of agents and tools: manifest and search.

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
type ArdEntry = z.output<typeof entrySchema>

/** The publisher is the registry, because a service can be listed by others than the owner of its host. */
const toArdEntry = (service: Service, base: string): ArdEntry => {
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

/** The paths that can be filtered by, with the values of an entry at each. */
const ARD_FIELDS: Readonly<Record<string, (entry: ArdEntry) => readonly string[]>> = {
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
type ArdFilter = z.output<typeof filterSchema>

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
/** Entries per page. */
const MAX_PAGE = 100

const ardSearchRequestSchema = strict({
  query: strict({ text, filter: filterSchema.optional() }).describe('What to search for'),
  federation: oneOf(['auto', 'referrals', 'none'])
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

/** Returns whether an entry has one of the values at every path. */
const passesArd = (filter: ArdFilter, entry: ArdEntry): boolean =>
  Object.entries(filter).every(([path, wanted]) => {
    const keys = [wanted ?? []].flat().map(each => each.toLowerCase())
    return ARD_FIELDS[path]!(entry).some(each => keys.includes(each.toLowerCase()))
  })

const MAX_MATCHED = 100
const DEFAULT_PAGE = 10

const exampleBase = 'https://directory.example'

const search: Endpoint = {
  operation: () => ({
    operationId: 'searchRegistry',
    tags: ['bazaar'],
    summary: 'Search services in the ARD format',
    description: `The intent search in the form of ARD: best first, ${MAX_MATCHED} at most, without weak hits. Other registries are not queried.`,
    requestBody: jsonBody(schemaRef('ArdSearchRequest'), {
      query: { text: 'weather forecast', filter: { 'metadata.status': ['verified'] } },
      pageSize: 5,
    }),
    responses: {
      200: ok(
        'Entries',
        COMMON_HEADERS,
        json(schemaRef('ArdSearch'), {
          results: [
            { ...toArdEntry(serviceExample, exampleBase), score: 91, source: `${exampleBase}${ARD_PATH}/` },
          ],
        }),
      ),
      ...failures(...BODY_FAILURES, 'unauthorized', ...READ_FAILURES),
    },
  }),
  create:
    ({ directory, publicUrl }) =>
    async exchange => {
      const { request } = exchange
      try {
        const body = await readJsonObject(request)
        refuseParameters(queryIn(request.url))
        const {
          query,
          federation,
          pageSize = DEFAULT_PAGE,
          pageToken,
        } = readBody(ardSearchRequestSchema, body)
        const base = addressFor(exchange, publicUrl)
        const view = await directory.forKey(bearerOf(request.headers.get('authorization')))
        const found = view
          .requireCatalog()
          .searchByIntent(parseIntentQuery({ q: query.text, limit: String(MAX_MATCHED) }))
          .decode()
          .results.filter(({ weak }) => !weak)
          .map(({ service, score }) => ({ entry: toArdEntry(service, base), score }))
          .filter(({ entry }) => passesArd(query.filter ?? {}, entry))
        const from = Number(pageToken ?? 0)
        const until = from + Math.min(pageSize, MAX_MATCHED)
        const answer = {
          results: found.slice(from, until).map(({ entry, score }) => ({
            ...entry,
            score: Math.round(Math.min(1, Math.max(0, score)) * 100),
            source: `${base}${ARD_PATH}/`,
          })),
          ...(federation === 'referrals' && { referrals: [] }),
          ...(until < found.length && { pageToken: String(until) }),
        }
        // Entries contain the requested address, so they must not be cached.
        const headers = { 'Content-Type': JSON_TYPE, 'Cache-Control': 'no-store' }
        return { status: 200, headers, body: JSON.stringify(answer) }
      } catch (error) {
        if (!(error instanceof DirectoryError)) throw error
        // Clients of the format expect these two fields.
        const { code, message } = error
        const errorCode = code === 'invalid_request' ? 'INVALID_ARGUMENT' : code.toUpperCase()
        return answerProblem(error, { errorCode, message })
      }
    },
}

export const ARD_ROUTES: readonly ApiRoute[] = [
  { path: `${ARD_PATH}/search`, cost: 40, methods: { POST: search } },
]
