// Values of filters that nothing here has by that name: a typing error looks like an honest answer without results.
import { type Message, say } from '../messages/message.ts'
import { isKnownCategory } from './categories.ts'
import { findChain, knownChains } from './chains.ts'
import { KNOWN_CATEGORY_IDS } from './known-categories.ts'
import { CURRENCY_FAMILIES, currencyKey, isKnownCurrency } from './money.ts'
import { findSimilarName } from './nearest.ts'

type Filters = {
  readonly chain?: string | undefined
  readonly category?: string | undefined
  readonly currency?: string | undefined
}

/** For an answer without results. @param categories in use, besides the known ones */
export function findUnknownFilters(
  { chain, category, currency }: Filters,
  categories: readonly string[] = [],
): Message[] {
  const ids = [...new Set([...KNOWN_CATEGORY_IDS, ...categories])]
  const isUsed = category !== undefined && ids.some(id => id.toLowerCase() === category.toLowerCase())
  const spellings = () => knownChains().flatMap(({ name, aliases }) => [name, ...aliases])
  return [
    ...(chain === undefined || findChain(chain) ? [] : [toMessage('chain', chain, spellings())]),
    ...(category === undefined || isUsed || isKnownCategory(category)
      ? []
      : [toMessage('category', category, ids)]),
    ...(currency === undefined || isKnownCurrency(currencyKey(currency))
      ? []
      : [
          toMessage(
            'currency',
            currency,
            Object.values(CURRENCY_FAMILIES)
              .flat()
              .map(each => each.toUpperCase()),
          ),
        ]),
  ]
}

const toMessage = (filter: string, value: string, known: readonly string[]): Message =>
  say('filter_unknown', { filter, value, nearest: findSimilarName(value, known) ?? '' })
