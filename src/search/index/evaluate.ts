// Finds the entries with the highest keys, term at a time: the postings of each term are added to one sum per entry. A key is
// the sum of `base + weight · impact` over the terms of the query that an entry has.

import { bitOf, lowestSlot, WORD_SHIFT } from '../../memory/bitset.ts'
import { grown } from '../../memory/growing.ts'
import type { SlotOrder, SlotTest } from '../../memory/sorted-slots.ts'
import { findPosting, MAX_IMPACT, type PostingsList } from './postings.ts'

export class TopK {
  readonly k: number
  readonly #order: SlotOrder
  readonly #keys: Float64Array
  readonly #slots: Int32Array
  size = 0
  /** Once full, the key of the worst hit. Lower keys are rejected; equal ones are ordered by slot. */
  threshold = Number.NEGATIVE_INFINITY

  constructor(k: number, order: SlotOrder) {
    this.k = k
    this.#order = order
    this.#keys = new Float64Array(k)
    this.#slots = new Int32Array(k)
    if (k === 0) this.threshold = Number.POSITIVE_INFINITY
  }

  collect(key: number, slot: number): void {
    if (key < this.threshold) return
    if (this.size < this.k) this.#rise(this.size++, key, slot)
    else if (key > this.threshold || this.#order(slot, this.#slots[0]!) <= 0) this.#replaceWorst(key, slot)
    if (this.size === this.k) this.threshold = this.#keys[0]!
  }

  /** Returns the hits best first, and empties the collector. */
  sorted(): { key: number; slot: number }[] {
    const hits = Array.from({ length: this.size }, (_, i) => ({ key: this.#keys[i]!, slot: this.#slots[i]! }))
    this.size = 0
    this.threshold = Number.NEGATIVE_INFINITY
    return hits.sort((a, b) => b.key - a.key || this.#order(a.slot, b.slot))
  }

  #isWorse(key: number, slot: number, than: number, thanSlot: number): boolean {
    return key < than || (key === than && this.#order(slot, thanSlot) > 0)
  }

  /** Moves a hit up from `from` while it is worse than its parent. */
  #rise(from: number, key: number, slot: number): void {
    const [keys, slots] = [this.#keys, this.#slots]
    let at = from
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!this.#isWorse(key, slot, keys[parent]!, slots[parent]!)) break
      keys[at] = keys[parent]!
      slots[at] = slots[parent]!
      at = parent
    }
    keys[at] = key
    slots[at] = slot
  }

  #replaceWorst(key: number, slot: number): void {
    const [keys, slots, size] = [this.#keys, this.#slots, this.size]
    let at = 0
    for (let child = 1; child < size; child = 2 * at + 1) {
      const right = child + 1
      if (right < size && this.#isWorse(keys[right]!, slots[right]!, keys[child]!, slots[child]!))
        child = right
      if (this.#isWorse(key, slot, keys[child]!, slots[child]!)) break
      keys[at] = keys[child]!
      slots[at] = slots[child]!
      at = child
    }
    keys[at] = key
    slots[at] = slot
  }
}

/** The postings of one term of a query. */
export type TermPostings = PostingsList & {
  /** The factor of an impact: an integer, so that sums do not depend on their order. */
  readonly weight: number
}

/** Larger than any sum of weighted impacts of one query: with this as base, entries with more of the terms come first. */
export const COORDINATION = 2 ** 31
/** Two terms are not intersected when the shorter list is longer than this. */
const MAX_LOOKED_THROUGH = 4_096

/** Postings whose impacts may count only in part. */
export type SharedPostings = PostingsList & { readonly share?: number }

/** Evaluates one query at a time in reused memory, which is all zero in between. */
export class Evaluator {
  #sums = new Float64Array(0)
  #touched = new Int32Array(0)
  #bits = new Int32Array(0)
  #strongest = new Uint8Array(0)

  get bytes(): number {
    return 13 * this.#sums.length
  }

  /** Collects the best entries with any of the terms. Returns how many accepted entries have one. */
  collectAny(
    terms: readonly TermPostings[],
    base: number,
    reach: number,
    top: TopK,
    accept?: SlotTest,
  ): number {
    const count = this.#add(terms, base, reach)
    const [sums, touched] = [this.#sums, this.#touched]
    let total = 0
    for (let i = 0; i < count; i++) {
      const slot = touched[i]!
      const key = sums[slot]!
      sums[slot] = 0
      if (accept !== undefined && !accept(slot)) continue
      total++
      if (key >= top.threshold) top.collect(key, slot)
    }
    return total
  }

  /** Visits the entries that have all of the terms, with the sum of `weight · impact`. */
  eachWithAll(
    terms: readonly TermPostings[],
    reach: number,
    visit: (slot: number, score: number) => void,
  ): void {
    const rarestFirst = terms.toSorted((a, b) => a.count - b.count)
    const count = this.#add(rarestFirst, COORDINATION, reach, true)
    const [sums, touched] = [this.#sums, this.#touched]
    const all = terms.length * COORDINATION
    for (let i = 0; i < count; i++) {
      const slot = touched[i]!
      const key = sums[slot]!
      sums[slot] = 0
      if (key >= all) visit(slot, key - all)
    }
  }

  /** Merges postings into one list: an entry with several of the terms gets the highest of their impacts. */
  merge(terms: readonly SharedPostings[], reach: number): PostingsList {
    const words = (reach + 31) >> WORD_SHIFT
    this.#bits = grown(this.#bits, words)
    this.#strongest = grown(this.#strongest, words << WORD_SHIFT)
    const [bits, strongest] = [this.#bits, this.#strongest]
    let most = 0
    for (const { slots, impacts, start, count, share = 1 } of terms) {
      most += count
      for (let at = start; at < start + count; at++) {
        const slot = slots[at]!
        const impact = share === 1 ? impacts[at]! : Math.ceil(impacts[at]! * share)
        bits[slot >> WORD_SHIFT]! |= bitOf(slot)
        if (impact > strongest[slot]!) strongest[slot] = impact
      }
    }
    const slots = new Uint32Array(most)
    const impacts = new Uint8Array(most)
    let count = 0
    for (let word = 0; word < words; word++) {
      for (let left = bits[word]!; left !== 0; left &= left - 1) {
        const slot = lowestSlot(left, word)
        slots[count] = slot
        impacts[count++] = strongest[slot]!
        strongest[slot] = 0
      }
      bits[word] = 0
    }
    return { slots, impacts, start: 0, count }
  }

  /**
   * Adds up the keys of the entries that have a term. Returns their number; their slots are in `#touched`.
   * @param onlyFirst whether only entries with the first term matter
   */
  #add(terms: readonly TermPostings[], base: number, reach: number, onlyFirst = false): number {
    if (this.#sums.length < reach) {
      this.#sums = new Float64Array(reach + (reach >> 2))
      this.#touched = new Int32Array(this.#sums.length)
    }
    const [sums, touched] = [this.#sums, this.#touched]
    let size = 0
    for (let t = 0; t < terms.length; t++) {
      const { slots, impacts, start, count, weight } = terms[t]!
      const addsSlots = t === 0 || !onlyFirst
      for (let at = start; at < start + count; at++) {
        const slot = slots[at]!
        const before = sums[slot]!
        if (before === 0) {
          if (!addsSlots) continue
          touched[size++] = slot
        }
        sums[slot] = before + base + weight * impacts[at]!
      }
    }
    return size
  }
}

/** Returns the postings of entries that have both terms; undefined when there are none, or too many to intersect. */
export function intersectPostings(a: PostingsList, b: PostingsList): PostingsList | undefined {
  const [rare, other] = a.count <= b.count ? [a, b] : [b, a]
  if (rare.count > MAX_LOOKED_THROUGH) return undefined
  const slots = new Uint32Array(rare.count)
  const impacts = new Uint8Array(rare.count)
  let count = 0
  for (let at = rare.start; at < rare.start + rare.count; at++) {
    const place = findPosting(other, rare.slots[at]!)
    if (place < 0) continue
    slots[count] = rare.slots[at]!
    impacts[count++] = Math.min(rare.impacts[at]!, other.impacts[place]!)
  }
  return count === 0 ? undefined : { slots, impacts, start: 0, count }
}

/** Returns the sum of weight · impact over the terms of an entry: BM25F, with impacts that include all but the IDF. */
export function scoreOf(terms: readonly TermPostings[], slot: number): number {
  let score = 0
  for (const term of terms) {
    const at = findPosting(term, slot)
    if (at >= 0) score += term.weight * term.impacts[at]!
  }
  return score
}

/** Returns an upper bound of the sum of weighted impacts. */
export function maxScore(terms: readonly TermPostings[]): number {
  let sum = 0
  for (const { weight } of terms) sum += weight
  return MAX_IMPACT * sum
}

/** At this share of the maximum score the last word counts half. */
const HALF_SATISFIED = 0.5

/** The share of the query words that an entry has, by its key. The last of them counts by how strong the impacts are. */
export const toCoordinatedRelevance =
  (terms: number, most: number) =>
  (key: number): number => {
    const words = Math.floor(key / COORDINATION)
    const mean = ((key - words * COORDINATION) / most) * (terms / words)
    return (words - 1 + mean / (mean + HALF_SATISFIED)) / terms
  }
