// One or two frequent words: looks at the postings with the highest impacts first, and at all others only where these do not
// settle what is best.

import { bitOf, lowestSlot, WORD_SHIFT } from '../../memory/bits.ts'
import { WEAK } from '../index/bitmap-postings.ts'
import { MOST_WORDS, type Way } from '../index/bitmap-rows.ts'
import { type Leaders, MOST_STEPS } from '../index/champion-list.ts'
import { type Led, toLed } from './offer-leaders.ts'
import { reachingOfTwo } from './reaching.ts'
import { countOnly, walkOne, walkTwo } from './walk-frequent.ts'
import { COVERAGE, impactIn, type KeywordWalk, type WalkTerm } from './walk-term.ts'

const leadersOf = ({ slots, impacts, start, count, frequent }: WalkTerm): Leaders =>
  frequent!.leaders(slots, impacts, start, count)

/** Offers every entry that has the term and was not seen before. */
export function walkOneLed(walk: KeywordWalk, term: WalkTerm): void {
  const { top, scratch } = walk
  const leaders = leadersOf(term)
  const { slots, impacts, size, floor } = leaders
  const seen = scratch.bits
  for (let i = 0; i < size; i++) {
    const key = COVERAGE + term.weight * impacts[i]!
    if (key < top.threshold) return
    const slot = slots[i]!
    if ((seen[slot >> WORD_SHIFT]! & bitOf(slot)) === 0) top.offer(key, slot)
  }
  if (COVERAGE + term.weight * floor < top.threshold) return
  for (let i = 0; i < size; i++) seen[slots[i]! >> WORD_SHIFT]! |= bitOf(slots[i]!)
  walkOne(walk, term)
  for (let i = 0; i < size; i++) seen[slots[i]! >> WORD_SHIFT] = 0
}

/**
 * Offers every entry that has one of two terms or both, of which the first is not in more entries; answers how many there
 * are, where that is asked for.
 */
export function walkTwoLed(walk: KeywordWalk, one: WalkTerm, two: WalkTerm): number {
  const { top, scratch } = walk
  const ledOne = toLed(one)
  const ledTwo = toLed(two)
  const { found, isSettled } = offerLeaders(walk, ledOne, ledTwo)
  if (!isSettled && top.threshold < 2 * COVERAGE) walkTwo(walk, one, two)
  else if (!isSettled) offerFollowing(walk, ledOne, ledTwo)
  for (let i = 0; i < found; i++) scratch.bits[scratch.touched[i]! >> WORD_SHIFT] = 0
  return walk.counts ? countOnly(walk, one, two, 0) : 0
}

/**
 * Entries with both terms, from the leaders of both downwards. Leaves which they were in `touched`, marked as seen, and in
 * `most` what the terms can add to others. Settled: no other entry can enter, whether it has both or one of the terms.
 */
function offerLeaders(walk: KeywordWalk, one: Led, two: Led): { found: number; isSettled: boolean } {
  const { top } = walk
  const ones = leadersOf(one)
  const twos = leadersOf(two)
  const next: Next = { at: 0, found: 0 }
  let i = 0
  let j = 0
  for (;;) {
    one.most = one.weight * (i < ones.size ? ones.impacts[i]! : ones.floor)
    two.most = two.weight * (j < twos.size ? twos.impacts[j]! : twos.floor)
    // Whatever has both and was not looked at has no higher impact in either.
    const isSettled = 2 * COVERAGE + one.most + two.most < top.threshold
    const isEnough = i + j > MOST_STEPS && top.threshold >= 2 * COVERAGE
    if (isSettled || isEnough || (i === ones.size && j === twos.size)) return { found: next.found, isSettled }
    if (i < ones.size && (one.most >= two.most || j === twos.size)) {
      next.at = i
      offerAlike(walk, ones, one.most, two, two.most, next)
      i = next.at
    } else {
      next.at = j
      offerAlike(walk, twos, two.most, one, one.most, next)
      j = next.at
    }
  }
}

/** The first leader that was not looked at, and how many entries were found. */
type Next = { at: number; found: number }

/**
 * Of the leaders to which a term gives the same as to the next, offers those that have the other term and were not seen
 * before, as long as what they can get of it is enough.
 */
function offerAlike(
  { top, scratch }: KeywordWalk,
  { slots, impacts, size }: Leaders,
  own: number,
  other: WalkTerm,
  most: number,
  next: Next,
): void {
  const frequent = other.frequent!
  const { bits, strong, tops } = frequent
  const { weight } = other
  const seen = scratch.bits
  const impact = impacts[next.at]!
  let { at, found } = next
  let least = top.threshold - 2 * COVERAGE - own
  for (; at < size && impacts[at] === impact && most >= least; at++) {
    const slot = slots[at]!
    const word = slot >> WORD_SHIFT
    // Few have a word strongly, and without it most cannot enter: one look is then enough.
    const open = weight * WEAK < least ? strong[word]! : bits[word]!
    if ((open & ~seen[word]! & bitOf(slot)) === 0 || weight * tops[word]! < least) continue
    seen[word]! |= bitOf(slot)
    scratch.touched[found++] = slot
    top.offer(2 * COVERAGE + own + weight * impactIn(other, frequent, slot), slot)
    least = top.threshold - 2 * COVERAGE - own
  }
  next.at = at
  next.found = found
}

/** Entries with both terms that are led by neither: what they add is no more than is left in `most`. */
function offerFollowing({ top, scratch, words }: KeywordWalk, one: Led, two: Led): void {
  const { rows } = one.frequent
  const seen = scratch.bits
  const reaching = reachingOfTwo(one, two)
  let ways: Way[] = []
  let known = -1
  for (let from = 0; from < words; from += MOST_WORDS) {
    if (top.threshold > known) {
      known = top.threshold
      ways = toWaysOfBoth(one, two, known - 2 * COVERAGE)
      if (ways.length === 0) return
    }
    const { found } = rows
    const count = rows.meet(ways, from, Math.min(words, from + MOST_WORDS))
    for (let i = 0; i < 2 * count; i += 2) {
      const word = found[i]!
      let slots = reaching(found[i + 1]!, word, top.threshold - 2 * COVERAGE) & ~seen[word]!
      for (; slots !== 0; slots &= slots - 1) {
        const slot = lowestSlot(slots, word)
        const key =
          one.weight * impactIn(one, one.frequent, slot) + two.weight * impactIn(two, two.frequent, slot)
        top.offer(2 * COVERAGE + key, slot)
      }
    }
  }
}

/** The ways to have both terms and reach `needed`. */
function toWaysOfBoth(one: Led, two: Led, needed: number): Way[] {
  const { bitsRow: hasOne, strongRow: strongOne } = one.frequent
  const { bitsRow: hasTwo, strongRow: strongTwo } = two.frequent
  const weakOne = Math.min(one.most, one.weight * WEAK)
  const weakTwo = Math.min(two.most, two.weight * WEAK)
  if (weakOne + weakTwo >= needed) return [[hasOne, hasTwo]]
  const ways: Way[] = []
  if (one.most + weakTwo >= needed) ways.push([strongOne, hasTwo])
  if (weakOne + two.most >= needed) ways.push([hasOne, strongTwo])
  if (ways.length === 0 && one.most + two.most >= needed) ways.push([strongOne, strongTwo])
  return ways
}
