// Sends what happened to the webhooks that want it, for as long as the process lives; several processes share the work.
import type { Clock } from '../clock.ts'
import { DirectoryError } from '../domain/errors.ts'
import type { WebhookMeter, WebhookProgress } from '../domain/webhooks.ts'
import type { Seq, Store } from '../store/store.ts'
import type { ClaimedWebhook } from '../store/webhooks.ts'
import { createHostSlots } from './host-slots.ts'
import { disabled, toProgress } from './progress.ts'
import { createReading, type Reading } from './reading.ts'
import type { Sender } from './send.ts'
import { findTask, runTurn } from './turn.ts'

export type DeliveriesParts = {
  readonly store: Pick<Store, 'webhooks' | 'events' | 'find'>
  /** What readers are shown: nothing is told before they can look it up. */
  readonly shown: { readonly seq: Seq; watch(onChange: () => void): () => void }
  readonly send: Sender
  /** Asks whether whom a webhook belongs to still has a good key. */
  readonly isActive: (owner: string) => Promise<boolean>
  readonly clock: Clock
  /** A fault of ours, or the store away: told, never thrown. */
  readonly onTrouble?: (message: string, error: unknown) => void
}

const MAX_TURNS = 64
/** A turn sends nothing new after this time, and a message takes at most 15 s: it ends well within its lease. */
const TURN_MS = 20_000
/** It ends by itself only where its process died. */
export const LEASE_MS = 60_000
/** What happens close together is sent in one turn. */
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
  const send: Sender = async (...message) => {
    const attempt = await parts.send(...message)
    sent[attempt.delivered ? 'delivered' : 'failed']++
    return attempt
  }
  const stopping = new AbortController()
  const { signal } = stopping
  const slots = createHostSlots()
  const turns = new Set<Promise<void>>()
  let failures = 0
  let wake = Promise.withResolvers<void>()
  const unwatch = shown.watch(() => wake.resolve())

  async function run(): Promise<void> {
    while (!signal.aborted) {
      wake = Promise.withResolvers()
      try {
        const claimed = turns.size < MAX_TURNS ? await claim() : []
        const reading = createReading(store, shown.seq)
        for (const webhook of claimed) start(webhook, reading)
        failures = 0
      } catch (error) {
        await pause(error)
        continue
      }
      await clock.sleep(APART_MS, signal)
      await idle()
    }
  }

  const claim = () => store.webhooks.claim(clock.now(), MAX_TURNS - turns.size, LEASE_MS)

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

  function start(webhook: ClaimedWebhook, reading: Reading): void {
    const turn = takeTurn(webhook, reading)
      .catch(error => {
        onTrouble('a webhook failed', error)
        const dueAt = new Date(clock.now().getTime() + (isAway(error) ? 0 : FAULT_MS))
        return { ...webhook.progress, dueAt }
      })
      .then(progress => store.webhooks.settle(webhook, progress))
      // A lease that cannot be given back ends by itself.
      .catch(error => onTrouble('a webhook could not be settled', error))
      .finally(() => {
        turns.delete(turn)
        wake.resolve()
      })
      .then(() => {})
    turns.add(turn)
  }

  async function takeTurn(webhook: ClaimedWebhook, reading: Reading): Promise<WebhookProgress> {
    const until = new Date(clock.now().getTime() + TURN_MS)
    const task = await findTask(webhook, reading)
    if (task.wanted.length > 0 && !(await isActive(webhook.owner)))
      return disabled(webhook.progress, WITHOUT_KEY)
    const turn = await runTurn(webhook, task, { reading, send, slots, clock, until, signal })
    return toProgress(webhook.progress, turn)
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
      await Promise.all([...turns])
    },
  }
}
