/**
 * Requests that a customer of the listing may send instead of the main one: the listed URL by GET and POST, known
 * resources and tools below it, and the request that the directory itself shows, with its own values and with others.
 * Each probe draws one, so that a provider who is honest to a single request is found out.
 */

import { type CallRequest, toCallRequest } from '../domain/call/request.ts'
import type { ResourceTerms } from '../domain/terms/terms.ts'
import { isTemplate, isUnder } from './documents/documented.ts'
import { callTool, requestToolTerms } from './mcp/mcp-terms.ts'
import { type ProbeRequest, type ProbeResponse, toProbeRequest } from './probe-response.ts'
import type { ProbeSession } from './probe-session.ts'

/** An unpaid POST to a resource known for GET may start work if the provider forgot the payment check: a few per day at most. */
const POST_SHARE = 1 / 4
/** A tool call needs a session: three requests. */
const TOOL_COST = 3

export type FurtherRequests = {
  /** Known from documents or from the resource's own response. */
  readonly known: readonly ProbeRequest[]
  /** By a method that nothing declares. */
  readonly posts: readonly ProbeRequest[]
}

/** @param shownTerms the resource as the directory shows it @param random from 0 to 1, for the sample values */
export function toFurtherRequests(
  session: Pick<ProbeSession, 'requests'>,
  { request }: ProbeResponse,
  { endpoint, shownTerms }: { readonly endpoint: string; readonly shownTerms: ResourceTerms | undefined },
  random: () => number,
): FurtherRequests {
  const isNew = (other: ProbeRequest) =>
    bytesKey(other) !== bytesKey(request) && !(isBare(other) && isSent(session.requests, other))
  const places = new Set([request.place?.url ?? request.url, endpoint].filter(url => !isTemplate(url)))
  const bare = (method: 'GET' | 'POST') => [...places].map(url => ({ url, method }))
  const isKnownForPost = request.method === 'POST'
  return {
    known: [
      ...(shownTerms ? toCalls(shownTerms, endpoint, random) : []),
      ...(isKnownForPost ? bare('POST') : []),
      ...bare('GET'),
    ].filter(isNew),
    posts: isKnownForPost ? [] : bare('POST').filter(isNew),
  }
}

/**
 * @param isFirst prefers declared requests for a new listing
 * @returns undefined if there is nothing to send, or no request left
 */
export async function sendFurtherRequest(
  session: ProbeSession,
  { known, posts }: FurtherRequests,
  { isFirst, random }: { readonly isFirst: boolean; readonly random: () => number },
): Promise<ProbeResponse | undefined> {
  const isPost = random() < POST_SHARE && posts.length > 0 && !(isFirst && known.length > 0)
  const request = draw(isPost ? posts : known, random())
  if (!request || session.requestsLeft === 0) return undefined
  // Each address of the host may respond differently.
  session.spread = { chance: random() }
  return sendRequest(session, request)
}

/** Repeats a request that an earlier probe found harmful or inconclusive, until it is fixed. */
export function repeatRequest(
  session: ProbeSession,
  request: ProbeRequest,
): Promise<ProbeResponse | undefined> {
  return sendRequest(session, toProbeRequest(request))
}

function sendRequest(session: ProbeSession, request: ProbeRequest): Promise<ProbeResponse | undefined> {
  if (request.tool === undefined) return session.request(request)
  return session.requestsLeft < TOOL_COST
    ? callTool(session, request)
    : requestToolTerms(session, request.url, request)
}

/** With the shown values, and with others. */
function toCalls(shownTerms: ResourceTerms, endpoint: string, random: () => number): ProbeRequest[] {
  const { routeTemplate } = shownTerms
  const url = routeTemplate ? `${new URL(shownTerms.url).origin}${routeTemplate}` : shownTerms.url
  const calls = [toCallRequest({ ...shownTerms, url }, random), toCallRequest(shownTerms)]
  return calls
    .flatMap(call => toProbeRequests(call, shownTerms))
    .filter(request => isUnder(request.url, endpoint))
}

function toProbeRequests(
  { method, url, headers, body, tool }: CallRequest,
  shownTerms: ResourceTerms,
): ProbeRequest[] {
  if (tool) return [{ url, method: 'POST', tool: tool.name, body: JSON.stringify(tool.arguments) }]
  if (method !== 'GET' && method !== 'POST') return []
  const { routeTemplate } = shownTerms
  const named = Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]))
  return [
    {
      url,
      method,
      ...(body && {
        body: body.kind === 'json' ? JSON.stringify(body.value) : body.value,
        contentType: body.contentType,
      }),
      ...(headers.length > 0 && { headers: named }),
      ...(url !== shownTerms.url && {
        place: { url: shownTerms.url, ...(routeTemplate && { routeTemplate }) },
      }),
    },
  ]
}

const isBare = ({ body, headers, tool }: ProbeRequest): boolean =>
  tool === undefined && headers === undefined && (body ?? '{}') === '{}'

const isSent = (requests: ProbeSession['requests'], request: ProbeRequest): boolean =>
  requests.some(({ method, url }) => method === request.method && url === request.url)

/** Equal for requests that send the same bytes. */
const bytesKey = ({ method, url, body = '{}', headers = {}, tool = '' }: ProbeRequest): string =>
  JSON.stringify([method, url, method === 'GET' ? '' : body, headers, tool])

const draw = (requests: readonly ProbeRequest[], chance: number): ProbeRequest | undefined =>
  requests[Math.min(Math.floor(chance * requests.length), requests.length - 1)]
