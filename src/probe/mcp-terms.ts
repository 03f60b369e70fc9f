/**
 * Asks an MCP server (streamable HTTP) for the terms of a tool: the result of an unpaid call is an error that carries them, as
 * structured content or as text, and some servers answer with a JSON-RPC error of code 402.
 */

import { sampleValue } from '../domain/sample-value.ts'
import { type Ask, type Asked, hasTerms, parseJson, toAsked } from './asked.ts'
import type { Asking, Identity } from './asking.ts'
import { createEventReader, messagesOf } from './event-stream.ts'
import { type Broken, type Found, looksLikeTerms, parseTerms, readBody } from './find-terms.ts'
import { boundSchema, createBudget, createDocumentBudget, inlineSchema } from './inline-schema.ts'
import type { SafeResponse } from './safe-fetch.ts'
import { cleanJson, cleanName, cleanWords, isRecord, type Json } from './strangers-json.ts'
import { readPlaces } from './x402.ts'

const PROTOCOL_VERSION = '2025-06-18'
const ACCEPT = 'application/json, text/event-stream'
const MAX_TOOLS = 200
const MAX_ARGUMENTS = 4_096

/** Its address says so, or its answer does. */
export const looksLikeMcp = (url: string): boolean => /\/mcp\/?$/i.test(URL.parse(url)?.pathname ?? '')

export function speaksMcp({ body, headers, status }: Asked): boolean {
  if (status === 402 || /text\/event-stream/i.test(headers.get('content-type') ?? '')) return status !== 402
  const message = parseJson(body.subarray(0, 16_384))
  return isRecord(message) && message.jsonrpc === '2.0'
}

type Tool = {
  readonly name: string
  readonly description?: string
  readonly input?: Json
  readonly isPaid: boolean
}

/**
 * @param known a tool whose arguments are known already
 * @returns what was answered to the last request; terms are read from a tool's result
 */
export async function askTools(
  asking: Asking,
  url: string,
  known?: Ask,
  as?: Identity,
): Promise<Asked | undefined> {
  const session = new Session(asking, url, as)
  const opened = await session.open()
  if (!opened) return session.last
  if (known?.tool !== undefined) return session.call(known.tool, parseJson(known.body ?? '{}'))
  const tools = chooseTools(await session.list())
  for (const { name, isPaid: _, ...declared } of tools) {
    if (asking.left === 0) break
    const asked = await session.call(name, declared.input ? sampleValue(declared.input) : {}, declared)
    if (asked && hasTerms(asked)) return asked
  }
  return session.last
}

/** In a single message, as a client does that keeps no sessions. */
export const callTool = (asking: Asking, { url, tool = '', body = '{}' }: Ask, as: Identity) =>
  new Session(asking, url, as).call(tool, parseJson(body))

/** Those that say what they cost first; what says that it destroys is never called. */
function chooseTools(listed: unknown): Tool[] {
  const tools = isRecord(listed) && Array.isArray(listed.tools) ? listed.tools.slice(0, MAX_TOOLS) : []
  const budget = createDocumentBudget()
  return tools
    .flatMap((tool): Tool[] => {
      const name = isRecord(tool) ? cleanName(tool.name, 128) : undefined
      if (name === undefined || !isRecord(tool)) return []
      if (isRecord(tool.annotations) && tool.annotations.destructiveHint === true) return []
      const hints = JSON.stringify(cleanJson([tool.description, tool._meta, tool.annotations], 8_192) ?? '')
      const isPaid = /x402|\bpaid\b|\bpayment|\$\d|\bUSDC\b|有料/i.test(hints)
      const input = boundSchema(inlineSchema(tool.inputSchema, tool.inputSchema, createBudget(budget)))
      const description = cleanWords(tool.description, 1_024)
      return [{ name, ...(description && { description }), ...(input && { input }), isPaid }]
    })
    .sort((a, b) => Number(b.isPaid) - Number(a.isPaid))
}

class Session {
  readonly #asking: Asking
  readonly #url: string
  readonly #as: Identity
  #headers: Readonly<Record<string, string>> = {}
  #id = 0
  last: Asked | undefined

  constructor(asking: Asking, url: string, as: Identity = asking.identity) {
    this.#asking = asking
    this.#url = url
    this.#as = as
  }

