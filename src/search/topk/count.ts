// How many entries have any of the terms of a query.
import { bitOf, WORD_SHIFT } from '../../memory/bits.ts'
import type { DenseCursor, Scratch } from './cursor.ts'

/** @param touched how many entries with a sparse term stand in `scratch.touched` */
export function countAny(dense: readonly DenseCursor[], scratch: Scratch, touched: number): number {
  const [first] = dense
  if (first === undefined) return touched
  let total =
    dense.length === 1 ? first.count : first.bitmap.rows.countAny(dense.map(({ bitmap }) => bitmap.bitsRow))
  const bits = dense.map(({ bitmap }) => bitmap.bits)
  for (let i = 0; i < touched; i++) {
    const slot = scratch.touched[i]!
    let inDense = 0
    for (let t = 0; t < bits.length; t++) inDense |= bits[t]![slot >> WORD_SHIFT]! & bitOf(slot)
    if (inDense === 0) total++
  }
  return total
}
