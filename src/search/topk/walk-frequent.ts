// Walks keywords that are kept as bits, 32 slots at a time: counting is a population count, and a word of slots is left out
// unread as soon as its best possible hit cannot enter the best so far.
import { countBits, lowestSlot } from '../../memory/bits.ts'
import { type FrequentTerm, WEAK } from '../index/bitmap-postings.ts'
import { slotsInAny } from './slot-counts.ts'
import type { TopHits } from './top-k.ts'
import { walkCovered } from './walk-covered.ts'
import { COVERAGE, impactIn, type KeywordWalk, type Scratch, type WalkTerm } from './walk-term.ts'

/**
 * Offers every entry that has these terms and was not touched before; answers how many there are, where all are counted.
 * @param frequent the term that fewest entries have first
 */
export function walkFrequent(walk: KeywordWalk, frequent: readonly WalkTerm[], touched: number): number {
  const [one, two] = frequent
  if (one === undefined) return 0
  if (canEnter(walk.top, frequent)) {
    if (two === undefined) walkOne(walk, one)
    else if (frequent.length === 2) walkTwo(walk, one, two)
    else walkCovered(walk, frequent)
  }
  if (!walk.counts) return 0
  return frequent.length > 2 ? countAny(walk, frequent) : countOnly(walk, one, two ?? one, touched)
}

/** Whether an entry with nothing but these terms can still enter. */
function canEnter(top: TopHits, terms: readonly WalkTerm[]): boolean {
  let bound = terms.length * COVERAGE
  for (const { weight, frequent } of terms) bound += weight * frequent!.highest
  return bound >= top.threshold
}

/** How many entries have any of the terms and were not touched. */
function countAny({ scratch, words }: KeywordWalk, terms: readonly WalkTerm[]): number {
  const bits = terms.map(term => term.frequent!.bits)
  let total = 0
  for (let word = 0; word < words; word++) total += countBits(slotsInAny(bits, word) & ~scratch.bits[word]!)
  return total
}

/** How many entries have one of two frequent terms, or both, and were not touched. */
export function countOnly({ scratch }: KeywordWalk, one: WalkTerm, two: WalkTerm, touched: number): number {
  const { rows, bitsRow } = one.frequent!
  const inEither =
    one === two ? one.count : one.count + two.count - rows.countCommon(bitsRow, two.frequent!.bitsRow)
  return inEither - countTouched(scratch, touched, one.frequent!, two.frequent!)
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

/** Every entry that has one frequent term and was not seen before, where entries with more of the words come first. */
export function walkOne({ scratch, words, top }: KeywordWalk, term: WalkTerm): void {
  const { bits, strong, tops } = term.frequent!
  const seen = scratch.bits
  for (let word = 0; word < words; word++) {
    if (strong[word] !== 0 && COVERAGE + term.weight * tops[word]! >= top.threshold)
      offerOnly(term, strong[word]! & ~seen[word]!, word, top)
  }
  for (let word = 0; word < words; word++) {
    if (COVERAGE + term.weight * Math.min(tops[word]!, WEAK) < top.threshold) continue
    // Nothing below reaches further than this, wherever it stands.
    if (COVERAGE + term.weight * WEAK < top.threshold) break
    offerOnly(term, bits[word]! & ~strong[word]! & ~seen[word]!, word, top)
  }
}

/** Every entry that has one or both of two frequent terms and was not seen before. */
export function walkTwo({ scratch, words, top }: KeywordWalk, one: WalkTerm, two: WalkTerm): void {
  const { strong: strongOnes, tops: topsOne } = one.frequent!
  const { strong: strongTwos, tops: topsTwo } = two.frequent!
  const seen = scratch.bits
  // Held beside the heap, because the loop over words of slots is too short to ask for it each time.
  let least = top.threshold
  for (let word = 0; word < words; word++) {
    if (strongOnes[word] === 0) continue
    const strong = strongOnes[word]! & strongTwos[word]!
    if (strong === 0) continue
    if (2 * COVERAGE + one.weight * topsOne[word]! + two.weight * topsTwo[word]! < least) continue
    offerBoth(one, two, strong & ~seen[word]!, word, top)
    least = top.threshold
  }
  const mostWeak = Math.max(
    one.weight * one.frequent!.highest + two.weight * WEAK,
    one.weight * WEAK + two.weight * two.frequent!.highest,
  )
  if (least <= 2 * COVERAGE + mostWeak) offerWeak(one, two, seen, words, top)
  if (top.threshold < 2 * COVERAGE) offerSingles(one, two, seen, words, top)
}

/** Those that have both terms, but not both strongly. */
function offerWeak(one: WalkTerm, two: WalkTerm, seen: Int32Array, words: number, top: TopHits): void {
  const { bits: ones, strong: strongOnes, tops: topsOne } = one.frequent!
  const { bits: twos, strong: strongTwos, tops: topsTwo } = two.frequent!
  let rest = top.threshold - 2 * COVERAGE
  for (let word = 0; word < words; word++) {
    // The highest impacts are a quarter of the memory of the bits, and nearly always say no.
    const weakOne = one.weight * Math.min(topsOne[word]!, WEAK)
    const weakTwo = two.weight * Math.min(topsTwo[word]!, WEAK)
    const isOneEnough = one.weight * topsOne[word]! + weakTwo >= rest
    const isTwoEnough = weakOne + two.weight * topsTwo[word]! >= rest
    if (!isOneEnough && !isTwoEnough) continue
    const both = ones[word]! & twos[word]! & ~(strongOnes[word]! & strongTwos[word]!)
    if (both === 0) continue
    let slots = 0
    if (isOneEnough) slots |= both & strongOnes[word]!
    if (isTwoEnough) slots |= both & strongTwos[word]!
    if (weakOne + weakTwo >= rest) slots |= both
    if (slots === 0) continue
    offerBoth(one, two, slots & ~seen[word]!, word, top)
    rest = top.threshold - 2 * COVERAGE
  }
}

/** Where too few entries have both, those that have one of the two. */
function offerSingles(one: WalkTerm, two: WalkTerm, seen: Int32Array, words: number, top: TopHits): void {
  const { bits: ones, tops: topsOne } = one.frequent!
  const { bits: twos, tops: topsTwo } = two.frequent!
  for (let word = 0; word < words; word++) {
    const both = ones[word]! & twos[word]!
    if (COVERAGE + one.weight * topsOne[word]! >= top.threshold)
      offerOnly(one, ones[word]! & ~both & ~seen[word]!, word, top)
    if (COVERAGE + two.weight * topsTwo[word]! >= top.threshold)
      offerOnly(two, twos[word]! & ~both & ~seen[word]!, word, top)
  }
}

function offerBoth(one: WalkTerm, two: WalkTerm, slots: number, word: number, top: TopHits): void {
  const most = 2 * COVERAGE + two.weight * two.frequent!.tops[word]!
  for (let left = slots; left !== 0; left &= left - 1) {
    const slot = lowestSlot(left, word)
    const first = one.weight * impactIn(one, one.frequent!, slot)
    if (most + first < top.threshold) continue
    top.offer(2 * COVERAGE + first + two.weight * impactIn(two, two.frequent!, slot), slot)
  }
}

function offerOnly(term: WalkTerm, slots: number, word: number, top: TopHits): void {
  for (let left = slots; left !== 0; left &= left - 1) {
    const slot = lowestSlot(left, word)
    top.offer(COVERAGE + term.weight * impactIn(term, term.frequent!, slot), slot)
  }
}
