// Test purchases in rounds. Planned are verified and cheap services, first those that failed, then those never bought, then those not
// bought for the longest time. One proof holds for all listings of a place and payee, and sellers take turns: listings are free, so many
// of them must not bring one seller the whole budget. Results change status and trust of the service, and of others at the same place.

import { DirectoryError } from 'shirube/domain/errors.ts'
import { isNeverProbed, placeOf } from 'shirube/domain/hosts/endpoint.ts'
import {
  type BackingFacts,
  compareBacking,
  isByStranger,
  toBackingFacts,
} from 'shirube/domain/listing/backing.ts'
import type { Entry } from 'shirube/domain/listing/service.ts'
import { toMicroDollars } from 'shirube/domain/money/money.ts'
import { dollarPriceOf, type Rates } from 'shirube/domain/money/rates.ts'
import { type Purchase, payeeOf, sellingDomain } from 'shirube/domain/purchases/purchases.ts'
import { isFailing, isFailure } from 'shirube/domain/standing/delivery.ts'
import {
  isAgainst,
  judgeDelivery,
  MAX_EVIDENCE,
  toEvidenceSource,
} from 'shirube/domain/standing/judge-delivery.ts'
import { DAY_MS, dayOf } from 'shirube/domain/time.ts'
import type { Clock } from 'shirube/runtime/clock.ts'
import { createProcessLease } from 'shirube/runtime/lease.ts'
import type { Store } from 'shirube/store/store.ts'
import type { Bought, Buyer, Offer, Order, Refused, Unpaid } from './buyer.ts'
import { toSampleOrder } from './order.ts'

/** Days until the next purchase: a service that delivers is bought monthly, a single failure is checked soon, repeated ones later. */
const REPEAT_DAYS = { good: 30, failedOnce: 1, failing: 7 }
const PAGE = 500
/** More than any daily budget allows. */
const MAX_PLANNED = 2_000

type PlanOptions = {
  /** In millionths of a dollar. */
  readonly perCall: number
  readonly rates: Rates
  readonly now: Date
  /** Services that could not be bought recently. */
  readonly isSkipped: (id: string) => boolean
}

type Candidate = {
  readonly id: string
  /** undefined if never bought. */
  readonly lastAt: string | undefined
  readonly isDoubtful: boolean
  /** Place and payee: one proof holds for all listings that share them. */
  readonly proofKey: string
  /** Payee and domain: listings that share either have the same seller. */
  readonly sellers: readonly string[]
  readonly backing: BackingFacts
  readonly isByStranger: boolean
}

/** @returns ids in the order of purchase */
export async function planPurchases(
  store: Pick<Store, 'byId' | 'purchases'>,
  options: PlanOptions,
): Promise<string[]> {
  let candidates: Candidate[] = []
  for (let after = ''; ; ) {
    const page = await store.byId(after, PAGE)
    const eligible = page.filter(entry => isEligible(entry, options) && !options.isSkipped(entry.id))
    const last = await store.purchases.lastPaidAt(eligible.map(entry => toEvidenceSource(entry)))
    const due = eligible
      .filter(entry => isDue(entry, last.get(entry.id), options.now))
      .map(entry => toCandidate(entry, last.get(entry.id)))
    candidates = interleaveSellers(pickPerProofKey([...candidates, ...due]).sort(compare)).slice(
      0,
      MAX_PLANNED,
    )
    const end = page.at(-1)
    if (!end || page.length < PAGE) return candidates.map(({ id }) => id)
    after = end.id
  }
}

/** Whether the service may be bought at all. One that failed repeatedly stays eligible, so that it can recover. */
function isEligible(entry: Entry, { perCall, rates }: Pick<PlanOptions, 'perCall' | 'rates'>): boolean {
  const { standing, sample, retired, hidden, endpoint, delivery } = entry
  if (sample || retired !== null || hidden || isNeverProbed(endpoint)) return false
  if (standing.status !== 'verified' && !(standing.status === 'unverified' && isFailing(delivery)))
    return false
  const price = dollarPriceOf(entry, rates)
  const cost = price && toMicroDollars(price.amount)
  return cost !== undefined && cost <= perCall
}

/** @param lastAt the last payment to the payee at this place */
function isDue({ delivery }: Entry, lastAt: string | undefined, now: Date): boolean {
  if (lastAt === undefined) return true
  const days = isFailing(delivery)
    ? REPEAT_DAYS.failing
    : (delivery?.failedInARow ?? 0) > 0
      ? REPEAT_DAYS.failedOnce
      : REPEAT_DAYS.good
  return now.getTime() - Date.parse(lastAt) >= days * DAY_MS
}

const proofKeyOf = ({ endpoint, x402Config }: Pick<Entry, 'endpoint' | 'x402Config'>): string =>
  `${payeeOf(x402Config.paymentAddress, x402Config.network)} ${placeOf(endpoint)}`

function toCandidate(entry: Entry, lastAt: string | undefined): Candidate {
  const { id, delivery, endpoint, x402Config } = entry
  const backing = toBackingFacts(entry)
  return {
    id,
    lastAt,
    isDoubtful: (delivery?.failedInARow ?? 0) > 0,
    proofKey: proofKeyOf(entry),
    sellers: [payeeOf(x402Config.paymentAddress, x402Config.network), sellingDomain(endpoint)],
    backing,
    isByStranger: isByStranger(backing),
  }
}

