// What the user is shown of an offer before it is signed, and why the user must approve it.
import { readMessageRecord } from '../domain/message-view.ts'
import type { OfferView } from '../domain/purchases/paid-calls.ts'
import type { Purchase } from '../domain/purchases/purchases.ts'
import { judgePayment, toPayment } from '../domain/resolve/judge-payment.ts'
import { type Message, say } from '../messages/message.ts'
import { tellInEnglish } from '../messages/tell-in-english.ts'
import type { Offer, Order } from './buyer.ts'
import type { Candidate } from './candidates.ts'
import { toSigned } from './quote.ts'

/**
 * Reasons to require the user's approval, whatever the price.
 * @param bought earlier purchases of the service, the newest first
 */
export function findDoubts(offer: Offer, called: Candidate, bought: readonly Purchase[]): Message[] {
  const { resolution, requirements } = offer
  const { verdict } = resolution
  const before = bought.find(({ state, chain }) => state !== 'released' && chain === requirements.chain)
  const isOther = before && before.payTo.toLowerCase() !== requirements.payTo.toLowerCase()
  return [
    ...(verdict === 'clear' ? [] : [say('asks_for_verdict', { verdict })]),
    ...(isOther ? [say('asks_for_payee', { before: before.payTo })] : []),
    ...moreThanListed(offer, called),
  ]
}

/** Another listing may represent the URL at a higher price; the caller has chosen by this one. */
const moreThanListed = ({ request: { url }, requirements }: Offer, listed: Candidate): Message[] => {
  const { amount, asset, chain: network } = requirements
  const payment = toPayment({ url, amount, asset, network }, undefined)
  return judgePayment(payment, listed).stop.filter(({ code }) => code === 'more_than_listed')
}

export const toOfferView = (
  offer: Offer,
  { request }: Order,
  {
    payer,
    doubts,
    asks,
    exceededCap,
  }: {
    readonly payer: string
    readonly doubts: readonly Message[]
    readonly asks: readonly Message[]
    readonly exceededCap: Message | undefined
  },
): OfferView => ({
  ...toSigned(offer),
  amount: offer.price,
  currency: offer.currency,
  usd: offer.usd,
  atomic: offer.requirements.amount,
  asset: offer.requirements.asset,
  chain: offer.requirements.chain,
  payTo: offer.requirements.payTo,
  payer,
  method: request.method,
  url: request.url,
  tool: request.tool?.name ?? null,
  host: new URL(request.url).host,
  verdict: offer.resolution.verdict,
  reasons: offer.resolution.reasons.map(each => tellInEnglish(readMessageRecord(each, each.text))),
  doubts: doubts.map(tellInEnglish),
  asks: asks.map(tellInEnglish),
  exceededCap: exceededCap ? tellInEnglish(exceededCap) : null,
})
