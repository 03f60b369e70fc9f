// One run of one webhook: the next events that it wants, a few services at a time, each service in order.

import type { FeedEvent } from '../domain/feed.ts'
import type { WebhookRecord } from '../domain/webhooks.ts'
import type { Clock } from '../runtime/clock.ts'
import { asksForSubject, isOfInterest, isWanted } from './interest.ts'
import { toMessage } from './message.ts'
import type { DeliveryRun } from './progress.ts'
import { PAGE, type Reading } from './reading.ts'
import { type Attempt, Postponed, type Sender, Strayed } from './send.ts'
import { PROMPT_MS } from './slots.ts'

/** What may be sent twice where a process dies in the middle of a run. */
const MAX_MESSAGES = 64
/** Services whose events are on their way to one receiver at the same time. */
const MAX_LANES = 4

export type RunParts = {
  readonly reading: Reading
  readonly send: Sender['message']
  readonly clock: Clock
  /** Nothing new is sent from then on. */
  readonly until: Date
  readonly signal: AbortSignal
}

export type Task = {
  readonly end: number
  readonly wanted: readonly FeedEvent[]
  readonly isWholePage: boolean
}

/** The cheapest questions first: a search is asked only about what all else lets through. */
async function isForWebhook(webhook: WebhookRecord, event: FeedEvent, reading: Reading): Promise<boolean> {
  const { query, mine } = webhook.filter
  const { serviceId } = event
  if (!isOfInterest(webhook, event)) return false
  if (mine && !(await reading.isOf(serviceId, webhook.owner))) return false
  if (asksForSubject(webhook) && !isWanted(webhook, event, await reading.subject(serviceId))) return false
  return query === undefined || reading.isFound(serviceId, query, webhook.id)
}

/** @throws NotYet */
export async function findTask(webhook: WebhookRecord, reading: Reading): Promise<Task> {
  const { cursor } = webhook.progress
  const page = await reading.after(cursor)
  const wanted: FeedEvent[] = []
  let end = cursor
  for (const event of page) {
    const isOne = await isForWebhook(webhook, event, reading)
    if (isOne && wanted.length === MAX_MESSAGES) return { end, wanted, isWholePage: true }
    if (isOne) wanted.push(event)
    end = event.number
  }
  return { end, wanted, isWholePage: page.length === PAGE }
}

export async function runDelivery(webhook: WebhookRecord, task: Task, parts: RunParts): Promise<DeliveryRun> {
  const { reading, send, clock, until, signal } = parts
  const known = new Set(webhook.progress.ahead)
  const lanes = [
    ...Map.groupBy(
      task.wanted.filter(({ number }) => !known.has(number)),
      ({ serviceId }) => serviceId,
    ).values(),
  ]
  const delivered: number[] = []
  let failure: Attempt | undefined
  let strayed: string | undefined
  let wasSlow: boolean | undefined
  const mayGoOn = () => !failure && !strayed && !signal.aborted && clock.now() < until

  const isSlowSince = (sinceMs: number) => clock.now().getTime() - sinceMs >= PROMPT_MS

  async function sendOne(event: FeedEvent): Promise<boolean> {
    const message = toMessage(webhook.id, await reading.tell(event))
    if (!mayGoOn()) return false
    const sinceMs = clock.now().getTime()
    try {
      const attempt = await send(webhook, message, signal)
      if (attempt.delivered) delivered.push(event.number)
      else failure ??= attempt
      wasSlow = isSlowSince(sinceMs) || (wasSlow ?? false)
      return attempt.delivered
    } catch (error) {
      if (error instanceof Strayed) strayed ??= error.message
      // It was cut off by our own end, so the receiver may have it: it is sent again.
      else if (signal.aborted) wasSlow = isSlowSince(sinceMs) || wasSlow
      else if (!(error instanceof Postponed)) throw error
      return false
    }
  }

  async function work(): Promise<void> {
    for (let lane = lanes.shift(); lane && mayGoOn(); lane = lanes.shift()) {
      for (const event of lane) if (!(await sendOne(event))) return
    }
  }

  const workers = await Promise.allSettled(Array.from({ length: MAX_LANES }, work))
  const broken = workers.find(({ status }) => status === 'rejected')
  if (broken) throw (broken as PromiseRejectedResult).reason
  const wanted = task.wanted.map(({ number }) => number)
  return {
    at: clock.now(),
    end: task.end,
    wanted,
    delivered,
    failure,
    hasMore: task.isWholePage || wanted.some(number => !known.has(number) && !delivered.includes(number)),
    wasSlow,
    strayed,
  }
}
