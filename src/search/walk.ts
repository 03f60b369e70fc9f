// Walks the postings of a query. Rare terms are added up entry by entry; frequent ones 32 slots at a time, where a word of
// slots is left out unread as soon as its best possible hit cannot enter the best so far. The answer is always that of
// the exhaustive walk.
import { bitOf, countBits, lowestSlot, WORD_SHIFT } from './bits.ts'
import type { FrequentTerm } from './frequent-term.ts'
import type { TopHits } from './top-hits.ts'

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
export type Accept = (slot: number) => boolean

/** A key is coverage · COVERAGE + score: entries with more of the words come first. */
export const COVERAGE = 2 ** 31

/** Room for one walk at a time, kept between walks and left all zero. */
export class Scratch {
  coverage = new Uint8Array(0)
  scores = new Int32Array(0)
  touched = new Int32Array(0)
  bits = new Int32Array(0)

  reserve(words: number): void {
    if (this.bits.length >= words) return
    const room = Math.max(words, this.bits.length * 2)
    this.bits = new Int32Array(room)
    this.coverage = new Uint8Array(room << WORD_SHIFT)
    this.scores = new Int32Array(room << WORD_SHIFT)
    this.touched = new Int32Array(room << WORD_SHIFT)
  }

  get bytes(): number {
    return this.bits.byteLength + this.coverage.byteLength + this.scores.byteLength + this.touched.byteLength
  }
}

type Walk = {
  readonly terms: readonly WalkTerm[]
  readonly words: number
  readonly scratch: Scratch
  readonly top: TopHits
  readonly accept: Accept | undefined
  /** Whether entries with more of the words come first, whatever their score. */
  readonly byCoverage: boolean
}

const impactIn = (term: WalkTerm, frequent: FrequentTerm, slot: number): number =>
  term.impacts[term.start + frequent.rank(slot)]!

/** Offers every entry with any of the terms; answers how many there are. */
export function walkAny(walk: Walk): number {
  const rare = walk.terms.filter(term => term.frequent === undefined)
  const frequent = walk.terms.filter(term => term.frequent !== undefined)
  walk.scratch.reserve(walk.words)
  const touched = addUp(rare, walk.scratch)
  const offered = offerTouched(walk, frequent, touched)
  const total = offered + walkFrequent(walk, frequent, touched)
  clear(walk.scratch, touched)
  return total
}

function walkFrequent(walk: Walk, frequent: readonly WalkTerm[], touched: number): number {
  if (frequent.length === 0) return 0
  if (walk.accept !== undefined || !walk.byCoverage || frequent.length > 2) return walkMany(walk, frequent)
  const [one, two] = frequent as [WalkTerm, WalkTerm?]
  return two === undefined ? walkOne(walk, one, touched) : walkTwo(walk, one, two, touched)
}

/** Adds up coverage and score of every entry with a rare term; answers how many were touched. */
function addUp(rare: readonly WalkTerm[], { coverage, scores, touched, bits }: Scratch): number {
  let size = 0
  for (const { slots, impacts, start, count, weight } of rare) {
    for (let at = start; at < start + count; at++) {
      const slot = slots[at]!
      if (coverage[slot] === 0) {
        touched[size++] = slot
        bits[slot >> WORD_SHIFT]! |= bitOf(slot)
      }
      coverage[slot]!++
      scores[slot]! += weight * impacts[at]!
    }
  }
  return size
}

function offerTouched(
  { scratch, top, accept, byCoverage }: Walk,
  frequent: readonly WalkTerm[],
  touched: number,
): number {
  let total = 0
  const unit = byCoverage ? COVERAGE : 0
  for (let i = 0; i < touched; i++) {
    const slot = scratch.touched[i]!
    if (accept !== undefined && !accept(slot)) continue
    total++
    let key = scratch.coverage[slot]! * unit + scratch.scores[slot]!
    for (const term of frequent) {
      if (term.frequent!.has(slot)) key += unit + term.weight * impactIn(term, term.frequent!, slot)
    }
    if (key >= top.threshold) top.offer(key, slot)
  }
  return total
}

function clear({ coverage, scores, touched, bits }: Scratch, size: number): void {
  for (let i = 0; i < size; i++) {
    const slot = touched[i]!
    coverage[slot] = 0
    scores[slot] = 0
    bits[slot >> WORD_SHIFT] = 0
  }
}

/** Counts in binary, one plane a digit, how many terms each of 32 slots has. */
const planes = new Int32Array(8)

