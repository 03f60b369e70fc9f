// Converts a limit in a unit of account, such as 「1円以下」, to a limit for every comparable currency.

import { type Rates, toDollars } from '../../domain/money/rates.ts'
import type { AppliedFilters } from '../../domain/queries/filters.ts'

/** Whether the currency is only the unit of the limit: a word for money covers several currencies, the name of an asset one. */
export const isUnitOfLimit = ({ maxPricePerRequest, currency }: AppliedFilters): boolean =>
  maxPricePerRequest !== undefined && currency !== undefined && currency.length > 1

/** Returns the filters unchanged when no exchange rate gives the limit in dollars, or a limit in dollars is given as well. */
export function inOneMeasure(filter: AppliedFilters, rates: Rates): AppliedFilters {
  if (!isUnitOfLimit(filter) || filter.maxUsdPrice !== undefined) return filter
  const { maxPricePerRequest, currency, ...rest } = filter
  const { amount, below } = maxPricePerRequest!
  const limit = toDollars(amount, currency![0]!, rates)
  return limit ? { ...rest, maxUsdPrice: { amount: limit.amount, below } } : filter
}
