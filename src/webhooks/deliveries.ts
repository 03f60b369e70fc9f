// Sends what happened to the webhooks that want it, for as long as the process lives. Of several processes one at a time does, so
// that what is counted here, by host, by address and by pool, is so for the whole directory.

import { DirectoryError } from '../domain/errors.ts'
import type { Timelines } from '../domain/timelines.ts'
import type { WebhookPool as Pool, WebhookMeter, WebhookProgress } from '../domain/webhooks.ts'
import type { Clock } from '../runtime/clock.ts'
import { createProcessLease } from '../runtime/lease.ts'
import type { Seq, Store } from '../store/store.ts'
import type { ClaimedWebhook } from '../store/webhooks.ts'
import { createChallenge } from './challenge.ts'
import { afterChallenge, afterPostponed } from './consent.ts'
import { findTask, runDelivery } from './delivery.ts'
import { DeliveryPools, RUN_MS, type Stay } from './pools.ts'
import { disabled, toProgress } from './progress.ts'
import { createReading, type Reading } from './reading.ts'
import { Postponed, type Sender } from './send.ts'
import { NotYet, type SearchSentence, SentenceTurns } from './sentence-turns.ts'
import { PROMPT_MS } from './slots.ts'

export type DeliveriesParts = {
  readonly store: Pick<Store, 'webhooks' | 'events' | 'find' | 'leases'>
  /** What readers are shown: nothing is told before they can look it up. */
  readonly shown: {
    readonly seq: Seq
    readonly timelines: Timelines
    watch(onChange: () => void): () => void
  }
  readonly search: SearchSentence
  readonly send: Sender
  /** Asks whether whom a webhook belongs to still has a good key. */
  readonly isActive: (owner: string) => Promise<boolean>
  readonly clock: Clock
  /** A fault of ours, or the store away: told, never thrown. */
  readonly onTrouble?: (message: string, error: unknown) => void
}

/** Longer than the longest run: it ends by itself only where its process died. */
export const LEASE_MS = 60_000
/** What happens close together is sent in one run. */
const APART_MS = 100
const POLL_MS = 1_000
const TROUBLE_MS = { first: 500, most: 60_000 }
/** After a fault of ours, so that the same webhook does not bring it up again and again. */
const FAULT_MS = 10 * 60_000

const isAway = (error: unknown) => error instanceof DirectoryError && error.code === 'store_unavailable'
const WITHOUT_KEY = 'The API key that it belongs to was revoked or has expired.'

export function openDeliveries(parts: DeliveriesParts): AsyncDisposable & WebhookMeter {
  const { store, shown, isActive, clock, onTrouble = () => {} } = parts
  const sent = { delivered: 0, failed: 0 }
  const send: Sender['message'] = async (...message) => {
    const attempt = await parts.send.message(...message)
    sent[attempt.delivered ? 'delivered' : 'failed']++
    return attempt
  }
  const stopping = new AbortController()
  const { signal } = stopping
  const pools = new DeliveryPools(clock)
  const sentences = new SentenceTurns(parts.search, clock)
  const sending = createProcessLease({ leases: store.leases, name: 'webhooks', clock })
  const runs = new Set<Promise<void>>()
  let failures = 0
  let wake = Promise.withResolvers<void>()
  const unwatch = shown.watch(() => wake.resolve())

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
      await clock.sleep(APART_MS, signal)
      await idle()
    }
  }

  async function claim(): Promise<void> {
    pools.clear()
    const reading = createReading(store, shown, sentences)
    for (const { pool, limit, perOwner } of pools.free()) {
      const terms = { pool, limit, perOwner, leaseMs: LEASE_MS }
      for (const webhook of await store.webhooks.claim(clock.now(), terms)) start(webhook, pool, reading)
    }
  }

  async function idle(): Promise<void> {
    const enough = new AbortController()
    await Promise.race([wake.promise, clock.sleep(POLL_MS, AbortSignal.any([signal, enough.signal]))])
    enough.abort()
  }

  /** A store that is away comes back; the deliveries wait for it. */
  async function pause(error: unknown): Promise<void> {
    onTrouble(isAway(error) ? 'webhooks wait for the store' : 'webhooks failed', error)
    await clock.sleep(Math.min(TROUBLE_MS.first * 2 ** failures++, TROUBLE_MS.most), signal)
  }

  function start(webhook: ClaimedWebhook, pool: Pool, reading: Reading): void {
    const stay = pools.enter(pool)
    const run = (pool === 'challenge' ? askConsent(webhook) : deliver(webhook, pool, stay, reading))
      .catch(error => {
        if (error instanceof NotYet) return { ...webhook.progress, dueAt: error.until }
        onTrouble('a webhook failed', error)
        const dueAt = new Date(clock.now().getTime() + (isAway(error) ? 0 : FAULT_MS))
        return { ...webhook.progress, dueAt }
      })
      .then(progress => store.webhooks.record(webhook, progress))
      // A lease that cannot be given back ends by itself.
      .catch(error => onTrouble('a webhook could not be settled', error))
      .finally(() => {
        stay.leave()
        runs.delete(run)
        wake.resolve()
      })
      .then(() => {})
    runs.add(run)
  }

  async function deliver(
    webhook: ClaimedWebhook,
    pool: Pool,
    stay: Stay,
    reading: Reading,
  ): Promise<WebhookProgress> {
    const until = new Date(clock.now().getTime() + RUN_MS[pool])
    const task = await findTask(webhook, reading)
    if (task.wanted.length > 0 && !(await isActive(webhook.owner)))
      return disabled(webhook.progress, WITHOUT_KEY)
    const either = AbortSignal.any([signal, stay.signal])
    const run = await runDelivery(webhook, task, { reading, send, clock, until, signal: either })
    return toProgress(webhook.progress, run)
  }

  async function askConsent(webhook: ClaimedWebhook): Promise<WebhookProgress> {
    const { id, owner, progress } = webhook
    if (!(await isActive(owner))) return disabled(progress, WITHOUT_KEY)
    const since = clock.now()
    try {
      const attempt = await parts.send.challenge(webhook, createChallenge(id, since), signal)
      const isSlow = clock.now().getTime() - since.getTime() >= PROMPT_MS
      return { ...afterChallenge(progress, attempt, clock.now()), isSlow }
    } catch (error) {
      // It was cut off by our own end: the next challenge has another value.
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
      // A store that is away cannot be told; the lease ends by itself.
      await Promise.allSettled([sending.release()])
    },
  }
}
