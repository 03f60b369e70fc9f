// Plans test purchases: verified and cheap services that were never bought or not for the longest time, those most seen by searchers
// first. One proof holds for all listings of a place and payee, and sellers take turns: listings and searches are free, so neither may
// bring one seller the whole budget.

import { isNeverProbed } from '../domain/hosts/endpoint.ts'
import { type BackingFacts, compareBacking, isByStranger, toBackingFacts } from '../domain/listing/backing.ts'
import type { Entry } from '../domain/listing/service.ts'
import { toMicroDollars } from '../domain/money/micro-dollars.ts'
import { dollarPriceOf, type Rates } from '../domain/money/rates.ts'
import { payeeOf, sellingDomain } from '../domain/purchases/purchase-places.ts'
import { placeOf } from '../domain/resolve/place.ts'
import { isFailing } from '../domain/standing/delivery.ts'
import { toEvidenceSource } from '../domain/standing/delivery-evidence.ts'
import type { Store } from '../store/store.ts'

const DAY_MS = 24 * 3_600_000
/** Days until the next purchase: a service that delivers is bought monthly, a single failure is checked soon, repeated ones later. */
const REPEAT_DAYS = { good: 30, failedOnce: 1, failing: 7 }
const PAGE = 500
/** More than any daily budget allows. */
const MAX_PLANNED = 2_000

export type PlanOptions = {
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
export function isEligible(
  entry: Entry,
  { perCall, rates }: Pick<PlanOptions, 'perCall' | 'rates'>,
): boolean {
  const { standing, sample, retired, hidden, endpoint, delivery } = entry
  if (sample || retired !== null || hidden || isNeverProbed(endpoint)) return false
  if (standing.status !== 'verified' && !(standing.status === 'unverified' && isFailing(delivery)))
    return false
  const price = dollarPriceOf(entry, rates)
  const cost = price && toMicroDollars(price.amount)
  return cost !== undefined && cost <= perCall
}

/** @param lastAt the last payment to the payee at this place */
export function isDue({ delivery }: Entry, lastAt: string | undefined, now: Date): boolean {
  if (lastAt === undefined) return true
  const days = isFailing(delivery)
    ? REPEAT_DAYS.failing
    : (delivery?.failedInARow ?? 0) > 0
      ? REPEAT_DAYS.failedOnce
      : REPEAT_DAYS.good
  return now.getTime() - Date.parse(lastAt) >= days * DAY_MS
}

export const proofKeyOf = ({ endpoint, x402Config }: Pick<Entry, 'endpoint' | 'x402Config'>): string =>
  `${payeeOf(x402Config.paymentAddress, x402Config.network)} ${placeOf(endpoint)}`

function toCandidate(entry: Entry, lastAt: string | undefined): Candidate {
  const { id, delivery, endpoint, x402Config } = entry
  return {
    id,
    lastAt,
    isDoubtful: (delivery?.failedInARow ?? 0) > 0,
    proofKey: proofKeyOf(entry),
    sellers: [payeeOf(x402Config.paymentAddress, x402Config.network), sellingDomain(endpoint)],
    backing: toBackingFacts(entry),
    isByStranger: isByStranger(entry),
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
