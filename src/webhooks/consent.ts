// How often a receiver is asked whether it agrees, and what follows from its answers: pure.

import { toConfirmed, type WebhookProgress } from '../domain/webhooks.ts'
import { tellInEnglish } from '../messages/tell-in-english.ts'
import { disabled, GONE, spread, toAskedMs, toFailingSince } from './progress.ts'
import type { Attempt, Postponed } from './send.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Between the challenges, three in all: the first may come before its receiver was told the secret. */
export const CHALLENGE_BACK_OFF_MS = [MINUTE_MS, HOUR_MS]
/** Of a receiver that has got messages before, eight in all: its owner may have to learn of it first. */
export const KNOWN_BACK_OFF_MS = [MINUTE_MS, HOUR_MS, DAY_MS, DAY_MS, DAY_MS, DAY_MS, DAY_MS]
/** Where others keep a place busy. */
const POSTPONED_MS = 5_000
/** Those who wait for the same budget come back in any order within this time, and not all at once. */
const SPREAD_MS = 10 * MINUTE_MS
/** Whoever cannot be asked for so long is not asked any more. */
const MAX_POSTPONED_MS = 2 * DAY_MS

const HOW_TO_GO_ON = 'Answer challenges with their value, then send a test delivery.'

export function afterChallenge(
  before: WebhookProgress,
  attempt: Attempt & { readonly network?: string },
  at: Date,
  random: () => number = Math.random,
): WebhookProgress {
  const { delivered, network, httpStatus, said, retryAfterMs } = attempt
  if (delivered && network !== undefined) return toConfirmed(before, network, at)
  const failures = before.failures + 1
  const failed = { ...before, failures, failingSince: toFailingSince(before.failingSince, at) }
  if (httpStatus === GONE) return disabled(failed, 'It answered with 410: it wants no messages.')
  const sentence = tellInEnglish(said)
  const backOffMs = (before.lastDeliveredAt === null ? CHALLENGE_BACK_OFF_MS : KNOWN_BACK_OFF_MS)[
    failures - 1
  ]
  if (backOffMs === undefined)
    return disabled(failed, `Its receiver has not agreed. ${sentence} ${HOW_TO_GO_ON}`)
  const waitMs = Math.max(spread(backOffMs, random), toAskedMs(retryAfterMs))
  return { ...failed, dueAt: new Date(at.getTime() + waitMs), reason: sentence }
}

/** Nothing was sent, so it counts as no attempt. */
export function afterPostponed(
  before: WebhookProgress,
  { message, until }: Postponed,
  at: Date,
  random: () => number = Math.random,
): WebhookProgress {
  const failingSince = toFailingSince(before.failingSince, at)
  const waiting = { ...before, failingSince }
  if (at.getTime() - Date.parse(failingSince) > MAX_POSTPONED_MS)
    return disabled(waiting, `Its receiver could not be asked. ${message} ${HOW_TO_GO_ON}`)
  const spentMs = until ? until.getTime() - at.getTime() + random() * SPREAD_MS : 0
  const waitMs = Math.max(spentMs, spread(POSTPONED_MS, random))
  return { ...waiting, dueAt: new Date(at.getTime() + waitMs), reason: message }
}
