// The prior of an entry: how far its relevance counts given its standing, and what it loses for each wish that it does not meet. Text is
// free and standing is not, so the relevance of an entry without proof counts only up to a limit.
import { CURRENCY_FAMILIES, currencyKey } from '../../domain/money/money.ts'
import type { Wish } from '../../domain/queries/queries.ts'
import { STATUSES, type Status } from '../../domain/standing/standing.ts'
import { PAYERS_PROOF } from '../../domain/standing/trust.ts'
import type { FinalOrderSource } from './final-order.ts'

export type PriorSignals = {
  readonly status: Status
  /** Evidence that costs something, from 0 to 100: payers and purchases. */
  readonly proof: number
  /** The week of its first established payer, see `toWeek`; 0 if it has none. */
  readonly since: number
  /** Approximate, because it weighs and does not filter. */
  readonly price: number
  readonly currency: string
  readonly hasFreeQuota: boolean
  /** The median response time in milliseconds; undefined before the first response. */
  readonly latencyMs: number | undefined
}

export type StandingSignals = Pick<PriorSignals, 'status' | 'proof' | 'since'>

/** How standing changes the relevance. */
export type PriorWeight = {
  /** At most 1: it never raises the relevance. */
  readonly factor: number
  /** The relevance up to which it counts in full. */
  readonly limit: number
  /** The less, the later its first established payer paid, from 1 to 0; absent if it has none. */
  readonly seniority?: number
}
type Range = { readonly unproved: PriorWeight; readonly proved: PriorWeight }

/** A few new wallets of one's own give as much for a fraction of a cent (docs/trust.md), so it proves nothing; above it, standing counts. */
export const UNPROVED = 10
/** Three established payers suffice: however many wallets an attacker adds, it stands no better. */
const PROVED = PAYERS_PROOF
/** From here on relevance counts in full. Only purchases lift an entry above PROVED. */
const UNLIMITED = 85

const FIRST_WEEK_MS = Date.UTC(2025, 0, 1)
const WEEK_MS = 7 * 86_400_000
/** Thirty years. */
const WEEKS = 1_560

/** The number of a week, up to WEEKS; 0 for none. */
export const toWeek = (at: string | undefined): number =>
  at === undefined ? 0 : Math.min(WEEKS, Math.max(1, Math.ceil((Date.parse(at) - FIRST_WEEK_MS) / WEEK_MS)))

/**
 * Measured with `npm run eval` and `npm run eval -- --attack`. Lower numbers for unproved entries keep more hostile
 * listings behind verified ones that match less, and hide more newcomers behind verified ones that do something else.
 */
const BY_STATUS: Readonly<Record<Status, Range>> = {
  verified: { unproved: { factor: 0.75, limit: 0.36 }, proved: { factor: 0.97, limit: 1 } },
  unverified: { unproved: { factor: 0.48, limit: 0.45 }, proved: { factor: 0.95, limit: 1 } },
  inactive: { unproved: { factor: 0.4, limit: 0.45 }, proved: { factor: 0.6, limit: 1 } },
}
/** What full proof adds above that. */
const PROOF_WEIGHT = 0.03
const MAX_PROOF = 100
/** What the entry that meets the wishes least loses, however many there are. */
const MAX_WISH_LOSS = 0.5
/**
 * What an unproved entry loses where there is a wish, about as much as the average of the others: a low price and a free quota
 * cost nothing to list, so they are no way past those who were paid. Among unproved entries the wish decides as among others.
 */
const UNPROVED_WISH_LOSS = 0.25

/** The value of a currency unit in dollars, to one digit: precise enough for "cheap". */
const DOLLARS_PER_UNIT = new Map([
  ...CURRENCY_FAMILIES.dollar.map(code => [code, 1] as const),
  ...CURRENCY_FAMILIES.euro.map(code => [code, 1] as const),
  ...CURRENCY_FAMILIES.yen.map(code => [code, 0.007] as const),
])
const CHEAPEST = 0.0001
/** From a hundredth of a cent to one dollar. */
const DECADES = 4

