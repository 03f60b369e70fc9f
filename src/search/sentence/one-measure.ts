// A limit in a unit of account, such as 「1円以下」, as a limit for every currency that can be compared with it.
import type { AppliedFilters } from '../../domain/filters.ts'
import { type Rates, toDollars } from '../../domain/rates.ts'

/** Whether the currency only says what the limit is counted in: a word of money covers several, the name of an asset one. */
export const isUnitOfLimit = ({ maxPricePerRequest, currency }: AppliedFilters): boolean =>
  maxPricePerRequest !== undefined && currency !== undefined && currency.length > 1

/** Returns the filters as they are where no rate tells the limit in dollars, or a limit in dollars is set beside it. */
export function inOneMeasure(filter: AppliedFilters, rates: Rates): AppliedFilters {
  if (!isUnitOfLimit(filter) || filter.maxUsdPrice !== undefined) return filter
  const { maxPricePerRequest, currency, ...rest } = filter
  const { amount, below } = maxPricePerRequest!
  const limit = toDollars(amount, currency![0]!, rates)
  return limit ? { ...rest, maxUsdPrice: { amount: limit.amount, below } } : filter
}
