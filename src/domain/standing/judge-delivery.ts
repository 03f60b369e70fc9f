// The standing of an entry after its purchases, and the events about them; pure.
import { type Message, say } from '../../messages/message.ts'
import type { ServiceEvent } from '../events.ts'
import { type Entry, laterOf } from '../listing/service.ts'
import type { Purchase } from '../purchases/purchases.ts'
import {
  type Delivery,
  deliveryShare,
  isFailing,
  isFailure,
  MAX_COUNTED_PURCHASES,
  toDelivery,
} from './delivery.ts'
import { toEvidence, toEvidenceSource } from './delivery-evidence.ts'
import { TRUST_POINTS } from './trust.ts'

export type DeliveryJudgement = {
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
  const counted = toEvidence(entry, finished, toEvidenceSource(entry))
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
  const { id, at, outcome, amount, charged, transaction } = purchase
  return {
    type: 'purchase',
    at,
    reason: toReason(purchase),
    before: null,
    after: { id, outcome, amount, charged, transaction: charged === null ? null : transaction },
  }
}

const toStatusEvent = ({ failedInARow }: Delivery, newest: Purchase, now: Date): ServiceEvent => ({
  type: 'status',
  at: now.toISOString(),
  reason: say('not_delivering', { count: failedInARow, seen: [toReason(newest)] }),
  before: 'verified',
  after: 'unverified',
})
