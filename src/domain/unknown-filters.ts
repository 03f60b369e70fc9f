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

/** A filter by itself: one that some service has is known here after all. */
export type UnknownFilter = { readonly alone: Filters; readonly message: Message }

/** For an answer without results. @param categories in use, to be suggested besides the known ones */
export function findUnknownFilters(
  { chain, category, currency }: Filters,
  categories: readonly string[] = [],
): UnknownFilter[] {
  const ids = [...new Set([...KNOWN_CATEGORY_IDS, ...categories])]
  const spellings = () => knownChains().flatMap(({ name, aliases }) => [name, ...aliases])
  return [
    ...(chain === undefined || findChain(chain) ? [] : [toUnknown('chain', chain, spellings())]),
    ...(category === undefined || isKnownCategory(category) ? [] : [toUnknown('category', category, ids)]),
    ...(currency === undefined || isKnownCurrency(currencyKey(currency))
      ? []
      : [
          toUnknown(
            'currency',
            currency,
            Object.values(CURRENCY_FAMILIES)
              .flat()
              .map(each => each.toUpperCase()),
          ),
        ]),
  ]
}

const toUnknown = (filter: keyof Filters, value: string, known: readonly string[]): UnknownFilter => ({
  alone: { [filter]: value },
  message: say('filter_unknown', { filter, value, nearest: findSimilarName(value, known) ?? '' }),
})