  /** @returns whether tools can be called */
  async open(): Promise<boolean> {
    const clientInfo = { name: 'mcp-client', version: '1.0.0' }
    const params = { protocolVersion: PROTOCOL_VERSION, capabilities: {}, clientInfo }
    const found = await this.#request('initialize', params)
    if (!isRecord(found?.message.result)) return false
    const session = found.response.headers?.get('mcp-session-id')
    const version = cleanName(found.message.result.protocolVersion, 32) ?? PROTOCOL_VERSION
    this.#headers = {
      'mcp-protocol-version': version,
      ...(session && /^[\x21-\x7e]{1,512}$/.test(session) && { 'mcp-session-id': session }),
    }
    if (this.#asking.left === 0) return false
    // Servers with sessions answer nothing before they have heard this.
    await this.#post({ jsonrpc: '2.0', method: 'notifications/initialized' })
    return this.#asking.left > 0
  }

  async list(): Promise<unknown> {
    const found = this.#asking.left > 1 ? await this.#request('tools/list', {}) : undefined
    return found?.message.result
  }

  async call(
    name: string,
    given: unknown,
    declared: NonNullable<Asked['declared']> = {},
  ): Promise<Asked | undefined> {
    const sent = isRecord(given) ? given : {}
    const body = JSON.stringify(sent)
    if (body.length > MAX_ARGUMENTS) return this.last
    const found = await this.#request('tools/call', { name, arguments: sent })
    const places = found ? termsOf(found.message) : []
    if (!this.last || places.length === 0) return this.last
    const reading = readPlaces({ found: places })
    const ask = { url: this.#url, method: 'POST' as const, tool: name, body }
    this.last = this.#asking.keep({ ...this.last, reading, declared, ask })
    return this.last
  }

  async #request(
    method: string,
    params: Json,
  ): Promise<{ message: Json; response: SafeResponse } | undefined> {
    if (this.#asking.left === 0) return undefined
    const id = ++this.#id
    const response = await this.#post({ jsonrpc: '2.0', id, method, params })
    const message = messagesOf(response).find(sent => isRecord(sent) && sent.id === id)
    return isRecord(message) ? { message, response } : undefined
  }

  async #post(message: Json): Promise<SafeResponse> {
    const isAnswer = (sent: unknown) => isRecord(sent) && sent.id === message.id
    const body = JSON.stringify(message)
    const response = await this.#asking.send(
      this.#url,
      {
        method: 'POST',
        body,
        headers: {
          'content-type': 'application/json',
          accept: ACCEPT,
          // A compressed stream cannot be read along with.
          'accept-encoding': 'identity',
          ...this.#headers,
        },
        readAlong: createEventReader(isAnswer),
      },
      this.#as,
    )
    // A client that pays by HTTP reads the answer itself, whatever the message in it says.
    const ask = { url: this.#url, method: 'POST' as const, body, headers: { accept: ACCEPT } }
    this.last = this.#asking.keep(toAsked(ask, response))
    return response
  }
}

/**
 * Clients look into the structured content, the text or the metadata: what stands in any of them counts.
 * A result that is no error is what the tool sells or gives away, whatever it looks like.
 */
function termsOf({ result, error }: Json): (Found | Broken)[] {
  const failed = isRecord(result) && result.isError === true ? result : {}
  const content = Array.isArray(failed.content) ? failed.content.filter(isRecord) : []
  const texts = content.flatMap(({ text, resource }) => [
    text,
    isRecord(resource) ? resource.text : undefined,
  ])
  return [
    ...[isRecord(error) ? error.data : undefined, failed.structuredContent, failed._meta].flatMap(place =>
      findTerms(place),
    ),
    ...content.flatMap(part => findTerms(part._meta)),
    ...texts.flatMap(text => (typeof text === 'string' ? readText(text) : [])),
  ]
}

function readText(text: string): (Found | Broken)[] {
  const found = parseTerms('body', text.replace(/^\ufeff/, ''))
  if (!found) return readBody(text)
  return 'problem' in found ? [found] : findTerms(found.terms)
}

/** Terms are wrapped, as in `x402/error` and its `data`, no deeper than this. */
const MAX_DEPTH = 4

function findTerms(value: unknown, depth = 0): Found[] {
  if (!isRecord(value) || depth > MAX_DEPTH) return []
  const isTerms = looksLikeTerms(value)
  const inside = Object.entries(value).filter(([key]) => !isTerms || key.startsWith('x402/'))
  return [
    // As an HTTP answer would carry them: those of version 2 in the header.
    ...(isTerms
      ? [{ from: value.x402Version === 2 ? ('header' as const) : ('body' as const), terms: value }]
      : []),
    ...inside.flatMap(([, held]) => findTerms(held, depth + 1)),
  ]
}
