// Makes test purchases as long as the process runs: one at a time, at most one a minute, within the caps.

import { DirectoryError } from '../domain/errors.ts'
import type { Rates } from '../domain/money/rates.ts'
import type { PurchaseMeter } from '../domain/purchases/purchases.ts'
import { isFailing } from '../domain/standing/delivery.ts'
import { toEvidenceSource } from '../domain/standing/delivery-evidence.ts'
import { dayOf } from '../domain/standing/probes.ts'
import type { Clock } from '../runtime/clock.ts'
import { createProcessLease } from '../runtime/lease.ts'
import type { Store } from '../store/store.ts'
import { applyUnapplied } from './apply-purchases.ts'
import type { Bought, Buyer, Offer, Order, Refused, Unpaid } from './buyer.ts'
import { toSampleOrder } from './order.ts'
import { isDue, isEligible, planPurchases, proofKeyOf } from './plan.ts'

type BuyingParts = {
  readonly store: Pick<Store, 'byId' | 'find' | 'terms' | 'purchases' | 'update' | 'leases' | 'paidTo'>
  readonly buyer: Buyer
  /** In millionths of a dollar. */
  readonly perCall: number
  readonly rates: () => Rates
  readonly clock: Clock
  /** Reports our own faults and an unavailable store; nothing is thrown. */
  readonly onTrouble: (message: string, error: unknown) => void
}

/** Shorter than the lease, so that it is renewed. */
const TICK_MS = 5_000
const APART_MS = 60_000
/** The pause after the daily cap is reached. */
const CAP_REACHED_MS = 10 * 60_000
const SETTLE_EVERY_MS = 10 * 60_000
const PLAN_EVERY_MS = 3_600_000
/** A service that cannot be bought, for example for lack of a supported payment scheme, is tried again after a day. */
const SKIP_MS = 24 * 3_600_000

/** Any number of processes may open rounds; one at a time buys. */
export function openBuyingRounds(parts: BuyingParts): AsyncDisposable & Pick<PurchaseMeter, 'refused'> {
  const { store, buyer, clock, onTrouble } = parts
  const stopping = new AbortController()
  const { signal } = stopping
  const lease = createProcessLease({ leases: store.leases, name: 'buying', clock })
  const skipped = new Map<string, number>()
  const refused = new Map<string, number>()
  let plan: string[] = []
  let plannedAtMs = Number.NEGATIVE_INFINITY
  let settledAtMs = Number.NEGATIVE_INFINITY
  let nextAtMs = Number.NEGATIVE_INFINITY
  let task: Promise<void> | undefined

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        if ((await lease.isOurs()) && !task) {
          task = step()
            .catch(error => onTrouble('buying failed', error))
            .finally(() => {
              task = undefined
            })
        }
      } catch (error) {
        onTrouble('buying waits for the store', error)
      }
      await clock.sleep(TICK_MS, signal)
    }
    await task
  }

  async function step(): Promise<void> {
    const nowMs = clock.now().getTime()
    if (nowMs - settledAtMs >= SETTLE_EVERY_MS) {
      settledAtMs = nowMs
      await buyer.reconcile()
      await applyUnapplied(store, clock)
    }
    if (nowMs < nextAtMs) return
    if (plan.length === 0 && nowMs - plannedAtMs >= PLAN_EVERY_MS) await makePlan()
    const id = plan.shift()
    if (id === undefined || signal.aborted) return
    nextAtMs = nowMs + APART_MS
    const result = await buyFrom(id)
    if (result?.kind === 'bought') return
    const reason = result?.kind === 'refused' ? result.reason.code : (result?.kind ?? 'failed')
    refused.set(reason, (refused.get(reason) ?? 0) + 1)
    if (isDayCapReached(result)) {
      plan.unshift(id)
      nextAtMs = clock.now().getTime() + CAP_REACHED_MS
    } else {
      // Nothing was paid, so the next may follow at once.
      nextAtMs = Number.NEGATIVE_INFINITY
      // An unavailable node says nothing about the service: the next plan includes it again.
      if (reason !== 'node_away') skipped.set(id, nowMs)
    }
  }

  async function makePlan(): Promise<void> {
    const now = clock.now()
    plannedAtMs = now.getTime()
    for (const [id, atMs] of skipped) if (now.getTime() - atMs >= SKIP_MS) skipped.delete(id)
    plan = await planPurchases(store, {
      perCall: parts.perCall,
      rates: parts.rates(),
      now,
      isSkipped: id => skipped.has(id),
    })
  }

  /** @returns undefined if the service is no longer to be bought */
  async function buyFrom(id: string): Promise<Bought | Refused | Unpaid | undefined> {
    const [stored, terms] = await Promise.all([store.find(id), store.terms.of(id)])
    if (!stored || !terms || !isEligible(stored.entry, { perCall: parts.perCall, rates: parts.rates() }))
      return undefined
    const now = clock.now()
    const last = await store.purchases.lastPaidAt([toEvidenceSource(stored.entry)])
    if (!isDue(stored.entry, last.get(id), now)) return undefined
    // One purchase per place, payee and day, through whichever listing, also with a second process or after a crash.
    const purpose = `proof ${proofKeyOf(stored.entry)} ${dayOf(now.toISOString())}`
    const order = toSampleOrder(stored.entry, terms, { purpose, clock })
    if ('code' in order) return { kind: 'refused', reason: order }
    const isRetried = isFailing(stored.entry.delivery)
    return buyer
      .buy({ ...order, signal, ...(isRetried && { approve: hasOnlyFailureReasons }) })
      .catch(skipFault)
  }

  function skipFault(error: unknown): undefined {
    if (error instanceof DirectoryError && error.code === 'store_unavailable') throw error
    if (!signal.aborted) onTrouble('a purchase failed', error)
    return undefined
  }

  const running = run()
  return {
    refused,
    async [Symbol.asyncDispose]() {
      stopping.abort(new Error('The rounds have ended.'))
      await running
      // Without the store, the lease expires.
      await lease.release().catch(() => {})
    },
  }
}

const FAILURE_REASONS = ['listing_unverified', 'listing_not_delivering']

/** A failed service is unverified, and is bought to see whether it still fails: nothing else may count against it. */
const hasOnlyFailureReasons: NonNullable<Order['approve']> = async ({ resolution }: Offer) =>
  resolution.reasons.every(({ code }) => FAILURE_REASONS.includes(code))

const isDayCapReached = (result: Bought | Refused | Unpaid | undefined): boolean =>
  result?.kind === 'refused' && result.reason.code === 'cap_passed' && result.reason.values.cap === 'day'
