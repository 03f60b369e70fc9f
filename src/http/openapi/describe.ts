// Builds the parts of an operation: parameters from the schema that parses them, body, responses, problem codes.
import { z } from 'zod'
import { serviceExample } from '../../directory/examples/service.ts'
import {
  BODY_ERRORS,
  type Operation as OperationStatement,
  READ_ERRORS,
  WRITE_ERRORS,
} from '../../directory/operation.ts'
import type { WireForm } from '../../directory/wire.ts'
import type { ErrorCode } from '../../domain/errors.ts'
import { PROBLEM_TYPES } from '../pipeline/errors.ts'
import { COMMON_HEADERS, headerRefs } from './headers.ts'
import { type Json, schemaRef } from './json-schema.ts'
import type { Operation } from './operation.ts'
import { problemContent } from './problems.ts'

export const CACHED_HEADERS = [...COMMON_HEADERS, 'ETag']
export const PAGE_HEADERS = [...CACHED_HEADERS, 'Link', 'X-Total-Count', 'X-Notice']

export const READ_FAILURES: readonly ErrorCode[] = READ_ERRORS
export const WRITE_FAILURES: readonly ErrorCode[] = WRITE_ERRORS
export const BODY_FAILURES: readonly ErrorCode[] = BODY_ERRORS

/** Security of operations that take a key. */
export const API_KEY: readonly Json[] = [{ apiKey: [] }]

export const arrayOf = (id: string): Json => ({ type: 'array', items: schemaRef(id) })
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
export const noContent = (description: string): Json => ({
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
  const byStatus = Map.groupBy(codes, code => PROBLEM_TYPES[code].status)
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

const header = (name: string, description: string): Json => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string' },
})

/** For reads. */
export const IF_NONE_MATCH = header(
  'If-None-Match',
  'ETags of copies that you have; 304 if one is still current',
)
/** For changes. */
export const PRECONDITIONS: readonly Json[] = [
  header('If-Match', 'The ETag of the service as it was read; 412 if it has changed since'),
  header(
    'If-None-Match',
    'ETags that the service must not have, or *; 412 if it has one, and nothing is changed',
  ),
]

export const idParameter = (description: string, example: string): Json => ({
  name: 'id',
  in: 'path',
  required: true,
  description,
  schema: { type: 'string' },
  example,
})
export const ID = idParameter('Id of the service', serviceExample.id)

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

/** An operation of the table. */
export function describeOperation(wire: WireForm, operation: OperationStatement): Operation {
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
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: toRequestBody(body) }),
    responses: toResponses(wire, operation, isPublicRead),
  }
}

const toRequestBody = ({ schema, example, types = [] }: NonNullable<OperationStatement['body']>): Json => ({
  required: true,
  content: Object.fromEntries(
    ['application/json', ...types].map(type => [type, { schema: toSchema(schema), example }]),
  ),
})

function toResponses(
  wire: WireForm,
  { answer, result, example, hasNotices, errors }: OperationStatement,
  isPublicRead: boolean,
): Json {
  const { gives, as, creates, locates } = wire
  if (gives === 'nothing') return { ...noContent(answer), ...failures(...errors) }
  const isMany = gives === 'page' || gives === 'list'
  const headers = [
    ...(isPublicRead || (as === 'service' && !creates) ? CACHED_HEADERS : COMMON_HEADERS),
    ...(locates ? ['Location'] : []),
    ...(isMany ? ['Link', 'X-Total-Count'] : []),
    ...(gives === 'noted' ? ['X-Ignored-Fields'] : []),
    ...(as === 'service' || (isMany && isPublicRead) || hasNotices ? ['X-Notice'] : []),
  ]
  const schema = toSchema(result ?? { type: 'string' })
  const type = { text: 'text/plain', events: 'text/event-stream' }[gives as string] ?? 'application/json'
  const content = { [type]: { schema, example } }
  if (isPublicRead) return cachedRead(answer, headers, content, ...errors)
  return { [creates ? 201 : 200]: ok(answer, headers, content), ...failures(...errors) }
}

/** Refers to named schemas. */
function toSchema(schema: z.ZodType | Json): Json {
  if (schema instanceof z.ZodArray) return { type: 'array', items: toSchema(schema.element as z.ZodType) }
  return schema instanceof z.ZodType ? schemaRef(schema.meta()!.id!) : schema
}
