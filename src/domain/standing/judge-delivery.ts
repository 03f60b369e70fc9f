// Purchases as evidence: for which listings one counts, and what it changes in status and trust.

import { type Message, say } from '../../messages/message.ts'
import { sameAddress } from '../chains/addresses.ts'
import { chainKey } from '../chains/chains.ts'
import type { ServiceEvent } from '../feed.ts'
import { placeOf } from '../hosts/endpoint.ts'
import { type Entry, laterOf } from '../listing/service.ts'
import { type Purchase, payeeOf } from '../purchases/purchases.ts'
import {
  type Delivery,
  deliveryShare,
  isFailing,
  isFailure,
  MAX_COUNTED_PURCHASES,
  toDelivery,
} from './delivery.ts'
import { TRUST_POINTS } from './trust.ts'

type AttributedPayment = { readonly chain: string; readonly payee: string; readonly at: string }

/** A payment to another address, or from before the service moved to its present endpoint, wallet and network, no longer belongs to it. */
export function isOwnPayment(
  { x402Config, movedAt }: Entry,
  { chain, payee, at }: AttributedPayment,
): boolean {
  if (movedAt === undefined) return true
  const isHere =
    chainKey(x402Config.network) === chain && sameAddress(x402Config.paymentAddress, payee, chain)
  return isHere && at >= movedAt
}

// Which purchases count for or against a listing; pure. A delivery counts only for the listing through which it was bought, so that no
// other listing can borrow it. A failed delivery counts for every listing of the same URL and payee, also after the listing of the
// purchase is gone. The URL is compared as it is listed: a stranger can list the URL of a seller with a query, or in a spelling, that its
// server does not answer.

/** How many of the newest purchases are read; some of them have no outcome yet, or do not count. */
export const MAX_EVIDENCE = 2 * MAX_COUNTED_PURCHASES

/** Where to look for purchases. */
export type EvidenceSource = {
  readonly serviceId: string
  readonly payee: string
  readonly place: string
}

type Listed = Pick<Entry, 'id' | 'endpoint' | 'x402Config'>

export const toEvidenceSource = ({ id, endpoint, x402Config }: Listed): EvidenceSource => ({
  serviceId: id,
  payee: payeeOf(x402Config.paymentAddress, x402Config.network),
  place: placeOf(endpoint),
})

/** Whether it was bought at the listed URL, and paid to the listed payee. */
function isSold({ endpoint, x402Config }: Listed, { detail, payTo, chain }: Purchase): boolean {
  const hrefOf = (url: string) => URL.parse(url)?.href
  return (
    hrefOf(detail.endpoint ?? detail.url) === hrefOf(endpoint) &&
    payeeOf(payTo, chain) === payeeOf(x402Config.paymentAddress, x402Config.network)
  )
}

export const isAgainst = (listed: Listed, purchase: Purchase): boolean =>
  isFailure(purchase) && isSold(listed, purchase)

/**
 * A delivery of the same URL through another listing ends a run of failures there, and earns no points.
 * @param purchases of the source, newest first
 */
export function toEvidence(entry: Entry, purchases: readonly Purchase[]): Purchase[] {
  const { id, movedAt = '' } = entry
  const oldestAgainst = purchases.findLast(purchase => isAgainst(entry, purchase))?.id ?? '~'
  return purchases.flatMap(purchase => {
    const isOwn = purchase.serviceId === id && purchase.at >= movedAt
    if (isOwn || isAgainst(entry, purchase)) return [purchase]
    const isReset = purchase.outcome === 'delivered' && purchase.id > oldestAgainst && isSold(entry, purchase)
    return isReset ? [{ ...purchase, charged: null }] : []
  })
}

/**
 * Purchases of an entry may have been made before it was listed, or through another listing.
 * @param at of the judgement
 */
export function withDelivery(entry: Entry, purchases: readonly Purchase[], at: string): Entry {
  const evidence = toEvidence(
    entry,
    purchases.filter(({ outcome }) => outcome !== null),
  )
  if (entry.sample || evidence.length === 0) return entry
  return { ...entry, delivery: toDelivery(evidence, entry.delivery?.told ?? [], new Date(at)) }
}

// The standing of an entry after its purchases, and the events about them; pure.

type DeliveryJudgement = {
  readonly entry: Entry
  readonly events: readonly ServiceEvent[]
  readonly extraProbeAt?: Date
}

/**
 * @param purchases of the service and of its place, newest first
 * @returns undefined if all its own purchases were published before, and the others change nothing
 */
export function judgeDelivery(
  entry: Entry,
  purchases: readonly Purchase[],
  now: Date,
): DeliveryJudgement | undefined {
  if (entry.sample) return undefined
  const finished = purchases.filter(({ outcome }) => outcome !== null)
  const counted = toEvidence(entry, finished)
  const own = counted.filter(({ serviceId }) => serviceId === entry.id).slice(0, MAX_COUNTED_PURCHASES)
  const unpublished = own.filter(({ id }) => !entry.delivery?.told.includes(id))
  const delivery = toDelivery(
    counted,
    own.map(({ id }) => id),
    now,
  )
  if (unpublished.length === 0 && !isNews(entry.delivery, delivery)) return undefined
  const { status, trustScore } = entry.standing
  const isLost = status === 'verified' && isFailing(delivery)
  const gained = pointsOf(delivery) - pointsOf(entry.delivery) - (isLost ? TRUST_POINTS.verification : 0)
  const standing = {
    ...entry.standing,
    status: isLost ? ('unverified' as const) : status,
    trustScore: Math.min(100, Math.max(0, trustScore + gained)),
  }
  const isChanged = standing.status !== status || standing.trustScore !== trustScore
  const isBack = isFailing(entry.delivery) && !isFailing(delivery) && entry.retired === null
  return {
    entry: {
      ...entry,
      delivery,
      standing,
      updatedAt: isChanged ? laterOf(entry.updatedAt, now) : entry.updatedAt,
    },
    events: [
      ...unpublished.toReversed().map(toEvent),
      ...(isLost ? [toStatusEvent(delivery, counted.find(isFailure)!, now)] : []),
    ],
    // A service that delivers again is probed at once, and may then be verified.
    ...(isBack && { extraProbeAt: now }),
  }
}

/** Returns whether the newest purchase, or the number of failures in a row, has changed. */
const isNews = (before: Delivery | undefined, { last, failedInARow }: Delivery): boolean =>
  last !== null && (before?.last?.id !== last.id || before.failedInARow !== failedInARow)

const pointsOf = (delivery: Delivery | undefined): number =>
  Math.round(TRUST_POINTS.delivery * deliveryShare(delivery))

/** The reason of the event of one purchase. @param purchase with a known outcome */
const toReason = ({ outcome, detail }: Purchase): Message =>
  say('bought', {
    outcome: outcome!,
    price: `${detail.price} ${detail.currency}`,
    reasons: detail.reasons,
  })

const toEvent = (purchase: Purchase): ServiceEvent => {
  const { id, at, source, outcome, amount, charged, transaction } = purchase
  return {
    type: 'purchase',
    at,
    reason: toReason(purchase),
    before: null,
    after: { id, source, outcome, amount, charged, transaction: charged === null ? null : transaction },
  }
}

const toStatusEvent = ({ failedInARow }: Delivery, newest: Purchase, now: Date): ServiceEvent => ({
  type: 'status',
  at: now.toISOString(),
  reason: say('not_delivering', { count: failedInARow, seen: [toReason(newest)] }),
  before: 'verified',
  after: 'unverified',
})
