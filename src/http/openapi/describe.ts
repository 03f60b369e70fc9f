// Describes operations in OpenAPI 3.1: parameters from the schemas that parse them, bodies, responses, headers, and every error with an
// example.
import { z } from 'zod'
import { serviceExample } from '../../directory/examples.ts'
import { type Operation, requestHeader, type Tag } from '../../directory/operation.ts'
import { PROBLEM_TYPES, type WireForm } from '../../directory/wire.ts'
import type { ErrorCode } from '../../domain/errors.ts'
import { type Message, say, tellInEnglish } from '../../messages/message.ts'
import { problemType } from '../pipeline/answer.ts'

export type Json = { readonly [name: string]: unknown }

export const schemaRef = (id: string): Json => ({ $ref: `#/components/schemas/${id}` })

const TEXT = { type: 'string' }
const COUNT = { type: 'integer', minimum: 0 }

const responseHeader = (description: string, schema: Json, example?: unknown): Json => ({
  description,
  schema,
  ...(example !== undefined && { example }),
})

export const HEADERS: Readonly<Record<string, Json>> = {
  'X-Request-Id': responseHeader(
    'Identifies this request in the log; a value sent by the client is used',
    TEXT,
    '1f0c9a7e-2s',
  ),
  RateLimit: responseHeader(
    'The remaining requests, and when the limit resets',
    TEXT,
    '"default";r=5999;t=42',
  ),
  'RateLimit-Policy': responseHeader(
    'The limit: requests in a window of seconds',
    TEXT,
    '"default";q=6000;w=60',
  ),
  ETag: responseHeader('Version of this response; send it in If-None-Match', TEXT, '"2k9x0c1v7qf1"'),
  Link: responseHeader(
    'Further pages: first, prev, next, last (RFC 8288)',
    TEXT,
    '</api/services?limit=20&offset=20>; rel="next"',
  ),
  'X-Total-Count': responseHeader(
    'How many entries there are in all; left out above 10,000 on searches',
    COUNT,
    64,
  ),
  'X-Suppressed': responseHeader(
    'With a key that has a policy: how many more entries the policy leaves out',
    TEXT,
    'policy=12',
  ),
  'X-Ignored-Fields': responseHeader('Fields of the body that were not used', TEXT, 'id, trustScore'),
  'X-Notice': responseHeader(
    'What was accepted but looks wrong, like a filter whose value is not known here: sentences separated by %0A, percent-encoded if not ASCII',
    TEXT,
  ),
  Location: responseHeader('Where the new service is', { type: 'string', format: 'uri-reference' }),
  'Retry-After': responseHeader('Seconds to wait', COUNT, 12),
  'WWW-Authenticate': responseHeader('The required authentication scheme', TEXT, 'Bearer'),
  Allow: responseHeader('The allowed methods', TEXT, 'GET, HEAD, OPTIONS'),
}

/** On every response except those for monitoring, which have no rate limit. */
export const COMMON_HEADERS = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy']

const headerRef = (name: string): Json => ({ $ref: `#/components/headers/${name}` })

const headerRefs = (...names: readonly string[]): Json =>
  Object.fromEntries(names.map(name => [name, headerRef(name)]))

/** An Operation Object of OpenAPI 3.1, with the fields required here. */
export type OperationObject = {
  readonly operationId: string
  readonly tags: readonly [Tag]
  readonly summary: string
  readonly description?: string
  readonly security?: readonly Json[]
  readonly parameters?: readonly Json[]
  readonly requestBody?: Json
  readonly responses: Json
}

const LIMIT_PROBLEM = say('whole_number_expected', { min: 1 })

const DETAILS: Readonly<Record<ErrorCode, Message>> = {
  invalid_request: say('invalid_field', { path: 'limit', problem: LIMIT_PROBLEM, more: 0 }),
  unauthorized: say('key_needed'),
  forbidden: say('scope_lacking', { scope: 'register' }),
  not_approved: say('not_approved'),
  over_budget: say('cap_passed', { cap: 'key', asked: '0.01', spent: '0.995', most: '1' }),
  not_found: say('service_unknown', { id: 'svc_none' }),
  no_terms: say('terms_never_seen'),
  method_not_allowed: say('method_not_possible', {
    method: 'DELETE',
    path: '/api/services',
    possible: 'GET, HEAD, POST, OPTIONS',
  }),
  idempotency_conflict: say('request_key_reused'),
  history_changed: say('history_other', { cursor: 'since', advice: say('read_changes_anew') }),
  hidden: say('hidden_by_operator', { why: 'It poses as another one.' }),
  body_too_large: say('request_too_large', { max: 65_536 }),
  unsupported_media_type: say('request_not_json'),
  rate_limited: say('requests_spent', { seconds: 12 }),
  internal: say('fault'),
  not_ready: say('catalog_loading'),
  store_unavailable: say('store_away'),
}

