// The request that a resource takes, filled with sample values that match its schema; the snippets of all languages write it.

import { asRecord, type JsonRecord } from '../json/json-record.ts'
import type { Draw } from '../samples/other-text.ts'
import { sampleHeaders } from '../samples/sample-headers.ts'
import { type SampleRequest, sampleRequest } from '../samples/sample-request.ts'
import { sampleValue } from '../samples/sample-value.ts'
import type { ResourceTerms } from '../terms/terms.ts'

export type CallRequest = {
  readonly method: string
  /** With path and query filled in. */
  readonly url: string
  /** Without the content type of the body. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body?: CallBody | undefined
  /** Whether sample values were filled in. */
  readonly isFilled?: boolean
  /** Set where the request calls an MCP tool; the body contains the same call. */
  readonly tool?: ToolCall
}
export type ToolCall = { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> }
export type CallBody =
  | { readonly kind: 'json'; readonly contentType: 'application/json'; readonly value: unknown }
  | {
      readonly kind: 'text'
      readonly contentType: string
      readonly value: string
      /** The fields of a multipart body. */
      readonly fields?: readonly (readonly [name: string, text: string])[] | undefined
    }

type Resource = Pick<ResourceTerms, 'url' | 'method' | 'input' | 'tool'>

const METHOD = /^[A-Z]{3,16}$/
const WITHOUT_BODY = ['GET', 'HEAD', 'DELETE']

export const toMethod = (method: string): string => (METHOD.test(method) ? method : 'GET')

export const hasNoBody = (method: string): boolean => WITHOUT_BODY.includes(method)

/** @param draw draws random values in place of those that the schema shows */
export function toCallRequest(resource: Resource, draw?: Draw): CallRequest {
  const { url, method, input, tool } = resource
  if (tool !== undefined) {
    const filled = sampleArguments(input, draw)
    const isFilled = Object.keys(filled).length > 0
    return { ...toToolRequest(url, { name: tool, arguments: filled }), isFilled }
  }
  const httpMethod = toMethod(method)
  const sample = sampleRequest({ url, input, method: hasNoBody(httpMethod) ? 'GET' : 'POST' }, input, draw)
  const { body, contentType = '', fields } = sample ?? {}
  const headers = sampleHeaders(input, 'all', draw)
  const hasOwnUrl = sample !== undefined && sample.url !== URL.parse(url)?.href
  return {
    method: httpMethod,
    url: withoutFragment(sample?.url ?? url),
    headers,
    body: body === undefined ? undefined : toCallBody(body, contentType, fields),
    isFilled: hasOwnUrl || headers.length > 0 || (body !== undefined && body !== '{}'),
  }
}

export const toCallBody = (text: string, contentType: string, fields: SampleRequest['fields']): CallBody =>
  contentType === 'application/json'
    ? { kind: 'json', contentType, value: JSON.parse(text) }
    : { kind: 'text', contentType, value: text, fields }

export function withoutFragment(url: string): string {
  const target = new URL(url)
  target.hash = ''
  return target.href
}

/** Calls an MCP tool with the single message that servers without sessions need. */
export const toToolRequest = (url: string, params: ToolCall): CallRequest => ({
  method: 'POST',
  url: withoutFragment(url),
  headers: [['accept', 'application/json, text/event-stream']],
  body: {
    kind: 'json',
    contentType: 'application/json',
    value: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
  },
  tool: params,
})

const sampleArguments = (input: JsonRecord = {}, draw?: Draw): JsonRecord =>
  asRecord(sampleValue({ type: 'object', ...input }, input, draw))
