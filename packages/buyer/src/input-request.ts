// The request made from a caller's input, by the schema that the resource declares. The input is validated first. Every value is put
// in its place or reported as a problem: none is invented or dropped, and none can change the target of the request.
import {
  type CallRequest,
  hasNoBody,
  type TemplateResource,
  toCallBody,
  toMethod,
  toTemplate,
  toToolRequest,
  withoutFragment,
} from 'shirube/domain/call/request.ts'
import { isRecord, type JsonRecord } from 'shirube/domain/json.ts'
import {
  buildRequest,
  isAllowedHeader,
  isHeaderValue,
  MAX_HEADERS,
  type RequestEncoding,
  type SampleRequest,
  toText,
} from 'shirube/domain/samples/sample-request.ts'
import { schemaProblems } from './schema-check.ts'

type InputRequest =
  | { readonly kind: 'request'; readonly request: CallRequest }
  /** Each names the field that is wrong. */
  | { readonly kind: 'problems'; readonly problems: readonly string[] }

/** In characters; larger than for samples, because the values are the caller's own. */
const MAX_URL = 8_192
const MAX_BODY = 256 * 1024

/** @param input a JSON value; undefined if the caller gave none */
export function buildInputRequest(resource: TemplateResource, input: unknown): InputRequest {
  const { method, input: schema = {} } = resource
  const values = input ?? {}
  const problems = schemaProblems(values, schema)
  if (problems.length > 0) return { kind: 'problems', problems }
  if (resource.tool !== undefined) return buildToolRequest(resource.url, resource.tool, values)
  const httpMethod = toMethod(method)
  const headers = toHeaders(values, schema, problems)
  const url = toTemplate(resource)
  const shape = { url, input: schema, method: hasNoBody(httpMethod) ? 'GET' : 'POST' } as const
  const filled = new Set<string>()
  const built = buildRequest(shape, withoutHeaders(values, schema), toEncoding(problems, filled))
  if (!built) problems.push('the input is too large for one request')
  else if (new URL(built.url).origin !== new URL(resource.url).origin)
    problems.push('the input leads to another place than the service')
  for (const name of namedIn(schema, 'path'))
    if (isRecord(values) && Object.hasOwn(values, name) && !filled.has(name))
      problems.push(`${quoteName(name)} is part of the URL, and the service does not say where`)
  if (problems.length > 0) return { kind: 'problems', problems }
  return { kind: 'request', request: toRequest(httpMethod, headers, built!) }
}

function buildToolRequest(url: string, tool: string, values: unknown): InputRequest {
  if (!isRecord(values)) return { kind: 'problems', problems: ['the input of a tool must be an object'] }
  if (JSON.stringify(values).length > MAX_BODY)
    return { kind: 'problems', problems: ['the input is too large for one request'] }
  return { kind: 'request', request: toToolRequest(url, { name: tool, arguments: values }) }
}

const toRequest = (
  method: string,
  headers: CallRequest['headers'],
  { url, body, contentType = '', fields }: SampleRequest,
): CallRequest => ({
  method,
  url: withoutFragment(url),
  headers,
  body: body === undefined ? undefined : toCallBody(body, contentType, fields),
})

const toEncoding = (problems: string[], filled: Set<string>): RequestEncoding => ({
  toSegment(value, name) {
    filled.add(name)
    const text = toText(value)
    if (text !== undefined && !/^\.*$/.test(text)) return encodeURIComponent(text.toWellFormed())
    problems.push(
      text === undefined
        ? `${quoteName(name)} is missing, and is part of the URL`
        : `${quoteName(name)} must be a text, and more than dots`,
    )
    return ''
  },
  addToQuery(query, name, value) {
    // A value in the URL of the listing is only an example.
    query.delete(name)
    for (const item of Array.isArray(value) ? value : [value])
      if (item !== null && item !== undefined) query.append(name, toText(item) ?? JSON.stringify(item))
  },
  maxUrl: MAX_URL,
  maxBody: MAX_BODY,
})

function toHeaders(values: unknown, schema: JsonRecord, problems: string[]): CallRequest['headers'] {
  const named = namedIn(schema, 'header').filter(name => isRecord(values) && Object.hasOwn(values, name))
  if (named.length > MAX_HEADERS) problems.push(`more than ${MAX_HEADERS} headers are not sent`)
  return named.map(name => {
    const value = (values as JsonRecord)[name]
    const text = toText(value) ?? JSON.stringify(value)
    if (!isAllowedHeader(name)) problems.push(`${quoteName(name)} is a header that no service may ask for`)
    else if (!isHeaderValue(text))
      problems.push(`${quoteName(name)} must be up to 256 visible ASCII characters`)
    return [name, text] as const
  })
}

const namedIn = ({ properties }: JsonRecord, place: string): string[] =>
  Object.entries(isRecord(properties) ? properties : {})
    .filter(([, property]) => isRecord(property) && property['x-in'] === place)
    .map(([name]) => name)

function withoutHeaders(values: unknown, schema: JsonRecord): unknown {
  const names = namedIn(schema, 'header')
  return isRecord(values) && names.length > 0
    ? Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)))
    : values
}

/** Names come from the service too, so they are shortened and quoted. */
const quoteName = (name: string): string => JSON.stringify(name.slice(0, 64))
