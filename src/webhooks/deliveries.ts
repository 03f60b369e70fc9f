// Delivers events to webhooks while the process lives. One process at a time does so, so that the limits by host and address hold
// for the whole directory.

import { paysTo } from '../domain/chains/addresses.ts'
import { chainKey } from '../domain/chains/chains.ts'
import { DirectoryError } from '../domain/errors.ts'
import { type FeedEvent, type Timelines, toFeedEvent } from '../domain/feed.ts'
import { categoryKey } from '../domain/listing/categories.ts'
import { type Entry, type Service, toService } from '../domain/listing/service.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../domain/time.ts'
import {
  toConfirmed,
  toStoredReason,
  type WebhookDraft,
  type WebhookMeter,
  type WebhookProgress,
  type WebhookRecord,
} from '../domain/webhooks.ts'
import { type Message, say } from '../messages/message.ts'
import type { Clock } from '../runtime/clock.ts'
import { createProcessLease } from '../runtime/lease.ts'
import type { Seq, Store } from '../store/store.ts'
import type { LeasedWebhook } from '../store/webhooks.ts'
import { createChallenge, toMessage } from './message.ts'
import { type Attempt, Postponed, type Sender } from './send.ts'

type DeliveriesDeps = {
  readonly store: Pick<Store, 'webhooks' | 'events' | 'find' | 'leases'>
  /** The visible state of the catalog: no event is sent before readers can look it up. */
  readonly visible: {
    readonly seq: Seq
    readonly timelines: Timelines
    watch(onChange: () => void): () => void
  }
  readonly send: Sender
  /** Whether the owner of a webhook still has a valid key. */
  readonly isActive: (owner: string) => Promise<boolean>
  readonly clock: Clock
  /** Called on an internal error or an unavailable store, which are never thrown. */
  readonly onTrouble?: (message: string, error: unknown) => void
}

/** Concurrent runs, in all and of one owner. */
const MAX_RUNS = 128
const MAX_RUNS_EACH = 16
/** A run starts no message after this time, so that the next webhook need not wait. */
const RUN_MS = 5_000
/** Messages per run; a process that dies midway may cause as many to be sent twice. */
const MAX_MESSAGES = 64
/** Longer than the longest run: it expires only if its process died. */
const LEASE_MS = 60_000
/** Minimum time between two rounds, so that events close together go out in one run. */
const ROUND_MS = 100
const POLL_MS = 1_000
const TROUBLE_MS = { min: 500, max: 60_000 }
/** Delay after an internal error, so that the same webhook does not trigger it again and again. */
const FAULT_MS = 10 * 60_000

const isUnavailable = (error: unknown) =>
  error instanceof DirectoryError && error.code === 'store_unavailable'
const WITHOUT_KEY = say('owner_without_key')

