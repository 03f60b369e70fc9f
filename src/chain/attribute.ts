// Whose payment it was.
import type { Asset } from '../domain/assets.ts'
import { CURRENCY_FAMILIES, compareDecimals, currencyKey } from '../domain/money.ts'
import type { Claim } from './claims.ts'

const FAMILIES: Readonly<Record<Asset['currency'], readonly string[]>> = {
  USD: CURRENCY_FAMILIES.dollar,
  EUR: CURRENCY_FAMILIES.euro,
  JPY: CURRENCY_FAMILIES.yen,
}

/**
 * The only service at the address that is sold for this money; of several, the one whose price was paid. Where several ask
 * that price, the only verified one: whoever merely lists somebody else's address takes nothing from them.
 */
export function attribute(amount: string, asset: Asset, claims: readonly Claim[]): string | null {
  const sold = claims.filter(({ currency }) => isSameMoney(currency, asset))
  if (sold.length <= 1) return sold[0]?.serviceId ?? null
  const paid = sold.filter(({ price }) => compareDecimals(price, amount) === 0)
  const sure = paid.length > 1 ? paid.filter(({ isVerified }) => isVerified) : paid
  return sure.length === 1 ? sure[0]!.serviceId : null
}

function isSameMoney(listed: string, { symbol, currency }: Asset): boolean {
  const key = currencyKey(listed)
  return key === currencyKey(symbol) || FAMILIES[currency].includes(key)
}