/** Returns 0 for the cheapest and 1 for a dollar per request or more. An unknown currency is in the middle. */
function dearness({ price, currency }: PriorSignals): number {
  if (price === 0) return 0
  const unit = DOLLARS_PER_UNIT.get(currencyKey(currency))
  if (unit === undefined) return 0.5
  return Math.min(1, Math.max(0, Math.log10((price * unit) / CHEAPEST) / DECADES))
}

const FASTEST_MS = 50
/** From 50 milliseconds to five seconds. */
const LATENCY_DECADES = 2

/** Returns 0 for the fastest, and 1 for five seconds or more or an unknown latency. */
const slowness = ({ latencyMs }: PriorSignals): number =>
  latencyMs === undefined ? 1 : Math.min(1, Math.max(0, Math.log10(latencyMs / FASTEST_MS) / LATENCY_DECADES))

const SHORTFALL: Readonly<Record<Wish, (signals: PriorSignals) => number>> = {
  cheap: dearness,
  reliable: ({ proof, status }) => (status === 'verified' ? 1 - proof / 100 : 1),
  free: ({ price, hasFreeQuota }) => (price === 0 || hasFreeQuota ? 0 : 1),
  fast: slowness,
}

const between = (from: number, to: number, share: number): number => from + (to - from) * share

/** How far proof is between two values, 0 to 1. */
const shareOf = (proof: number, from: number, to: number): number =>
  Math.min(1, Math.max(0, (proof - from) / (to - from)))

function weigh(status: Status, proof: number): PriorWeight {
  const { unproved, proved } = BY_STATUS[status]
  const factor = between(unproved.factor, proved.factor, shareOf(proof, UNPROVED, PROVED))
  return {
    factor: factor + (PROOF_WEIGHT * proof) / MAX_PROOF,
    limit: between(unproved.limit, proved.limit, shareOf(proof, PROVED, UNLIMITED)),
  }
}

const WEIGHTS = Object.fromEntries(
  STATUSES.map(status => [status, Array.from({ length: MAX_PROOF + 1 }, (_, proof) => weigh(status, proof))]),
) as Record<Status, PriorWeight[]>

/** The prior without wishes. */
export function toStandingPrior({ status, proof, since }: StandingSignals): PriorWeight {
  const weight = WEIGHTS[status][proof]!
  return since === 0 ? weight : { ...weight, seniority: 1 - since / WEEKS }
}

/** Keeps the best sample below the least real match. */
const SAMPLE_FACTOR = 0.001

/** The same for entries that must not be paid: whoever takes the first result can lose nothing to a sample. */
const DANGER_FACTOR = 0.00002

const toShare = (prior: PriorWeight, by: number): PriorWeight => ({ ...prior, factor: prior.factor * by })

/** Lowers the prior of what comes after all others, whatever its standing: the invented, then what must not be paid. */
export const toPlacedPrior = (
  source: Pick<FinalOrderSource, 'ranksBehindReal' | 'dangerOf'>,
  slot: number,
  prior: PriorWeight,
): PriorWeight =>
  source.dangerOf(slot) !== undefined
    ? toShare(prior, DANGER_FACTOR)
    : source.ranksBehindReal(slot)
      ? toShare(prior, SAMPLE_FACTOR)
      : prior

export function toPrior(wishes: readonly Wish[], signals: PriorSignals): PriorWeight {
  const prior = toStandingPrior(signals)
  if (wishes.length === 0) return prior
  const shortfall = wishes.reduce((sum, wish) => sum + SHORTFALL[wish](signals), 0) / wishes.length
  const unproved = 1 - shareOf(signals.proof, UNPROVED, PROVED)
  return toShare(prior, (1 - MAX_WISH_LOSS * shortfall) * (1 - UNPROVED_WISH_LOSS * unproved))
}
