// Response headers in the OpenAPI document.
import { type Json, text, whole } from './json-schema.ts'

const header = (description: string, schema: Json, example?: unknown): Json => ({
  description,
  schema,
  ...(example !== undefined && { example }),
})

export const HEADERS: Readonly<Record<string, Json>> = {
  'X-Request-Id': header(
    'Identifies this request in the log; a value sent by the client is used',
    text(),
    '1f0c9a7e-2s',
  ),
  RateLimit: header('The remaining requests, and when the limit resets', text(), '"default";r=5999;t=42'),
  'RateLimit-Policy': header('The limit: requests in a window of seconds', text(), '"default";q=6000;w=60'),
  ETag: header('Version of this response; send it in If-None-Match', text(), '"2k9x0c1v7qf1"'),
  Link: header(
    'Further pages: first, prev, next, last (RFC 8288); with a cursor first, next, and monitor for later changes',
    text(),
    '</api/services?limit=20&offset=20>; rel="next"',
  ),
  'X-Total-Count': header(
    'How many entries there are in all; left out above 10,000 on searches',
    whole(),
    64,
  ),
  'X-Ignored-Fields': header('Fields of the body that were not used', text(), 'id, trustScore'),
  'X-Notice': header(
    'What was accepted but looks wrong, like a filter whose value is not known here: sentences separated by %0A, percent-encoded if not ASCII',
    text(),
  ),
  Location: header('Where the new service is', { type: 'string', format: 'uri-reference' }),
  'Retry-After': header('Seconds to wait', whole(), 12),
  'WWW-Authenticate': header('The required authentication scheme', text(), 'Bearer'),
  Allow: header('The allowed methods', text(), 'GET, HEAD, OPTIONS'),
}

/** On every response except those for monitoring, which have no rate limit. */
export const COMMON_HEADERS = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy']

const headerRef = (name: string): Json => ({ $ref: `#/components/headers/${name}` })

export const headerRefs = (...names: readonly string[]): Json =>
  Object.fromEntries(names.map(name => [name, headerRef(name)]))
