// Upper bounds for entries with dense terms: which combinations of terms can reach the threshold, and which entries of a
// block can.

import { WEAK } from '../index/bitmap-postings.ts'
import { type Conjunct, MAX_CONJUNCT_ROWS } from '../index/bitmap-rows.ts'
import type { BoundedTermPostings } from './champions.ts'

/** What a conjunct requires of a term: nothing, that an entry has it, or that it has it with a strong impact. */
const ANY = 0
const HAS = 1
const CLASSES = 3

/** Returns the maximum that a term adds to the key of an entry of a class. */
function maxOf({ weight, max }: BoundedTermPostings, base: number, required: number): number {
  if (required === ANY) return 0
  return required === HAS ? Math.min(max, base + weight * WEAK) : max
}

/**
 * Returns the combinations of terms that can reach the threshold, none implied by another. An entry that matches none of
 * them is skipped without reading its impacts. Terms beyond the first four count with their maximum.
 * @param terms in descending order of their maximum
 */
export function toConjuncts(
  terms: readonly BoundedTermPostings[],
  base: number,
  threshold: number,
): Conjunct[] {
  const named = terms.slice(0, MAX_CONJUNCT_ROWS)
  let others = 0
  for (const { max } of terms.slice(MAX_CONJUNCT_ROWS)) others += max
  const needed = threshold - others
  if (needed <= 0) return terms.map(({ bitmap }) => [bitmap.bitsRow])
  const found: number[][] = []
  // In ascending order of what is required, so that a combination comes after those that imply it.
  for (let number = 0; number < CLASSES ** named.length; number++) {
    const required: number[] = []
    let max = 0
    for (let t = 0, rest = number; t < named.length; t++, rest = Math.floor(rest / CLASSES)) {
      required.push(rest % CLASSES)
      max += maxOf(named[t]!, base, rest % CLASSES)
    }
    const isImplied = () => found.some(other => other.every((kind, t) => kind <= required[t]!))
    if (max >= needed && !isImplied()) found.push(required)
  }
  return found.map(required =>
    required.flatMap((kind, t) => {
      const { bitsRow, strongRow } = named[t]!.bitmap
      return kind === ANY ? [] : [kind === HAS ? bitsRow : strongRow]
    }),
  )
}

/** Returns the entries of a block that may reach the threshold (block-max). */
export type BlockBound = (slots: number, word: number, threshold: number) => number

export function createBlockBound(terms: readonly BoundedTermPostings[], base: number): BlockBound {
  const bitmaps = terms.map(({ bitmap }) => bitmap)
  const weights = terms.map(({ weight }) => weight)
  return (slots, word, threshold) => {
    let max = 0
    for (let t = 0; t < bitmaps.length; t++)
      if ((bitmaps[t]!.bits[word]! & slots) !== 0) max += base + weights[t]! * bitmaps[t]!.blockMax[word]!
    if (max < threshold) return 0
    let kept = 0
    for (let left = slots; left !== 0; left &= left - 1) {
      const bit = left & -left
      let bound = 0
      for (let t = 0; t < bitmaps.length; t++)
        if ((bitmaps[t]!.bits[word]! & bit) !== 0) bound += base + weights[t]! * bitmaps[t]!.maxAt(word, bit)
      if (bound >= threshold) kept |= bit
    }
    return kept
  }
}