export function openDeliveries(deps: DeliveriesDeps): AsyncDisposable & WebhookMeter {
  const { store, visible, isActive, clock, onTrouble = () => {} } = deps
  const sent = { delivered: 0, failed: 0 }
  const send: Sender['message'] = async (...message) => {
    const attempt = await deps.send.message(...message)
    sent[attempt.delivered ? 'delivered' : 'failed']++
    return attempt
  }
  const stopping = new AbortController()
  const { signal } = stopping
  const sending = createProcessLease({ leases: store.leases, name: 'webhooks', clock })
  const runs = new Set<Promise<void>>()
  let failures = 0
  let wake = Promise.withResolvers<void>()
  const unwatch = visible.watch(() => wake.resolve())

  async function run(): Promise<void> {
    while (!signal.aborted) {
      wake = Promise.withResolvers()
      try {
        if (await sending.isOurs()) await startDue()
        failures = 0
      } catch (error) {
        await pause(error)
        continue
      }
      await clock.sleep(ROUND_MS, signal)
      await idle()
    }
  }

  async function startDue(): Promise<void> {
    const limit = MAX_RUNS - runs.size
    if (limit === 0) return
    const reading = createReading(store, visible)
    const bounds = { limit, perOwner: MAX_RUNS_EACH, leaseMs: LEASE_MS }
    for (const webhook of await store.webhooks.leaseDue(clock.now(), bounds)) start(webhook, reading)
  }

  async function idle(): Promise<void> {
    const woken = new AbortController()
    await Promise.race([wake.promise, clock.sleep(POLL_MS, AbortSignal.any([signal, woken.signal]))])
    woken.abort()
  }

  /** Waits for an unavailable store to recover. */
  async function pause(error: unknown): Promise<void> {
    onTrouble(isUnavailable(error) ? 'webhooks wait for the store' : 'webhooks failed', error)
    await clock.sleep(Math.min(TROUBLE_MS.min * 2 ** failures++, TROUBLE_MS.max), signal)
  }

  function start(webhook: LeasedWebhook, reading: Reading): void {
    const run = (webhook.progress.confirmedAt === null ? challenge(webhook) : deliver(webhook, reading))
      .catch(error => {
        onTrouble('a webhook failed', error)
        const dueAt = new Date(clock.now().getTime() + (isUnavailable(error) ? 0 : FAULT_MS))
        return { ...webhook.progress, dueAt }
      })
      .then(progress => store.webhooks.record(webhook, progress))
      // If this fails, the lease expires.
      .catch(error => onTrouble('the result of a webhook could not be stored', error))
      .finally(() => {
        runs.delete(run)
        wake.resolve()
      })
      .then(() => {})
    runs.add(run)
  }

  /** Sends the next events that match, one after the other, up to the first that is not accepted. */
  async function deliver(webhook: LeasedWebhook, reading: Reading): Promise<WebhookProgress> {
    const { progress } = webhook
    const untilMs = clock.now().getTime() + RUN_MS
    const page = await reading.after(progress.cursor)
    let { cursor } = progress
    let delivered = 0
    const end = (hasMore: boolean, failure?: DeliveryRun['failure']) =>
      toProgress(progress, { at: clock.now(), cursor, delivered, hasMore, failure })
    for (const event of page) {
      if (await isForWebhook(webhook, event, reading)) {
        if (delivered === 0 && !(await isActive(webhook.owner))) return disable(progress, WITHOUT_KEY)
        const message = toMessage(webhook.id, await reading.complete(event))
        if (delivered === MAX_MESSAGES || signal.aborted || clock.now().getTime() >= untilMs) return end(true)
        try {
          const attempt = await send(webhook, message, signal)
          if (!attempt.delivered) return end(true, attempt)
        } catch (error) {
          // Aborted by our own shutdown: the receiver may have it, but it is sent again.
          if (signal.aborted || error instanceof Postponed) return end(true)
          throw error
        }
        delivered++
      }
      cursor = event.number
    }
    return end(page.length === PAGE)
  }

  async function challenge(webhook: LeasedWebhook): Promise<WebhookProgress> {
    const { id, owner, progress } = webhook
    if (!(await isActive(owner))) return disable(progress, WITHOUT_KEY)
    try {
      const attempt = await deps.send.challenge(webhook, createChallenge(id, clock.now()), signal)
      return afterChallenge(progress, attempt, clock.now())
    } catch (error) {
      // Aborted by our own shutdown: the next challenge has another value.
      if (signal.aborted) return progress
      if (error instanceof Postponed) return afterPostponed(progress, error, clock.now())
      throw error
    }
  }

  const running = run()
  return {
    sent,
    async [Symbol.asyncDispose]() {
      stopping.abort(new Error('The deliveries have ended.'))
      unwatch()
      wake.resolve()
      await running
      await Promise.all([...runs])
      // If the store is unavailable, the lease expires.
      await Promise.allSettled([sending.release()])
    },
  }
}

// Cached reads of one round: each page and each service is read from the store once.

const PAGE = 500

type Reading = {
  /** Visible events after the number, oldest first. */
  after(number: number): Promise<readonly FeedEvent[]>
  subject(serviceId: string): Promise<Subject>
  /** Whether it belongs to an owner, or pays the owner's wallet; a removed service has no owner. */
  isOf(serviceId: string, owner: string): Promise<boolean>
  /** Adds the service to a registration, which the log does not store. */
  complete(event: FeedEvent): Promise<FeedEvent>
}

