// A seller over HTTP and over MCP: a quote, and one paid request. All it sends is untrusted.
import type { ToolCall } from 'shirube/domain/call/request.ts'
import { isRecord, type JsonRecord } from 'shirube/domain/json.ts'
import { type Message, say } from 'shirube/messages/message.ts'
import {
  findToolTerms,
  type McpReply,
  McpSession,
  readTools,
  type SessionRequest,
  type Tool,
} from 'shirube/probe/mcp-session.ts'
import { plainHeaders } from 'shirube/probe/probe-session.ts'
import { type ResponseHeaders, totalTimeout } from 'shirube/probe/requests/exchange.ts'
import {
  DEFAULT_LIMITS,
  type SafeFetch,
  type SafeRequest,
  type SafeResponse,
} from 'shirube/probe/requests/safe-fetch.ts'
import { type Reading, readParts, readTerms } from 'shirube/probe/terms/x402.ts'
import { shown } from 'shirube/probe/untrusted.ts'
import type { Required } from './quote.ts'
import { schemaProblems } from './schema-check.ts'
import { type PaymentPayload, toPaymentHeader } from './sign.ts'

export type SettleResponse =
  | {
      readonly kind: 'claimed'
      readonly transaction: string
      /** The amount taken, if stated. */
      readonly amount: string | null
      readonly raw: Readonly<Record<string, unknown>>
    }
  | { readonly kind: 'denied'; readonly why: string }
  | { readonly kind: 'absent' }

const MAX_HEADER = 64 * 1024

function readSettleResponse(headers: ResponseHeaders): SettleResponse {
  const text = headers.get('payment-response') ?? headers.get('x-payment-response')
  return toSettleResponse(text === undefined || text.length > MAX_HEADER ? undefined : decode(text))
}

/** @param raw the settle response as received */
function toSettleResponse(raw: unknown): SettleResponse {
  if (!isRecord(raw)) return { kind: 'absent' }
  if (raw.success !== true)
    return { kind: 'denied', why: wordOf(raw.errorReason ?? raw.error ?? raw.errorMessage) }
  const amount = typeof raw.amount === 'string' && /^\d{1,78}$/.test(raw.amount) ? raw.amount : null
  return { kind: 'claimed', transaction: wordOf(raw.transaction ?? raw.txHash), amount, raw }
}

const wordOf = (value: unknown): string => (typeof value === 'string' && value !== '' ? shown(value) : '?')

function decode(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64').toString('utf8'))
  } catch {
    return undefined
  }
}

// What a buyer needs of a seller, over either transport: a quote, and one paid request.

export type BuyRequest = {
  readonly method: string
  readonly url: string
  readonly headers?: readonly (readonly [name: string, value: string])[]
  readonly body?: string | undefined
  readonly contentType?: string | undefined
  /** A tool call on an MCP server: then nothing else is sent. */
  readonly tool?: ToolCall | undefined
}

export type PaidAnswer = Pick<SafeResponse & { ok: true }, 'status' | 'headers' | 'body'>

/** The response to a payment. */
export type Reply = {
  /** Its body is the delivery. */
  readonly response: SafeResponse
  readonly settleResponse: SettleResponse
  /** Set if it demands another payment. */
  readonly second: Reading | undefined
  /** Set for a tool. */
  readonly tool?: ToolReply
}

/** error: the tool reports a failure. none: the response contains no result. */
export type ToolReply =
  | {
      readonly kind: 'result'
      /** The content to compare with the declared schema. */
      readonly judged: Uint8Array
      readonly contentType: string
      /** The schema that the tool declares. */
      readonly output: Readonly<Record<string, unknown>> | undefined
    }
  | { readonly kind: 'error'; readonly why: string }
  | { readonly kind: 'none' }

export type Payable = {
  readonly kind: 'quoted'
  readonly required: Required
  /** Sends the paid request, once. */
  readonly pay: (payment: PaymentPayload, maxBodyBytes: number) => Promise<Reply>
}

