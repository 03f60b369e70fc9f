// Three words or more, where entries with more of them come first.
import { addUp, clear } from './add-up.ts'
import type { TopHits } from './top-hits.ts'
import { walkFrequent } from './walk-frequent.ts'
import { COVERAGE, impactIn, type KeywordWalk, type Scratch, type WalkTerm } from './walk-term.ts'

/** Offers every entry with any of the terms; answers how many there are, where that is asked for. */
export function walkMany(walk: KeywordWalk): number {
  const { terms, words, scratch, top } = walk
  const listed = terms.filter(term => term.frequent === undefined)
  const frequent = terms.filter(term => term.frequent !== undefined).sort((a, b) => a.count - b.count)
  scratch.reserve(words)
  const touched = addUp(listed, scratch)
  const level = sureLevel(scratch, listed.length, top.room)
  offerFrom(level, listed.length, walk, frequent, touched)
  if (frequent.length > 0) offerFrom(Math.max(1, level - frequent.length), level - 1, walk, frequent, touched)
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
  let threshold = top.threshold
  for (let i = 0; i < touched; i++) {
    const slot = slots[i]!
    const level = coverage[slot]!
    if (level < least || level > most) continue
    if ((level + frequent.length + 1) * COVERAGE <= threshold) continue
    offerWith(frequent, slot, level, scores[slot]!, top)
    threshold = top.threshold
  }
}

function offerWith(
  frequent: readonly WalkTerm[],
  slot: number,
  level: number,
  score: number,
  top: TopHits,
): void {
  let key = level * COVERAGE + score
  let spare = level + frequent.length - Math.floor(top.threshold / COVERAGE)
  for (let t = 0; t < frequent.length && spare >= 0; t++) {
    const term = frequent[t]!
    if (term.frequent!.has(slot)) key += COVERAGE + term.weight * impactIn(term, term.frequent!, slot)
    else spare--
  }
  if (spare >= 0 && key >= top.threshold) top.offer(key, slot)
}
