// Merges the postings of several terms into one list, for the expansions of a word.
import { bitOf, lowestSlot, WORD_SHIFT } from '../../memory/bits.ts'
import { grown } from '../../memory/growing.ts'
import type { PostingsList } from '../index/postings.ts'

/** Merges up to `bitmapWords` words of 32 slots. An entry with several of the terms gets the highest of their impacts. */
export type Merge = (terms: readonly SharedPostings[], bitmapWords: number) => PostingsList

/** Postings whose impacts may count only in part. */
export type SharedPostings = PostingsList & { readonly share?: number }

export function createMerger(): Merge {
  // Reused between merges, and all zero in between: allocating memory for every entry costs more than a merge.
  let bits = new Int32Array(0)
  let strongest = new Uint8Array(0)

  function mark({ slots, impacts, start, count, share = 1 }: SharedPostings): void {
    for (let at = start; at < start + count; at++) {
      const slot = slots[at]!
      const impact = share === 1 ? impacts[at]! : Math.ceil(impacts[at]! * share)
      bits[slot >> WORD_SHIFT]! |= bitOf(slot)
      if (impact > strongest[slot]!) strongest[slot] = impact
    }
  }

  return (terms, bitmapWords) => {
    bits = grown(bits, bitmapWords)
    strongest = grown(strongest, bitmapWords << WORD_SHIFT)
    let most = 0
    for (let t = 0; t < terms.length; t++) {
      mark(terms[t]!)
      most += terms[t]!.count
    }
    const slots = new Uint32Array(most)
    const impacts = new Uint8Array(most)
    let count = 0
    for (let word = 0; word < bitmapWords; word++) {
      const here = bits[word]!
      if (here === 0) continue
      for (let left = here; left !== 0; left &= left - 1) {
        const slot = lowestSlot(left, word)
        slots[count] = slot
        impacts[count++] = strongest[slot]!
        strongest[slot] = 0
      }
      bits[word] = 0
    }
    return { slots, impacts, start: 0, count, bitmap: undefined }
  }
}
