// Finds where a page continues in a sorted index, by the keys of an entry that may have been removed.
import { writeIdWords } from '../../domain/ids.ts'
import type { IndexedOrder } from '../../domain/queries/orders.ts'
import type { PagePosition } from '../../domain/queries/page-cursor.ts'
import type { Columns } from '../columns/columns.ts'
import type { SlotTable } from '../columns/id-table.ts'
import type { KeyColumn } from '../columns/key-column.ts'
import { MissingFirst, type SlotSequence } from './missing-first.ts'

type Parts = { readonly columns: Columns; readonly ids: SlotTable }

export const keysAt = (
  { columns }: Parts,
  order: IndexedOrder,
  slot: number,
): readonly (string | number)[] => (order === 'age' ? [] : columns.keys[order].cursorKeys(slot))

/** The position of the first slot after the place, in the direction of the scan. */
export function positionAfter(
  { columns, ids }: Parts,
  set: SlotSequence,
  order: IndexedOrder,
  step: 1 | -1,
  { id, keys }: PagePosition,
): number {
  const words = new Uint32Array(4)
  writeIdWords(id, words, 0)
  const column: KeyColumn | undefined = order === 'age' ? undefined : columns.keys[order]
  const compareKeys = column?.comparisonToCursor(keys) ?? (() => 0)
  const isKeyMissing = set instanceof MissingFirst && column?.isMissingKey?.(keys)
  const compare = (slot: number) => {
    const byKey = compareKeys(slot)
    // If entries without a key come first, an entry with a key sorts after them.
    const sign = set instanceof MissingFirst && column?.isMissing?.(slot) !== isKeyMissing ? -1 : 1
    return sign * byKey || ids.compareTo(slot, words)
  }
  return step === 1
    ? set.countWhile(slot => compare(slot) <= 0)
    : set.countWhile(slot => compare(slot) < 0) - 1
}
