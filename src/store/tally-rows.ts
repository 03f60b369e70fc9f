// The sums of a day of probes, which both engines keep in the same columns.
import { TALLY_FIELDS, type Tally } from '../domain/probes.ts'

export const TALLY_COLUMNS = TALLY_FIELDS.map(field =>
  field.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`),
)

/** Where there are no rows to add up, a sum is null. */
export const toStoredTally = (row: readonly unknown[], at: number): Tally =>
  Object.fromEntries(
    TALLY_FIELDS.map((field, index) => [field, (row[at + index] as number | null) ?? 0]),
  ) as Tally
