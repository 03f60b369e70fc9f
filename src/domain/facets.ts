// How a catalog divides: by the values that its filters can take, by trust, by price.
import type { FacetName } from './filters.ts'

/** A value of a filter, and how many services it leaves beside the other filters; undefined where counting takes too long. */
export type Count = { readonly id: string; readonly count: number | undefined }

/** Of each filter that divides the catalog its values, the largest first. Values that leave nothing are not named. */
export type Facets = { readonly [N in FacetName]: readonly Count[] }

/** Highest prices of the steps in which prices are counted, in dollars and dollar stablecoins; what is above the last is a step more. */
export const PRICE_STEPS = ['0', '0.001', '0.01', '0.1', '1'] as const

export type Distributions = {
  /** Services by tens of the trust score: 0 to 9, 10 to 19, …, 90 to 100. */
  readonly trust: readonly number[]
  /** Services priced in dollars, by step; beyond 50,000 services an estimate. */
  readonly prices: readonly number[]
  /** Services priced in another currency; likewise. */
  readonly otherCurrencies: number
}
