// One or two frequent words: looks at the postings with the highest impacts first, and at all others only where these do not
// settle what is best.
import { bitOf, WORD_SHIFT } from './bits.ts'
import { WEAK } from './frequent-term.ts'
import type { Leaders } from './leaders.ts'
import { countOnly, walkOne, walkTwo } from './walk-frequent.ts'
import { COVERAGE, impactIn, type KeywordWalk, leastImpact, type WalkTerm } from './walk-term.ts'

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
  const { found, isSettled } = offerLeaders(walk, one, two)
  if (!isSettled && top.threshold < 2 * COVERAGE) walkTwo(walk, one, two)
  else if (!isSettled) offerFollowing(walk, one, two)
  for (let i = 0; i < found; i++) scratch.bits[scratch.touched[i]! >> WORD_SHIFT] = 0
  return walk.counts ? countOnly(walk, one, two, 0) : 0
}

/**
 * Entries with both terms, from the leaders of both downwards. Leaves which they were in `touched`, marked as seen.
 * Settled: no other entry can enter, whether it has both or one of the terms.
 */
function offerLeaders(
  walk: KeywordWalk,
  one: WalkTerm,
  two: WalkTerm,
): { found: number; isSettled: boolean } {
  const { top } = walk
  const ones = leadersOf(one)
  const twos = leadersOf(two)
  const next: Next = { at: 0, found: 0 }
  let i = 0
  let j = 0
  for (;;) {
    const most = one.weight * (i < ones.size ? ones.impacts[i]! : ones.floor)
    const other = two.weight * (j < twos.size ? twos.impacts[j]! : twos.floor)
    // Whatever has both and was not looked at has no higher impact in either.
    if (2 * COVERAGE + most + other < top.threshold) return { found: next.found, isSettled: true }
    if (i === ones.size && j === twos.size) return { found: next.found, isSettled: false }
    if (i < ones.size && (most >= other || j === twos.size)) {
      next.at = i
      offerAlike(walk, ones, most, two, other, next)
      i = next.at
    } else {
      next.at = j
      offerAlike(walk, twos, other, one, most, next)
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

/** Entries with both terms that are led by neither: what is not among the leaders has no higher impact than their floor. */
function offerFollowing({ top, scratch }: KeywordWalk, one: WalkTerm, two: WalkTerm): void {
  const { slots, impacts, start, count, weight } = one
  const { bits } = two.frequent!
  const seen = scratch.bits
  const most = 2 * COVERAGE + two.weight * leadersOf(two).floor
  let least = leastImpact(top, most, weight)
  for (let at = start; at < start + count; at++) {
    if (impacts[at]! < least) continue
    const own = weight * impacts[at]!
    const slot = slots[at]!
    const word = slot >> WORD_SHIFT
    if ((bits[word]! & ~seen[word]! & bitOf(slot)) === 0) continue
    top.offer(2 * COVERAGE + own + two.weight * impactIn(two, two.frequent!, slot), slot)
    least = leastImpact(top, most, weight)
  }
}
