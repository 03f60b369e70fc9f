/** Compares the prices of the payment requirements with the listed price: pure. */

import { isSameMoney } from '../../domain/chains/assets.ts'
import { compareAtomic, toBoundedDecimal } from '../../domain/money/money.ts'
import { isSurelyMore, NO_RATES, type Rates } from '../../domain/money/rates.ts'
import { comparePrice, type Price, type PriceSeen } from '../../domain/terms/terms.ts'
import type { Part } from '../../messages/kinds.ts'
import { type Message, say } from '../../messages/message.ts'
import { fewOf, shown } from '../untrusted/untrusted-text.ts'
import type { ParsedRequirements } from './payment-requirements.ts'

export type Pricing = { readonly currency: string; readonly pricePerRequest: string }

export type Check = {
  readonly check: Part<'check'>
  readonly passed: boolean
  readonly detail: Message
}

/** Requirements in a known asset, whose price can be computed. */
type Priced = ParsedRequirements & {
  readonly symbol: string
  readonly currency: string
  readonly decimals: number
}

export type Prices = {
  /** Exact decimal in `currencySeen`: the highest price comparable with the listing, else the highest; null if no asset is known. */
  readonly priceSeen: string | null
  readonly currencySeen: string | null
  /** The highest price in the listed currency. */
  readonly asks: Price | null
  readonly price: PriceSeen
  /** undefined if no price is listed. */
  readonly check: Check | undefined
}

/**
 * A client may pick any of the requirements, so the highest price decides, on whichever chain; a maximum counts in full.
 * @param options all that a client may pay
 * @param onNetwork those on the listed network: one of these must have a price
 */
export function judgePrices(
  options: readonly ParsedRequirements[],
  onNetwork: readonly ParsedRequirements[],
  { pricing, rates = NO_RATES }: { readonly pricing?: Pricing; readonly rates?: Rates },
): Prices {
  const priced = options.filter(isPriced)
  const comparable = pricing ? priced.filter(requirements => isComparable(requirements, pricing)) : []
  const highest = comparable.toSorted(byPrice).at(-1)
  const shownOption = highest ?? onNetwork.filter(isPriced).toSorted(byPrice).at(-1)
  const asks = highest ? toPrice(highest) : null
  const prices = {
    priceSeen: shownOption ? toPrice(shownOption).amount : null,
    currencySeen: shownOption?.symbol ?? null,
    asks,
    price: pricing ? comparePrice(asks, pricing) : ('unknown' as const),
  }
  if (!pricing) return { ...prices, check: undefined }
  if (!highest || !comparable.some(requirements => onNetwork.includes(requirements))) {
    const taken = fewOf(onNetwork.map(({ symbol, asset }) => symbol ?? shown(asset)))
    const detail = say('no_comparable_price', { ...taken, currency: shown(pricing.currency) })
    return { ...prices, check: { check: 'price', passed: false, detail } }
  }
  const inOther = priced
    .filter(requirements => !comparable.includes(requirements))
    .find(requirements => isDearer(requirements, pricing, rates))
  return { ...prices, check: checkHighest(highest, pricing, inOther) }
}

function checkHighest(highest: Priced, pricing: Pricing, inOther: Priced | undefined): Check {
  const { upTo, decimals, amount, symbol: currency } = highest
  const price = toBoundedDecimal(amount, decimals)
  const listed = `${pricing.pricePerRequest} ${shown(pricing.currency)}`
  const difference = compareAtomic(amount, decimals, pricing.pricePerRequest)
  if (difference > 0)
    return { check: 'price', passed: false, detail: say('asks_more', { price, currency, upTo, listed }) }
  if (inOther) {
    const { amount: price, currency } = toPrice(inOther)
    const detail = say('asks_more_by_rates', { price, currency, upTo: inOther.upTo, listed })
    return { check: 'price', passed: false, detail }
  }
  const detail =
    difference === 0
      ? say('price_as_listed', { price, currency, upTo })
      : say('other_price', { price, currency, upTo, listed })
  return { check: 'price', passed: true, detail }
}

const isPriced = (payment: ParsedRequirements): payment is Priced => payment.decimals !== undefined

const isComparable = ({ symbol, currency }: Priced, pricing: Pricing): boolean =>
  isSameMoney(symbol, pricing.currency) || isSameMoney(currency, pricing.currency)

const isDearer = (requirements: Priced, { currency, pricePerRequest }: Pricing, rates: Rates): boolean =>
  isSurelyMore(
    { amount: toPrice(requirements).amount, currency: requirements.currency },
    { amount: pricePerRequest, currency },
    rates,
  )

/** Ascending. Compares big integers, so an overlong price is the highest. */
function byPrice(a: Priced, b: Priced): number {
  const scale = Math.max(a.decimals, b.decimals)
  const [left, right] = [a, b].map(({ amount, decimals }) => amount * 10n ** BigInt(scale - decimals)) as [
    bigint,
    bigint,
  ]
  return left < right ? -1 : left > right ? 1 : 0
}

const toPrice = ({ amount, decimals, symbol }: Priced): Price => ({
  amount: toBoundedDecimal(amount, decimals),
  currency: symbol,
})