export function createReading(
  store: Pick<Store, 'events' | 'find'>,
  visible: { readonly seq: Seq; readonly timelines: Timelines },
): Reading {
  // Fixed for the round: the visible state advances while its runs read.
  const { seq: visibleSeq, timelines } = visible

  const pages = new Map<number, Promise<readonly FeedEvent[]>>()
  const subjects = new Map<
    string,
    Promise<{ readonly subject: Subject; readonly entry: Entry | undefined }>
  >()

  const readPage = async (number: number) => {
    const page = await store.events.after(number, PAGE)
    const hidden = page.findIndex(({ seq }) => seq > visibleSeq)
    return (hidden < 0 ? page : page.slice(0, hidden)).map(event => toFeedEvent(event, timelines))
  }

  const find = async (serviceId: string) => {
    const stored = await store.find(serviceId)
    if (stored) return { subject: toService(stored.entry), entry: stored.entry }
    const [last] = await store.events.of(serviceId, 1)
    return { subject: last?.type === 'removed' ? (last.before as Service | null) : null, entry: undefined }
  }

  const lookUp = (serviceId: string) => subjects.getOrInsertComputed(serviceId, find)

  return {
    after: number => pages.getOrInsertComputed(number, readPage),
    subject: async serviceId => (await lookUp(serviceId)).subject,
    async isOf(serviceId, owner) {
      const { entry } = await lookUp(serviceId)
      return entry !== undefined && (entry.owner === owner || paysTo(entry, owner))
    },
    async complete(event) {
      if (event.type !== 'service.registered' || event.after !== null) return event
      const { subject, entry } = await lookUp(event.serviceId)
      return { ...event, after: entry ? subject : null }
    },
  }
}

// Matches events against the filter of a webhook.

/** The cheapest tests first. */
async function isForWebhook(webhook: WebhookRecord, event: FeedEvent, reading: Reading): Promise<boolean> {
  const { serviceId } = event
  if (!isOfInterest(webhook, event)) return false
  if (webhook.filter.mine && !(await reading.isOf(serviceId, webhook.owner))) return false
  return !needsSubject(webhook) || isWanted(webhook, event, await reading.subject(serviceId))
}

/** A service as it is, or as it was when it was removed; null if it is unknown. */
type Subject = Service | null

type Values = string | readonly string[] | undefined

const toList = (value: Values): readonly string[] | undefined => (typeof value === 'string' ? [value] : value)

/** The part of the filter that needs no service. */
function isOfInterest({ events, filter }: WebhookDraft, { type, serviceId }: FeedEvent): boolean {
  return events.includes(type) && (toList(filter.serviceId)?.includes(serviceId) ?? true)
}

const needsSubject = ({ filter }: WebhookDraft): boolean =>
  filter.category !== undefined || filter.chain !== undefined

/** Matches the service as it is and as it was before the event, so that a follower of a category learns that a service left it. */
export function isWanted(webhook: WebhookDraft, event: FeedEvent, subject: Subject): boolean {
  if (!isOfInterest(webhook, event)) return false
  const stages = [subject, event.before, event.after].filter(
    (stage): stage is Partial<Service> => typeof stage === 'object' && stage !== null,
  )
  const { category, chain } = webhook.filter
  return (
    matches(category, categoryKey, stages, stage => [stage.category]) &&
    matches(chain, chainKey, stages, stage => [...chainsOf(stage), stage.x402Config?.network])
  )
}

const chainsOf = ({ supportedChains }: Partial<Service>): readonly string[] =>
  Array.isArray(supportedChains) ? supportedChains : []

function matches(
  filter: Values,
  toKey: (text: string) => string,
  stages: readonly Partial<Service>[],
  read: (stage: Partial<Service>) => readonly (string | undefined)[],
): boolean {
  const keys = toList(filter)?.map(toKey)
  if (!keys) return true
  return stages.some(stage => read(stage).some(text => text !== undefined && keys.includes(toKey(text))))
}

// What follows from a delivery or a challenge: the new cursor, and when it is tried again. Pure functions.

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

/** Minimum delay before a webhook without pending events is due again. */
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
function afterChallenge(before: WebhookProgress, attempt: Attempt, at: Date): WebhookProgress {
  if (attempt.delivered) return toConfirmed(before, at)
  const failures = before.failures + 1
  const failed = { ...before, failures, failingSince: toFailingSince(before.failingSince, at) }
  return disable(failed, say('receiver_unconfirmed', { last: attempt.message }))
}

/** Nothing was sent, so it does not count as an attempt. */
function afterPostponed(
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
