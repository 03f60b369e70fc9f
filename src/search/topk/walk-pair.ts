// Two words, one of which is walked as a list. Entries with both come first, so that those with one of them are looked at
// only where too few have both.
import { bitOf, WORD_SHIFT } from '../../memory/bits.ts'
import { TOP_IMPACT } from '../index/document-terms.ts'
import { toBar } from './impact-bar.ts'
import type { TopHits } from './top-k.ts'
import { walkOneLed } from './walk-leaders.ts'
import {
  COVERAGE,
  impactIn,
  type KeywordWalk,
  leastImpact,
  mark,
  type Scratch,
  unmark,
  type WalkTerm,
} from './walk-term.ts'

/** Offers every entry that has one of the terms, of which the first is not in more entries; answers how many there are, where that is asked for. */
export function walkPair(walk: KeywordWalk, few: WalkTerm, many: WalkTerm): number {
  const { scratch, words } = walk
  scratch.reserve(words)
  // At the border a list may be longer than bits.
  const [listed, term] = many.frequent === undefined && few.frequent !== undefined ? [many, few] : [few, many]
  const inBoth = term.frequent === undefined ? walkLists(walk, few, many) : walkMixed(walk, listed, term)
  return few.count + many.count - inBoth
}

/** A list beside a term that is kept as bits; answers how many entries have both. */
function walkMixed(walk: KeywordWalk, listed: WalkTerm, term: WalkTerm): number {
  const { top, scratch } = walk
  const frequent = term.frequent!
  const inBoth = offerInBoth(walk, listed, term)
  if (top.threshold >= 2 * COVERAGE) return inBoth
  offerRest(top, listed, frequent.bits, false, inBoth)
  if (COVERAGE + term.weight * frequent.highest < top.threshold) return inBoth
  mark(listed, scratch.bits)
  walkOneLed(walk, term)
  unmark(listed, scratch.bits)
  return inBoth
}

/** So many are looked up before any of them is offered: what they raised the least hit to rules out most of the next. */
const STRETCH = 256
const scores = new Int32Array(STRETCH)

/** Answers how many have both. */
function offerInBoth({ top, scratch }: KeywordWalk, listed: WalkTerm, term: WalkTerm): number {
  const frequent = term.frequent!
  const { bits } = frequent
  const { slots, impacts, start, count, weight } = listed
  const { touched } = scratch
  const most = 2 * COVERAGE + term.weight * frequent.highest
  let inBoth = 0
  for (let from = start; from < start + count; from += STRETCH) {
    const end = Math.min(start + count, from + STRETCH)
    const least = leastImpact(top, most, weight)
    let found = 0
    // There is no branch for each: which ones have both cannot be foretold.
    for (let at = from; at < end; at++) {
      const slot = slots[at]!
      const hasBoth = (bits[slot >> WORD_SHIFT]! >>> (slot & 31)) & 1
      touched[found] = at
      inBoth += hasBoth
      found += hasBoth & ((least - 1 - impacts[at]!) >>> 31)
    }
    // Where their other impacts lie is looked up for all of them first: the processor waits for many at the same time, but
    // not behind a hit whose place it has to guess.
    for (let i = 0; i < found; i++) {
      const at = touched[i]!
      scores[i] = weight * impacts[at]! + term.weight * impactIn(term, frequent, slots[at]!)
    }
    for (let i = 0; i < found; i++) top.offer(2 * COVERAGE + scores[i]!, slots[touched[i]!]!)
  }
  return inBoth
}

/** Two lists: the shorter one is marked, the longer one looks there; answers how many entries are in both. */
function walkLists({ top, scratch }: KeywordWalk, few: WalkTerm, many: WalkTerm): number {
  const { bits, touched } = scratch
  mark(few, bits)
  const inBoth = offerMarked(top, few, many, scratch)
  if (top.threshold < 2 * COVERAGE) {
    for (let i = 0; i < inBoth; i++) bits[touched[i]! >> WORD_SHIFT]! &= ~bitOf(touched[i]!)
    offerRest(top, few, bits, true, inBoth)
    for (let i = 0; i < inBoth; i++) bits[touched[i]! >> WORD_SHIFT]! |= bitOf(touched[i]!)
    offerRest(top, many, bits, false, inBoth)
  }
  unmark(few, bits)
  return inBoth
}

/** Leaves in `touched` which entries are in both lists. */
function offerMarked(top: TopHits, few: WalkTerm, many: WalkTerm, { bits, touched }: Scratch): number {
  const { slots, impacts, start, count, weight } = many
  const end = start + count
  // Both lists ascend: the place in the shorter one is behind that of the hit before.
  let place = few.start
  let inBoth = 0
  for (let at = start; at < end; at++) {
    const slot = slots[at]!
    if ((bits[slot >> WORD_SHIFT]! & bitOf(slot)) === 0) continue
    while (few.slots[place]! < slot) place++
    touched[inBoth++] = slot
    top.offer(2 * COVERAGE + few.weight * few.impacts[place]! + weight * impacts[at]!, slot)
  }
  return inBoth
}

/** Offers every entry of a list alone. */
export function offerListed(top: TopHits, term: WalkTerm): void {
  const { slots, impacts, start, count, weight } = term
  const bar = toBar(term, top.room)
  for (let at = start; at < start + count; at++) {
    if (impacts[at]! >= bar) top.offer(COVERAGE + weight * impacts[at]!, slots[at]!)
  }
}

/** Offers what a list has beyond the `inBoth` entries with both words: those that are marked, or those that are not. */
function offerRest(top: TopHits, term: WalkTerm, bits: Int32Array, isMarked: boolean, inBoth: number): void {
  const { slots, impacts, start, count, weight } = term
  const end = start + count
  // A full top turns most away by itself: to count would cost more than it spares.
  const bar = top.threshold >= COVERAGE ? 0 : toBar(term, top.room + inBoth)
  let least = Math.max(bar, leastImpact(top, COVERAGE, weight))
  if (least > TOP_IMPACT) return
  for (let at = start; at < end; at++) {
    const impact = impacts[at]!
    if (impact < least) continue
    const slot = slots[at]!
    if (((bits[slot >> WORD_SHIFT]! & bitOf(slot)) !== 0) !== isMarked) continue
    top.offer(COVERAGE + weight * impact, slot)
    least = Math.max(bar, leastImpact(top, COVERAGE, weight))
  }
}
