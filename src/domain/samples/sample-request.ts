// Sample requests from a declared schema: query, body, path and headers.
import { asRecord, isRecord, type JsonRecord } from '../json.ts'
import { sampleValue } from './sample-value.ts'

// The headers that the schema of a resource describes, filled with sample values. The schema is untrusted: it cannot set headers that a
// client sets itself, that identify or pay for the caller, or that state where a request comes from.

type SampleHeaders = readonly (readonly [name: string, value: string])[]

/** Headers that a schema can set in one request. */
export const MAX_HEADERS = 16
const NAME = /^[A-Za-z0-9-]{1,64}$/
const VALUE = /^[\x21-\x7e](?:[\x20-\x7e]{0,254}[\x21-\x7e])?$/
const RESERVED =
  /^(?:accept-encoding|authorization|connection|content-.*|cookie2?|expect|forwarded|host|if-.*|keep-alive|origin|payment-.*|proxy-.*|range|referer|sec-.*|te|trailer|transfer-encoding|upgrade|user-agent|via|x-forwarded-.*|x-payment.*|x-real-ip)$/i

/** Whether a schema may request it. */
export const isAllowedHeader = (name: string): boolean => NAME.test(name) && !RESERVED.test(name)

export const isHeaderValue = (value: string): boolean => VALUE.test(value)

/** @param which whether optional headers are filled too */
export function sampleHeaders(input: JsonRecord = {}, which: 'all' | 'required' = 'all'): SampleHeaders {
  const required = Array.isArray(input.required) ? (input.required as readonly unknown[]) : []
  const named = Object.entries(asRecord(input.properties)).filter(
    ([name, property]) =>
      asRecord(property)['x-in'] === 'header' && (which === 'all' || required.includes(name)),
  )
  if (named.length === 0) return []
  const example = asRecord(input.example)
  // One value for all of them, because its size bounds apply to all together.
  const properties = Object.fromEntries(named)
  const sample = asRecord(
    sampleValue({ type: 'object', properties, required: Object.keys(properties) }, input),
  )
  return named
    .map(([name]) => {
      const value = Object.hasOwn(example, name) ? example[name] : sample[name]
      return [name, typeof value === 'string' ? value : (JSON.stringify(value) ?? '')] as const
    })
    .filter(([name, value]) => isAllowedHeader(name) && isHeaderValue(value))
    .slice(0, MAX_HEADERS)
}

/**
 * The request that the schema of a resource describes, filled with sample values. `x-in` of a property of `input` states its place where
 * that is neither the query of a GET nor the body of a POST. Schemas are untrusted: requests made from them are bounded in size, and go
 * only to the resource's own URL with its placeholders filled.
 */

export type SampleRequest = {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly body?: string
  readonly contentType?: string
  /** The required headers, by lower-case names. */
  readonly headers?: Readonly<Record<string, string>>
  /** The fields of a multipart body, in order. */
  readonly fields?: readonly Field[]
}
type Field = readonly [name: string, text: string]

type Resource = {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly input?: JsonRecord | undefined
}

/** In characters, because the schema of a resource is untrusted. */
const MAX_URL = 2048
const MAX_BODY = 8_192
const BOUNDARY = '----form-7f3a9c51d2e84b60'
/** `{city}`, `<city>` and `:city`; a port is not a placeholder. */
const PLACEHOLDER = /\{([^{}/]+)\}|<([^<>/]+)>|(?<=\/):([A-Za-z_]\w*)/g
/** In a parsed URL. A value with braces looks the same, so it is a placeholder only if the schema has a property of that name. */
const ENCODED_PLACEHOLDER = /%7B([^/]+?)%7D/gi

/** @returns undefined if it would be too large */
export function sampleRequest(resource: Resource): SampleRequest | undefined {
  const { input = {} } = resource
  const built = buildRequest(resource, sampleInput(input), SAMPLE_ENCODING)
  const headers = sampleHeaders(input, 'required').map(
    ([name, value]) => [name.toLowerCase(), value] as const,
  )
  return built && { ...built, ...(headers.length > 0 && { headers: Object.fromEntries(headers) }) }
}

/** How values become parts of a request. */
export type RequestEncoding = {
  /** Returns one path segment for any value: a slash or two dots would lead elsewhere. */
  readonly toSegment: (value: unknown, name: string) => string
  readonly addToQuery: (query: URLSearchParams, name: string, value: unknown) => void
  readonly maxUrl: number
  readonly maxBody: number
}