function addPlane(bits: number, used: number): number {
  let carry = bits
  for (let digit = 0; digit < used; digit++) {
    const both = planes[digit]! & carry
    planes[digit]! ^= carry
    carry = both
    if (carry === 0) return used
  }
  planes[used] = carry
  return used + 1
}

/** The slots whose count is above (or at least) `limit`. */
function countedAbove(limit: number, used: number, orEqual: boolean): number {
  if (limit >= 1 << used) return 0
  let above = 0
  let equal = -1
  for (let digit = used - 1; digit >= 0; digit--) {
    const plane = planes[digit]!
    if ((limit & (1 << digit)) === 0) {
      above |= equal & plane
      equal &= ~plane
    } else equal &= plane
  }
  return orEqual ? above | equal : above
}

/** How many touched entries have the first or the second term. */
function countTouched(scratch: Scratch, touched: number, one: FrequentTerm, two: FrequentTerm): number {
  let count = 0
  for (let i = 0; i < touched; i++) {
    const slot = scratch.touched[i]!
    if (one.has(slot) || two.has(slot)) count++
  }
  return count
}

/** Every entry that has one frequent term and nothing else. */
function walkOne({ scratch, words, top }: Walk, term: WalkTerm, touched: number): number {
  const frequent = term.frequent!
  const { bits, tops } = frequent
  for (let word = 0; word < words; word++) {
    if (COVERAGE + term.weight * tops[word]! < top.threshold) continue
    for (let left = bits[word]! & ~scratch.bits[word]!; left !== 0; left &= left - 1) {
      const slot = lowestSlot(left, word)
      const key = COVERAGE + term.weight * impactIn(term, frequent, slot)
      if (key >= top.threshold) top.offer(key, slot)
    }
    if (top.threshold >= 2 * COVERAGE) break
  }
  return term.count - countTouched(scratch, touched, frequent, frequent)
}

/** Every entry that has one or both of two frequent terms and nothing else. */
function walkTwo({ scratch, words, top }: Walk, one: WalkTerm, two: WalkTerm, touched: number): number {
  const { bits: ones, tops: topsOne } = one.frequent!
  const { bits: twos, tops: topsTwo } = two.frequent!
  let inBoth = 0
  for (let word = 0; word < words; word++) {
    const both = ones[word]! & twos[word]!
    if (both !== 0) inBoth += countBits(both)
    const boundOne = one.weight * topsOne[word]!
    const boundTwo = two.weight * topsTwo[word]!
    if (both !== 0 && 2 * COVERAGE + boundOne + boundTwo >= top.threshold) {
      for (let left = both & ~scratch.bits[word]!; left !== 0; left &= left - 1) {
        const slot = lowestSlot(left, word)
        const score =
          one.weight * impactIn(one, one.frequent!, slot) + two.weight * impactIn(two, two.frequent!, slot)
        top.offer(2 * COVERAGE + score, slot)
      }
    }
    if (COVERAGE + boundOne >= top.threshold)
      offerOnly(one, ones[word]! & ~both & ~scratch.bits[word]!, word, top)
    if (COVERAGE + boundTwo >= top.threshold)
      offerOnly(two, twos[word]! & ~both & ~scratch.bits[word]!, word, top)
  }
  return one.count + two.count - inBoth - countTouched(scratch, touched, one.frequent!, two.frequent!)
}

function offerOnly(term: WalkTerm, slots: number, word: number, top: TopHits): void {
  for (let left = slots; left !== 0; left &= left - 1) {
    const slot = lowestSlot(left, word)
    top.offer(COVERAGE + term.weight * impactIn(term, term.frequent!, slot), slot)
  }
}

/** Every entry that has only frequent terms, however many. */
function walkMany({ scratch, words, top, accept, byCoverage }: Walk, terms: readonly WalkTerm[]): number {
  const unit = byCoverage ? COVERAGE : 0
  const bits = terms.map(term => term.frequent!.bits)
  const tops = terms.map(term => term.frequent!.tops)
  const weights = terms.map(term => term.weight)
  let total = 0
  for (let word = 0; word < words; word++) {
    let any = 0
    let bound = 0
    let used = 0
    for (let t = 0; t < bits.length; t++) {
      const has = bits[t]![word]!
      if (has === 0) continue
      any |= has
      bound += weights[t]! * tops[t]![word]!
      if (byCoverage) used = addPlane(has, used)
    }
    any &= ~scratch.bits[word]!
    if (any === 0) continue
    if (accept === undefined) total += countBits(any)
    let candidates = any
    if (top.threshold >= 0) {
      const coverage = byCoverage ? Math.floor(top.threshold / COVERAGE) : 0
      if (byCoverage) {
        candidates = any & countedAbove(coverage, used, bound >= top.threshold - coverage * COVERAGE)
      } else
        candidates =
          bound < top.threshold ? 0 : any & withNeeded(bits, tops, weights, word, bound, top.threshold)
      if (candidates === 0 && accept === undefined) continue
    }
    if (accept !== undefined) {
      any = accepted(any, word, accept)
      total += countBits(any)
      candidates &= any
    }
    for (; candidates !== 0; candidates &= candidates - 1) {
      const slot = lowestSlot(candidates, word)
      const key = keyOf(terms, slot, unit)
      if (key >= top.threshold) top.offer(key, slot)
    }
  }
  return total
}

