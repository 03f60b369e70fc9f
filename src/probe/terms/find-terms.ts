/**
 * Looks for a response with terms as a customer would who read the documentation: the resource of an earlier probe, the endpoint by GET
 * and POST, the tools of an MCP server, then what the origin's documents list, with sample input where their schemas need it.
 */

import { sampleRequest } from '../../domain/samples/sample-request.ts'
import type { Resource } from '../../domain/standing/finding.ts'
import { isUnder, type Method } from '../documents/documented.ts'
import { Documents, orderNamed, toProbeRequests } from '../documents/documents.ts'
import { looksLikeMcp, requestToolTerms, speaksMcp } from '../mcp/mcp-terms.ts'
import {
  hasTerms,
  isFinal,
  isGatewayError,
  isIncomplete,
  type ProbeRequest,
  type ProbeResponse,
  toProbeRequest,
} from '../probe-response.ts'
import type { ProbeSession } from '../probe-session.ts'

export type FoundTerms = {
  /** The response with terms, else the most informative one without. */
  readonly response: ProbeResponse
  /** undefined if none was read. */
  readonly documents: Documents | undefined
}

export async function findTerms(
  session: ProbeSession,
  endpoint: string,
  known: Resource | undefined,
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

  async tryKnownResource(known: Resource | undefined): Promise<ProbeResponse | undefined> {
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
