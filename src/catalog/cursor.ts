// Where a page goes on in a kept order, found by the keys of an entry that may be gone by now.
import { writeIdWords } from '../domain/ids.ts'
import type { PriceWords } from '../domain/money.ts'
import type { Place } from '../domain/page-cursor.ts'
import type { OrderedSlots } from '../memory/sorted-slots.ts'
import type { Columns } from './columns.ts'
import type { SlotTable } from './id-table.ts'
import type { Kept } from './sorted-indexes.ts'

type Parts = { readonly columns: Columns; readonly ids: SlotTable }

export function keysAt({ columns }: Parts, kept: Kept, slot: number): readonly (string | number)[] {
  switch (kept) {
    case 'age':
      return []
    case 'name':
      return [columns.foldedName(slot)]
    case 'price':
      return columns.priceWords(slot)
    case 'trustScore':
      return [columns.trust[slot]!]
  }
}

/** The position of the first slot behind the place, in the direction of the walk. */
export function positionAfter(
  { columns, ids }: Parts,
  set: OrderedSlots,
  kept: Kept,
  step: 1 | -1,
  { id, keys }: Place,
): number {
  const words = new Uint32Array(4)
  writeIdWords(id, words, 0)
  const compareKeys = keyComparison(columns, kept, keys)
  const compare = (slot: number) => compareKeys(slot) || ids.compareTo(slot, words)
  return step === 1
    ? set.countWhile(slot => compare(slot) <= 0)
    : set.countWhile(slot => compare(slot) < 0) - 1
}

/** Below zero where the slot stands before the keys in ascending order. */
function keyComparison(
  columns: Columns,
  kept: Kept,
  keys: readonly (string | number)[],
): (slot: number) => number {
  switch (kept) {
    case 'age':
      return () => 0
    case 'name': {
      const name = new TextEncoder().encode(keys[0] as string)
      return slot => columns.compareNameTo(slot, name)
    }
    case 'price': {
      const words = keys as unknown as PriceWords
      return slot => columns.comparePriceTo(slot, words)
    }
    case 'trustScore':
      return slot => columns.trust[slot]! - (keys[0] as number)
  }
}
