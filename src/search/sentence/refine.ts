// Applies what the caller overrides in a sentence: constraints to drop, and filters to add.
import {
  type AppliedFilters,
  CONSTRAINT_NAMES,
  type ConstraintName,
  type FilterName,
  type Filters,
  type Revocable,
  toApplied,
} from '../../domain/queries/filters.ts'
import { type Intent, NOTHING_EXCLUDED, toConstraintTokens } from './intent.ts'
import { isUnitOfLimit } from './one-measure.ts'

type Refinement = Filters & { readonly without?: readonly Revocable[] | undefined }

/** Each filter replaces a constraint of its kind; a limit in dollars any limit, with its unit. */
export function refineIntent(intent: Intent, refinement: Refinement): Intent {
  const set = toApplied(refinement)
  const limit: readonly Revocable[] = isUnitOfLimit(intent.filter)
    ? ['maxPricePerRequest', 'currency']
    : ['maxPricePerRequest']
  const without = [...(refinement.without ?? []), ...(set.maxUsdPrice === undefined ? [] : limit)]
  if (without.length === 0 && Object.keys(set).length === 0) return intent
  const filter: Partial<Record<FilterName, unknown>> = { ...intent.filter }
  const constraints = { ...intent.constraints }
  const left: ConstraintName[] = []
  for (const name of CONSTRAINT_NAMES) {
    if (!without.includes(name) && !(name in set)) continue
    left.push(name)
    delete filter[name]
    delete constraints[name]
  }
  const constraintTokens = toConstraintTokens(intent.constraintWords, left)
  if (without.includes('excluded')) delete constraints.excluded
  const excluded = constraints.excluded ? intent.excluded : NOTHING_EXCLUDED
  return {
    ...intent,
    wishes: without.includes('wishes') ? [] : intent.wishes,
    excluded,
    filter: { ...filter, ...set } as AppliedFilters,
    constraints,
    constraintTokens,
  }
}
