// The relaxations of a sentence, for answers without a result: the same request with one condition less.
import { CONSTRAINT_NAMES, CONSTRAINTS, type ConstraintName } from '../../domain/queries/filters.ts'
import { type Intent, toConstraintTokens } from './intent.ts'
import { isUnitOfLimit } from './one-measure.ts'

/** The order in which constraints are relaxed: the price first, the chain last. */
const RELAX_ORDER = CONSTRAINT_NAMES.toSorted((a, b) => CONSTRAINTS[a].relaxRank - CONSTRAINTS[b].relaxRank)

/** Returns the intent without one of its constraints, for each of them. */
export function relaxations(intent: Intent): { readonly relaxed: ConstraintName; readonly intent: Intent }[] {
  // A limit of one yen without its unit would be one of any currency, so both are relaxed together.
  const isOne = isUnitOfLimit(intent.filter)
  return RELAX_ORDER.filter(name => intent.filter[name] !== undefined && !(isOne && name === 'currency')).map(
    relaxed => {
      const left: ConstraintName[] =
        isOne && relaxed === 'maxPricePerRequest' ? [relaxed, 'currency'] : [relaxed]
      const filter = { ...intent.filter }
      for (const name of left) delete filter[name]
      const constraintTokens = toConstraintTokens(intent.constraintWords, left)
      return { relaxed, intent: { ...intent, filter, constraintTokens } }
    },
  )
}
