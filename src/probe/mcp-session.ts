// A session with an MCP server over streamable HTTP: its tools, calls of a tool, and the payment terms in a reply. The caller supplies
// the send function, with its own limits. Servers without sessions work the same way.
import { isRecord, type JsonRecord } from '../domain/json.ts'
import { LANGUAGE_CODES, LANGUAGES } from '../domain/languages/languages.ts'
import { boundSchema, createBudget, inlineSchema } from './documents/schemas.ts'
import type { ReadAlong } from './requests/exchange.ts'
import type { SafeRequest, SafeResponse } from './requests/safe-fetch.ts'
import { type MppReading, readChallenges } from './terms/mpp.ts'
import { type BrokenTerms, looksLikeTerms, parseTerms, type RawTerms, readBody } from './terms/x402.ts'
import { cleanJson, cleanName, cleanWords, parseJson } from './untrusted.ts'

const PROTOCOL_VERSION = '2025-06-18'
export const MCP_ACCEPT = 'application/json, text/event-stream'

export type SessionRequest = Required<Pick<SafeRequest, 'method' | 'headers' | 'body' | 'readAlong'>>

export type McpReply = {
  /** The reply to the request; undefined if none arrived. */
  readonly message: JsonRecord | undefined
  readonly response: SafeResponse
}

export class McpSession {
  readonly #send: (request: SessionRequest) => Promise<SafeResponse>
  #headers: Readonly<Record<string, string>> = {}
  #id = 0

  constructor(send: (request: SessionRequest) => Promise<SafeResponse>) {
    this.#send = send
  }

  /** @param mayContinue called before the second message @returns whether the session is open, and the last reply */
  async open(mayContinue: () => boolean = () => true): Promise<McpReply & { readonly isOpen: boolean }> {
    const clientInfo = { name: 'mcp-client', version: '1.0.0' }
    const params = { protocolVersion: PROTOCOL_VERSION, capabilities: {}, clientInfo }
    const reply = await this.request('initialize', params)
    const { message, response } = reply
    if (!isRecord(message?.result)) return { ...reply, isOpen: false }
    const session = response.headers?.get('mcp-session-id')
    const version = cleanName(message.result.protocolVersion, 32) ?? PROTOCOL_VERSION
    this.#headers = {
      'mcp-protocol-version': version,
      ...(session && /^[\x21-\x7e]{1,512}$/.test(session) && { 'mcp-session-id': session }),
    }
    if (!mayContinue()) return { ...reply, isOpen: false }
    // Servers with sessions reply to nothing before this notification.
    await this.#post({ jsonrpc: '2.0', method: 'notifications/initialized' }, this.#send)
    return { ...reply, isOpen: true }
  }

  /** @param send overrides the default for this request */
  async request(method: string, params: JsonRecord, send = this.#send): Promise<McpReply> {
    const id = ++this.#id
    const response = await this.#post({ jsonrpc: '2.0', id, method, params }, send)
    const message = messagesOf(response).find(sent => isAnswerTo(id, sent))
    return { message: message as JsonRecord | undefined, response }
  }

  #post(
    message: JsonRecord,
    send: (request: SessionRequest) => Promise<SafeResponse>,
  ): Promise<SafeResponse> {
    return send({
      method: 'POST',
      body: JSON.stringify(message),
      headers: {
        'content-type': 'application/json',
        accept: MCP_ACCEPT,
        // A compressed stream cannot be read part by part.
        'accept-encoding': 'identity',
        ...this.#headers,
      },
      // A notification has no reply: a stream opened for it may stay open.
      readAlong:
        message.id === undefined ? readNoStream : createEventReader(sent => isAnswerTo(message.id, sent)),
    })
  }
}

const isAnswerTo = (id: unknown, sent: unknown): boolean => isRecord(sent) && sent.id === id

const MAX_TOOLS = 200

const PAID = LANGUAGE_CODES.map(code => LANGUAGES[code].paid)
const ASKS_MONEY = new RegExp([String.raw`x402|\$\d|\bUSDC\b`, ...PAID].join('|'), 'i')

export type Tool = {
  readonly name: string
  readonly description?: string
  readonly input?: JsonRecord
  readonly output?: JsonRecord
  /** Its description, metadata or annotations mention a price. */
  readonly isPaid: boolean
  readonly isDestructive: boolean
}