const forEachError = (describe: (code: ErrorCode) => Json): Json =>
  Object.fromEntries((Object.keys(PROBLEM_TYPES) as ErrorCode[]).map(code => [code, describe(code)]))

/** One response per code, keyed by the code. */
export const createErrorResponses = (): Json =>
  forEachError(code => {
    const { title, headers = {} } = PROBLEM_TYPES[code]
    const special = code === 'method_not_allowed' ? ['Allow'] : Object.keys(headers)
    return {
      description: title,
      headers: headerRefs(...COMMON_HEADERS, ...special),
      content: problemContent(code),
    }
  })

const problemContent = (...codes: readonly ErrorCode[]): Json => ({
  'application/problem+json': {
    schema: schemaRef('Problem'),
    examples: Object.fromEntries(codes.map(code => [code, { $ref: `#/components/examples/${code}` }])),
  },
})

/** One problem per code, keyed by the code. */
export const createErrorExamples = (): Json =>
  forEachError(code => {
    const { status, title } = PROBLEM_TYPES[code]
    return {
      summary: title,
      value: {
        type: problemType(code),
        title,
        status,
        detail: tellInEnglish(DETAILS[code]),
        code,
        detailCode: DETAILS[code],
        ...(code === 'invalid_request' && {
          errors: [{ path: 'limit', message: tellInEnglish(LIMIT_PROBLEM), ...LIMIT_PROBLEM }],
        }),
      },
    }
  })

export const CACHED_HEADERS = [...COMMON_HEADERS, 'ETag']
export const READ_FAILURES = ['rate_limited', 'internal', 'not_ready', 'store_unavailable'] as const
export const BODY_FAILURES = ['invalid_request', 'body_too_large', 'unsupported_media_type'] as const

/** Security of operations that take a key. */
const API_KEY: readonly Json[] = [{ apiKey: [] }]

export const json = (schema: Json, example: unknown): Json => ({ 'application/json': { schema, example } })
export const jsonBody = (schema: Json, example: unknown): Json => ({
  required: true,
  content: json(schema, example),
})
export const ok = (description: string, headers: readonly string[], content: Json): Json => ({
  description,
  headers: headerRefs(...headers),
  content,
})
const noContent = (description: string): Json => ({
  204: { description, headers: headerRefs(...COMMON_HEADERS) },
})

/** The responses of a read with an ETag. */
export const cachedRead = (
  description: string,
  headers: readonly string[],
  content: Json,
  ...codes: readonly ErrorCode[]
): Json => ({
  200: ok(description, headers, content),
  ...notModified(headers),
  ...failures(...codes, ...READ_FAILURES),
})

/** Two codes may share a status: then the response describes both. */
export function failures(...codes: readonly ErrorCode[]): Json {
  const byStatus = Map.groupBy(new Set(codes), code => PROBLEM_TYPES[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, same]) => [
      status,
      same.length === 1
        ? { $ref: `#/components/responses/${same[0]}` }
        : {
            description: [...new Set(same.map(code => PROBLEM_TYPES[code].title))].join(', or '),
            headers: headerRefs(...COMMON_HEADERS, 'Retry-After'),
            content: problemContent(...same),
          },
    ]),
  )
}

/** With the headers of the response itself: a total can change while the page does not. */
export const notModified = (headers: readonly string[]): Json => ({
  304: { description: 'Unchanged: your copy is still current', headers: headerRefs(...headers) },
})

/** For reads. */
export const IF_NONE_MATCH = requestHeader(
  'If-None-Match',
  'ETags of copies that you have; 304 if one is still current',
)
const idParameter = (description: string, example: string): Json => ({
  name: 'id',
  in: 'path',
  required: true,
  description,
  schema: { type: 'string' },
  example,
})
const ID = idParameter('Id of the service', serviceExample.id)

