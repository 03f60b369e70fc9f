// The catalog as a registry of Agentic Resource Discovery: search, explore and list over the directory's own search.

import type { LocalDirectory } from '../../directory/directory.ts'
import { serviceExample } from '../../directory/examples/service.ts'
import { DirectoryError, invalid, toProblem as toFieldProblem } from '../../domain/errors.ts'
import {
  ARD_FIELDS,
  ARD_PATH,
  ARD_TYPE,
  type ArdEntry,
  type ArdFilter,
  ardExploreRequestSchema,
  ardListQuerySchema,
  ardSearchRequestSchema,
  LISTED_FIELDS,
  listedName,
  passesArd,
  publisherOf,
  readArd,
  readExpression,
  toArdEntry,
  toListed,
} from '../../domain/formats/ard.ts'
import { parseIntentQuery, parseListQuery } from '../../domain/queries/queries.ts'
import { createQueryReader } from '../../domain/queries/read-query.ts'
import { say } from '../../messages/message.ts'
import {
  BODY_FAILURES,
  failures,
  json,
  jsonBody,
  ok,
  queryParameters,
  READ_FAILURES,
} from '../openapi/describe.ts'
import { COMMON_HEADERS } from '../openapi/headers.ts'
import { type Json, schemaRef } from '../openapi/json-schema.ts'
import { JSON_TYPE } from '../pipeline/answer.ts'
import { readJsonObject } from '../pipeline/body.ts'
import { toProblem } from '../pipeline/errors.ts'
import { addressFor } from '../pipeline/own-address.ts'
import { queryOf, readQuery, refuseParameters } from '../pipeline/query-string.ts'
import type { Answer, Exchange } from '../pipeline/route.ts'
import type { ApiRoute, Endpoint } from './api-route.ts'

type Reads = LocalDirectory['reads']

/** Matches of a text: the same limit for results and counts. */
const MAX_MATCHED = 100
const DEFAULT_PAGE = 10
const DEFAULT_BUCKETS = 20

const exampleBase = 'https://directory.example'
const entryExample = toArdEntry(serviceExample, exampleBase)

type AnswerQuery = (reads: Reads, base: string, exchange: Exchange) => object | Promise<object>

function createEndpoint(
  about: { readonly operationId: string; readonly summary: string; readonly description: string },
  describeRequest: () => { readonly parameters?: readonly Json[]; readonly requestBody?: Json },
  answer: { readonly schema: string; readonly example: unknown },
  answerQuery: AnswerQuery,
): Endpoint {
  return {
    operation: () => {
      const described = describeRequest()
      return {
        ...about,
        tags: ['bazaar'],
        ...described,
        responses: {
          200: ok(
            'Entries, or counts of them',
            COMMON_HEADERS,
            json(schemaRef(answer.schema), answer.example),
          ),
          ...failures(
            ...(described.requestBody ? BODY_FAILURES : (['invalid_request'] as const)),
            ...READ_FAILURES,
          ),
        },
      }
    },
    // Entries contain the requested address, so they must not be cached.
    create:
      ({ directory, publicUrl }) =>
      async exchange => {
        try {
          const result = await answerQuery(directory.reads, addressFor(exchange, publicUrl), exchange)
          const headers = { 'Content-Type': JSON_TYPE, 'Cache-Control': 'no-store' }
          return { status: 200, headers, body: JSON.stringify(result) }
        } catch (error) {
          if (!(error instanceof DirectoryError)) throw error
          return withErrorCode(toProblem(error), error)
        }
      },
  }
}

/** Clients of the format expect these two fields in addition to those of a problem. */
const withErrorCode = (answer: Answer, { code, message }: DirectoryError): Answer => ({
  ...answer,
  body: JSON.stringify({
    ...JSON.parse(answer.body as string),
    errorCode: code === 'invalid_request' ? 'INVALID_ARGUMENT' : code.toUpperCase(),
    message,
  }),
})

type Matched = { readonly entry: ArdEntry; readonly score: number }

function match(reads: Reads, base: string, text: string, filter: ArdFilter): Matched[] {
  const query = parseIntentQuery({ q: text, limit: String(MAX_MATCHED) })
  return reads
    .searchByIntent(query)
    .decode()
    .results.filter(({ weak }) => !weak)
    .map(({ service, score }) => ({ entry: toArdEntry(service, base), score }))
    .filter(({ entry }) => passesArd(filter, entry))
}

const search = createEndpoint(
  {
    operationId: 'searchRegistry',
    summary: 'Search services in the ARD format',
    description: `The intent search in the form of ARD: best first, ${MAX_MATCHED} at most, without weak hits. Other registries are not queried.`,
  },
  () => ({
    requestBody: jsonBody(schemaRef('ArdSearchRequest'), {
      query: { text: 'weather forecast', filter: { 'metadata.status': ['verified'] } },
      pageSize: 5,
    }),
  }),
  {
    schema: 'ArdSearch',
    example: { results: [{ ...entryExample, score: 91, source: `${exampleBase}${ARD_PATH}/` }] },
  },
  async (reads, base, { request }) => {
    const body = await readJsonObject(request)
    refuseParameters(queryOf(request.url))
    const { query, federation, pageSize = DEFAULT_PAGE, pageToken } = readArd(ardSearchRequestSchema, body)
    const found = match(reads, base, query.text, query.filter ?? {})
    const from = Number(pageToken ?? 0)
    const until = from + Math.min(pageSize, MAX_MATCHED)
    return {
      results: found.slice(from, until).map(({ entry, score }) => ({
        ...entry,
        score: Math.round(Math.min(1, Math.max(0, score)) * 100),
        source: `${base}${ARD_PATH}/`,
      })),
      ...(federation === 'referrals' && { referrals: [] }),
      ...(until < found.length && { pageToken: String(until) }),
    }
  },
)

