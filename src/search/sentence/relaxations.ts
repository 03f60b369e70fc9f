// What a sentence asks for with one condition less, for answers that nothing fits.
import { CONSTRAINT_NAMES, CONSTRAINTS, type ConstraintName } from '../../domain/filters.ts'
import { isUnitOfLimit } from './one-measure.ts'
import { type Intent, toConstraintTokens } from './read-intent.ts'

/** In the order in which one would give way: first the money, last where to pay. */
const GIVING_WAY = CONSTRAINT_NAMES.toSorted((a, b) => CONSTRAINTS[a].givesWay - CONSTRAINTS[b].givesWay)

/** The same intent without one of its constraints, for each of them. */
export function relaxations(intent: Intent): { readonly relaxed: ConstraintName; readonly intent: Intent }[] {
  // A limit of one yen without its unit would be one of anything: both give way together.
  const isOne = isUnitOfLimit(intent.filter)
  return GIVING_WAY.filter(name => intent.filter[name] !== undefined && !(isOne && name === 'currency')).map(
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
