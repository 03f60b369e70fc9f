// The most that a snippet signs for: what the endpoint was seen asking, but never more than the listed price.
import { findAsset, isSameMoney } from '../chains/assets.ts'
import type { Service } from '../listing/service.ts'
import { compareAtomic, toAtomicFloor } from '../money/money.ts'
import type { PayableRequirements } from './choose-requirements.ts'

export type LimitedRequirements = PayableRequirements & {
  /** In the asset's smallest units. */
  readonly limit: string
  /** The listed price where the endpoint asks for more, or for money that cannot be compared with it. */
  readonly listed?: { readonly price: string; readonly isLess: boolean }
}

/** A reader who chose by the listed price pays a higher one only by changing the limit. */
export function withSpendingLimit(
  requirements: PayableRequirements,
  { pricePerRequest, currency }: Service['pricing'],
): LimitedRequirements {
  const { chain, asset, amount } = requirements
  const known = findAsset(chain, asset)
  const price = `${pricePerRequest} ${currency}`
  if (!known || !isSameMoney(known.symbol, currency))
    return { ...requirements, limit: amount, listed: { price, isLess: false } }
  if (compareAtomic(BigInt(amount), known.decimals, pricePerRequest) <= 0)
    return { ...requirements, limit: amount }
  const limit = toAtomicFloor(pricePerRequest, known.decimals)
  return { ...requirements, limit, listed: { price, isLess: true } }
}
