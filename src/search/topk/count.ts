// Counts the entries that have any of the terms of a query.
import { bitOf, countBits, WORD_SHIFT } from '../../memory/bits.ts'
import { type Accept, accepted, type DenseTermPostings, type TermPostings } from './evaluation.ts'

/** Returns how many entries have any of the dense terms. */
export function countDense(dense: readonly DenseTermPostings[]): number {
  const [first] = dense
  if (first === undefined) return 0
  return dense.length === 1
    ? first.count
    : first.bitmap.rows.countAny(dense.map(({ bitmap }) => bitmap.bitsRow))
}

/** Returns how many accepted entries have any of the terms. */
export function countAccepted(
  terms: readonly TermPostings[],
  bitmapWords: number,
  accept: Accept | undefined,
): number {
  const bits = new Int32Array(bitmapWords)
  for (const { bitmap, slots, start, count } of terms) {
    if (bitmap !== undefined) for (let word = 0; word < bitmapWords; word++) bits[word]! |= bitmap.bits[word]!
    else for (let at = start; at < start + count; at++) bits[slots[at]! >> WORD_SHIFT]! |= bitOf(slots[at]!)
  }
  let total = 0
  for (let word = 0; word < bitmapWords; word++) {
    const any = bits[word]!
    if (any !== 0) total += countBits(accept === undefined ? any : accepted(any, word, accept))
  }
  return total
}
