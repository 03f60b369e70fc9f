// Walks the postings of a query for entries with any of its words. The answer is always that of the exhaustive walk.
import { bitOf, WORD_SHIFT } from './bits.ts'
import { TOP_IMPACT } from './document-terms.ts'
import { walkBest } from './walk-best.ts'
import { walkFrequent, walkOne } from './walk-frequent.ts'
import { COVERAGE, impactIn, type Scratch, type Walk, type WalkTerm } from './walk-term.ts'

/** Offers every entry with any of the terms; answers how many there are, where that is asked for. */
export function walkAny(walk: Walk): number {
  const rare = walk.terms.filter(term => term.frequent === undefined)
  const frequent = walk.terms.filter(term => term.frequent !== undefined)
  // One or two words are most queries, and a filter in the way of counting is seldom.
  if (
    walk.terms.length <= 2 &&
    rare.length > 0 &&
    (walk.accept === undefined || !(walk.counts || walk.byCoverage))
  ) {
    return frequent.length === 0 ? walkPair(walk, rare[0]!, rare[1]) : walkMixed(walk, rare[0]!, frequent[0]!)
  }
  walk.scratch.reserve(walk.words)
  const touched = addUp(rare, walk.scratch)
  let offered = touched
  if (walk.byCoverage && walk.accept === undefined) offerByCoverage(walk, frequent, touched)
  else offered = offerTouched(walk, frequent, touched)
  const total = walk.counts ? offered + walkFrequent(walk, frequent, touched) : 0
  if (!walk.counts && canEnter(walk, frequent)) {
    if (walk.byCoverage) walkFrequent(walk, frequent, touched)
    else walkBest(walk, frequent)
  }
  clear(walk.scratch, touched)
  return total
}

/** Whether an entry with nothing but these terms can still enter. */
function canEnter({ top, byCoverage }: Walk, terms: readonly WalkTerm[]): boolean {
  let bound = byCoverage ? terms.length * COVERAGE : 0
  for (const { weight, frequent } of terms) bound += weight * (frequent?.highest ?? TOP_IMPACT)
  return terms.length > 0 && bound >= top.threshold
}

/** Offers the entries that have a rare term or a frequent one; answers how many have either. */
function walkMixed(walk: Walk, rare: WalkTerm, term: WalkTerm): number {
  const inBoth = offerRare(walk, rare, term)
  if (canEnter(walk, [term])) {
    const { scratch, words } = walk
    scratch.reserve(words)
    const end = rare.start + rare.count
    for (let at = rare.start; at < end; at++) {
      const slot = rare.slots[at]!
      scratch.bits[slot >> WORD_SHIFT]! |= bitOf(slot)
    }
    if (walk.byCoverage) walkOne(walk, term)
    else walkBest(walk, [term])
    for (let at = rare.start; at < end; at++) scratch.bits[rare.slots[at]! >> WORD_SHIFT] = 0
  }
  return rare.count + term.count - inBoth
}

/** Offers the entries that have a rare term, with or without a frequent one; answers how many have both, where all are counted. */
function offerRare({ top, accept, byCoverage, counts }: Walk, rare: WalkTerm, term: WalkTerm): number {
  const frequent = term.frequent!
  const { slots, impacts, start, weight } = rare
  const end = start + rare.count
  const unit = byCoverage ? COVERAGE : 0
  const most = unit + term.weight * frequent.highest
  let inBoth = 0
  let least = top.threshold
  for (let at = start; at < end; at++) {
    const slot = slots[at]!
    let key = unit + weight * impacts[at]!
    const isOut = key + most < least
    if (isOut && !counts) continue
    if (frequent.has(slot)) {
      inBoth++
      if (isOut) continue
      key += unit + term.weight * impactIn(term, frequent, slot)
    }
    if (key < least || (accept !== undefined && !accept(slot))) continue
    top.offer(key, slot)
    least = top.threshold
  }
  return inBoth
}

/** Above every slot. */
const NO_SLOT = 0x7fffffff

/** Two lists side by side, or one alone. */
function walkPair({ top, accept, byCoverage }: Walk, one: WalkTerm, two: WalkTerm | undefined): number {
  const unit = byCoverage ? COVERAGE : 0
  const endOne = one.start + one.count
  const endTwo = two === undefined ? 0 : two.start + two.count
  let atOne = one.start
  let atTwo = two === undefined ? 0 : two.start
  let total = 0
  let least = top.threshold
  while (atOne < endOne || atTwo < endTwo) {
    const slotOne = atOne < endOne ? one.slots[atOne]! : NO_SLOT
    const slotTwo = atTwo < endTwo ? two!.slots[atTwo]! : NO_SLOT
    let key = 0
    if (slotOne <= slotTwo) key += unit + one.weight * one.impacts[atOne++]!
    if (slotTwo <= slotOne) key += unit + two!.weight * two!.impacts[atTwo++]!
    total++
    if (key < least) continue
    const slot = Math.min(slotOne, slotTwo)
    if (accept !== undefined && !accept(slot)) continue
    top.offer(key, slot)
    least = top.threshold
  }
  return total
}

/** Adds up coverage and score of every entry with a rare term; answers how many were touched. */
function addUp(rare: readonly WalkTerm[], scratch: Scratch): number {
  const { coverage, scores, touched, bits } = scratch
  let size = 0
  let deepest = 0
  for (const { slots, impacts, start, count, weight } of rare) {
    for (let at = start; at < start + count; at++) {
      const slot = slots[at]!
      if (coverage[slot] === 0) {
        touched[size++] = slot
        bits[slot >> WORD_SHIFT]! |= bitOf(slot)
      }
      const depth = coverage[slot]! + 1
      coverage[slot] = depth
      if (depth > deepest) deepest = depth
      scores[slot]! += weight * impacts[at]!
    }
  }
  scratch.deepest = deepest
  return size
}

/**
 * Offers the touched entries where those with more of the words come first: from those with most of the rare terms on, as
 * long as they can still enter. One is left as soon as it lacks too many of the frequent terms.
 */
function offerByCoverage({ scratch, top }: Walk, frequent: readonly WalkTerm[], touched: number): void {
  const terms = frequent.toSorted((a, b) => a.count - b.count)
  let least = top.threshold
  for (let level = scratch.deepest; level > 0; level--) {
    if ((level + terms.length + 1) * COVERAGE <= least) return
    for (let i = 0; i < touched; i++) {
      const slot = scratch.touched[i]!
      if (scratch.coverage[slot] !== level) continue
      let key = level * COVERAGE + scratch.scores[slot]!
      let spare = level + terms.length - Math.floor(least / COVERAGE)
      for (let t = 0; t < terms.length && spare >= 0; t++) {
        const term = terms[t]!
        if (term.frequent!.has(slot)) key += COVERAGE + term.weight * impactIn(term, term.frequent!, slot)
        else spare--
      }
      if (spare < 0 || key < least) continue
      top.offer(key, slot)
      least = top.threshold
    }
  }
}

function offerTouched(
  { scratch, top, accept, byCoverage, counts }: Walk,
  frequent: readonly WalkTerm[],
  touched: number,
): number {
  let total = 0
  if (!counts && !byCoverage) {
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
