// Changes what was understood of a sentence as its reader wishes: constraints left out, filters set beside it.
import type { Refinement } from '../domain/facets.ts'
import { type IntentFilter, toIntentFilter } from '../domain/intent-filter.ts'
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
