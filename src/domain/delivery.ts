// What purchases have shown about whether a service delivers: pure. One failure is told; two in a row take away what was proved.
import { type Message, say } from '../messages/message.ts'
import type { Purchase, PurchaseOutcome } from './purchases.ts'
import { surelyAtLeast } from './wilson.ts'

/** Carried by the entry, so that whoever judges it has it at hand. */
export type Delivery = {
  /** Purchases that were judged, the newest of them; those that delivered where our own node saw the payment. */
  readonly purchases: number
  /** Of these, those that delivered. */
  readonly delivered: number
  /** How many of the newest did not. */
  readonly failedInARow: number
  /** null where none counts. */
  readonly last: { readonly id: string; readonly at: string; readonly outcome: PurchaseOutcome } | null
  /** Those of the newest that were told as events: each is told once. */
  readonly told: readonly string[]
}

/** More are not looked at: what a service did long ago says little about now. */
export const MAX_COUNTED = 20
const COUNTED_MS = 180 * 24 * 3_600_000
/** So many failures in a row are no accident. */
const FAILURES_TO_UNVERIFY = 2

/** Answers of a service that was asked for something it does not have. */
const NOT_FOUND = [400, 404, 409, 410, 422]

/** Returns whether the request was made up here, and the service only says that it fits nothing: that is no fault of the service. */
export const isExcused = ({ outcome, detail }: Pick<Purchase, 'outcome' | 'detail'>): boolean =>
  outcome === 'refused_after_payment' &&
  detail.isMadeUp === true &&
  detail.answer?.second == null &&
  // The result of a tool has no status: that it failed may be the fault of the arguments.
  (detail.answer?.isError === true || NOT_FOUND.includes(detail.answer?.status ?? 0))

/** Where nothing was taken nothing was owed: it also happens where our own wallet is empty, or a facilitator is away. */
const isJudged = (purchase: Purchase): boolean =>
  purchase.outcome !== null && purchase.outcome !== 'not_settled' && !isExcused(purchase)

/** Returns whether it was paid for and not delivered. */
export const isFailure = (purchase: Purchase): boolean =>
  isJudged(purchase) && purchase.outcome !== 'delivered'

/** That it was paid is no fact while only the seller says so: it could give answers away, and claim any payment for them. */
const isProved = ({ outcome, charged }: Purchase): boolean => outcome !== 'delivered' || charged !== null

/** @param purchases that count for the service, newest first */
export function toDelivery(purchases: readonly Purchase[], told: readonly string[], now: Date): Delivery {
  const since = new Date(now.getTime() - COUNTED_MS).toISOString()
  const judged = purchases.filter(purchase => isJudged(purchase) && purchase.at > since).slice(0, MAX_COUNTED)
  const counted = judged.filter(isProved)
  const [last] = judged
  const firstGood = judged.findIndex(({ outcome }) => outcome === 'delivered')
  return {
    purchases: counted.length,
    delivered: counted.filter(({ outcome }) => outcome === 'delivered').length,
    failedInARow: firstGood < 0 ? judged.length : firstGood,
    last: last ? { id: last.id, at: last.at, outcome: last.outcome! } : null,
    told,
  }
}

export const isFailing = (delivery: Delivery | undefined): boolean =>
  delivery !== undefined && delivery.failedInARow >= FAILURES_TO_UNVERIFY

/** The part of the points for delivery, from 0 to 1. */
export const deliveryShare = (delivery: Delivery | undefined): number =>
  delivery === undefined || isFailing(delivery) ? 0 : surelyAtLeast(delivery.delivered, delivery.purchases)

export function deliveryReason(delivery: Delivery | undefined): Message {
  if (!delivery?.last) return say('never_bought')
  if (delivery.purchases === 0) return say('payments_unseen')
  const { delivered, purchases, failedInARow } = delivery
  return say('delivery', { delivered, purchases, failedInARow })
}
