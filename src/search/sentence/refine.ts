// Changes what was understood of a sentence as its reader wishes: constraints left out, filters set beside it.
import { type IntentFilter, toIntentFilter } from '../../domain/intent-filter.ts'
import type { ConstraintName, Filters } from '../../domain/queries.ts'
import type { ConstraintKey } from '../text/languages/constraint-rules.ts'
import { type Intent, toConstraintTokens } from './read-intent.ts'

type Refinement = Filters & { readonly without?: readonly ConstraintName[] | undefined }

const FILTER_KEYS: Readonly<Record<ConstraintKey, keyof IntentFilter>> = {
  maxPricePerRequest: 'maxPrice',
  currency: 'currencies',
  chain: 'chain',
  status: 'status',
  category: 'category',
  freeQuota: 'free',
}

/** Each filter takes the place of a constraint of its kind. */
export function refineIntent(intent: Intent, refinement: Refinement): Intent {
  const { without = [] } = refinement
  const set = toIntentFilter(refinement)
  if (without.length === 0 && Object.keys(set).length === 0) return intent
  const filter: Partial<Record<keyof IntentFilter, unknown>> = { ...intent.filter }
  const constraints = { ...intent.constraints }
  const left: ConstraintKey[] = []
  for (const [name, key] of Object.entries(FILTER_KEYS) as [ConstraintKey, keyof IntentFilter][]) {
    if (!without.includes(name) && !(key in set)) continue
    left.push(name)
    delete filter[key]
    delete constraints[name]
  }
  const constraintTokens = toConstraintTokens(intent.constraintWords, left)
  return { ...intent, filter: { ...filter, ...set } as IntentFilter, constraints, constraintTokens }
}
