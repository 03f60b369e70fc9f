// One run of one webhook: its next events, several services concurrently, in order per service.

import type { FeedEvent } from '../domain/feed.ts'
import type { WebhookRecord } from '../domain/webhooks.ts'
import { type Message, say } from '../messages/message.ts'
import type { Clock } from '../runtime/clock.ts'
import { isOfInterest, isWanted, needsSubject } from './interest.ts'
import { toMessage } from './message.ts'
import type { DeliveryRun } from './progress.ts'
import { PAGE, type Reading } from './reading.ts'
import { type Attempt, Postponed, type Sender, UnconfirmedAddress } from './send.ts'
import { PROMPT_MS } from './slots.ts'

/** Messages per run; a process that dies midway may cause as many to be sent twice. */
const MAX_MESSAGES = 64
/** Services whose events are sent to one receiver concurrently. */
const MAX_LANES = 4

export type RunParts = {
  readonly reading: Reading
  readonly send: Sender['message']
  readonly clock: Clock
  /** No message is started after this time. */
  readonly until: Date
  readonly signal: AbortSignal
}

export type Task = {
  readonly end: number
  readonly wanted: readonly FeedEvent[]
  readonly isWholePage: boolean
}

/** The cheapest tests first. */
async function isForWebhook(webhook: WebhookRecord, event: FeedEvent, reading: Reading): Promise<boolean> {
  const { serviceId } = event
  if (!isOfInterest(webhook, event)) return false
  if (webhook.filter.mine && !(await reading.isOf(serviceId, webhook.owner))) return false
  return !needsSubject(webhook) || isWanted(webhook, event, await reading.subject(serviceId))
}

export async function findTask(webhook: WebhookRecord, reading: Reading): Promise<Task> {
  const { cursor } = webhook.progress
  const page = await reading.after(cursor)
  const wanted: FeedEvent[] = []
  let end = cursor
  for (const event of page) {
    const isMatch = await isForWebhook(webhook, event, reading)
    if (isMatch && wanted.length === MAX_MESSAGES) return { end, wanted, isWholePage: true }
    if (isMatch) wanted.push(event)
    end = event.number
  }
  return { end, wanted, isWholePage: page.length === PAGE }
}

export async function runDelivery(webhook: WebhookRecord, task: Task, parts: RunParts): Promise<DeliveryRun> {
  const { reading, send, clock, until, signal } = parts
  const alreadySent = new Set(webhook.progress.ahead)
  const lanes = [
    ...Map.groupBy(
      task.wanted.filter(({ number }) => !alreadySent.has(number)),
      ({ serviceId }) => serviceId,
    ).values(),
  ]
  const delivered: number[] = []
  let failure: Attempt | undefined
  let unconfirmed: Message | undefined
  let wasSlow: boolean | undefined
  const canContinue = () => !failure && !unconfirmed && !signal.aborted && clock.now() < until

  const isSlowSince = (sinceMs: number) => clock.now().getTime() - sinceMs >= PROMPT_MS

  async function sendOne(event: FeedEvent): Promise<boolean> {
    const message = toMessage(webhook.id, await reading.complete(event))
    if (!canContinue()) return false
    const sinceMs = clock.now().getTime()
    try {
      const attempt = await send(webhook, message, signal)
      if (attempt.delivered) delivered.push(event.number)
      else failure ??= attempt
      wasSlow = isSlowSince(sinceMs) || (wasSlow ?? false)
      return attempt.delivered
    } catch (error) {
      if (error instanceof UnconfirmedAddress) unconfirmed ??= say('receiver_moved')
      // Aborted by our own shutdown; the receiver may have it, but it is sent again.
      else if (signal.aborted) wasSlow = isSlowSince(sinceMs) || wasSlow
      else if (!(error instanceof Postponed)) throw error
      return false
    }
  }

  async function work(): Promise<void> {
    for (let lane = lanes.shift(); lane && canContinue(); lane = lanes.shift()) {
      for (const event of lane) if (!(await sendOne(event))) return
    }
  }

  const workers = await Promise.allSettled(Array.from({ length: MAX_LANES }, work))
  const rejected = workers.find(({ status }) => status === 'rejected')
  if (rejected) throw (rejected as PromiseRejectedResult).reason
  const wanted = task.wanted.map(({ number }) => number)
  return {
    at: clock.now(),
    end: task.end,
    wanted,
    delivered,
    failure,
    hasMore:
      task.isWholePage || wanted.some(number => !alreadySent.has(number) && !delivered.includes(number)),
    wasSlow,
    unconfirmed,
  }
}