type Bucket = { readonly value: string; readonly count: number }

const explore = createEndpoint(
  {
    operationId: 'exploreRegistry',
    summary: 'Count services in the ARD format',
    description: `How the entries divide by ${Object.keys(ARD_FIELDS).join(', ')}. Without a text over the whole catalog, by ${LISTED_FIELDS.join(', ')}; with one over what the search finds.`,
  },
  () => ({
    requestBody: jsonBody(schemaRef('ArdExploreRequest'), {
      query: { text: 'weather' },
      resultType: { facets: [{ field: 'metadata.chain', limit: 5 }] },
    }),
  }),
  {
    schema: 'ArdExplore',
    example: {
      resultType: 'facets',
      facets: { 'metadata.chain': { buckets: [{ value: 'eip155:8453', count: 12 }] } },
    },
  },
  async (reads, base, { request }) => {
    const body = await readJsonObject(request)
    refuseParameters(queryOf(request.url))
    const { query = {}, resultType } = readArd(ardExploreRequestSchema, body)
    const { text, filter = {} } = query
    const count =
      text === undefined
        ? (field: string) => countListed(reads, base, filter, field)
        : createCounter(match(reads, base, text, filter))
    const facets = resultType.facets.map(({ field, limit = DEFAULT_BUCKETS, minCount = 1 }) => {
      const all = count(field).toSorted((a, b) => b.count - a.count)
      const buckets = all.filter(bucket => bucket.count >= minCount).slice(0, limit)
      const sum = (some: readonly Bucket[]) => some.reduce((total, bucket) => total + bucket.count, 0)
      const otherCount = sum(all) - sum(buckets)
      return [field, { buckets, ...(otherCount > 0 && { otherCount }) }]
    })
    return { resultType: 'facets', facets: Object.fromEntries(facets) }
  },
)

const createCounter =
  (matched: readonly Matched[]) =>
  (field: string): Bucket[] => {
    const counts = new Map<string, number>()
    for (const { entry } of matched)
      for (const value of new Set(ARD_FIELDS[field]!(entry))) counts.set(value, (counts.get(value) ?? 0) + 1)
    return [...counts].map(([value, count]) => ({ value, count }))
  }

/** @throws DirectoryError `invalid_request` */
function countListed(reads: Reads, base: string, filter: ArdFilter, field: string): Bucket[] {
  if (!LISTED_FIELDS.includes(field))
    throw invalid([toFieldProblem('resultType.facets', say('ard_text_needed', { known: LISTED_FIELDS }))])
  const { filters, isNone } = toListed(filter, base)
  if (isNone) return []
  const query = parseListQuery({ ...filters, limit: '1' })
  const name = listedName(field)
  if (!name) {
    const count = reads.list(query).total ?? 0
    return count === 0 ? [] : [{ value: field === 'type' ? ARD_TYPE : publisherOf(base), count }]
  }
  const requested = filters[name]?.toLowerCase()
  // A value that takes too long to count is left out, as the format allows.
  return reads
    .facets(query)
    [name].filter(
      ({ id, count }) => count !== undefined && (requested === undefined || id.toLowerCase() === requested),
    )
    .map(({ id, count }) => ({ value: id, count: count! }))
}

const readListQuery = createQueryReader(ardListQuerySchema)

const list = createEndpoint(
  {
    operationId: 'listRegistry',
    summary: 'List services in the ARD format',
    description: 'Every service, newest first or by name.',
  },
  () => ({ parameters: queryParameters(ardListQuerySchema, { filter: "metadata.status = 'verified'" }) }),
  { schema: 'ArdList', example: { items: [entryExample], total: 1 } },
  (reads, base, { request }) => {
    const {
      filter,
      orderBy,
      pageSize,
      pageToken = '0',
    } = readQuery(queryOf(request.url), readListQuery).parsed
    const { filters, isNone } = toListed(filter === undefined ? {} : readExpression(filter), base)
    if (isNone) return { items: [], total: 0 }
    const sort = orderBy && { sortBy: 'name', sortOrder: orderBy.endsWith(' DESC') ? 'desc' : 'asc' }
    const page = reads.list(
      parseListQuery({ ...filters, ...sort, limit: String(pageSize), offset: pageToken }),
    )
    const next = Number(pageToken) + pageSize
    return {
      items: page.services.decode().map(service => toArdEntry(service, base)),
      ...(page.total !== undefined && { total: page.total }),
      ...(page.total !== undefined && next < page.total && { pageToken: String(next) }),
    }
  },
)

export const ARD_ROUTES: readonly ApiRoute[] = [
  { path: `${ARD_PATH}/search`, cost: 10, methods: { POST: search } },
  { path: `${ARD_PATH}/explore`, cost: 10, methods: { POST: explore } },
  { path: `${ARD_PATH}/agents`, methods: { GET: list } },
]
