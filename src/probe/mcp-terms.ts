/**
 * Asks an MCP server (streamable HTTP) for the terms of a tool: the result of an unpaid call is an error that carries them, as
 * structured content or as text, and some servers answer with a JSON-RPC error of code 402.
 */

import { sampleValue } from '../domain/sample-value.ts'
import { type Ask, type Asked, hasTerms, parseJson, toAsked } from './asked.ts'
import type { Asking, Identity } from './asking.ts'
import { MCP_ACCEPT, McpSession } from './mcp-session.ts'
import { readTools, type Tool } from './mcp-tools.ts'
import { findToolTerms } from './tool-terms.ts'
import { isRecord } from './untrusted-json.ts'
import { readPlaces } from './x402.ts'

const MAX_ARGUMENTS = 4_096

/** Its address says so, or its answer does. */
export const looksLikeMcp = (url: string): boolean => /\/mcp\/?$/i.test(URL.parse(url)?.pathname ?? '')

export function speaksMcp({ body, headers, status }: Asked): boolean {
  if (status === 402 || /text\/event-stream/i.test(headers.get('content-type') ?? '')) return status !== 402
  const message = parseJson(body.subarray(0, 16_384))
  return isRecord(message) && message.jsonrpc === '2.0'
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
  for (const { name, isPaid: _, isDestructive: __, ...declared } of chooseTools(await session.list())) {
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
const chooseTools = (listed: unknown): Tool[] =>
  readTools(listed)
    .filter(({ isDestructive }) => !isDestructive)
    .sort((a, b) => Number(b.isPaid) - Number(a.isPaid))

class Session {
  readonly #asking: Asking
  readonly #url: string
  readonly #mcp: McpSession
  last: Asked | undefined

  constructor(asking: Asking, url: string, as: Identity = asking.identity) {
    this.#asking = asking
    this.#url = url
    this.#mcp = new McpSession(async request => {
      const response = await asking.send(url, request, as)
      // A client that pays by HTTP reads the answer itself, whatever the message in it says.
      const ask = { url, method: 'POST' as const, body: request.body, headers: { accept: MCP_ACCEPT } }
      this.last = asking.keep(toAsked(ask, response))
      return response
    })
  }

  /** @returns whether tools can be called */
  async open(): Promise<boolean> {
    if (this.#asking.left === 0) return false
    const { isOpen } = await this.#mcp.open(() => this.#asking.left > 0)
    return isOpen && this.#asking.left > 0
  }

  async list(): Promise<unknown> {
    const found = this.#asking.left > 1 ? await this.#mcp.request('tools/list', {}) : undefined
    return found?.message?.result
  }

  async call(
    name: string,
    given: unknown,
    declared: NonNullable<Asked['declared']> = {},
  ): Promise<Asked | undefined> {
    const sent = isRecord(given) ? given : {}
    const body = JSON.stringify(sent)
    if (body.length > MAX_ARGUMENTS || this.#asking.left === 0) return this.last
    const { message } = await this.#mcp.request('tools/call', { name, arguments: sent })
    const places = message ? findToolTerms(message) : []
    if (!this.last || places.length === 0) return this.last
    const reading = readPlaces({ found: places })
    const ask = { url: this.#url, method: 'POST' as const, tool: name, body }
    this.last = this.#asking.keep({ ...this.last, reading, declared, ask })
    return this.last
  }
}
