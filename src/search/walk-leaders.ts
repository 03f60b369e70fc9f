// One or two frequent words: looks at the postings with the highest impacts first, and at all others only where these do not
// settle what is best.
import { bitOf, WORD_SHIFT } from './bits.ts'
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
  const { bits, touched } = walk.scratch
  const { found, isSettled } = offerLeaders(walk, one, two)
  if (!isSettled) walkTwo(walk, one, two)
  for (let i = 0; i < found; i++) bits[touched[i]! >> WORD_SHIFT] = 0
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
    let key: number
    let slot: number
    if (i < ones.size && (most >= other || j === twos.size)) {
      slot = ones.slots[i++]!
      key = keyBeside(two, slot, scratch.bits)
      if (key > 0) key += most
    } else if (j < twos.size) {
      slot = twos.slots[j++]!
      key = keyBeside(one, slot, scratch.bits)
      if (key > 0) key += other
    } else return { found, isSettled: false }
    if (key === 0) continue
    scratch.bits[slot >> WORD_SHIFT]! |= bitOf(slot)
    scratch.touched[found++] = slot
    top.offer(key, slot)
  }
}

/** What an entry with both terms gets for having them, and for this one; 0 where it lacks the term or was seen before. */
function keyBeside(term: WalkTerm, slot: number, seen: Int32Array): number {
  const frequent = term.frequent!
  const word = slot >> WORD_SHIFT
  if ((frequent.bits[word]! & ~seen[word]! & bitOf(slot)) === 0) return 0
  return 2 * COVERAGE + term.weight * impactIn(term, frequent, slot)
}
