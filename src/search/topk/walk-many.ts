// Three words or more, where entries with more of them come first.

import { bitOf, WORD_SHIFT } from '../../memory/bits.ts'
import { addUp, clear } from './add-up.ts'
import { walkFrequent } from './walk-frequent.ts'
import { COVERAGE, type KeywordWalk, keyIn, type Scratch, type WalkTerm } from './walk-term.ts'

/** Offers every entry with any of the terms; answers how many there are, where that is asked for. */
export function walkMany(walk: KeywordWalk): number {
  const { terms, words, scratch, top } = walk
  const listed = terms.filter(term => term.frequent === undefined)
  const frequent = terms.filter(term => term.frequent !== undefined).sort((a, b) => a.count - b.count)
  scratch.reserve(words)
  const touched = addUp(listed, scratch)
  const level = sureLevel(scratch, listed.length, top.room)
  offerFrom(level, listed.length, walk, frequent, touched)
  if (level > 1 && frequent.length > 0)
    offerFrom(Math.max(1, level - frequent.length), level - 1, walk, frequent, touched)
  const only = walkFrequent(walk, frequent, touched)
  clear(scratch, touched, words)
  return touched + only
}

/** The highest number of listed terms that enough entries have to fill the hits; at least 1. */
function sureLevel({ reaching }: Scratch, most: number, room: number): number {
  let level = most
  while (level > 1 && reaching[level]! < room) level--
  return Math.max(1, level)
}

/** Offers the touched entries with so many of the listed terms. One is left as soon as it lacks too many of the frequent ones. */
function offerFrom(
  least: number,
  most: number,
  { scratch, top }: KeywordWalk,
  frequent: readonly WalkTerm[],
  touched: number,
): void {
  const { coverage, scores, touched: slots } = scratch
  const bits = frequent.map(term => term.frequent!.bits)
  let threshold = top.threshold
  let needed = Math.floor(threshold / COVERAGE)
  for (let i = 0; i < touched; i++) {
    const slot = slots[i]!
    const level = coverage[slot]!
    if (level < least || level > most || lacks(bits, slot, level + bits.length - needed)) continue
    const key = level * COVERAGE + scores[slot]! + keyIn(frequent, slot)
    if (key < threshold) continue
    top.offer(key, slot)
    threshold = top.threshold
    needed = Math.floor(threshold / COVERAGE)
  }
}

/** Whether a slot is missing in more than `spare` of the sets. */
function lacks(sets: readonly Int32Array[], slot: number, spare: number): boolean {
  const word = slot >> WORD_SHIFT
  const bit = bitOf(slot)
  let left = spare
  for (let i = 0; i < sets.length && left >= 0; i++) if ((sets[i]![word]! & bit) === 0) left--
  return left < 0
}
