// Where a page goes on in a sorted index, found by the keys of an entry that may be gone by now.
import { writeIdWords } from '../domain/ids.ts'
import type { IndexedOrder } from '../domain/orders.ts'
import type { PagePosition } from '../domain/page-cursor.ts'
import type { Columns } from './columns.ts'
import type { SlotTable } from './id-table.ts'
import type { KeyColumn } from './key-column.ts'
import { MissingFirst, type SlotSequence } from './missing-first.ts'

type Parts = { readonly columns: Columns; readonly ids: SlotTable }

export const keysAt = (
  { columns }: Parts,
  order: IndexedOrder,
  slot: number,
): readonly (string | number)[] => (order === 'age' ? [] : columns.keys[order].cursorKeys(slot))

/** The position of the first slot behind the place, in the direction of the scan. */
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
  const isTurned = set instanceof MissingFirst && column?.isMissingKey?.(keys)
  const compare = (slot: number) => {
    const byKey = compareKeys(slot)
    // Where entries without a key stand in front, one that has a key comes behind them.
    const turn = set instanceof MissingFirst && column?.isMissing?.(slot) !== isTurned ? -1 : 1
    return turn * byKey || ids.compareTo(slot, words)
  }
  return step === 1
    ? set.countWhile(slot => compare(slot) <= 0)
    : set.countWhile(slot => compare(slot) < 0) - 1
}
