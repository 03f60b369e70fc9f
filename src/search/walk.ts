// Walks the postings of a query for entries with any of its words. The answer is always that of the exhaustive walk.
import { bitOf, WORD_SHIFT } from './bits.ts'
import { TOP_IMPACT } from './document-terms.ts'
import type { TopHits } from './top-hits.ts'
import { walkFrequent } from './walk-frequent.ts'
import { COVERAGE, impactIn, type Scratch, type Walk, type WalkTerm } from './walk-term.ts'

/** Offers every entry with any of the terms; answers how many there are. */
export function walkAny(walk: Walk): number {
  const rare = walk.terms.filter(term => term.frequent === undefined)
  const frequent = walk.terms.filter(term => term.frequent !== undefined)
  if (walk.terms.length === 2 && walk.accept === undefined && walk.byCoverage) {
    if (frequent.length === 0) return walkPair(walk.top, rare[0]!, rare[1]!)
    if (frequent.length === 1) {
      const total = walkMixed(walk.top, rare[0]!, frequent[0]!)
      if (isSettled(walk.top, frequent[0]!)) return total
      walk.top.clear()
    }
  }
  walk.scratch.reserve(walk.words)
  const touched = addUp(rare, walk.scratch)
  const offered = offerTouched(walk, frequent, touched)
  const isDone = !walk.counts && boundOf(frequent) < walk.top.threshold
  const total = isDone ? offered : offered + walkFrequent(walk, frequent, touched)
  clear(walk.scratch, touched)
  return total
}

/** What an entry with nothing but these terms can reach. */
const boundOf = (terms: readonly WalkTerm[]): number =>
  terms.reduce((sum, { weight, frequent }) => sum + weight * (frequent?.highest ?? TOP_IMPACT), 0)

/** Whether no entry with nothing but the term can enter any more. */
const isSettled = (top: TopHits, { weight, frequent }: WalkTerm): boolean =>
  COVERAGE + weight * frequent!.highest < top.threshold

/** Offers the entries that have a rare term, with or without a frequent one; answers how many have either. */
function walkMixed(top: TopHits, rare: WalkTerm, term: WalkTerm): number {
  const frequent = term.frequent!
  const { slots, impacts, start, weight } = rare
  const end = start + rare.count
  const most = term.weight * frequent.highest
  let inBoth = 0
  let least = top.threshold
  for (let at = start; at < end; at++) {
    const slot = slots[at]!
    const score = weight * impacts[at]!
    if (!frequent.has(slot)) {
      if (COVERAGE + score < least) continue
      top.offer(COVERAGE + score, slot)
    } else {
      inBoth++
      if (2 * COVERAGE + score + most < least) continue
      top.offer(2 * COVERAGE + score + term.weight * impactIn(term, frequent, slot), slot)
    }
    least = top.threshold
  }
  return rare.count + term.count - inBoth
}

/** Above every slot. */
const NO_SLOT = 0x7fffffff

/** Two lists side by side: most queries are two words that few entries have. */
function walkPair(top: TopHits, one: WalkTerm, two: WalkTerm): number {
  const endOne = one.start + one.count
  const endTwo = two.start + two.count
  let atOne = one.start
  let atTwo = two.start
  let total = 0
  let least = top.threshold
  while (atOne < endOne || atTwo < endTwo) {
    const slotOne = atOne < endOne ? one.slots[atOne]! : NO_SLOT
    const slotTwo = atTwo < endTwo ? two.slots[atTwo]! : NO_SLOT
    let key = 0
    if (slotOne <= slotTwo) key += COVERAGE + one.weight * one.impacts[atOne++]!
    if (slotTwo <= slotOne) key += COVERAGE + two.weight * two.impacts[atTwo++]!
    total++
    if (key < least) continue
    top.offer(key, Math.min(slotOne, slotTwo))
    least = top.threshold
  }
  return total
}

/** Adds up coverage and score of every entry with a rare term; answers how many were touched. */
function addUp(rare: readonly WalkTerm[], { coverage, scores, touched, bits }: Scratch): number {
  let size = 0
  for (const { slots, impacts, start, count, weight } of rare) {
    for (let at = start; at < start + count; at++) {
      const slot = slots[at]!
      if (coverage[slot] === 0) {
        touched[size++] = slot
        bits[slot >> WORD_SHIFT]! |= bitOf(slot)
      }
      coverage[slot]!++
      scores[slot]! += weight * impacts[at]!
    }
  }
  return size
}

function offerTouched(
  { scratch, top, accept, byCoverage, counts }: Walk,
  frequent: readonly WalkTerm[],
  touched: number,
): number {
  let total = 0
  if (!counts) {
    for (let i = 0; i < touched; i++) {
      const slot = scratch.touched[i]!
      let key = scratch.scores[slot]!
      for (let t = 0; t < frequent.length; t++) {
        const term = frequent[t]!
        if (term.frequent!.has(slot)) key += term.weight * impactIn(term, term.frequent!, slot)
      }
      if (key >= top.threshold && (accept === undefined || accept(slot))) top.offer(key, slot)
    }
    return 0
  }
  const unit = byCoverage ? COVERAGE : 0
  for (let i = 0; i < touched; i++) {
    const slot = scratch.touched[i]!
    if (accept !== undefined && !accept(slot)) continue
    total++
    let key = scratch.coverage[slot]! * unit + scratch.scores[slot]!
    for (const term of frequent) {
      if (term.frequent!.has(slot)) key += unit + term.weight * impactIn(term, term.frequent!, slot)
    }
    if (key >= top.threshold) top.offer(key, slot)
  }
  return total
}

function clear({ coverage, scores, touched, bits }: Scratch, size: number): void {
  for (let i = 0; i < size; i++) {
    const slot = touched[i]!
    coverage[slot] = 0
    scores[slot] = 0
    bits[slot >> WORD_SHIFT] = 0
  }
}
