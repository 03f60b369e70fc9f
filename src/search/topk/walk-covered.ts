// Three keywords or more that are kept as bits: how many of them an entry has comes first, so that 32 slots are looked at by
// how many of the words each has, and how many strongly.

import { bitOf, lowestSlot, WORD_SHIFT } from '../../memory/bits.ts'
import { WEAK } from '../index/bitmap-postings.ts'
import { MOST_WORDS } from '../index/bitmap-rows.ts'
import { inAtLeast, inAtLeastOfSix, MOST_AT_ONCE, type SixSets, toSix } from './six-sets.ts'
import { type Covered, countCovered, fewestToReach, slotsInAtLeast } from './slot-counts.ts'
import type { TopHits } from './top-k.ts'
import { COVERAGE, impactIn, type KeywordWalk, keyIn, type WalkTerm } from './walk-term.ts'

/** Every entry that has any of the terms and was not seen before. */
export function walkCovered(walk: KeywordWalk, terms: readonly WalkTerm[]): void {
  if (terms.length > MOST_AT_ONCE) walkBits(walk, terms)
  else walkFewBits(walk, terms)
}

/** However many they are. */
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
      walkInAll(walk, terms, needs, word, strong)
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
  strong: SixSets,
): void {
  const { rows } = terms[0]!.frequent!
  const all = terms.map(term => term.frequent!.bitsRow)
  const seen = scratch.bits
  let count = 0
  // Words are looked through four at a time.
  for (let first = from & ~3; first < words; first += MOST_WORDS) {
    const found = rows.meetAll(all, first, Math.min(words, first + MOST_WORDS))
    for (let i = 0; i < 2 * found; i += 2) {
      const word = rows.found[i]!
      if (word < from) continue
      let slots = rows.found[i + 1]! & ~seen[word]!
      if (slots !== 0 && needs.strong > 0) slots &= inAtLeastOfSix(needs.strong, strong, word)
      if (slots === 0 || boundOf(terms, word) < needs.score) continue
      for (; slots !== 0; slots &= slots - 1) {
        let reach = 0
        for (let t = 0; t < terms.length; t++) reach += reachOf(terms[t]!, slots & -slots, word)
        if (reach < needs.score) continue
        scores[count] = reach
        together[count++] = lowestSlot(slots, word)
        if (count < TOGETHER) continue
        offerTogether(top, terms, needs, count)
        count = 0
      }
    }
  }
  offerTogether(top, terms, needs, count)
}

/** What a term adds at most to a slot that has it: bits and the highest impact of the word lie near, the slot's own impact does not. */
function reachOf({ weight, frequent }: WalkTerm, bit: number, word: number): number {
  const highest = frequent!.tops[word]!
  return weight * ((frequent!.strong[word]! & bit) !== 0 ? highest : Math.min(highest, WEAK))
}

/** So many slots are added up before any of them is offered: the processor waits for many impacts at the same time, but not behind a hit whose place it has to guess. */
const TOGETHER = 128
const together = new Int32Array(TOGETHER)
/** What they score at most. */
const scores = new Int32Array(TOGETHER)

/** Offers those of the first `count` that can enter; all of them have all of the terms. */
function offerTogether(top: TopHits, terms: readonly WalkTerm[], needs: Needs, count: number): void {
  let left = count
  for (let t = 0; t < terms.length; t++) {
    const term = terms[t]!
    const before = left
    left = 0
    for (let i = 0; i < before; i++) {
      const slot = together[i]!
      const reach = reachOf(term, bitOf(slot), slot >> WORD_SHIFT)
      const score = scores[i]! + term.weight * impactIn(term, term.frequent!, slot) - reach
      together[left] = slot
      scores[left] = score
      left += (needs.score - 1 - score) >>> 31
    }
  }
  for (let i = 0; i < left; i++) top.offer(terms.length * COVERAGE + scores[i]!, together[i]!)
  needs.rise(top.threshold)
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