/** Builds a request without headers. @returns undefined if it would be too large */
export function buildRequest(
  resource: Resource,
  values: unknown,
  { toSegment, addToQuery, maxUrl, maxBody }: RequestEncoding,
): Omit<SampleRequest, 'headers'> | undefined {
  const { method, input = {} } = resource
  const placeOf = (name: string): unknown => {
    const property =
      isRecord(input.properties) && Object.hasOwn(input.properties, name) ? input.properties[name] : undefined
    return (isRecord(property) && property['x-in']) || (method === 'GET' ? 'query' : 'own')
  }
  const at = (place: string): JsonRecord =>
    isRecord(values)
      ? Object.fromEntries(Object.entries(values).filter(([name]) => placeOf(name) === place))
      : {}

  const url = URL.parse(fillPath(resource.url, { ...at('query'), ...at('own'), ...at('path') }, toSegment))
  if (!url) return undefined
  for (const [name, value] of Object.entries(at('query'))) addToQuery(url.searchParams, name, value)
  const wholeBodies = Object.values(at('body'))
  const bodyValue = wholeBodies.length > 0 ? wholeBodies[0] : isRecord(values) ? at('own') : values
  const encoded = method === 'POST' ? toBody(bodyValue ?? {}, input.contentMediaType) : undefined
  if (url.href.length > maxUrl || (encoded && encoded.body.length > maxBody)) return undefined
  return { url: url.href, method, ...encoded }
}

/** The example of the schema, completed by sample values for missing required properties. */
function sampleInput(input: JsonRecord): unknown {
  const { example: own, examples, ...bare } = input
  const shown = own ?? (Array.isArray(examples) ? examples[0] : undefined)
  if (shown !== undefined && !isRecord(shown)) return sampleValue({ example: shown })
  const sample = Object.keys(bare).length > 0 ? sampleValue(bare) : {}
  if (shown === undefined) return sample
  const example = sampleValue({ example: shown })
  return isRecord(sample) && isRecord(example) ? { ...sample, ...example } : (example ?? sample)
}

function fillPath(url: string, values: JsonRecord, toSegment: RequestEncoding['toSegment']): string {
  const start = url.search(/[^/:](?=\/(?!\/))/) + 1
  const [path = '', ...query] = url.slice(start).split('?')
  const filled = path
    .replace(ENCODED_PLACEHOLDER, (encoded, name: string) =>
      Object.hasOwn(values, decode(name)) ? toSegment(values[decode(name)], decode(name)) : encoded,
    )
    .replace(PLACEHOLDER, (_, ...names: (string | undefined)[]) => {
      const name = decode(names.slice(0, 3).find(name => name !== undefined) ?? '')
      return toSegment(Object.hasOwn(values, name) ? values[name] : undefined, name)
    })
  return [url.slice(0, start) + filled, ...query].join('?')
}

const SAMPLE_ENCODING: RequestEncoding = {
  toSegment(value) {
    const text = toText(value) ?? ''
    return /^\.*$/.test(text) ? 'example' : encodeURIComponent(text.toWellFormed())
  },
  addToQuery(query, name, value) {
    if (query.has(name)) return
    for (const item of Array.isArray(value) ? value : [value]) {
      const text = toText(item)
      if (text !== undefined) query.append(name, text)
    }
  },
  maxUrl: MAX_URL,
  maxBody: MAX_BODY,
}

function toBody(
  value: unknown,
  mediaType: unknown,
): { body: string; contentType: string; fields?: readonly Field[] } {
  const type = typeof mediaType === 'string' ? mediaType.toLowerCase() : ''
  const fields = isRecord(value)
    ? Object.entries(value).flatMap(([name, field]) => {
        const text = toText(field) ?? JSON.stringify(field)
        return [[name, text] as const]
      })
    : []
  if (type.startsWith('text/')) {
    const text = fields.length > 0 ? fields[0]![1] : (toText(value) ?? '')
    return { body: text, contentType: 'text/plain' }
  }
  if (type === 'application/x-www-form-urlencoded')
    return { body: new URLSearchParams(Object.fromEntries(fields)).toString(), contentType: type }
  if (type === 'multipart/form-data') {
    const named = fields.map(([name, text]) => [encodeURIComponent(name.toWellFormed()), text] as const)
    const parts = named.map(
      ([name, text]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`,
    )
    return {
      body: `${parts.join('')}--${BOUNDARY}--\r\n`,
      contentType: `${type}; boundary=${BOUNDARY}`,
      fields: named,
    }
  }
  return { body: JSON.stringify(value), contentType: 'application/json' }
}

export const toText = (value: unknown): string | undefined =>
  typeof value === 'string'
    ? value
    : typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : undefined

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
