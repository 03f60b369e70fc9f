// Which services to buy from next: verified, cheap enough, and never bought, or the longest ago. What searchers see goes first. One
// proof is for all listings of a place and payee, and sellers take turns: listings and searches are free, so that neither may bring
// one seller the whole budget.
import { compareSpeakers, isByStranger, type Speaker, toSpeaker } from '../domain/backing.ts'
import { isFailing } from '../domain/delivery.ts'
import { toEvidenceSource } from '../domain/delivery-evidence.ts'
import { isNeverProbed } from '../domain/endpoint.ts'
import { toMicroDollars } from '../domain/micro-dollars.ts'
import { payeeOf, sellingDomain } from '../domain/purchase-places.ts'
import { dollarPriceOf, type Rates } from '../domain/rates.ts'
import { placeOf } from '../domain/resolve/place.ts'
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
  /** Place and payee: one proof is enough for all that have them in common. */
  readonly outlet: string
  /** Payee and domain: who has either in common is one seller. */
  readonly sellers: readonly string[]
  readonly speaker: Speaker
  readonly isByStranger: boolean
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
    const last = await store.purchases.lastOf(eligible.map(entry => toEvidenceSource(entry)))
    const due = eligible
      .filter(entry => isDue(entry, last.get(entry.id), terms.now))
      .map(entry => toCandidate(entry, last.get(entry.id), terms))
    candidates = inTurns(oneEach([...candidates, ...due]).sort(compare)).slice(0, MAX_PLANNED)
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

/** @param lastAt when its payee was last paid at its place */
export function isDue({ delivery }: Entry, lastAt: string | undefined, now: Date): boolean {
  if (lastAt === undefined) return true
  const days = isFailing(delivery)
    ? AGAIN_DAYS.failing
    : (delivery?.failedInARow ?? 0) > 0
      ? AGAIN_DAYS.failedOnce
      : AGAIN_DAYS.good
  return now.getTime() - Date.parse(lastAt) >= days * DAY_MS
}

export const outletOf = ({ endpoint, x402Config }: Pick<Entry, 'endpoint' | 'x402Config'>): string =>
  `${payeeOf(x402Config.paymentAddress, x402Config.network)} ${placeOf(endpoint)}`

function toCandidate(entry: Entry, lastAt: string | undefined, { demand }: PlanTerms): Candidate {
  const { id, delivery, endpoint, x402Config } = entry
  return {
    id,
    lastAt,
    isDoubtful: (delivery?.failedInARow ?? 0) > 0,
    demand: demand(id),
    outlet: outletOf(entry),
    sellers: [payeeOf(x402Config.paymentAddress, x402Config.network), sellingDomain(endpoint)],
    speaker: toSpeaker(entry),
    isByStranger: isByStranger(entry),
  }
}

/** Of each outlet the listing that speaks for it, and a stranger's only where there is no other. */
function oneEach(candidates: readonly Candidate[]): Candidate[] {
  const first = (a: Candidate, b: Candidate) =>
    Number(a.isByStranger) - Number(b.isByStranger) || compareSpeakers(a.speaker, b.speaker)
  return [...Map.groupBy(candidates, ({ outlet }) => outlet).values()].map(([head, ...others]) =>
    others.reduce((best, each) => (first(each, best) < 0 ? each : best), head!),
  )
}

/** The first of every seller, then the second of every seller, and so on. @param candidates in the order of the plan */
function inTurns(candidates: readonly Candidate[]): Candidate[] {
  const taken = new Map<string, number>()
  const turns = candidates.map(candidate => {
    const turn = Math.max(...candidate.sellers.map(seller => taken.get(seller) ?? 0))
    for (const seller of candidate.sellers) taken.set(seller, turn + 1)
    return { candidate, turn }
  })
  return turns.sort((a, b) => a.turn - b.turn).map(({ candidate }) => candidate)
}

/** What failed once, then what was never bought, then the longest ago; among equals what searchers see most. */
function compare(a: Candidate, b: Candidate): number {
  const byDoubt = Number(b.isDoubtful) - Number(a.isDoubtful)
  const byNews = Number(a.lastAt !== undefined) - Number(b.lastAt !== undefined)
  const byDemand = b.demand - a.demand
  const byAge = (a.lastAt ?? '') < (b.lastAt ?? '') ? -1 : (a.lastAt ?? '') > (b.lastAt ?? '') ? 1 : 0
  return byDoubt || byNews || byDemand || byAge || (a.id < b.id ? -1 : 1)
}
