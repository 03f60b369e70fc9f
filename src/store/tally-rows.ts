// Daily sums of probes, in the same columns in both engines.
import { TALLY_FIELDS, type Tally } from '../domain/standing/probes.ts'

export const TALLY_COLUMNS = TALLY_FIELDS.map(field =>
  field.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`),
)

/** SQL returns null for a sum over no rows. */
export const toStoredTally = (row: readonly unknown[], at: number): Tally =>
  Object.fromEntries(
    TALLY_FIELDS.map((field, index) => [field, (row[at + index] as number | null) ?? 0]),
  ) as Tally
