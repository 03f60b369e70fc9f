// Delivers events to webhooks while the process lives. One process at a time does so, so that the limits by host and address hold
// for the whole directory.

import { DirectoryError } from '../domain/errors.ts'
import type { Timelines } from '../domain/feed.ts'
import type { WebhookMeter, WebhookProgress } from '../domain/webhooks.ts'
import { say } from '../messages/message.ts'
import type { Clock } from '../runtime/clock.ts'
import { createProcessLease } from '../runtime/lease.ts'
import type { Seq, Store } from '../store/store.ts'
import type { ClaimedWebhook } from '../store/webhooks.ts'
import { createReading, findTask, type Reading, runDelivery } from './delivery.ts'
import { createChallenge } from './message.ts'
import { afterChallenge, afterPostponed, disable, toProgress } from './progress.ts'
import { Postponed, type Sender } from './send.ts'

export type DeliveriesParts = {
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
/** Longer than the longest run: it expires only if its process died. */
export const LEASE_MS = 60_000
/** Minimum time between two rounds, so that events close together go out in one run. */
const ROUND_MS = 100
const POLL_MS = 1_000
const TROUBLE_MS = { min: 500, max: 60_000 }
/** Delay after an internal error, so that the same webhook does not trigger it again and again. */
const FAULT_MS = 10 * 60_000

const isUnavailable = (error: unknown) =>
  error instanceof DirectoryError && error.code === 'store_unavailable'
const WITHOUT_KEY = say('owner_without_key')

export function openDeliveries(parts: DeliveriesParts): AsyncDisposable & WebhookMeter {
  const { store, visible, isActive, clock, onTrouble = () => {} } = parts
  const sent = { delivered: 0, failed: 0 }
  const send: Sender['message'] = async (...message) => {
    const attempt = await parts.send.message(...message)
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
        if (await sending.isOurs()) await claim()
        failures = 0
      } catch (error) {
        await pause(error)
        continue
      }
      await clock.sleep(ROUND_MS, signal)
      await idle()
    }
  }

  async function claim(): Promise<void> {
    const limit = MAX_RUNS - runs.size
    if (limit === 0) return
    const reading = createReading(store, visible)
    const terms = { limit, perOwner: MAX_RUNS_EACH, leaseMs: LEASE_MS }
    for (const webhook of await store.webhooks.claim(clock.now(), terms)) start(webhook, reading)
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

  function start(webhook: ClaimedWebhook, reading: Reading): void {
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

  async function deliver(webhook: ClaimedWebhook, reading: Reading): Promise<WebhookProgress> {
    const until = new Date(clock.now().getTime() + RUN_MS)
    const task = await findTask(webhook, reading)
    if (task.wanted.length > 0 && !(await isActive(webhook.owner)))
      return disable(webhook.progress, WITHOUT_KEY)
    const run = await runDelivery(webhook, task, { reading, send, clock, until, signal })
    return toProgress(webhook.progress, run)
  }

  async function challenge(webhook: ClaimedWebhook): Promise<WebhookProgress> {
    const { id, owner, progress } = webhook
    if (!(await isActive(owner))) return disable(progress, WITHOUT_KEY)
    try {
      const attempt = await parts.send.challenge(webhook, createChallenge(id, clock.now()), signal)
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
    count: () => store.webhooks.count(),
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
