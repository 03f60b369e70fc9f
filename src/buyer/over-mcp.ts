/**
 * Gets quotes and pays for a tool of an MCP server (x402 transport `mcp`): the unpaid call returns an error with the terms, the payment
 * goes into the metadata of the next call, and the settle response is in the metadata of its result. The tool is looked up first,
 * because the stored terms may be old.
 */
import type { ToolCall } from '../domain/call/request.ts'
import { isRecord, type JsonRecord } from '../domain/json/json-record.ts'
import { schemaProblems } from '../domain/samples/schema-check.ts'
import { say } from '../messages/message.ts'
import { type McpReply, McpSession, type SessionRequest } from '../probe/mcp/mcp-session.ts'
import { readTools, type Tool } from '../probe/mcp/mcp-tools.ts'
import { findToolTerms } from '../probe/mcp/tool-terms.ts'
import { plainHeaders } from '../probe/probe-session.ts'
import { totalTimeout } from '../probe/requests/exchange.ts'
import { DEFAULT_LIMITS, type SafeFetch, type SafeRequest } from '../probe/requests/safe-fetch.ts'
import { readPlaces } from '../probe/terms/x402.ts'
import { shown } from '../probe/untrusted/untrusted-text.ts'
import type { Required } from './quote.ts'
import { notQuoted, type QuoteOptions, type QuoteResult, type Reply } from './seller.ts'
import { toSettleResponse } from './settle-response.ts'
import { textOf, toDelivered, toJudged } from './tool-result.ts'

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
  const { tool, signal, enter, isSample, withinMs = QUOTE_WITHIN_MS } = options
  const timeout = AbortSignal.timeout(withinMs)
  const sendWith = (overrides: SafeRequest) => (request: SessionRequest) =>
    fetch(url, {
      ...request,
      headers: plainHeaders(request.headers),
      // A quote from another URL does not count, and a payment is never sent elsewhere.
      mayFollow: () => false,
      ...overrides,
    })
  const unpaid = { signal: signal ? AbortSignal.any([signal, timeout]) : timeout, ...(enter && { enter }) }
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
        return toReply(
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
  const reading = readPlaces({ found })
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

function toReply({ message, response }: McpReply, output: Tool['output']): Reply {
  const found = message ? findToolTerms(message) : []
  const second = found.length > 0 ? readPlaces({ found }) : undefined
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
