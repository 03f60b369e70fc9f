// Looks for a response with terms as a customer would who read the documentation: the resource of an earlier probe, the endpoint by GET
// and POST, the tools of an MCP server, then what the origin's documents list, with sample input where their schemas need it.
import { isRecord } from '../domain/json.ts'
import { sampleRequest } from '../domain/samples/sample-request.ts'
import { sampleValue } from '../domain/samples/sample-value.ts'
import type { FirstRequest, ProbeRequest } from '../domain/standing/judge.ts'
import { isUnder, type Method } from './documents/documented.ts'
import { Documents, orderNamed, toProbeRequests } from './documents/documents.ts'
import {
  findToolTerms,
  MCP_ACCEPT,
  McpSession,
  readToolChallenges,
  readTools,
  type Tool,
} from './mcp-session.ts'
import {
  hasTerms,
  isFinal,
  isGatewayError,
  isIncomplete,
  type ProbeResponse,
  type ProbeSession,
  toProbeRequest,
  toProbeResponse,
} from './probe-session.ts'
import { NO_CHALLENGES } from './terms/mpp.ts'
import { readParts } from './terms/x402.ts'
import { parseJson } from './untrusted.ts'

type FoundTerms = {
  /** The response with terms, else the most informative one without. */
  readonly response: ProbeResponse
  /** undefined if none was read. */
  readonly documents: Documents | undefined
}

export async function findTerms(
  session: ProbeSession,
  endpoint: string,
  known: FirstRequest | undefined,
): Promise<FoundTerms> {
  const search = new Search(session, endpoint)
  const response =
    (await search.tryKnownResource(known)) ?? (await search.tryEndpoint()) ?? (await search.tryDocumented())
  const { documents } = search
  if (!response) return { response: search.mostInformative, documents }
  return { response: await search.tryDeclaredMethod(response), documents }
}

class Search {
  readonly #session: ProbeSession
  readonly #endpoint: string
  readonly #responses: ProbeResponse[] = []
  readonly #tried = new Set<string>()
  #isMcpTried = false
  documents: Documents | undefined

  constructor(session: ProbeSession, endpoint: string) {
    this.#session = session
    this.#endpoint = endpoint
  }

  /** The first of the most informative responses without terms. */
  get mostInformative(): ProbeResponse {
    return this.#responses.reduce((a, b) => (informativeness(b) > informativeness(a) ? b : a))
  }

  get #isOver(): boolean {
    const last = this.#responses.at(-1)
    if (this.#session.requestsLeft === 0) return true
    // A server that answers one request and hangs at the next is up, and may answer a third.
    const silent = this.#responses.filter(({ status }) => status === null).length
    if (last?.status === null) return silent > 1 || this.#responses.length === 1
    return last !== undefined && isFinal(last)
  }

  async tryKnownResource(known: FirstRequest | undefined): Promise<ProbeResponse | undefined> {
    if (!known || !isUnder(known.url, this.#endpoint)) return undefined
    const request = toProbeRequest(known)
    if (known.tool !== undefined) return this.#tryTools(request)
    return this.#try(request)
  }

  async tryEndpoint(): Promise<ProbeResponse | undefined> {
    const url = this.#endpoint
    if (looksLikeMcp(url)) {
      const response = await this.#tryTools()
      if (response) return response
    }
    for (const method of ['GET', 'POST'] as const) {
      const response = await this.#try({ url, method })
      if (response) return response
      const last = this.#responses.at(-1)
      if (last && speaksMcp(last)) {
        const response = await this.#tryTools()
        if (response) return response
      }
    }
    return undefined
  }

  async tryDocumented(): Promise<ProbeResponse | undefined> {
    if (this.#isOver) return undefined
    const order = this.#responses.some(isIncomplete) ? 'openapi' : 'manifest'
    this.documents = new Documents(this.#session, this.#endpoint, order)
    // The last request is for a listed resource, not for another document.
    while (this.#session.requestsLeft >= 2 && !this.documents.isAtEnd && !this.#isOver) {
      const named = await this.documents.readNext()
      const tool = named.find(({ tool }) => tool !== undefined)
      if (tool) {
        const response = await this.#tryTools({ url: tool.url, method: 'POST' })
        if (response) return response
      }
      for (const request of orderNamed(named, this.#endpoint).flatMap(toProbeRequests)) {
        const response = await this.#try(request)
        if (response) return response
      }
    }
    return undefined
  }

  /** Terms that declare another method are read by that method, if it returns any. */
  async tryDeclaredMethod(response: ProbeResponse): Promise<ProbeResponse> {
    const { reading, request } = response
    if (!reading?.readable || request.tool !== undefined) return response
    const { method, input } = reading.described
    if ((method !== 'GET' && method !== 'POST') || method === request.method) return response
    const resource: { url: string; method: Method } = { url: request.place?.url ?? request.url, method }
    const { fields: _, ...sample } = {
      fields: undefined,
      ...(sampleRequest({ ...resource, input }) ?? resource),
    }
    return (await this.#try({ ...resource, ...sample })) ?? response
  }

  /** @returns the response if it has terms */
  async #try(request: ProbeRequest): Promise<ProbeResponse | undefined> {
    const key = JSON.stringify([request.method, request.url, request.body ?? '{}', request.headers ?? {}])
    if (this.#isOver || this.#tried.has(key)) return undefined
    this.#tried.add(key)
    const response = await this.#session.request(request)
    this.#responses.push(response)
    return hasTerms(response) ? response : undefined
  }

  async #tryTools(known?: ProbeRequest): Promise<ProbeResponse | undefined> {
    if (this.#isOver || (this.#isMcpTried && known?.tool === undefined)) return undefined
    this.#isMcpTried ||= known?.tool === undefined
    const response = await requestToolTerms(
      this.#session,
      known?.url ?? this.#endpoint,
      known?.tool === undefined ? undefined : known,
    )
    if (!response) return undefined
    this.#responses.push(response)
    return hasTerms(response) ? response : undefined
  }
}

/** A 422 to a POST says more than a 404 to a GET before. */
function informativeness(response: ProbeResponse): number {
  const { status } = response
  if (status === null) return 0
  if (status === 402) return 6
  if (isIncomplete(response)) return 5
  if (status === 401 || status === 403 || status === 429) return 4
  if (status === 404 || status === 405 || status === 501) return 1
  return isGatewayError(response) ? 2 : 3
}

// Requests the terms of a tool from an MCP server (streamable HTTP): the result of an unpaid call is an error with the terms as
// structured content or text; some servers return a JSON-RPC error with code 402.

const MAX_ARGUMENTS = 4_096

const looksLikeMcp = (url: string): boolean => /\/mcp\/?$/i.test(URL.parse(url)?.pathname ?? '')

function speaksMcp({ body, headers, status }: ProbeResponse): boolean {
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
    const found = message ? findToolTerms(message) : []
    const mpp = message ? readToolChallenges(message) : NO_CHALLENGES
    const isAsking = found.length > 0 || [mpp.payments, mpp.unread, mpp.others].some(each => each.length > 0)
    if (!this.last || !isAsking) return this.last
    const reading = readParts({ found, mpp })
    const request = { url: this.#url, method: 'POST' as const, tool: name, body }
    this.last = this.#session.noteTerms({ ...this.last, reading, declared, request })
    return this.last
  }
}