/** From the schema that also parses the query. */
export function queryParameters(schema: z.ZodObject, examples: Json = {}): Json[] {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = property as Json
    return {
      name,
      in: 'query',
      required: required.includes(name),
      description,
      schema: rest,
      ...(name in examples && { example: examples[name] }),
    }
  })
}

/** An operation of the table. @param options takesKey: a public read that a key with a policy restricts */
export function describeOperation(
  wire: WireForm,
  operation: Operation,
  { takesKey = false } = {},
): OperationObject {
  const { id, tag, summary, description, of, query, body, headers = [] } = operation
  const isPublicRead = wire.method === 'GET' && wire.scope === undefined && wire.gives !== 'events'
  const parameters = [
    ...(wire.path.includes(':id') ? [of ? idParameter(`Id of the ${of.what}`, of.example) : ID] : []),
    ...(query ? queryParameters(query.schema, query.examples) : []),
    ...headers,
    ...(isPublicRead ? [IF_NONE_MATCH] : []),
  ]
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    ...(wire.scope && { security: API_KEY }),
    ...(takesKey && { security: [{}, ...API_KEY] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: toRequestBody(body) }),
    responses: toResponses(wire, { ...operation, errors: errorsOf(wire, operation, takesKey) }, isPublicRead),
  }
}

/** Those that follow from its form, and its own. */
function errorsOf(
  { method, path, scope }: WireForm,
  { query, body, errors = [] }: Operation,
  takesKey: boolean,
): readonly ErrorCode[] {
  const isOfOne = path.includes(':id')
  return [
    ...(body ? BODY_FAILURES : query || method !== 'GET' ? (['invalid_request'] as const) : []),
    ...(scope ? (['unauthorized', 'forbidden'] as const) : takesKey ? (['unauthorized'] as const) : []),
    ...(takesKey && isOfOne ? (['not_approved'] as const) : []),
    ...(isOfOne ? (['not_found'] as const) : []),
    ...errors,
    ...READ_FAILURES.filter(code => code !== 'not_ready' || !scope),
  ]
}

const toRequestBody = ({ schema, example, types = [] }: NonNullable<Operation['body']>): Json => ({
  required: true,
  content: Object.fromEntries(
    ['application/json', ...types].map(type => [type, { schema: toSchema(schema), example }]),
  ),
})

function toResponses(
  wire: WireForm,
  { answer, result, example, hasNotices, errors = [] }: Operation,
  isPublicRead: boolean,
): Json {
  const { gives, as, creates, locates } = wire
  if (gives === 'nothing') return { ...noContent(answer), ...failures(...errors) }
  const isMany = gives === 'page' || gives === 'list'
  const headers = [
    ...(isPublicRead || (as === 'service' && !creates) ? CACHED_HEADERS : COMMON_HEADERS),
    ...(locates ? ['Location'] : []),
    ...(isMany ? ['Link', 'X-Total-Count'] : []),
    ...(gives === 'page' ? ['X-Suppressed'] : []),
    ...(gives === 'noted' ? ['X-Ignored-Fields'] : []),
    ...(as === 'service' || (isMany && isPublicRead) || hasNotices ? ['X-Notice'] : []),
  ]
  const schema = gives === 'events' ? EVENTS : toSchema(result ?? { type: 'string' })
  const text = isPublicRead ? 'text/plain' : 'text/csv'
  const type = { text, events: 'text/event-stream' }[gives as string] ?? 'application/json'
  const content = { [type]: { schema, example } }
  if (isPublicRead) return cachedRead(answer, headers, content, ...errors)
  return { [creates ? 201 : 200]: ok(answer, headers, content), ...failures(...errors) }
}

/** OpenAPI 3.1 cannot tell what the data of each event is. */
const EVENTS: Json = { type: 'string', 'x-event-data': schemaRef('FeedEvent') }

/** Refers to named schemas. */
function toSchema(schema: z.ZodType | Json): Json {
  if (schema instanceof z.ZodArray) return { type: 'array', items: toSchema(schema.element as z.ZodType) }
  return schema instanceof z.ZodType ? schemaRef(schema.meta()!.id!) : schema
}
