/**
 * Requests the terms of a tool from an MCP server (streamable HTTP): the result of an unpaid call is an error with the
 * terms as structured content or text; some servers return a JSON-RPC error with code 402.
 */

import { isRecord } from '../../domain/json.ts'
import { sampleValue } from '../../domain/samples/sample-value.ts'
import {
  hasTerms,
  type ProbeRequest,
  type ProbeResponse,
  parseJson,
  toProbeResponse,
} from '../probe-response.ts'
import type { ProbeSession } from '../probe-session.ts'
import { readPlaces } from '../terms/x402.ts'
import { MCP_ACCEPT, McpSession } from './mcp-session.ts'
import { readTools, type Tool } from './mcp-tools.ts'
import { findToolTerms } from './tool-terms.ts'

const MAX_ARGUMENTS = 4_096

export const looksLikeMcp = (url: string): boolean => /\/mcp\/?$/i.test(URL.parse(url)?.pathname ?? '')

export function speaksMcp({ body, headers, status }: ProbeResponse): boolean {
  if (status === 402 || /text\/event-stream/i.test(headers.get('content-type') ?? '')) return status !== 402
  const message = parseJson(body.subarray(0, 16_384))
  return isRecord(message) && message.jsonrpc === '2.0'
}

/**
 * @param known a tool with known arguments
 * @returns the last response, with the terms of a tool's result if there are any
 */
export async function requestToolTerms(
  session: ProbeSession,
  url: string,
  known?: ProbeRequest,
): Promise<ProbeResponse | undefined> {
  const mcp = new ToolSession(session, url)
  const opened = await mcp.open()
  if (!opened) return mcp.last
  if (known?.tool !== undefined) return mcp.call(known.tool, parseJson(known.body ?? '{}'))
  for (const { name, isPaid: _, isDestructive: __, ...declared } of chooseTools(await mcp.list())) {
    if (session.requestsLeft === 0) break
    const response = await mcp.call(name, declared.input ? sampleValue(declared.input) : {}, declared)
    if (response && hasTerms(response)) return response
  }
  return mcp.last
}

/** A single message, as sent by a client without sessions. */
export const callTool = (session: ProbeSession, { url, tool = '', body = '{}' }: ProbeRequest) =>
  new ToolSession(session, url).call(tool, parseJson(body))

/** Tools marked as paid first; tools marked as destructive are never called. */
const chooseTools = (listed: unknown): Tool[] =>
  readTools(listed)
    .filter(({ isDestructive }) => !isDestructive)
    .sort((a, b) => Number(b.isPaid) - Number(a.isPaid))

class ToolSession {
  readonly #session: ProbeSession
  readonly #url: string
  readonly #mcp: McpSession
  last: ProbeResponse | undefined

  constructor(session: ProbeSession, url: string) {
    this.#session = session
    this.#url = url
    this.#mcp = new McpSession(async message => {
      const response = await session.send(url, message)
      // A client that pays over HTTP reads the HTTP response, whatever message it contains.
      const request = { url, method: 'POST' as const, body: message.body, headers: { accept: MCP_ACCEPT } }
      this.last = session.noteTerms(toProbeResponse(request, response))
      return response
    })
  }

  /** @returns whether tools can be called */
  async open(): Promise<boolean> {
    if (this.#session.requestsLeft === 0) return false
    const { isOpen } = await this.#mcp.open(() => this.#session.requestsLeft > 0)
    return isOpen && this.#session.requestsLeft > 0
  }

  async list(): Promise<unknown> {
    const reply = this.#session.requestsLeft > 1 ? await this.#mcp.request('tools/list', {}) : undefined
    return reply?.message?.result
  }

  async call(
    name: string,
    args: unknown,
    declared: NonNullable<ProbeResponse['declared']> = {},
  ): Promise<ProbeResponse | undefined> {
    const sent = isRecord(args) ? args : {}
    const body = JSON.stringify(sent)
    if (body.length > MAX_ARGUMENTS || this.#session.requestsLeft === 0) return this.last
    const { message } = await this.#mcp.request('tools/call', { name, arguments: sent })
    const places = message ? findToolTerms(message) : []
    if (!this.last || places.length === 0) return this.last
    const reading = readPlaces({ found: places })
    const request = { url: this.#url, method: 'POST' as const, tool: name, body }
    this.last = this.#session.noteTerms({ ...this.last, reading, declared, request })
    return this.last
  }
}
