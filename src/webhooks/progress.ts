// The progress of a webhook after a run, and when it is tried again. Pure functions.

import { toStoredReason, type WebhookProgress } from '../domain/webhooks.ts'
import { type Message, say } from '../messages/message.ts'
import type { Attempt } from './send.ts'

/** The result of one run. */
export type DeliveryRun = {
  readonly at: Date
  /** The last event that was examined. */
  readonly end: number
  /** Numbers of the matching events, ascending. */
  readonly wanted: readonly number[]
  /** Those that were delivered. */
  readonly delivered: readonly number[]
  readonly failure: Attempt | undefined
  /** Whether more events may be pending. */
  readonly hasMore: boolean
  /** Whether a message was slow; undefined if none was sent. */
  readonly wasSlow: boolean | undefined
  /** Why the receiver has to consent again, if so. */
  readonly unconfirmed: Message | undefined
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
export const DISABLED_AFTER_DAYS = 5
/** Required in addition to the days: a directory that was itself down for days has made fewer attempts. */
const MIN_FAILURES = 10
export const GONE = 410

export function toProgress(
  before: WebhookProgress,
  run: DeliveryRun,
  random: () => number = Math.random,
): WebhookProgress {
  const { at, wanted, delivered, failure } = run
  const done = new Set([...before.ahead, ...delivered])
  const first = wanted.find(number => !done.has(number))
  const cursor = first === undefined ? run.end : first - 1
  const hasMoved = cursor > before.cursor || delivered.length > 0
  const reached = {
    cursor,
    ahead: [...done].filter(number => number > cursor).sort((a, b) => a - b),
    lastDeliveredAt: delivered.length > 0 ? at.toISOString() : before.lastDeliveredAt,
    confirmedAt: before.confirmedAt,
    networks: before.networks,
    isSlow: run.wasSlow ?? before.isSlow,
  }
  if (run.unconfirmed !== undefined)
    return {
      ...{ ...reached, confirmedAt: null, dueAt: at },
      ...{ failures: 0, failingSince: null },
      ...toStoredReason(run.unconfirmed),
    }
  if (failure) return { ...reached, ...afterFailure(before, failure, delivered.length > 0, at, random) }
  const { failures, failingSince, reason, said } = before
  return {
    ...reached,
    ...(delivered.length > 0
      ? { failures: 0, failingSince: null, reason: null }
      : { failures, failingSince, reason, ...(said && { said }) }),
    dueAt: new Date(at.getTime() + (run.hasMore && hasMoved ? 0 : PACE_MS)),
  }
}

export const disable = (before: WebhookProgress, reason: Message): WebhookProgress => ({
  ...before,
  dueAt: null,
  ...toStoredReason(reason),
})

function afterFailure(
  before: WebhookProgress,
  { httpStatus, message, retryAfterMs }: Attempt,
  isFirst: boolean,
  at: Date,
  random: () => number,
): Pick<WebhookProgress, 'dueAt' | 'failures' | 'failingSince' | 'reason' | 'said'> {
  const failures = isFirst ? 1 : before.failures + 1
  const failingSince = toFailingSince(isFirst ? null : before.failingSince, at)
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
export function toFailingSince(before: string | null, at: Date): string {
  const now = at.toISOString()
  return before === null || before > now ? now : before
}

/** Adds up to a fifth, so that receivers at one address are not all retried at the same moment. */
export const addJitter = (ms: number, random: () => number): number => Math.round(ms * (1 + random() / 5))

export const toRetryAfterMs = (retryAfterMs: number | null): number =>
  Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS)
