// One or two frequent words: looks at the postings with the highest impacts first, and at all others only where these do not
// settle what is best.
import { bitOf, WORD_SHIFT } from './bits.ts'
import { WEAK } from './frequent-term.ts'
import type { Leaders } from './leaders.ts'
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
  const { top, scratch } = walk
  const ones = leadersOf(one)
  const twos = leadersOf(two)
  let found = 0
  let i = 0
  let j = 0
  for (;;) {
    const most = one.weight * (i < ones.size ? ones.impacts[i]! : ones.floor)
    const other = two.weight * (j < twos.size ? twos.impacts[j]! : twos.floor)
    // Whatever has both and was not looked at has no higher impact in either.
    if (2 * COVERAGE + most + other < top.threshold) return { found, isSettled: true }
    if (i === ones.size && j === twos.size) return { found, isSettled: false }
    const isOne = i < ones.size && (most >= other || j === twos.size)
    const slot = isOne ? ones.slots[i++]! : twos.slots[j++]!
    const key = isOne ? keyBeside(walk, two, slot, most) : keyBeside(walk, one, slot, other)
    if (key === 0) continue
    scratch.bits[slot >> WORD_SHIFT]! |= bitOf(slot)
    scratch.touched[found++] = slot
    top.offer(key, slot)
  }
}

/** The key of an entry with both terms, of which one gives it `own`; 0 where it lacks the other, was seen before or cannot enter. */
function keyBeside({ top, scratch }: KeywordWalk, other: WalkTerm, slot: number, own: number): number {
  const frequent = other.frequent!
  const word = slot >> WORD_SHIFT
  const bit = bitOf(slot)
  // Few have a word strongly, and without it most cannot enter: one look is then enough.
  const canBeWeak = 2 * COVERAGE + own + other.weight * WEAK >= top.threshold
  const open = canBeWeak ? frequent.bits[word]! : frequent.strong[word]!
  if ((open & ~scratch.bits[word]! & bit) === 0) return 0
  return 2 * COVERAGE + own + other.weight * impactIn(other, frequent, slot)
}

/** Entries with both terms that are led by neither: what is not among the leaders has no higher impact than their floor. */
function offerFollowing({ top, scratch }: KeywordWalk, one: WalkTerm, two: WalkTerm): void {
  const { slots, impacts, start, count, weight } = one
  const { bits } = two.frequent!
  const seen = scratch.bits
  const most = two.weight * leadersOf(two).floor
  let least = top.threshold - 2 * COVERAGE
  for (let at = start; at < start + count; at++) {
    const own = weight * impacts[at]!
    if (own + most < least) continue
    const slot = slots[at]!
    const word = slot >> WORD_SHIFT
    if ((bits[word]! & ~seen[word]! & bitOf(slot)) === 0) continue
    top.offer(2 * COVERAGE + own + two.weight * impactIn(two, two.frequent!, slot), slot)
    least = top.threshold - 2 * COVERAGE
  }
}
