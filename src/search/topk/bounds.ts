// Upper bounds for entries with dense terms: which combinations of terms can reach the threshold at all, and which entries of a
// block can.

import { WEAK } from '../index/bitmap-postings.ts'
import { type Conjunct, MAX_CONJUNCT_ROWS } from '../index/bitmap-rows.ts'
import type { BoundedTermPostings } from './champions.ts'

/** What a conjunct asks for of a term: nothing, to have it, or to have it with a strong impact. */
const ANY = 0
const HAS = 1
const CLASSES = 3

/** What a term adds at most to an entry of a class. */
function mostOf({ weight, most }: BoundedTermPostings, base: number, asked: number): number {
  if (asked === ANY) return 0
  return asked === HAS ? Math.min(most, base + weight * WEAK) : most
}

/**
 * The combinations of terms that can reach the threshold, none implied by another. An entry that fits none of them is out,
 * whatever its impacts. Terms beyond the first four are taken to be there at their best.
 * @param terms those that add most first
 */
export function toConjuncts(
  terms: readonly BoundedTermPostings[],
  base: number,
  threshold: number,
): Conjunct[] {
  const named = terms.slice(0, MAX_CONJUNCT_ROWS)
  let others = 0
  for (const { most } of terms.slice(MAX_CONJUNCT_ROWS)) others += most
  const needed = threshold - others
  if (needed <= 0) return terms.map(({ bitmap }) => [bitmap.bitsRow])
  const found: number[][] = []
  // Counts up from the least asked for, so that what implies a combination is met before it.
  for (let number = 0; number < CLASSES ** named.length; number++) {
    const asked: number[] = []
    let most = 0
    for (let t = 0, rest = number; t < named.length; t++, rest = Math.floor(rest / CLASSES)) {
      asked.push(rest % CLASSES)
      most += mostOf(named[t]!, base, rest % CLASSES)
    }
    const isImplied = () => found.some(other => other.every((kind, t) => kind <= asked[t]!))
    if (most >= needed && !isImplied()) found.push(asked)
  }
  return found.map(asked =>
    asked.flatMap((kind, t) => {
      const { bitsRow, strongRow } = named[t]!.bitmap
      return kind === ANY ? [] : [kind === HAS ? bitsRow : strongRow]
    }),
  )
}

/** Of the entries of a block, those that may reach the threshold (block-max). */
export type BlockBound = (slots: number, word: number, threshold: number) => number

export function createBlockBound(terms: readonly BoundedTermPostings[], base: number): BlockBound {
  const bitmaps = terms.map(({ bitmap }) => bitmap)
  const weights = terms.map(({ weight }) => weight)
  return (slots, word, threshold) => {
    let most = 0
    for (let t = 0; t < bitmaps.length; t++)
      if ((bitmaps[t]!.bits[word]! & slots) !== 0) most += base + weights[t]! * bitmaps[t]!.blockMax[word]!
    if (most < threshold) return 0
    let kept = 0
    for (let left = slots; left !== 0; left &= left - 1) {
      const bit = left & -left
      let bound = 0
      for (let t = 0; t < bitmaps.length; t++)
        if ((bitmaps[t]!.bits[word]! & bit) !== 0) bound += base + weights[t]! * bitmaps[t]!.mostAt(word, bit)
      if (bound >= threshold) kept |= bit
    }
    return kept
  }
}
