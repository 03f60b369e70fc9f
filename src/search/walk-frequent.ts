// Walks keywords that are kept as bits, 32 slots at a time: counting is a population count, and a word of slots is left out
// unread as soon as its best possible hit cannot enter the best so far.
import { MOST_WORDS } from './bit-rows.ts'
import { countBits, lowestSlot } from './bits.ts'
import { type FrequentTerm, WEAK } from './frequent-term.ts'
import { inAtLeast, inAtLeastOfSix, MOST_AT_ONCE, toSix } from './six-sets.ts'
import { type Covered, countCovered, fewestToReach, slotsInAny, slotsInAtLeast } from './slot-counts.ts'
import type { TopHits } from './top-hits.ts'
import { COVERAGE, impactIn, type KeywordWalk, keyIn, type Scratch, type WalkTerm } from './walk-term.ts'

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
    else if (frequent.length > MOST_AT_ONCE) walkBits(walk, frequent)
    else walkFewBits(walk, frequent)
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

/** Every entry that has any of the terms, however many they are, and was not seen before. */
function walkBits(walk: KeywordWalk, terms: readonly WalkTerm[]): void {
  const { scratch, words, top } = walk
  const bits = terms.map(term => term.frequent!.bits)
  const strong = terms.map(term => term.frequent!.strong)
  const needs = new Needs(terms, top.threshold)
  const covered: Covered = { exactly: 0, beyond: 0 }
  const seen = scratch.bits
  for (let word = 0; word < words; word++) {
    countCovered(needs.coverage, bits, word, covered)
    let exactly = covered.exactly & ~seen[word]!
    if (exactly !== 0 && needs.strong > 0) exactly &= slotsInAtLeast(needs.strong, strong, word)
    const beyond = covered.beyond & ~seen[word]!
    if ((exactly | beyond) !== 0) offerCovered(walk, terms, needs, exactly, beyond, word)
  }
}

/** The same for as many terms as a large catalog allows: all sets are read and counted in one go, without a loop over them. */
function walkFewBits(walk: KeywordWalk, terms: readonly WalkTerm[]): void {
  const { scratch, words, top } = walk
  const bits = toSix(
    terms.map(term => term.frequent!.bits),
    words,
  )
  const strong = toSix(
    terms.map(term => term.frequent!.strong),
    words,
  )
  const [a, b, c, d, e, f] = bits
  const needs = new Needs(terms, top.threshold)
  const seen = scratch.bits
  for (let word = 0; word < words; word++) {
    if (needs.coverage === terms.length) {
      walkInAll(walk, terms, needs, word)
      return
    }
    const enough =
      inAtLeast(needs.coverage, a[word]!, b[word]!, c[word]!, d[word]!, e[word]!, f[word]!) & ~seen[word]!
    if (enough === 0) continue
    const beyond = enough & inAtLeastOfSix(needs.coverage + 1, bits, word)
    let exactly = enough & ~beyond
    if (exactly !== 0 && needs.strong > 0) exactly &= inAtLeastOfSix(needs.strong, strong, word)
    if ((exactly | beyond) !== 0) offerCovered(walk, terms, needs, exactly, beyond, word)
  }
}

/** From a word on, where nothing can enter any more but what has all of the terms. */
function walkInAll(
  { scratch, words, top }: KeywordWalk,
  terms: readonly WalkTerm[],
  needs: Needs,
  from: number,
): void {
  const { rows } = terms[0]!.frequent!
  const all = terms.map(term => term.frequent!.bitsRow)
  const strong = terms.map(term => term.frequent!.strong)
  const seen = scratch.bits
  // Words are looked through four at a time.
  for (let first = from & ~3; first < words; first += MOST_WORDS) {
    const found = rows.meetAll(all, first, Math.min(words, first + MOST_WORDS))
    for (let i = 0; i < 2 * found; i += 2) {
      const word = rows.found[i]!
      if (word < from) continue
      let slots = rows.found[i + 1]! & ~seen[word]!
      if (slots !== 0 && needs.strong > 0) slots &= slotsInAtLeast(needs.strong, strong, word)
      if (slots === 0 || boundOf(terms, word) < needs.score) continue
      for (; slots !== 0; slots &= slots - 1) {
        const score = scoreFrom(needs.score, terms, slots & -slots, word)
        if (score < needs.score) continue
        top.offer(terms.length * COVERAGE + score, lowestSlot(slots, word))
        needs.rise(top.threshold)
      }
    }
  }
}

const reaches = new Int32Array(MOST_AT_ONCE)

/** What a slot that has all of the terms scores, or less than `least` as soon as it is known that it does not reach that. */
function scoreFrom(least: number, terms: readonly WalkTerm[], bit: number, word: number): number {
  let reach = 0
  // Bits and the highest impact of the word lie near, the slot's own impacts do not.
  for (let t = 0; t < terms.length; t++) {
    const { weight, frequent } = terms[t]!
    const highest = frequent!.tops[word]!
    const isStrong = (frequent!.strong[word]! & bit) !== 0
    reaches[t] = weight * (isStrong ? highest : Math.min(highest, WEAK))
    reach += reaches[t]!
  }
  const slot = lowestSlot(bit, word)
  for (let t = 0; t < terms.length && reach >= least; t++)
    reach += terms[t]!.weight * impactIn(terms[t]!, terms[t]!.frequent!, slot) - reaches[t]!
  return reach
}

/**
 * Offers the slots of a word that have exactly as many of the terms as are needed, and those that have more. Of the former
 * those were left out that have too few of the terms strongly: with no more of the words than needed, a slot must score as well.
 */
function offerCovered(
  { top }: KeywordWalk,
  terms: readonly WalkTerm[],
  needs: Needs,
  exactly: number,
  beyond: number,
  word: number,
): void {
  let slots = exactly !== 0 && boundOf(terms, word) < needs.score ? beyond : exactly | beyond
  for (; slots !== 0; slots &= slots - 1) {
    const slot = lowestSlot(slots, word)
    const key = keyIn(terms, slot)
    if (key >= top.threshold) top.offer(key, slot)
  }
  needs.rise(top.threshold)
}

/** What an entry needs to reach a threshold: so many of the terms, and with no more than these such a score, so many strongly. */
class Needs {
  coverage = 1
  score = 0
  strong = 0
  #threshold = -1
  /** What each term adds at most to a slot that has it, but not strongly, and how much more if strongly; both fall. */
  readonly #weak: readonly number[]
  readonly #strengths: readonly number[]

  constructor(terms: readonly WalkTerm[], threshold: number) {
    const most = terms.map(({ weight, frequent }) => weight * frequent!.highest)
    const weak = terms.map(({ weight }, t) => Math.min(most[t]!, weight * WEAK))
    this.#strengths = most.map((value, t) => value - weak[t]!).sort((a, b) => b - a)
    this.#weak = weak.sort((a, b) => b - a)
    this.rise(threshold)
  }

  rise(threshold: number): void {
    if (threshold <= this.#threshold) return
    this.#threshold = threshold
    this.coverage = Math.max(1, Math.floor(threshold / COVERAGE))
    this.score = threshold - this.coverage * COVERAGE
    let weakest = 0
    for (let t = 0; t < this.coverage; t++) weakest += this.#weak[t] ?? 0
    this.strong = fewestToReach(this.score, weakest, this.#strengths)
  }
}

function boundOf(terms: readonly WalkTerm[], word: number): number {
  let bound = 0
  for (let t = 0; t < terms.length; t++) bound += terms[t]!.weight * terms[t]!.frequent!.tops[word]!
  return bound
}
