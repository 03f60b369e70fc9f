// Finds the best entries among those with terms that are kept as bits, without counting them. What an entry can reach is
// told by which of the terms it has and which of them strongly, so that whole words of 32 slots are ruled out at once.

import { lowestSlot } from '../../memory/bits.ts'
import { WEAK } from '../index/bitmap-postings.ts'
import { MOST_ROWS, MOST_WORDS, type Way } from '../index/bitmap-rows.ts'
import { type Led, offerLeaders, toLed, unmarkLeaders } from './offer-leaders.ts'
import { type Reaching, reachingOfMany, reachingOfTwo } from './reaching.ts'
import { impactIn, scoreIn, type Walk, type WalkTerm } from './walk-term.ts'

/** So many terms lead to ways; the others are taken to be there at their best. */
const HEAVY = MOST_ROWS
/** So many words of slots are looked through at first, then twice as many, up to the most. */
const FIRST_WORDS = 64
/** The ways are found anew where the least hit has risen by at least this part. */
const LEAST_RISE = 64

/** What a way asks for of each heavy term, two bits a term: nothing, to have it, or to have it strongly. */
const ANY = 0
const HAS = 1
const CLASSES = 3
const CLASS_BITS = 2

/** What a term adds at most to a slot of a class. */
function reachOf({ weight, most }: Led, asked: number): number {
  if (asked === ANY) return 0
  return asked === HAS ? Math.min(most, weight * WEAK) : most
}

const classIn = (way: number, t: number): number => (way >> (t * CLASS_BITS)) & 3

/** Whether every slot of a way is in another one too. */
function isWithin(way: number, other: number, heavy: number): boolean {
  for (let t = 0; t < heavy; t++) if (classIn(other, t) > classIn(way, t)) return false
  return true
}

/** The ways to reach `needed`, which is more than nothing, none within another one. */
function toWays(heavy: readonly Led[], needed: number): Way[] {
  const ways: number[] = []
  // A way counts up from the least asked for, so that what covers it is met before it.
  for (let number = 0; number < CLASSES ** heavy.length; number++) {
    let way = 0
    let reach = 0
    for (let t = 0, rest = number; t < heavy.length; t++, rest = Math.floor(rest / CLASSES)) {
      way |= (rest % CLASSES) << (t * CLASS_BITS)
      reach += reachOf(heavy[t]!, rest % CLASSES)
    }
    if (reach >= needed && !ways.some(other => isWithin(way, other, heavy.length))) ways.push(way)
  }
  return ways.map(way => {
    const rows: number[] = []
    for (const [t, { frequent }] of heavy.entries()) {
      const asked = classIn(way, t)
      if (asked !== ANY) rows.push(asked === HAS ? frequent.bitsRow : frequent.strongRow)
    }
    return rows
  })
}

/** Offers what can enter the best of the entries that have these terms (at least one) and were not seen before. */
export function walkBest(walk: Walk, terms: readonly WalkTerm[]): void {
  const led = terms.map(toLed)
  const marked = offerLeaders(walk, led)
  let bound = 0
  for (const { most } of led) bound += most
  if (bound >= walk.top.threshold) walkRest(walk, led)
  unmarkLeaders(walk, marked)
}

function walkRest(walk: Walk, terms: readonly Led[]): void {
  if (terms.length === 1) walkSingle(walk, terms[0]!)
  else walkWays(walk, terms)
}

function walkSingle({ scratch, words, top, accept }: Walk, term: Led): void {
  const { weight, most, frequent } = term
  const { bits, tops } = frequent
  const seen = scratch.bits
  const passing = accept?.passing
  const test = passing === undefined ? accept : undefined
  let least = top.threshold
  for (let word = 0; word < words; word++) {
    if (most < least) return
    let slots = bits[word]! & ~seen[word]!
    if (slots === 0 || weight * tops[word]! < least) continue
    if (passing !== undefined) slots &= passing[word]!
    for (; slots !== 0; slots &= slots - 1) {
      const slot = lowestSlot(slots, word)
      const key = weight * impactIn(term, frequent, slot)
      if (key < least || (test !== undefined && !test(slot))) continue
      top.offer(key, slot)
      least = top.threshold
    }
  }
}

function walkWays(walk: Walk, terms: readonly Led[]): void {
  const { words, top } = walk
  const { rows } = terms[0]!.frequent
  const byMost = terms.toSorted((a, b) => b.most - a.most)
  const heavy = byMost.slice(0, HEAVY)
  const others = byMost.slice(HEAVY).reduce((sum, { most }) => sum + most, 0)
  const reaching = byMost.length === 2 ? reachingOfTwo(byMost[0]!, byMost[1]!) : reachingOfMany(byMost)
  let known = Number.NEGATIVE_INFINITY
  let ways: readonly Way[] = []
  let stretch = FIRST_WORDS
  for (let from = 0; from < words; from += stretch) {
    if (top.threshold > known + known / LEAST_RISE) {
      known = top.threshold
      ways = known > others ? toWays(heavy, known - others) : toAnyOf(byMost)
      if (ways.length === 0) return
    }
    if (from > 0 && stretch < MOST_WORDS) stretch *= 2
    offerFound(walk, byMost, reaching, rows.meet(ways, from, Math.min(words, from + stretch)))
  }
}

/** Offers what can enter of the slots in so many words that were found last. */
function offerFound(
  { scratch, top, accept }: Walk,
  terms: readonly Led[],
  reaching: Reaching,
  found: number,
): void {
  const words = terms[0]!.frequent.rows.found
  const seen = scratch.bits
  const passing = accept?.passing
  const test = passing === undefined ? accept : undefined
  let least = top.threshold
  for (let i = 0; i < 2 * found; i += 2) {
    const word = words[i]!
    const met = passing === undefined ? words[i + 1]! : words[i + 1]! & passing[word]!
    if (met === 0) continue
    let slots = reaching(met, word, least) & ~seen[word]!
    for (; slots !== 0; slots &= slots - 1) {
      const slot = lowestSlot(slots, word)
      if (test !== undefined && !test(slot)) continue
      const key = scoreIn(terms, slot)
      if (key < least) continue
      top.offer(key, slot)
      least = top.threshold
    }
  }
}

/** As long as anything may enter. */
const toAnyOf = (terms: readonly Led[]): Way[] => terms.map(({ frequent: { bitsRow } }) => [bitsRow])
