// What a walk over postings is made of: the words of a query, and the room to add up in.
import { bitOf, lowestSlot, WORD_SHIFT } from '../../memory/bits.ts'
import type { FrequentTerm } from '../index/bitmap-postings.ts'
import type { TopHits } from './top-k.ts'

/** One word of a query, as the walk sees it: `count` postings from `start` on. */
export type WalkTerm = {
  readonly slots: Uint32Array
  readonly impacts: Uint8Array
  readonly start: number
  readonly count: number
  /** What an impact is multiplied by; whole, so that sums do not depend on their order. */
  readonly weight: number
  /** Reaches over all slots of the catalog. */
  readonly frequent: FrequentTerm | undefined
}

/** Filters, applied inside the walk. */
export type Accept = ((slot: number) => boolean) & {
  /** Where it is known for all slots: those that pass, as bits. */
  readonly passing?: Int32Array
}

/** A key is coverage · COVERAGE + score: entries with more of the words come first. */
export const COVERAGE = 2 ** 31

/** No walk has more terms. */
const MOST_TERMS = 255

/** Room for one walk at a time, kept between walks and left all zero. */
export class Scratch {
  coverage = new Uint8Array(0)
  scores = new Int32Array(0)
  touched = new Int32Array(0)
  bits = new Int32Array(0)
  marks = new Int32Array(0)
  /** How many entries have at least so many of the terms. */
  readonly reaching = new Int32Array(MOST_TERMS + 1)

  reserve(words: number): void {
    if (this.bits.length >= words) return
    const room = Math.max(words, this.bits.length * 2)
    this.bits = new Int32Array(room)
    this.marks = new Int32Array(room)
    this.coverage = new Uint8Array(room << WORD_SHIFT)
    this.scores = new Int32Array(room << WORD_SHIFT)
    this.touched = new Int32Array(room << WORD_SHIFT)
  }

  get bytes(): number {
    return (
      2 * this.bits.byteLength + this.coverage.byteLength + this.scores.byteLength + this.touched.byteLength
    )
  }
}

export type Walk = {
  readonly terms: readonly WalkTerm[]
  readonly words: number
  readonly scratch: Scratch
  readonly top: TopHits
  readonly accept: Accept | undefined
}

/** Entries with more of the words come first, whatever their score. */
export type KeywordWalk = Omit<Walk, 'accept'> & {
  /** Whether all entries are counted; otherwise those that cannot be among the best are passed over. */
  readonly counts: boolean
}

/** The lowest impact with which an entry can still enter that gets no more than `most` besides. */
export const leastImpact = ({ threshold }: TopHits, most: number, weight: number): number =>
  threshold <= most ? 0 : Math.ceil((threshold - most) / weight)

export const impactIn = (term: WalkTerm, frequent: FrequentTerm, slot: number): number =>
  term.impacts[term.start + frequent.rank(slot)]!

/** What terms that are kept as bits add up to in an entry, all but one where that is known. */
export function scoreIn(terms: readonly WalkTerm[], slot: number, except = -1): number {
  let score = 0
  for (let t = 0; t < terms.length; t++) {
    const term = terms[t]!
    const frequent = term.frequent!
    if (t !== except && frequent.has(slot)) score += term.weight * impactIn(term, frequent, slot)
  }
  return score
}

/** What the terms that are kept as bits add to the key of a slot. */
export function keyIn(terms: readonly WalkTerm[], slot: number): number {
  let key = 0
  for (let t = 0; t < terms.length; t++) {
    const term = terms[t]!
    const frequent = term.frequent!
    if (frequent.has(slot)) key += COVERAGE + term.weight * impactIn(term, frequent, slot)
  }
  return key
}

/** Where the posting of a slot is in the term's arrays, or -1. */
export function findPosting(term: WalkTerm, slot: number): number {
  const { slots, start, count, frequent } = term
  if (frequent !== undefined) return frequent.has(slot) ? start + frequent.rank(slot) : -1
  let low = start
  let high = start + count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (slots[middle]! < slot) low = middle + 1
    else high = middle
  }
  return low < start + count && slots[low] === slot ? low : -1
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

/** Marks the entries of a list. */
export function mark({ slots, start, count }: WalkTerm, bits: Int32Array): void {
  for (let at = start; at < start + count; at++) bits[slots[at]! >> WORD_SHIFT]! |= bitOf(slots[at]!)
}

/** Nothing that lies near the entries of a list is marked any more. */
export function unmark({ slots, start, count }: WalkTerm, bits: Int32Array): void {
  for (let at = start; at < start + count; at++) bits[slots[at]! >> WORD_SHIFT] = 0
}
