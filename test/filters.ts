// What each filter means, told over a whole entry: the catalog must tell the same from its columns.

import { chainKey } from '../src/domain/chains/chains.ts'
import { categoryKey } from '../src/domain/listing/categories.ts'
import type { Entry } from '../src/domain/listing/service.ts'
import { compareDecimals, currencyKey } from '../src/domain/money/money.ts'
import { dollarPriceOf, NO_RATES, type Rates } from '../src/domain/money/rates.ts'
import { type AppliedFilters, FILTER_NAMES, type FilterName } from '../src/domain/queries/filters.ts'
import { levelsUpTo } from '../src/domain/standing/standing.ts'
import { levelOf } from '../src/domain/standing/trust.ts'
import { costOf, protocolsOf } from '../src/domain/terms/terms.ts'

type Passes<N extends FilterName> = (
  applied: NonNullable<AppliedFilters[N]>,
  entry: Entry,
  rates: Rates,
) => boolean

function isWithin(price: string, { amount, below }: { amount: string; below: boolean }): boolean {
  const difference = compareDecimals(price, amount)
  return below ? difference < 0 : difference <= 0
}

const PASSES: { readonly [N in FilterName]: Passes<N> } = {
  category: (category, entry) => categoryKey(category) === categoryKey(entry.category),
  chain(chains, { supportedChains }) {
    const supported = supportedChains.map(chainKey)
    return [chains].flat().some(chain => supported.includes(chainKey(chain)))
  },
  status: (status, { standing }) => status === standing.status,
  level: (level, entry) => levelsUpTo(levelOf(entry)).includes(level),
  maxPricePerRequest: (limit, entry) => isWithin(costOf(entry), limit),
  maxUsdPrice(limit, entry, rates) {
    const price = dollarPriceOf(entry, rates)
    return price !== undefined && isWithin(price.amount, limit)
  },
  currency: (currencies, { pricing }) => currencies.includes(currencyKey(pricing.currency)),
  protocol: (protocol, { seen }) => protocolsOf(seen).includes(protocol),
  freeQuota: (free, entry) =>
    entry.pricing.freeQuota > 0 || (free === 'any' && compareDecimals(costOf(entry), '0') === 0),
}

export const passesFilters = (applied: AppliedFilters, entry: Entry, rates: Rates = NO_RATES): boolean =>
  FILTER_NAMES.every(name => {
    const passes = PASSES[name] as (applied: unknown, entry: Entry, rates: Rates) => boolean
    return applied[name] === undefined || passes(applied[name], entry, rates)
  })
