// What follows from a delivery or a challenge: the new cursor, and when it is tried again. Pure functions.
import { toConfirmed, toStoredReason, type WebhookProgress } from '../domain/webhooks.ts'
import { type Message, say } from '../messages/message.ts'
import type { Attempt, Postponed } from './send.ts'

/** The result of one run. */
export type DeliveryRun = {
  readonly at: Date
  /** The last event that was delivered or does not match. */
  readonly cursor: number
  /** Number of messages that were delivered. */
  readonly delivered: number
  /** Whether more events may be pending. */
  readonly hasMore: boolean
  readonly failure: Attempt | undefined
}

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Minimum delay before a webhook without pending events is claimed again. */
export const PACE_MS = SECOND_MS
/** Delays after the first failure, the second and so on; the last one repeats. */
export const BACK_OFF_MS = [
  ...[5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS],
  ...[HOUR_MS, 2 * HOUR_MS, 4 * HOUR_MS, 6 * HOUR_MS],
]
const MAX_RETRY_AFTER_MS = DAY_MS
const DISABLED_AFTER_DAYS = 5
/** Required in addition to the days: a directory that was itself down for days has made fewer attempts. */
const MIN_FAILURES = 10
const GONE = 410

export function toProgress(
  before: WebhookProgress,
  { at, cursor, delivered, hasMore, failure }: DeliveryRun,
  random: () => number = Math.random,
): WebhookProgress {
  const isReached = delivered > 0
  const reached = {
    ...before,
    cursor,
    ...(isReached && { lastDeliveredAt: at.toISOString(), failures: 0, failingSince: null, reason: null }),
  }
  if (failure) return { ...reached, ...afterFailure(reached, failure, at, random) }
  const hasMoved = cursor > before.cursor
  return { ...reached, dueAt: new Date(at.getTime() + (hasMore && hasMoved ? 0 : PACE_MS)) }
}

export const disable = (before: WebhookProgress, reason: Message): WebhookProgress => ({
  ...before,
  dueAt: null,
  ...toStoredReason(reason),
})

function afterFailure(
  before: WebhookProgress,
  { httpStatus, message, retryAfterMs }: Attempt,
  at: Date,
  random: () => number,
): Pick<WebhookProgress, 'dueAt' | 'failures' | 'failingSince' | 'reason' | 'said'> {
  const failures = before.failures + 1
  const failingSince = toFailingSince(before.failingSince, at)
  const failed = { failures, failingSince }
  if (httpStatus === GONE) return { ...failed, dueAt: null, ...toStoredReason(say('delivery_refused')) }
  const days = (at.getTime() - Date.parse(failingSince)) / DAY_MS
  if (days >= DISABLED_AFTER_DAYS && failures >= MIN_FAILURES) {
    const reason = say('nothing_delivered', { days: Math.floor(days), last: message })
    return { ...failed, dueAt: null, ...toStoredReason(reason) }
  }
  const backOffMs = BACK_OFF_MS[Math.min(failures, BACK_OFF_MS.length) - 1]!
  const waitMs = Math.max(addJitter(backOffMs, random), toRetryAfterMs(retryAfterMs))
  return { ...failed, dueAt: new Date(at.getTime() + waitMs), ...toStoredReason(message) }
}

/** Not later than now: a time from a clock that was ahead would keep a dead receiver enabled for too long. */
function toFailingSince(before: string | null, at: Date): string {
  const now = at.toISOString()
  return before === null || before > now ? now : before
}

/** Adds up to a fifth, so that receivers at one address are not all retried at the same moment. */
const addJitter = (ms: number, random: () => number): number => Math.round(ms * (1 + random() / 5))

const toRetryAfterMs = (retryAfterMs: number | null): number =>
  Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS)

/** Retry delay while the host or address is busy. */
const POSTPONED_MS = 5_000
/** Jitter for webhooks that wait for the same budget, so that they do not all retry at once. */
const JITTER_MS = 10 * MINUTE_MS

/** A receiver gets one challenge: it may belong to somebody who wants none of this. */
export function afterChallenge(before: WebhookProgress, attempt: Attempt, at: Date): WebhookProgress {
  if (attempt.delivered) return toConfirmed(before, at)
  const failures = before.failures + 1
  const failed = { ...before, failures, failingSince: toFailingSince(before.failingSince, at) }
  return disable(failed, say('receiver_unconfirmed', { last: attempt.message }))
}

/** Nothing was sent, so it does not count as an attempt. */
export function afterPostponed(
  before: WebhookProgress,
  { said, until }: Postponed,
  at: Date,
  random: () => number = Math.random,
): WebhookProgress {
  const spentMs = until ? until.getTime() - at.getTime() + random() * JITTER_MS : 0
  const waitMs = Math.max(spentMs, addJitter(POSTPONED_MS, random))
  const failingSince = toFailingSince(before.failingSince, at)
  return { ...before, failingSince, dueAt: new Date(at.getTime() + waitMs), ...toStoredReason(said) }
}