type QuoteResult =
  | Payable
  | { readonly kind: 'unpaid'; readonly answer: PaidAnswer }
  | { readonly kind: 'refused'; readonly reason: Message }

/** For the unpaid request; a signed payment is sent at once and cannot be cancelled. */
type QuoteOptions = Pick<SafeRequest, 'signal'>

type RequestQuote = (fetch: SafeFetch, request: BuyRequest, options: QuoteOptions) => Promise<QuoteResult>

const notQuoted = (problems: readonly Message[]): QuoteResult & { readonly kind: 'refused' } => ({
  kind: 'refused',
  reason: say('not_quoted', { problems }),
})

// Gets quotes and pays over HTTP: terms in a 402, payment and settle response in headers.

/** With the headers of the official client's fetch, so that test purchases look like any customer's. */
function toSafeRequest({ method, headers = [], body, contentType }: BuyRequest) {
  const own = Object.fromEntries([
    ...headers.map(([name, value]) => [name.toLowerCase(), value] as const),
    ...(body !== undefined && contentType ? [['content-type', contentType] as const] : []),
  ])
  return {
    method,
    headers: plainHeaders(own),
    ...(body !== undefined && { body }),
    // A quote from another URL does not count, and a payment is never sent elsewhere.
    mayFollow: () => false,
  }
}

export const quoteOverHttp: RequestQuote = async (fetch, request, options) => {
  const sent = toSafeRequest(request)
  const response = await fetch(request.url, { ...sent, ...options })
  if (!response.ok) return notQuoted([response.message])
  const { status, headers, body } = response
  if (status >= 200 && status < 300) return { kind: 'unpaid', answer: response }
  const reading = readTerms({ status, headers, body })
  if (!reading.readable) return notQuoted(reading.problems)
  if (reading.version === null) return notQuoted([say('mpp_only')])
  const { x402HTTPClient, x402Client } = await import('@x402/core/client')
  try {
    const required = new x402HTTPClient(new x402Client()).getPaymentRequiredResponse(
      name => headers.get(name.toLowerCase()),
      parse(body),
    ) as unknown as Required
    if (!Array.isArray(required.accepts)) return notQuoted([])
    return {
      kind: 'quoted',
      required,
      async pay(payment, maxBodyBytes) {
        const paying = { ...sent.headers, ...(await toPaymentHeader(payment)) }
        return toReply(await fetch(request.url, { ...sent, headers: paying, maxBodyBytes }))
      },
    }
  } catch {
    // The official client cannot read these terms, although a lenient one may.
    return notQuoted([])
  }
}

function toReply(response: SafeResponse): Reply {
  const { status, headers } = response
  const body = response.ok ? response.body : undefined
  return {
    response,
    settleResponse: headers ? readSettleResponse(headers) : { kind: 'absent' },
    second: status === 402 && headers && body ? readTerms({ status, headers, body }) : undefined,
  }
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}

// Converts a tool's result into the delivery for the payer, and into the content to compare with the declaration. Pure.

type Delivered = { readonly body: Uint8Array; readonly contentType: string }

const JSON_TYPE = 'application/json'
const TEXT_TYPE = 'text/plain; charset=utf-8'

/** Only text: as text. Only structured content, or the same as text: as JSON. Otherwise all parts, as JSON. */
function toDelivered(result: JsonRecord): Delivered {
  const { structuredContent } = result
  const content = contentOf(result)
  const isText = content.every(isTextPart)
  if (!isRecord(structuredContent)) return isText ? toTextBody(textOf(result)) : toJsonBody(content)
  const isSame = content.length === 0 || (isText && isSameJson(textOf(result), structuredContent))
  return toJsonBody(isSame ? structuredContent : { content, structuredContent })
}

