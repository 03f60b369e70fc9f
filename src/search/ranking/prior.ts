// The prior of an entry: its standing counts a little, what was wished for somewhat more. It is a factor of at most 1, so that
// it never lifts an entry above what its relevance says.

import type { Wish } from '../../domain/answers.ts'
import { CURRENCY_FAMILIES, currencyKey } from '../../domain/money.ts'
import type { Status } from '../../domain/standing.ts'

export type PriorSignals = {
  readonly status: Status
  readonly trustScore: number
  /** Roughly: it weighs, it does not filter. */
  readonly price: number
  readonly currency: string
  readonly hasFreeQuota: boolean
}

/** An inactive entry falls behind a live one of like relevance; trust parts the rest by at most three hundredths. */
const STATUS_PRIOR: Readonly<Record<Status, number>> = { verified: 0.97, unverified: 0.95, inactive: 0.75 }
const TRUST_WEIGHT = 0.03
/** What a wish takes from the entry that meets it least. */
const MAX_WISH_LOSS = 0.25

/** What a unit of a currency is worth in dollars, to one digit: enough to tell cheap from dear. */
const DOLLARS_PER_UNIT = new Map([
  ...CURRENCY_FAMILIES.dollar.map(code => [code, 1] as const),
  ...CURRENCY_FAMILIES.euro.map(code => [code, 1] as const),
  ...CURRENCY_FAMILIES.yen.map(code => [code, 0.007] as const),
])
const CHEAPEST = 0.0001
/** From a hundredth of a cent to one dollar. */
const DECADES = 4

/** 0 for the cheapest, 1 for what costs a dollar a request or more; an unknown currency lies in the middle. */
function dearness({ price, currency }: PriorSignals): number {
  if (price === 0) return 0
  const unit = DOLLARS_PER_UNIT.get(currencyKey(currency))
  if (unit === undefined) return 0.5
  return Math.min(1, Math.max(0, Math.log10((price * unit) / CHEAPEST) / DECADES))
}

const SHORTFALL: Readonly<Record<Wish, (signals: PriorSignals) => number>> = {
  cheap: dearness,
  reliable: ({ trustScore, status }) => (status === 'verified' ? 1 - trustScore / 100 : 1),
  free: ({ price, hasFreeQuota }) => (price === 0 || hasFreeQuota ? 0 : 1),
  // Nobody measures it here; the answer says so.
  fast: () => 0,
}

/** The prior where nothing is wished for. */
export const toStandingPrior = (status: Status, trustScore: number): number =>
  STATUS_PRIOR[status] + (TRUST_WEIGHT * trustScore) / 100

export function toPrior(wishes: readonly Wish[], signals: PriorSignals): number {
  let prior = toStandingPrior(signals.status, signals.trustScore)
  for (const wish of wishes) prior *= 1 - MAX_WISH_LOSS * SHORTFALL[wish](signals)
  return prior
}