/** The slots that have every term without which the word of slots cannot reach the threshold. */
function withNeeded(
  bits: readonly Int32Array[],
  tops: readonly Uint8Array[],
  weights: readonly number[],
  word: number,
  bound: number,
  threshold: number,
): number {
  let slots = -1
  for (let t = 0; t < bits.length && slots !== 0; t++) {
    if (bound - weights[t]! * tops[t]![word]! < threshold) slots &= bits[t]![word]!
  }
  return slots
}

function accepted(bits: number, word: number, accept: Accept): number {
  let kept = 0
  for (let left = bits; left !== 0; left &= left - 1) {
    const slot = lowestSlot(left, word)
    if (accept(slot)) kept |= bitOf(slot)
  }
  return kept
}

function keyOf(terms: readonly WalkTerm[], slot: number, unit: number): number {
  let key = 0
  for (let t = 0; t < terms.length; t++) {
    const term = terms[t]!
    const frequent = term.frequent!
    if (frequent.has(slot)) key += unit + term.weight * impactIn(term, frequent, slot)
  }
  return key
}

/** Offers every entry that has all of the terms; answers how many there are. */
export function walkAll({ terms, words, top, accept }: Walk): number {
  if (terms.length === 0) return 0
  let total = 0
  const rarest = rarestListed(terms)
  if (rarest !== undefined) {
    eachInAll(terms, rarest, slot => {
      if (accept !== undefined && !accept(slot)) return
      total++
      offerAll(terms, slot, top)
    })
    return total
  }
  for (let word = 0; word < words; word++) {
    let all = -1
    let bound = 0
    for (let t = 0; t < terms.length && all !== 0; t++) {
      all &= terms[t]!.frequent!.bits[word]!
      bound += terms[t]!.weight * terms[t]!.frequent!.tops[word]!
    }
    if (all === 0) continue
    if (accept !== undefined) all = accepted(all, word, accept)
    total += countBits(all)
    if (bound < top.threshold) continue
    for (; all !== 0; all &= all - 1) offerAll(terms, lowestSlot(all, word), top)
  }
  return total
}

function offerAll(terms: readonly WalkTerm[], slot: number, top: TopHits): void {
  let key = 0
  for (const term of terms) key += term.weight * term.impacts[findPosting(term, slot)]!
  if (key >= top.threshold) top.offer(key, slot)
}

/** Marks every entry that has all of the terms; answers the bits and how many they are. */
export function markAll(terms: readonly WalkTerm[], words: number): { bits: Int32Array; size: number } {
  const bits = new Int32Array(words)
  let size = 0
  const rarest = rarestListed(terms)
  if (rarest !== undefined) {
    eachInAll(terms, rarest, slot => {
      bits[slot >> WORD_SHIFT]! |= bitOf(slot)
      size++
    })
    return { bits, size }
  }
  for (let word = 0; word < words; word++) {
    let all = -1
    for (let t = 0; t < terms.length && all !== 0; t++) all &= terms[t]!.frequent!.bits[word]!
    bits[word] = all
    size += countBits(all)
  }
  return { bits, size }
}

/** The shortest list that is not kept as bits; a term near the border may be shorter and still be bits. */
const rarestListed = (terms: readonly WalkTerm[]): WalkTerm | undefined =>
  terms
    .filter(term => term.frequent === undefined)
    .reduce<WalkTerm | undefined>((rare, term) => (rare && rare.count <= term.count ? rare : term), undefined)

function eachInAll(terms: readonly WalkTerm[], rarest: WalkTerm, visit: (slot: number) => void): void {
  const others = terms.filter(term => term !== rarest)
  for (let at = rarest.start; at < rarest.start + rarest.count; at++) {
    const slot = rarest.slots[at]!
    let inAll = true
    for (let i = 0; i < others.length && inAll; i++) inAll = findPosting(others[i]!, slot) >= 0
    if (inAll) visit(slot)
  }
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
