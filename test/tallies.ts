// Sums of what probes add up to.
import { TALLY_FIELDS, type Tally } from '../src/domain/standing/standing.ts'

export const addTallies = (tallies: readonly Tally[]): Tally =>
  Object.fromEntries(
    TALLY_FIELDS.map(field => [field, tallies.reduce((sum, tally) => sum + tally[field], 0)]),
  ) as Tally
