// Buys what is due, for as long as the process lives: one purchase at a time, at most one a minute, as far as the caps allow.
import { isFailing } from '../domain/delivery.ts'
import { toEvidenceSource } from '../domain/delivery-evidence.ts'
import { DirectoryError } from '../domain/errors.ts'
import { dayOf } from '../domain/probes.ts'
import type { PurchaseMeter } from '../domain/purchases.ts'
import type { Rates } from '../domain/rates.ts'
import type { Clock } from '../runtime/clock.ts'
import { createProcessLease } from '../runtime/lease.ts'
import type { Store } from '../store/store.ts'
import type { Bought, Buyer, Offer, Order, Refused, Unpaid } from './buyer.ts'
import { toSampleOrder } from './order.ts'
import { isDue, isEligible, outletOf, planPurchases } from './plan.ts'
import { tellLeft } from './tell-purchases.ts'

type BuyingParts = {
  readonly store: Pick<Store, 'byId' | 'find' | 'terms' | 'purchases' | 'update' | 'leases' | 'paidTo'>
  readonly buyer: Buyer
  /** In millionths of a dollar. */
  readonly perCall: number
  readonly rates: () => Rates
  readonly demand: (id: string) => number
  readonly clock: Clock
  /** A fault of ours, or the store away: told, never thrown. */
  readonly onTrouble: (message: string, error: unknown) => void
}

/** Within a lease, so that it is renewed. */
const TICK_MS = 5_000
const APART_MS = 60_000
/** After the caps are reached. */
const FULL_MS = 10 * 60_000
const SETTLE_EVERY_MS = 10 * 60_000
const PLAN_EVERY_MS = 3_600_000
/** What cannot be bought, such as a way to pay that this buyer does not take, is asked again after a day. */
const PASSED_OVER_MS = 24 * 3_600_000

/** Any number of processes may open them; one at a time buys. */
export function openBuyingRounds(parts: BuyingParts): AsyncDisposable & Pick<PurchaseMeter, 'refused'> {
  const { store, buyer, clock, onTrouble } = parts
  const stopping = new AbortController()
  const { signal } = stopping
  const lease = createProcessLease({ leases: store.leases, name: 'buying', clock })
  const passedOver = new Map<string, number>()
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
      await tellLeft(store, clock)
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
    if (isFull(result)) {
      plan.unshift(id)
      nextAtMs = clock.now().getTime() + FULL_MS
    } else {
      // Nothing was paid, so that nobody need wait.
      nextAtMs = Number.NEGATIVE_INFINITY
      // A node that is away says nothing of the service: the next plan has it again.
      if (reason !== 'node_away') passedOver.set(id, nowMs)
    }
  }

  async function makePlan(): Promise<void> {
    const now = clock.now()
    plannedAtMs = now.getTime()
    for (const [id, atMs] of passedOver) if (now.getTime() - atMs >= PASSED_OVER_MS) passedOver.delete(id)
    plan = await planPurchases(store, {
      perCall: parts.perCall,
      rates: parts.rates(),
      now,
      demand: parts.demand,
      isPassedOver: id => passedOver.has(id),
    })
  }

  /** undefined where it is not to be bought any more. */
  async function buyFrom(id: string): Promise<Bought | Refused | Unpaid | undefined> {
    const [kept, terms] = await Promise.all([store.find(id), store.terms.of(id)])
    if (!kept || !terms || !isEligible(kept.entry, { perCall: parts.perCall, rates: parts.rates() }))
      return undefined
    const now = clock.now()
    const last = await store.purchases.lastOf([toEvidenceSource(kept.entry)])
    if (!isDue(kept.entry, last.get(id), now)) return undefined
    // A second process, or a start after a crash, buys nothing more there for the same day, through whichever listing.
    const purpose = `proof ${outletOf(kept.entry)} ${dayOf(now.toISOString())}`
    const order = toSampleOrder(kept.entry, terms, { purpose, clock })
    if ('code' in order) return { kind: 'refused', reason: order }
    const isRetried = isFailing(kept.entry.delivery)
    return buyer.buy({ ...order, signal, ...(isRetried && { approve: isUnverifiedAlone }) }).catch(skipFault)
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
      // A store that is away cannot be told; the lease ends by itself.
      await lease.release().catch(() => {})
    },
  }
}

const OF_FAILURE = ['listing_unverified', 'listing_not_delivering']

/** What failed is not verified, and is bought to see whether it still fails: nothing else may speak against it. */
const isUnverifiedAlone: NonNullable<Order['approve']> = async ({ resolution }: Offer) =>
  resolution.reasons.every(({ code }) => OF_FAILURE.includes(code))

const isFull = (result: Bought | Refused | Unpaid | undefined): boolean =>
  result?.kind === 'refused' && result.reason.code === 'cap_passed' && result.reason.values.cap === 'day'
