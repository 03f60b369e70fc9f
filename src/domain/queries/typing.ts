// Values that may be any, but are probably mistyped: those that nobody uses and that resemble a known one.
import { knownAssets, unitOf } from '../chains/assets.ts'
import { findChain, knownChains } from '../chains/chains.ts'
import { findCategoryByLabel, isKnownCategory, KNOWN_CATEGORIES } from '../listing/categories.ts'
import { currencyKey } from '../money/money.ts'
import { findMistypedName } from '../text/nearest.ts'

/** Shorter names are near to many: `ar` to `ai`, `com` to `communication`. */
const MIN_MISTYPED = 4

/** Signs and words of currencies, by which no token is known. */
const SIGNS: ReadonlyMap<string, string> = new Map([
  ['$', 'USDC'],
  ['ドル', 'USDC'],
  ['¥', 'JPYC'],
  ['円', 'JPYC'],
  ['€', 'EURC'],
  ['ユーロ', 'EURC'],
])

/** The known name of a network that it resembles; undefined for a known one, or if it resembles none. */
export function findMeantNetwork(network: string): string | undefined {
  if (findChain(network)) return undefined
  return findMistypedName(
    network,
    knownChains().flatMap(({ name, aliases }) => [name, ...aliases]),
  )
}

/** The id of the known category that it resembles, or that it is the label of: 天気. */
export function findMeantCategory(category: string): string | undefined {
  if (isKnownCategory(category)) return undefined
  const labelled = findCategoryByLabel(category)
  if (labelled !== undefined || category.length < MIN_MISTYPED) return labelled
  return findMistypedName(category, Object.keys(KNOWN_CATEGORIES))
}

/** Whether prices in the currency can be compared with others. */
export const isComparableCurrency = (currency: string): boolean => unitOf(currency) !== currencyKey(currency)

/** The symbol of the known asset that it resembles, or that the sign of a currency stands for. */
export function findMeantCurrency(currency: string): string | undefined {
  if (isComparableCurrency(currency)) return undefined
  const symbols = [...new Set(knownAssets().map(({ symbol }) => symbol))]
  const sign = SIGNS.get(currency.normalize('NFKC'))
  return sign ?? (currency.length < MIN_MISTYPED ? undefined : findMistypedName(currency, symbols))
}
