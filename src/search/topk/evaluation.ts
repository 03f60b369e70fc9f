// What a query is evaluated over: for each of its terms its postings.
import { bitOf, lowestSlot, WORD_SHIFT } from '../../memory/bits.ts'
import type { BitmapPostings } from '../index/bitmap-postings.ts'
import { MAX_IMPACT } from '../index/document-terms.ts'
import type { PostingsList } from '../index/postings.ts'
import type { TopK } from './top-k.ts'

/** The postings of one term of a query. */
export type TermPostings = PostingsList & {
  /** What an impact is multiplied by; whole, so that sums do not depend on their order. */
  readonly weight: number
}
export type DenseTermPostings = TermPostings & { readonly bitmap: BitmapPostings }

/** A filter, applied during evaluation. */
export type Accept = ((slot: number) => boolean) & {
  /** Where it is known for all slots: those that pass, as bits. */
  readonly passing?: Int32Array
}

export type Evaluation = {
  readonly terms: readonly TermPostings[]
  /** Words of 32 slots that the index spans. */
  readonly bitmapWords: number
  /**
   * What an entry gets for having a term, beside the weighted impact. With COORDINATION entries with more of the terms
   * come first (coordination level matching), with 0 the impacts alone decide.
   */
  readonly base: number
  readonly scratch: Scratch
  readonly top: TopK
  readonly accept?: Accept | undefined
}

/** More than the weighted impacts of all terms of a query add up to. */
export const COORDINATION = 2 ** 31

/** More words of a query than this say no more, and a query must stay cheap. */
export const MAX_QUERY_WORDS = 32
/** The last word may be split into several terms. */
const MAX_TERMS = 2 * MAX_QUERY_WORDS - 1
/** Entries whose postings are looked up together, so that the processor waits for many of them at the same time. */
export const BATCH = 256

/** Memory for one evaluation at a time; `seen`, `several` and `sums` are left all zero. */
export class Scratch {
  /** Entries that were collected or ruled out, as bits. */
  seen = new Int32Array(0)
  /** Entries that have several sparse terms, as bits. */
  several = new Int32Array(0)
  /** By slot: what the terms read so far add up to. */
  sums = new Float64Array(0)
  /** The slots of sparse terms, and behind them those of several such terms, or of champions. */
  touched = new Int32Array(0)
  /** How many entries have so many of the terms. */
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
    this.touched = new Int32Array(capacity << (WORD_SHIFT + 1))
  }

  get bytes(): number {
    return this.seen.byteLength + this.several.byteLength + this.sums.byteLength + this.touched.byteLength
  }
}

/** Looked up once, for loops over many slots. */
export function bitsOf(terms: readonly DenseTermPostings[]): Int32Array[] {
  const bits: Int32Array[] = []
  for (const { bitmap } of terms) bits.push(bitmap.bits)
  return bits
}

/** What dense terms, all but one where that is known, add to the key of an entry. */
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

/** Of the slots in a word, those that the filter lets through. */
export function accepted(bits: number, word: number, accept: Accept): number {
  if (accept.passing !== undefined) return bits & accept.passing[word]!
  let kept = 0
  for (let left = bits; left !== 0; left &= left - 1) {
    const slot = lowestSlot(left, word)
    if (accept(slot)) kept |= bitOf(slot)
  }
  return kept
}
