// Three keywords or more that are kept as bits: how many of them an entry has comes first, so that 32 slots are looked at by
// how many of the words each has, and how many strongly.
import { MOST_WORDS } from './bit-rows.ts'
import { lowestSlot } from './bits.ts'
import { WEAK } from './frequent-term.ts'
import { inAtLeast, inAtLeastOfSix, MOST_AT_ONCE, toSix } from './six-sets.ts'
import { type Covered, countCovered, fewestToReach, slotsInAtLeast } from './slot-counts.ts'
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
