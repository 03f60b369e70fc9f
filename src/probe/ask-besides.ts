/**
 * What a customer may send to the same place besides what was asked: by the other method, or with the input that the terms declare.
 * Whoever is honest to one request alone is found by the others; one of them is asked in each probe.
 */

import { sampleRequest } from '../domain/sample-request.ts'
import type { Ask, Asked } from './asked.ts'
import type { Asking } from './asking.ts'
import type { Method } from './documented.ts'

/** An unpaid POST where only GET is known may start work at a merchant who forgot to ask for money: a few times a day. */
const POST_SHARE = 1 / 8

/**
 * @param again what was answered badly before: it is asked until it is mended
 * @param random from 0 to 1
 * @returns undefined where nothing is left to ask
 */
export async function askBesides(
  asking: Asking,
  asked: Asked,
  again: Ask | undefined,
  random: () => number,
): Promise<Asked | undefined> {
  if (asking.left === 0 || asked.ask.tool !== undefined) return undefined
  const ask = again ?? draw(furtherAsks(asked, random() < POST_SHARE), random())
  const isAsked = asking.requests.some(({ method, url }) => method === ask?.method && url === ask.url)
  if (!ask || (isAsked && ask.body === undefined && !again)) return undefined
  return asking.ask(ask, 'customer')
}

function furtherAsks({ ask, reading }: Asked, mayPost: boolean): Ask[] {
  const url = ask.place?.url ?? ask.url
  if (ask.method === 'GET' && mayPost) return [{ url, method: 'POST' }]
  const { method = ask.method, input } = reading?.readable ? reading.described : {}
  const own: { url: string; method: Method } = { url, method: ask.method }
  const sample: Ask = { ...own, ...sampleRequest({ ...own, input }) }
  const isOther = sample.url !== ask.url || (sample.body ?? '{}') !== (ask.body ?? '{}')
  return [
    ...(input && method === ask.method && isOther ? [sample] : []),
    ...(ask.method === 'POST' ? [{ url, method: 'GET' as const }] : []),
  ]
}

const draw = (asks: readonly Ask[], chance: number): Ask | undefined =>
  asks[Math.min(Math.floor(chance * asks.length), asks.length - 1)]
