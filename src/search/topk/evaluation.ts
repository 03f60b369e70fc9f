// The input of an evaluation: the postings of each query term, and scratch memory.
import { bitOf, lowestSlot, WORD_SHIFT } from '../../memory/bits.ts'
import type { BitmapPostings } from '../index/bitmap-postings.ts'
import { MAX_IMPACT } from '../index/document-terms.ts'
import type { PostingsList } from '../index/postings.ts'
import type { TopK } from './top-k.ts'

/** The postings of one term of a query. */
export type TermPostings = PostingsList & {
  /** The factor of an impact: an integer, so that sums do not depend on their order. */
  readonly weight: number
}
export type DenseTermPostings = TermPostings & { readonly bitmap: BitmapPostings }

/** A filter, applied during evaluation. */
export type Accept = ((slot: number) => boolean) & {
  /** The slots that pass, as a bitmap, when this is known for all slots. */
  readonly passing?: Int32Array
}

export type Evaluation = {
  readonly terms: readonly TermPostings[]
  /** The length of a bitmap over all slots, in words of 32. */
  readonly bitmapWords: number
  /**
   * What an entry gets for having a term, in addition to the weighted impact. With COORDINATION, entries with more of the
   * terms come first (coordination level matching); with 0, only the impacts count.
   */
  readonly base: number
  readonly scratch: Scratch
  readonly top: TopK
  readonly accept?: Accept | undefined
}

/** Larger than any sum of weighted impacts of one query. */
export const COORDINATION = 2 ** 31

/** Further words are ignored, which bounds the cost of a query. */
export const MAX_QUERY_WORDS = 32
/** The last word may be split into several terms. */
const MAX_TERMS = 2 * MAX_QUERY_WORDS - 1
/** The postings of this many entries are looked up together, so that their cache misses overlap. */
export const BATCH = 256

/** Memory for one evaluation at a time. `seen`, `several` and `sums` are all zero between evaluations. */
export class Scratch {
  /** Entries that were collected or skipped, as a bitmap. */
  seen = new Int32Array(0)
  /** Entries that have several sparse terms, as a bitmap. */
  several = new Int32Array(0)
  /** Accumulators, by slot. */
  sums = new Float64Array(0)
  /** The slots with several sparse terms, or those of champions. */
  touched = new Int32Array(0)
  /** The number of entries at each coordination level. */
  readonly atLevel = new Int32Array(MAX_TERMS + 1)
  readonly histogram = new Int32Array(MAX_IMPACT + 1)
  readonly batch = {
    slots: new Int32Array(BATCH),
    keys: new Float64Array(BATCH),
    bounds: new Float64Array(BATCH),
  }

  reserve(bitmapWords: number): void {
    if (this.seen.length >= bitmapWords) return
    const capacity = Math.max(bitmapWords, this.seen.length * 2)
    this.seen = new Int32Array(capacity)
    this.several = new Int32Array(capacity)
    this.sums = new Float64Array(capacity << WORD_SHIFT)
    this.touched = new Int32Array(capacity << WORD_SHIFT)
  }

  get bytes(): number {
    return this.seen.byteLength + this.several.byteLength + this.sums.byteLength + this.touched.byteLength
  }
}

/** Returns the bitmaps of the terms, for loops over many slots. */
export function bitsOf(terms: readonly DenseTermPostings[]): Int32Array[] {
  const bits: Int32Array[] = []
  for (const { bitmap } of terms) bits.push(bitmap.bits)
  return bits
}

/** Returns what the dense terms add to the key of an entry. @param known a term to leave out, whose part is already known */
export function denseKeyOf(
  terms: readonly DenseTermPostings[],
  base: number,
  slot: number,
  known?: DenseTermPostings,
): number {
  let key = 0
  for (let t = 0; t < terms.length; t++) {
    const term = terms[t]!
    if (term !== known && term.bitmap.has(slot))
      key += base + term.weight * term.impacts[term.start + term.bitmap.rank(slot)]!
  }
  return key
}

/** Returns the slots of a word that pass the filter. */
export function accepted(bits: number, word: number, accept: Accept): number {
  if (accept.passing !== undefined) return bits & accept.passing[word]!
  let kept = 0
  for (let left = bits; left !== 0; left &= left - 1) {
    const slot = lowestSlot(left, word)
    if (accept(slot)) kept |= bitOf(slot)
  }
  return kept
}