/** @param listed the result of `tools/list` */
export function readTools(listed: unknown): Tool[] {
  const tools = isRecord(listed) && Array.isArray(listed.tools) ? listed.tools.slice(0, MAX_TOOLS) : []
  const budget = createBudget()
  const readSchema = (schema: unknown) => boundSchema(inlineSchema(schema, schema, budget))
  return tools.flatMap((tool): Tool[] => {
    const name = isRecord(tool) ? cleanName(tool.name, 128) : undefined
    if (name === undefined || !isRecord(tool)) return []
    const hints = JSON.stringify(cleanJson([tool.description, tool._meta, tool.annotations], 8_192) ?? '')
    const input = readSchema(tool.inputSchema)
    const output = readSchema(tool.outputSchema)
    const description = cleanWords(tool.description, 1_024)
    return [
      {
        name,
        ...(description && { description }),
        ...(input && { input }),
        ...(output && { output }),
        isPaid: ASKS_MONEY.test(hints),
        isDestructive: isRecord(tool.annotations) && tool.annotations.destructiveHint === true,
      },
    ]
  })
}

// Finds the terms in the reply to a tool call.

/**
 * Clients look into the structured content, the text or the metadata, so terms in any of them count. A result without
 * an error is the tool's product, whatever it looks like.
 */
export function findToolTerms({ result, error }: JsonRecord): (RawTerms | BrokenTerms)[] {
  const failed = isRecord(result) && result.isError === true ? result : {}
  const content = Array.isArray(failed.content) ? failed.content.filter(isRecord) : []
  const texts = content.flatMap(({ text, resource }) => [
    text,
    isRecord(resource) ? resource.text : undefined,
  ])
  return [
    ...[isRecord(error) ? error.data : undefined, failed.structuredContent, failed._meta].flatMap(part =>
      findTerms(part),
    ),
    ...content.flatMap(part => findTerms(part._meta)),
    ...texts.flatMap(text => (typeof text === 'string' ? readText(text) : [])),
  ]
}

function readText(text: string): (RawTerms | BrokenTerms)[] {
  const found = parseTerms('body', text.replace(/^\ufeff/, ''))
  if (!found) return readBody(text)
  return 'problem' in found ? [found] : findTerms(found.terms)
}

/** Where MPP puts its challenges; a result may have them without being an error. */
const PAYMENT_REQUIRED = 'org.paymentauth/payment-required'

/** MPP over MCP: an error with code -32042, or the metadata of a result. */
export function readToolChallenges({ result, error }: JsonRecord): MppReading {
  const meta = isRecord(result) && isRecord(result._meta) ? result._meta[PAYMENT_REQUIRED] : undefined
  const parts = [isRecord(error) ? error.data : undefined, meta].filter(isRecord)
  return readChallenges(
    parts.flatMap(({ challenges }) => (Array.isArray(challenges) ? (challenges as unknown[]) : [])),
  )
}

/** Nesting of terms in wrappers such as `x402/error` and `data`. */
const MAX_DEPTH = 4

function findTerms(value: unknown, depth = 0): RawTerms[] {
  if (!isRecord(value) || depth > MAX_DEPTH) return []
  const isTerms = looksLikeTerms(value)
  const inside = Object.entries(value).filter(([key]) => !isTerms || key.startsWith('x402/'))
  return [
    // As an HTTP response would carry them: version 2 in the header.
    ...(isTerms
      ? [{ from: value.x402Version === 2 ? ('header' as const) : ('body' as const), terms: value }]
      : []),
    ...inside.flatMap(([, nested]) => findTerms(nested, depth + 1)),
  ]
}

// Reads the JSON messages of a response: a single message, or a stream of events with one each. A stream may never end,
// so it is read until the expected message has arrived.

const isStream = (headers: { get(name: string): string | undefined }) =>
  /^\s*text\/event-stream/i.test(headers.get('content-type') ?? '')

/** Parses every event once, when it is complete. */
const createEventReader =
  (isEnough: (message: unknown) => boolean): ReadAlong =>
  headers => {
    if (!isStream(headers)) return undefined
    const decoder = new TextDecoder()
    let event = ''
    let line = ''
    return part => {
      const text = decoder.decode(part, { stream: true })
      line += text
      // Skips the split for a part without a line end, so that a line sent byte by byte costs linear time.
      if (!/[\r\n]/.test(text)) return false
      const lines = line.split(/\r\n|\n|\r/)
      line = lines.pop() ?? ''
      for (const each of lines) {
        if (each !== '') event += `${each}\n`
        else if (isEnough(parseJson(dataOf(event)))) return true
        else event = ''
      }
      return false
    }
  }

/** A stream that was not requested may stay open and empty; only terms would be read from it. */
export const readNoStream: ReadAlong = (headers, status) =>
  isStream(headers) && status !== 402 ? () => true : undefined

function messagesOf(response: SafeResponse): unknown[] {
  if (!response.ok) return []
  if (!isStream(response.headers)) return [parseJson(response.body)]
  const text = new TextDecoder().decode(response.body)
  return text.split(/(?:\r\n|\n|\r){2}/).map(event => parseJson(dataOf(event)))
}

const dataOf = (event: string): string =>
  event
    .split(/\r\n|\n|\r/)
    .flatMap(line => (line.startsWith('data:') ? [line.slice(5).trimStart()] : []))
    .join('\n')
