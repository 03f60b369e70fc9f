// Whether a service delivers, as its purchases show; pure. One failure is reported; two in a row end the verification.

import { type Message, say } from '../../messages/message.ts'
import type { Purchase, PurchaseOutcome } from '../purchases/purchases.ts'
import { DAY_MS } from '../time.ts'

/** Stored with the entry, so that every judgement of the entry can read it. */
export type Delivery = {
  /** The newest purchases that were judged; a delivery counts only where our own node saw the payment. */
  readonly purchases: number
  /** Those that delivered. */
  readonly delivered: number
  /** The number of newest purchases in a row that did not deliver. */
  readonly failedInARow: number
  /** When the newest purchase that delivered was made; absent if none did. */
  readonly deliveredAt?: string
  /** null if no purchase counts. */
  readonly last: { readonly id: string; readonly at: string; readonly outcome: PurchaseOutcome } | null
  /** Ids of the newest purchases that were published as events, so that none is published twice. Stored entries have this name. */
  readonly told: readonly string[]
}

export type DeliveryCount = Pick<Delivery, 'purchases' | 'delivered' | 'failedInARow'>

/** Older purchases are not considered: they say little about the present. */
export const MAX_COUNTED_PURCHASES = 20
const COUNTED_MS = 180 * DAY_MS
/** This many failures in a row are no accident. */
const FAILURES_TO_UNVERIFY = 2

/** Statuses of a service that does not have what was requested. */
const NOT_FOUND = [400, 404, 409, 410, 422]

/** Returns whether the request was made up here and the service only responds that nothing matches: not a fault of the service. */
export const isExcused = ({ outcome, detail }: Pick<Purchase, 'outcome' | 'detail'>): boolean =>
  outcome === 'refused_after_payment' &&
  detail.isMadeUp === true &&
  detail.answer?.second == null &&
  // The result of a tool has no status: the failure may be the fault of the arguments.
  (detail.answer?.isError === true || NOT_FOUND.includes(detail.answer?.status ?? 0))

/**
 * Where nothing was taken, nothing was owed: that also happens when our own wallet is empty or a facilitator is unavailable. What payers
 * report is not judged: a payment costs little.
 */
const isJudged = (purchase: Purchase): boolean =>
  purchase.source === 'operator' &&
  purchase.outcome !== null &&
  purchase.outcome !== 'not_settled' &&
  !isExcused(purchase)

/** Returns whether the purchase was paid and not delivered. */
export const isFailure = (purchase: Purchase): boolean =>
  isJudged(purchase) && purchase.outcome !== 'delivered'

/** A payment that only the seller reports is not proved: it could give responses away and claim any payment for them. */
const isPaymentSeen = ({ outcome, charged }: Purchase): boolean => outcome !== 'delivered' || charged !== null

/** Returns whether the outcome counts, for as long as the purchase is among the newest. */
export const hasCountedOutcome = (purchase: Purchase): boolean =>
  isJudged(purchase) && isPaymentSeen(purchase)

/** @param purchases that count for the service, newest first */
export function toDelivery(
  purchases: readonly Purchase[],
  published: readonly string[],
  now: Date,
): Delivery {
  const since = new Date(now.getTime() - COUNTED_MS).toISOString()
  const judged = purchases
    .filter(purchase => isJudged(purchase) && purchase.at > since)
    .slice(0, MAX_COUNTED_PURCHASES)
  const counted = judged.filter(isPaymentSeen)
  const [last] = judged
  const delivered = counted.filter(({ outcome }) => outcome === 'delivered')
  const firstGood = judged.findIndex(({ outcome }) => outcome === 'delivered')
  return {
    purchases: counted.length,
    delivered: delivered.length,
    ...(delivered[0] && { deliveredAt: delivered[0].at }),
    failedInARow: firstGood < 0 ? judged.length : firstGood,
    last: last ? { id: last.id, at: last.at, outcome: last.outcome! } : null,
    told: published,
  }
}

export const isFailing = (delivery: Pick<Delivery, 'failedInARow'> | undefined): boolean =>
  delivery !== undefined && delivery.failedInARow >= FAILURES_TO_UNVERIFY

/** A service that delivers less often than this, or did not at last, is warned of. */
const GOOD_SHARE = 0.8

export const isPoor = ({ purchases, delivered, failedInARow }: DeliveryCount): boolean =>
  failedInARow > 0 || delivered < GOOD_SHARE * purchases

/** Most purchases were paid for nothing: in search it counts as unproved and unverified, whatever its probes and payers say. */
export const isMostlyUndelivered = (delivery: DeliveryCount | undefined): boolean =>
  delivery !== undefined && 2 * delivery.delivered < delivery.purchases

/** The share of the points for delivery, from 0 to 1: what mostly takes money for nothing gains none over what was never bought. */
export const deliveryShare = (delivery: Delivery | undefined): number =>
  delivery === undefined || isFailing(delivery) || isMostlyUndelivered(delivery)
    ? 0
    : wilsonLowerBound(delivery.delivered, delivery.purchases)

export function deliveryReason(delivery: Delivery | undefined): Message {
  if (!delivery?.last) return say('never_bought')
  if (delivery.purchases === 0) return say('payments_unseen')
  const { delivered, purchases, failedInARow } = delivery
  return say('delivery', { delivered, purchases, failedInARow })
}

// A share that is reliable for the number of samples.

/**
 * The lower bound of Wilson's 95 % interval for a share: low for a few samples, near the observed share for many. It rises with every
 * good sample and falls with every other one.
 */
export function wilsonLowerBound(good: number, all: number): number {
  if (all === 0 || good === 0) return 0
  const z2 = 1.96 ** 2
  const share = good / all
  const spread = Math.sqrt((share * (1 - share) + z2 / (4 * all)) / all)
  return (share + z2 / (2 * all) - 1.96 * spread) / (1 + z2 / all)
}
