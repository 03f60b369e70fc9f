// Changes what was understood of a sentence as its reader wishes: constraints left out, filters set beside it.
import type { Refinement } from '../domain/facets.ts'
import type { IntentFilter } from '../domain/intent-filter.ts'
import { currencyKey } from '../domain/money.ts'
import type { ConstraintKey } from './constraint-reading.ts'
import type { Intent } from './intent.ts'

const FILTER_KEYS: Readonly<Record<ConstraintKey, keyof IntentFilter>> = {
  maxPricePerRequest: 'maxPrice',
  currency: 'currencies',
  chain: 'chain',
  status: 'status',
  category: 'category',
  freeQuota: 'free',
}

export function refineIntent(intent: Intent, { without, filters }: Refinement): Intent {
  const set = toIntentFilter(filters)
  const filter: Partial<Record<keyof IntentFilter, unknown>> = { ...intent.filter }
  const constraints = { ...intent.constraints }
  for (const [name, key] of Object.entries(FILTER_KEYS) as [ConstraintKey, keyof IntentFilter][]) {
    if (!without.includes(name) && !(key in set)) continue
    delete filter[key]
    delete constraints[name]
  }
  return { ...intent, filter: { ...filter, ...set } as IntentFilter, constraints }
}

const toIntentFilter = ({
  category,
  chain,
  status,
  maxPricePerRequest,
  currency,
}: Refinement['filters']): IntentFilter => ({
  ...(category !== undefined && { category }),
  ...(chain !== undefined && { chain }),
  ...(status !== undefined && { status }),
  ...(maxPricePerRequest !== undefined && { maxPrice: { amount: maxPricePerRequest, below: false } }),
  ...(currency !== undefined && { currencies: [currencyKey(currency)] }),
})
