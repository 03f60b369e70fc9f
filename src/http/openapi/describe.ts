// Builds the parts of an operation: parameters from the schema that parses them, body, responses, problem codes.
import { z } from 'zod'
import type { ErrorCode } from '../../domain/errors.ts'
import { PROBLEM_TYPES } from '../pipeline/errors.ts'
import { serviceExample } from './examples/service.ts'
import { COMMON_HEADERS, headerRefs } from './headers.ts'
import { type Json, schemaRef } from './json-schema.ts'
import { problemContent } from './problems.ts'

export const CACHED_HEADERS = [...COMMON_HEADERS, 'ETag']
export const PAGE_HEADERS = [...CACHED_HEADERS, 'Link', 'X-Total-Count', 'X-Notice']

export const READ_FAILURES: ErrorCode[] = ['rate_limited', 'internal', 'not_ready', 'store_unavailable']
export const WRITE_FAILURES: ErrorCode[] = [
  'unauthorized',
  'forbidden',
  'rate_limited',
  'internal',
  'store_unavailable',
]
export const BODY_FAILURES: ErrorCode[] = ['invalid_request', 'body_too_large', 'unsupported_media_type']

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
