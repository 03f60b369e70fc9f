// How an operation is described: its parameters from the schema that judges them, its answers, its failures.
import { z } from 'zod'
import type { ErrorCode } from '../../domain/errors.ts'
import { PROBLEM_TYPES } from '../pipeline/errors.ts'
import { COMMON_HEADERS, headerRefs, type Json, schemaRef } from './components.ts'
import { serviceExample } from './examples.ts'

export const CACHED_HEADERS = [...COMMON_HEADERS, 'ETag']
export const PAGE_HEADERS = [...CACHED_HEADERS, 'Link', 'X-Total-Count']

export const arrayOf = (id: string): Json => ({ type: 'array', items: schemaRef(id) })
export const json = (schema: Json, example: unknown): Json => ({ 'application/json': { schema, example } })
export const ok = (description: string, headers: readonly string[], content: Json): Json => ({
  description,
  headers: headerRefs(...headers),
  content,
})

/** Two codes can share a status: then the response names both. */
export function failures(...codes: readonly ErrorCode[]): Json {
  const byStatus = Map.groupBy(codes, code => PROBLEM_TYPES[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, same]) => [
      status,
      same.length === 1
        ? { $ref: `#/components/responses/${same[0]}` }
        : {
            description: same.map(code => PROBLEM_TYPES[code].title).join(', or '),
            headers: headerRefs(...COMMON_HEADERS, 'Retry-After'),
            content: { 'application/problem+json': { schema: schemaRef('Problem') } },
          },
    ]),
  )
}

export const READ_FAILURES: ErrorCode[] = ['rate_limited', 'internal', 'not_ready', 'store_unavailable']

export const IF_NONE_MATCH: Json = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'ETags that are held; 304 where one still holds',
  schema: { type: 'string' },
}
/** With the headers of the answer itself: a total can change while the page does not. */
export const notModified = (headers: readonly string[]): Json => ({
  304: { description: 'Unchanged: what is held still holds', headers: headerRefs(...headers) },
})
export const ID: Json = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'Id of the service',
  schema: { type: 'string' },
  example: serviceExample.id,
}

/** From the schema that also judges the query. */
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
