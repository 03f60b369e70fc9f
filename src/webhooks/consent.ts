// How often a receiver is challenged, and what follows from its responses. Pure functions.

import { toConfirmed, toStoredReason, type WebhookProgress } from '../domain/webhooks.ts'
import { say } from '../messages/message.ts'
import { addJitter, disable, GONE, toFailingSince, toRetryAfterMs } from './progress.ts'
import type { Attempt, Postponed } from './send.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Pauses between challenges, three in all: the first may arrive before the receiver has the secret. */
export const CHALLENGE_BACK_OFF_MS = [MINUTE_MS, HOUR_MS]
/** The same for a receiver that got messages before, eight in all: its owner may have to notice first. */
export const RECONFIRM_BACK_OFF_MS = [MINUTE_MS, HOUR_MS, DAY_MS, DAY_MS, DAY_MS, DAY_MS, DAY_MS]
/** Retry delay while the host or address is busy. */
const POSTPONED_MS = 5_000
/** Jitter for webhooks that wait for the same budget, so that they do not all retry at once. */
const JITTER_MS = 10 * MINUTE_MS
/** A webhook whose challenge is postponed for longer is disabled. */
const MAX_POSTPONED_MS = 2 * DAY_MS

export function afterChallenge(
  before: WebhookProgress,
  attempt: Attempt & { readonly network?: string },
  at: Date,
  random: () => number = Math.random,
): WebhookProgress {
  const { delivered, network, httpStatus, message, retryAfterMs } = attempt
  if (delivered && network !== undefined) return toConfirmed(before, network, at)
  const failures = before.failures + 1
  const failed = { ...before, failures, failingSince: toFailingSince(before.failingSince, at) }
  if (httpStatus === GONE) return disable(failed, say('delivery_refused'))
  const backOffMs = (before.lastDeliveredAt === null ? CHALLENGE_BACK_OFF_MS : RECONFIRM_BACK_OFF_MS)[
    failures - 1
  ]
  if (backOffMs === undefined) return disable(failed, say('receiver_unconfirmed', { last: message }))
  const waitMs = Math.max(addJitter(backOffMs, random), toRetryAfterMs(retryAfterMs))
  return { ...failed, dueAt: new Date(at.getTime() + waitMs), ...toStoredReason(message) }
}

/** Nothing was sent, so it does not count as an attempt. */
export function afterPostponed(
  before: WebhookProgress,
  { said, until }: Postponed,
  at: Date,
  random: () => number = Math.random,
): WebhookProgress {
  const failingSince = toFailingSince(before.failingSince, at)
  const waiting = { ...before, failingSince }
  if (at.getTime() - Date.parse(failingSince) > MAX_POSTPONED_MS)
    return disable(waiting, say('receiver_unchallenged', { last: said }))
  const spentMs = until ? until.getTime() - at.getTime() + random() * JITTER_MS : 0
  const waitMs = Math.max(spentMs, addJitter(POSTPONED_MS, random))
  return { ...waiting, dueAt: new Date(at.getTime() + waitMs), ...toStoredReason(said) }
}
