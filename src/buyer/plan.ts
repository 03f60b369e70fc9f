// Which services to buy from next: verified, cheap enough, and never bought, or the longest ago. What searchers see goes first.
import { isFailing } from '../domain/delivery.ts'
import { isNeverProbed } from '../domain/endpoint.ts'
import { toMicroDollars } from '../domain/micro-dollars.ts'
import { dollarPriceOf, type Rates } from '../domain/rates.ts'
import type { Entry } from '../domain/service.ts'
import type { Store } from '../store/store.ts'

const DAY_MS = 24 * 3_600_000
/** A service that delivers is bought once in so many days; one failure is looked into soon, and repeated ones are given time. */
const AGAIN_DAYS = { good: 30, failedOnce: 1, failing: 7 }
const PAGE = 500
/** More than any day has room for. */
const MAX_PLANNED = 2_000

export type PlanTerms = {
  /** In millionths of a dollar. */
  readonly perCall: number
  readonly rates: Rates
  readonly now: Date
  /** How often searchers saw it. */
  readonly demand: (id: string) => number
  /** What could not be bought lately. */
  readonly isPassedOver: (id: string) => boolean
}

type Candidate = {
  readonly id: string
  /** undefined where it was never bought. */
  readonly lastAt: string | undefined
  readonly isDoubtful: boolean
  readonly demand: number
}

/** Ids, the first to be bought first. */
export async function planPurchases(
  store: Pick<Store, 'byId' | 'purchases'>,
  terms: PlanTerms,
): Promise<string[]> {
  let candidates: Candidate[] = []
  for (let after = ''; ; ) {
    const page = await store.byId(after, PAGE)
    const eligible = page.filter(entry => isEligible(entry, terms) && !terms.isPassedOver(entry.id))
    const last = await store.purchases.lastOf(eligible.map(({ id }) => id))
    const due = eligible
      .filter(entry => isDue(entry, last.get(entry.id), terms.now))
      .map(entry => toCandidate(entry, last.get(entry.id), terms))
    candidates = [...candidates, ...due].sort(compare).slice(0, MAX_PLANNED)
    const end = page.at(-1)
    if (!end || page.length < PAGE) return candidates.map(({ id }) => id)
    after = end.id
  }
}

/** Whether it may be bought at all. A service that failed again and again stays among them, so that it can show otherwise. */
export function isEligible(entry: Entry, { perCall, rates }: Pick<PlanTerms, 'perCall' | 'rates'>): boolean {
  const { standing, sample, retired, hidden, endpoint, delivery } = entry
  if (sample || retired !== null || hidden || isNeverProbed(endpoint)) return false
  if (standing.status !== 'verified' && !(standing.status === 'unverified' && isFailing(delivery)))
    return false
  const price = dollarPriceOf(entry, rates)
  const cost = price && toMicroDollars(price.amount)
  return cost !== undefined && cost <= perCall
}

function isDue({ delivery }: Entry, lastAt: string | undefined, now: Date): boolean {
  if (lastAt === undefined) return true
  const days = isFailing(delivery)
    ? AGAIN_DAYS.failing
    : (delivery?.failedInARow ?? 0) > 0
      ? AGAIN_DAYS.failedOnce
      : AGAIN_DAYS.good
  return now.getTime() - Date.parse(lastAt) >= days * DAY_MS
}

const toCandidate = (
  { id, delivery }: Entry,
  lastAt: string | undefined,
  { demand }: PlanTerms,
): Candidate => ({ id, lastAt, isDoubtful: (delivery?.failedInARow ?? 0) > 0, demand: demand(id) })

/** What failed once, then what was never bought, then the longest ago; among equals what searchers see most. */
function compare(a: Candidate, b: Candidate): number {
  const byDoubt = Number(b.isDoubtful) - Number(a.isDoubtful)
  const byNews = Number(a.lastAt !== undefined) - Number(b.lastAt !== undefined)
  const byDemand = b.demand - a.demand
  const byAge = (a.lastAt ?? '') < (b.lastAt ?? '') ? -1 : (a.lastAt ?? '') > (b.lastAt ?? '') ? 1 : 0
  return byDoubt || byNews || byDemand || byAge || (a.id < b.id ? -1 : 1)
}