/** The declared schema describes the structured content; servers without it send the same as text. */
function toJudged(result: JsonRecord): { readonly judged: Uint8Array; readonly contentType: string } {
  const { structuredContent } = result
  const { body, contentType } = isRecord(structuredContent)
    ? toJsonBody(structuredContent)
    : toDelivered(result)
  return { judged: body, contentType }
}

const textOf = (result: JsonRecord): string =>
  contentOf(result)
    .flatMap(part => (isTextPart(part) ? [part.text] : []))
    .join('\n')

const contentOf = ({ content }: JsonRecord): readonly JsonRecord[] =>
  Array.isArray(content) ? content.filter(isRecord) : []

const isTextPart = (part: JsonRecord): part is JsonRecord & { readonly text: string } =>
  part.type === 'text' && typeof part.text === 'string'

const toJsonBody = (value: unknown): Delivered => ({
  body: new TextEncoder().encode(JSON.stringify(value)),
  contentType: JSON_TYPE,
})

const toTextBody = (text: string): Delivered => ({
  body: new TextEncoder().encode(text.trim()),
  contentType: isRecord(parseJson(text)) || Array.isArray(parseJson(text)) ? JSON_TYPE : TEXT_TYPE,
})

const isSameJson = (text: string, value: JsonRecord): boolean => Bun.deepEquals(parseJson(text), value)

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Gets quotes and pays for a tool of an MCP server (x402 transport `mcp`): the unpaid call returns an error with the terms, the payment
 * goes into the metadata of the next call, and the settle response is in the metadata of its result. The tool is looked up first,
 * because the stored terms may be old.
 */

const PAYMENT = 'x402/payment'
const RESPONSE = 'x402/payment-response'
/** All unpaid requests together, in addition to the limits of each. */
const QUOTE_WITHIN_MS = 90_000
/** Pages of the list of tools; in a longer list the tool is used as stored. */
const MAX_PAGES = 3

type ToolQuoteOptions = QuoteOptions & {
  readonly tool: ToolCall
  /** No user requested the call: destructive tools are not called. */
  readonly isSample: boolean
  readonly withinMs?: number
}

export async function quoteOverMcp(
  fetch: SafeFetch,
  url: string,
  options: ToolQuoteOptions,
): Promise<QuoteResult> {
  const { tool, signal, isSample, withinMs = QUOTE_WITHIN_MS } = options
  const timeout = AbortSignal.timeout(withinMs)
  const sendWith = (overrides: SafeRequest) => (request: SessionRequest) =>
    fetch(url, {
      ...request,
      headers: plainHeaders(request.headers),
      // A quote from another URL does not count, and a payment is never sent elsewhere.
      mayFollow: () => false,
      ...overrides,
    })
  const unpaid = { signal: signal ? AbortSignal.any([signal, timeout]) : timeout }
  const session = new McpSession(sendWith(unpaid))
  const call = { name: tool.name, arguments: tool.arguments }
  try {
    const opened = await session.open()
    if (!opened.isOpen) return refusedBy(opened)
    const listed = await findTool(session, tool.name)
    if (listed === 'gone') return refuse(say('tool_gone', { tool: shown(tool.name) }))
    if (isSample && listed?.isDestructive)
      return refuse(say('not_bought_here', { what: 'a tool that says that it destroys' }))
    const problems = listed?.input ? schemaProblems(tool.arguments, listed.input) : []
    if (problems.length > 0) return refuse(say('input_not_as_declared', { problems }))
    const unpaidReply = await session.request('tools/call', call)
    const found = unpaidReply.message && requiredIn(unpaidReply.message)
    if (!found) return toUnpaid(unpaidReply)
    if (found.kind === 'refused') return found
    const { required } = found
    return {
      kind: 'quoted',
      required,
      async pay(payment, maxBodyBytes) {
        const params = { ...call, _meta: { [PAYMENT]: payment } }
        return toToolReply(
          await session.request('tools/call', params, sendWith({ maxBodyBytes })),
          listed?.output,
        )
      },
    }
  } catch (error) {
    if (!timeout.aborted || signal?.aborted) throw error
    return notQuoted([totalTimeout(new URL(url).hostname, { ...DEFAULT_LIMITS, totalMs: withinMs }).message])
  }
}

