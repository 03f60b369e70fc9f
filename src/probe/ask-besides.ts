/**
 * What a customer of the listing may send besides what was asked: the listed URL by GET and by POST, whatever is known below it or as a
 * tool; and the very request that the directory's own text says, with its values and with others. Whoever is honest to one request alone
 * is found by the others; one of them is drawn in each probe.
 */

import { type CallRequest, toCallRequest } from '../domain/call/request.ts'
import type { ResourceTerms } from '../domain/terms.ts'
import { type Ask, type Asked, toAsk } from './asked.ts'
import type { Asking } from './asking.ts'
import { isTemplate, isUnder } from './documented.ts'
import { askTools, callTool } from './mcp-terms.ts'

/** An unpaid POST where only GET is known may start work at a merchant who forgot to ask for money: a few times a day. */
const POST_SHARE = 1 / 4
/** A tool in a session of its own. */
const TOOL_COST = 3

export type Further = {
  /** What was found by documents or by its own answer to ask with. */
  readonly known: readonly Ask[]
  /** By a method that nothing says it takes. */
  readonly posts: readonly Ask[]
}

/**
 * @param told the resource as the directory's own text calls it
 * @param random from 0 to 1, for the values that are drawn
 */
export function furtherAsks(
  asking: Pick<Asking, 'requests'>,
  { ask }: Asked,
  { endpoint, told }: { readonly endpoint: string; readonly told: ResourceTerms | undefined },
  random: () => number,
): Further {
  const isNew = (other: Ask) =>
    keyOf(other) !== keyOf(ask) && !(isBare(other) && isAmong(asking.requests, other))
  const places = new Set([ask.place?.url ?? ask.url, endpoint].filter(url => !isTemplate(url)))
  const bare = (method: 'GET' | 'POST') => [...places].map(url => ({ url, method }))
  const isKnownForPost = ask.method === 'POST'
  return {
    known: [
      ...(told ? toCalls(told, endpoint, random) : []),
      ...(isKnownForPost ? bare('POST') : []),
      ...bare('GET'),
    ].filter(isNew),
    posts: isKnownForPost ? [] : bare('POST').filter(isNew),
  }
}

/**
 * @param isFirst of a new listing: what is known to be sent comes before what nothing says it takes
 * @returns undefined where nothing is left to ask, or nothing to ask with
 */
export async function askBesides(
  asking: Asking,
  { known, posts }: Further,
  { isFirst, random }: { readonly isFirst: boolean; readonly random: () => number },
): Promise<Asked | undefined> {
  const isPost = random() < POST_SHARE && posts.length > 0 && !(isFirst && known.length > 0)
  const ask = draw(isPost ? posts : known, random())
  if (!ask || asking.left === 0) return undefined
  // Each of its addresses may answer otherwise.
  asking.spread = { chance: random() }
  return askCustomer(asking, ask)
}

/** What was answered badly before: it is asked until it is mended. */
export function askOnce(asking: Asking, ask: Ask): Promise<Asked | undefined> {
  return askCustomer(asking, toAsk(ask))
}

function askCustomer(asking: Asking, ask: Ask): Promise<Asked | undefined> {
  if (ask.tool === undefined) return asking.ask(ask, 'customer')
  return asking.left < TOOL_COST
    ? callTool(asking, ask, 'customer')
    : askTools(asking, ask.url, ask, 'customer')
}

/** As it is told, and with other values. */
function toCalls(told: ResourceTerms, endpoint: string, random: () => number): Ask[] {
  const { routeTemplate } = told
  const url = routeTemplate ? `${new URL(told.url).origin}${routeTemplate}` : told.url
  const calls = [toCallRequest({ ...told, url }, random), toCallRequest(told)]
  return calls.flatMap(call => toAsks(call, told)).filter(ask => isUnder(ask.url, endpoint))
}

function toAsks({ method, url, headers, body, tool }: CallRequest, told: ResourceTerms): Ask[] {
  if (tool) return [{ url, method: 'POST', tool: tool.name, body: JSON.stringify(tool.arguments) }]
  if (method !== 'GET' && method !== 'POST') return []
  const { routeTemplate } = told
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
      ...(url !== told.url && { place: { url: told.url, ...(routeTemplate && { routeTemplate }) } }),
    },
  ]
}

const isBare = ({ body, headers, tool }: Ask): boolean =>
  tool === undefined && headers === undefined && (body ?? '{}') === '{}'

const isAmong = (requests: Asking['requests'], ask: Ask): boolean =>
  requests.some(({ method, url }) => method === ask.method && url === ask.url)

/** The same bytes, whatever they were made from. */
const keyOf = ({ method, url, body = '{}', headers = {}, tool = '' }: Ask): string =>
  JSON.stringify([method, url, method === 'GET' ? '' : body, headers, tool])

const draw = (asks: readonly Ask[], chance: number): Ask | undefined =>
  asks[Math.min(Math.floor(chance * asks.length), asks.length - 1)]