/** Picks the authoritative listing per proof key, a stranger's only if there is no other. */
function pickPerProofKey(candidates: readonly Candidate[]): Candidate[] {
  const first = (a: Candidate, b: Candidate) =>
    Number(a.isByStranger) - Number(b.isByStranger) || compareBacking(a.backing, b.backing)
  return [...Map.groupBy(candidates, ({ proofKey }) => proofKey).values()].map(([head, ...others]) =>
    others.reduce((best, each) => (first(each, best) < 0 ? each : best), head!),
  )
}

/** The first of every seller, then the second of every seller, and so on. @param candidates in the order of the plan */
function interleaveSellers(candidates: readonly Candidate[]): Candidate[] {
  const taken = new Map<string, number>()
  const turns = candidates.map(candidate => {
    const turn = Math.max(...candidate.sellers.map(seller => taken.get(seller) ?? 0))
    for (const seller of candidate.sellers) taken.set(seller, turn + 1)
    return { candidate, turn }
  })
  return turns.sort((a, b) => a.turn - b.turn).map(({ candidate }) => candidate)
}

/** Single failures first, then never bought, then longest ago. */
function compare(a: Candidate, b: Candidate): number {
  const byDoubt = Number(b.isDoubtful) - Number(a.isDoubtful)
  const byNovelty = Number(a.lastAt !== undefined) - Number(b.lastAt !== undefined)
  const byAge = (a.lastAt ?? '') < (b.lastAt ?? '') ? -1 : (a.lastAt ?? '') > (b.lastAt ?? '') ? 1 : 0
  return byDoubt || byNovelty || byAge || (a.id < b.id ? -1 : 1)
}

// Applies the results of purchases: events, trust and status of the service, and of other services at the same URL after a failure.
// It reads all recent purchases again, so that nothing is lost if the process ends between a purchase and this step.

type EvidenceStore = Pick<Store, 'purchases' | 'update' | 'find' | 'paidTo'>

/** Other services at the same URL that are updated at once; any others are updated with their next probe. */
const MAX_OTHERS = 100

/** Applies every purchase of the service that has an outcome. */
export async function applyPurchases(store: EvidenceStore, serviceId: string, clock: Clock): Promise<void> {
  const stored = await store.find(serviceId)
  if (stored) await applyTo(store, stored.entry, clock)
  const own = await store.purchases.list({ serviceId, limit: MAX_EVIDENCE })
  const failed = own.find(isFailure)
  if (failed) for (const other of await findOthers(store, failed)) await applyTo(store, other, clock)
}

async function applyTo({ purchases, update }: EvidenceStore, entry: Entry, clock: Clock): Promise<void> {
  const evidence = await purchases.evidence({
    ...toEvidenceSource(entry),
    of: 'operator',
    limit: MAX_EVIDENCE,
  })
  await update([entry.id], now => judgeDelivery(now, evidence, clock.now()))
}

/** The other services that a failed purchase counts against. */
async function findOthers(store: EvidenceStore, failed: Purchase): Promise<Entry[]> {
  const paid = await store.paidTo([failed.payTo])
  return paid.filter(entry => entry.id !== failed.serviceId && isAgainst(entry, failed)).slice(0, MAX_OTHERS)
}

/** Newest purchases checked after a start: more are never in progress at once. */
const MAX_CHECKED = 200

/** Applies what an earlier process may have left. */
export async function applyUnapplied(store: EvidenceStore, clock: Clock): Promise<void> {
  const newest = await store.purchases.list({ limit: MAX_CHECKED })
  const ids = new Set(newest.flatMap(({ serviceId, outcome }) => (serviceId && outcome ? [serviceId] : [])))
  for (const id of ids) await applyPurchases(store, id, clock)
}

// Makes test purchases as long as the process runs: one at a time, at most one a minute, within the caps.

export type BuyingDeps = {
  readonly store: Pick<Store, 'byId' | 'find' | 'terms' | 'purchases' | 'update' | 'leases' | 'paidTo'>
  readonly buyer: Buyer
  /** In millionths of a dollar. */
  readonly perCall: number
  readonly rates: () => Rates
  readonly clock: Clock
  /** Reports our own faults and an unavailable store; nothing is thrown. */
  readonly onTrouble: (message: string, error: unknown) => void
  /** What was planned and not bought, with the code of the reason. */
  readonly onRefused?: ((id: string, reason: string) => void) | undefined
}

/** Shorter than the lease, so that it is renewed. */
const TICK_MS = 5_000
const APART_MS = 60_000
/** The pause after the daily cap is reached. */
const CAP_REACHED_MS = 10 * 60_000
const SETTLE_EVERY_MS = 10 * 60_000
const PLAN_EVERY_MS = 3_600_000
/** A service that cannot be bought, for example for lack of a supported payment scheme, is tried again after a day. */
const SKIP_MS = DAY_MS

/** Any number of processes may open rounds; one at a time buys. */
export function openBuyingRounds(deps: BuyingDeps): AsyncDisposable {
  const { store, buyer, clock, onTrouble } = deps
  const stopping = new AbortController()
  const { signal } = stopping
  const lease = createProcessLease({ leases: store.leases, name: 'buying', clock })
  const skipped = new Map<string, number>()
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
    deps.onRefused?.(id, reason)
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
      perCall: deps.perCall,
      rates: deps.rates(),
      now,
      isSkipped: id => skipped.has(id),
    })
  }

  /** @returns undefined if the service is no longer to be bought */
  async function buyFrom(id: string): Promise<Bought | Refused | Unpaid | undefined> {
    const [stored, terms] = await Promise.all([store.find(id), store.terms.of(id)])
    if (!stored || !terms || !isEligible(stored.entry, { perCall: deps.perCall, rates: deps.rates() }))
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