type Refused = QuoteResult & { readonly kind: 'refused' }

const refuse = (reason: Refused['reason']): Refused => ({ kind: 'refused', reason })

/** @returns undefined if the list is incomplete */
async function findTool(session: McpSession, name: string): Promise<Tool | 'gone' | undefined> {
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES; page++) {
    const { message } = await session.request('tools/list', cursor === undefined ? {} : { cursor })
    const result = message?.result
    if (!isRecord(result) || !Array.isArray(result.tools)) return undefined
    const found = readTools(result).find(tool => tool.name === name)
    if (found) return found
    if (typeof result.nextCursor !== 'string') return 'gone'
    cursor = result.nextCursor
  }
  return undefined
}

/** Takes the first terms, in the order that the specification prescribes for clients. */
function requiredIn(
  message: JsonRecord,
): { readonly kind: 'found'; readonly required: Required } | Refused | undefined {
  const found = findToolTerms(message)
  if (found.length === 0) return undefined
  const reading = readParts({ found })
  if (!reading.readable) return notQuoted(reading.problems)
  const first = found.flatMap(place => ('terms' in place ? [place.terms] : []))[0]
  return first && Array.isArray(first.accepts)
    ? { kind: 'found', required: first as Required }
    : notQuoted([])
}

function refusedBy({ message, response }: McpReply): QuoteResult {
  if (!response.ok) return notQuoted([response.message])
  if (isRecord(message?.error)) return refuse(say('tool_failed', { why: whyOf(message) }))
  return notQuoted([say('answer_no_result')])
}

function toUnpaid(reply: McpReply): QuoteResult {
  const { message, response } = reply
  const result = message?.result
  if (!response.ok || !isRecord(result)) return refusedBy(reply)
  if (result.isError === true) return refuse(say('tool_failed', { why: whyOf(message!) }))
  const { body, contentType } = toDelivered(result)
  return {
    kind: 'unpaid',
    answer: { status: response.status, headers: new Map([['content-type', contentType]]), body },
  }
}

function toToolReply({ message, response }: McpReply, output: Tool['output']): Reply {
  const found = message ? findToolTerms(message) : []
  const second = found.length > 0 ? readParts({ found }) : undefined
  const { result, error } = message ?? {}
  const reply = { response, second, settleResponse: toSettleResponse(settlementIn(message)) }
  if (!response.ok || (!isRecord(result) && !isRecord(error))) return { ...reply, tool: { kind: 'none' } }
  const content = isRecord(result) ? result : { content: [{ type: 'text', text: errorText(error) }] }
  const { body, contentType } = toDelivered(content)
  const delivered = { ...response, headers: new Map([['content-type', contentType]]), body }
  if (!isRecord(result) || result.isError === true)
    return { ...reply, response: delivered, tool: { kind: 'error', why: whyOf(message!) } }
  return { ...reply, response: delivered, tool: { kind: 'result', ...toJudged(result), output } }
}

/** A failed settlement is reported next to the terms. */
function settlementIn(message: JsonRecord | undefined): unknown {
  const result = isRecord(message?.result) ? message.result : {}
  const { _meta, structuredContent } = result
  const places = [_meta, structuredContent, isRecord(message?.error) ? message.error.data : undefined]
  return places.flatMap(place =>
    isRecord(place) && place[RESPONSE] !== undefined ? [place[RESPONSE]] : [],
  )[0]
}

const errorText = (error: unknown): string =>
  isRecord(error) && typeof error.message === 'string' ? error.message : ''

function whyOf({ result, error }: JsonRecord): string {
  const text = isRecord(result) ? textOf(result) : errorText(error)
  return shown(text.trim() || '?')
}
