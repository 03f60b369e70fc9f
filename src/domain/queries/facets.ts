// The distribution of a catalog: by filter values, by trust, by price.
import type { FacetName } from './filters.ts'

export type Count = {
  /** The filter value. */
  readonly id: string
  /** How many entries pass it together with the other filters; undefined if counting takes too long. */
  readonly count: number | undefined
  /** How many of them are invented samples. */
  readonly samples: number
}

/** The values of each filter with facets, the most frequent first. Values without services are left out. */
export type Facets = { readonly [N in FacetName]: readonly Count[] }

/** Upper bounds of the price ranges, in dollars and dollar stablecoins; a last range has no bound. */
export const PRICE_STEPS = ['0', '0.001', '0.01', '0.1', '1'] as const

/** Of services; of the samples if the catalog has nothing else. */
export type Distributions = {
  /** Services by trust score, in tens: 0 to 9, 10 to 19, …, 90 to 100. */
  readonly trust: readonly number[]
  /** Services priced in dollars, by price range; an estimate beyond 50,000 services. */
  readonly prices: readonly number[]
  /** Services priced in another currency; likewise an estimate beyond 50,000. */
  readonly otherCurrencies: number
}
