// What a sentence asks of a service besides its subject, in the form in which it is applied. Wider than the filters of
// the list: a word of money covers a family of currencies, and "under" excludes what "at most" includes.
import { categoryKey } from './categories.ts'
import { chainKey } from './chains.ts'
import { compareDecimals, currencyKey } from './money.ts'
import type { Filters } from './queries.ts'
import type { Service } from './service.ts'
import type { Status } from './standing.ts'

export type IntentFilter = {
  /** Highest price a request; `below`: the price must be less. */
  readonly maxPrice?: { readonly amount: string; readonly below: boolean }
  /** Keys of the currencies that will do. */
  readonly currencies?: readonly string[]
  /** A chain in any spelling. */
  readonly chain?: string
  readonly status?: Status
  readonly category?: string
  /** quota: a free quota is wanted; any: free of charge will do as well. */
  readonly free?: 'quota' | 'any'
}

/** The filters of a list in that form. */
export const toIntentFilter = ({
  category,
  chain,
  status,
  maxPricePerRequest,
  currency,
}: Filters): IntentFilter => ({
  ...(category !== undefined && { category }),
  ...(chain !== undefined && { chain }),
  ...(status !== undefined && { status }),
  ...(maxPricePerRequest !== undefined && { maxPrice: { amount: maxPricePerRequest, below: false } }),
  ...(currency !== undefined && { currencies: [currencyKey(currency)] }),
})

/** The filter told over a whole service; the catalog applies the same to its columns. */
export function passesFilter(
  filter: IntentFilter,
  { pricing, supportedChains, status, category }: Service,
): boolean {
  const { maxPrice, currencies, free } = filter
  if (filter.status !== undefined && filter.status !== status) return false
  if (filter.category !== undefined && categoryKey(filter.category) !== categoryKey(category)) return false
  if (currencies !== undefined && !currencies.includes(currencyKey(pricing.currency))) return false
  if (maxPrice !== undefined) {
    const difference = compareDecimals(pricing.pricePerRequest, maxPrice.amount)
    if (maxPrice.below ? difference >= 0 : difference > 0) return false
  }
  if (free !== undefined && pricing.freeQuota === 0) {
    if (free === 'quota' || compareDecimals(pricing.pricePerRequest, '0') > 0) return false
  }
  if (filter.chain === undefined) return true
  const wanted = chainKey(filter.chain)
  return supportedChains.some(chain => chainKey(chain) === wanted)
}
