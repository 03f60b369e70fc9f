// Makes one list of postings out of several, for terms that stand in for one word.
import { bitOf, countBits, lowestSlot, WORD_SHIFT } from './bits.ts'
import { grown } from './growing.ts'
import type { WalkTerm } from './walk-term.ts'

/** Merges up to `words` words of slots; an entry with more than one of the terms counts with the strongest. */
export type Merge = (terms: readonly WalkTerm[], words: number) => Omit<WalkTerm, 'weight'>

export function createMerger(): Merge {
  // Kept between merges and left all zero: to make room for every entry anew costs more than a merge.
  let bits = new Int32Array(0)
  let strongest = new Uint8Array(0)

  function mark({ slots, impacts, start, count }: WalkTerm): void {
    for (let at = start; at < start + count; at++) {
      const slot = slots[at]!
      const impact = impacts[at]!
      bits[slot >> WORD_SHIFT]! |= bitOf(slot)
      if (impact > strongest[slot]!) strongest[slot] = impact
    }
  }

  return (terms, words) => {
    bits = grown(bits, words)
    strongest = grown(strongest, words << WORD_SHIFT)
    for (let t = 0; t < terms.length; t++) mark(terms[t]!)
    let count = 0
    for (let word = 0; word < words; word++) if (bits[word] !== 0) count += countBits(bits[word]!)
    const slots = new Uint32Array(count)
    const impacts = new Uint8Array(count)
    let at = 0
    for (let word = 0; word < words; word++) {
      for (let left = bits[word]!; left !== 0; left &= left - 1) {
        const slot = lowestSlot(left, word)
        slots[at] = slot
        impacts[at++] = strongest[slot]!
        strongest[slot] = 0
      }
      bits[word] = 0
    }
    return { slots, impacts, start: 0, count, frequent: undefined }
  }
}
