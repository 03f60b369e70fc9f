// Walks the postings of a sentence for the entries whose words add up to most. The answer is always that of the exhaustive walk.
import { addUp, clear } from './add-up.ts'
import { bitOf, WORD_SHIFT } from './bits.ts'
import { walkBest } from './walk-best.ts'
import { impactIn, type Walk, type WalkTerm } from './walk-term.ts'

/** Offers every entry with any of the terms that can be among the best. */
export function walkAny(walk: Walk): void {
  const { terms, scratch, words } = walk
  const listed = terms.filter(term => term.frequent === undefined)
  const frequent = terms.filter(term => term.frequent !== undefined)
  // One or two words are most queries.
  if (terms.length <= 2 && listed.length > 0) {
    if (frequent.length === 0) walkSideBySide(walk, listed[0]!, listed[1])
    else walkMixed(walk, listed[0]!, frequent[0]!)
    return
  }
  scratch.reserve(words)
  const touched = addUp(listed, scratch)
  offerTouched(walk, frequent, touched)
  if (canEnter(walk, frequent)) walkBest(walk, frequent)
  clear(scratch, touched, words)
}

/** Whether an entry with nothing but these terms can still enter. */
const canEnter = ({ top }: Walk, terms: readonly WalkTerm[]): boolean =>
  terms.length > 0 && mostOf(terms) >= top.threshold

/** What terms that are kept as bits add to an entry at most. */
function mostOf(terms: readonly WalkTerm[]): number {
  let most = 0
  for (const { weight, frequent } of terms) most += weight * frequent!.highest
  return most
}

/** Offers the entries that have a listed term or a frequent one. */
function walkMixed(walk: Walk, listed: WalkTerm, term: WalkTerm): void {
  offerListed(walk, listed, term)
  if (!canEnter(walk, [term])) return
  const { scratch, words } = walk
  scratch.reserve(words)
  const end = listed.start + listed.count
  for (let at = listed.start; at < end; at++) {
    const slot = listed.slots[at]!
    scratch.bits[slot >> WORD_SHIFT]! |= bitOf(slot)
  }
  walkBest(walk, [term])
  for (let at = listed.start; at < end; at++) scratch.bits[listed.slots[at]! >> WORD_SHIFT] = 0
}

/** Offers the entries that have a listed term, with or without a frequent one. */
function offerListed({ top, accept }: Walk, listed: WalkTerm, term: WalkTerm): void {
  const frequent = term.frequent!
  const { slots, impacts, start, weight } = listed
  const end = start + listed.count
  const most = term.weight * frequent.highest
  let least = top.threshold
  for (let at = start; at < end; at++) {
    let key = weight * impacts[at]!
    if (key + most < least) continue
    const slot = slots[at]!
    if (frequent.has(slot)) key += term.weight * impactIn(term, frequent, slot)
    if (key < least || (accept !== undefined && !accept(slot))) continue
    top.offer(key, slot)
    least = top.threshold
  }
}

/** Above every slot. */
const NO_SLOT = 0x7fffffff

/** Two lists side by side, or one alone. */
function walkSideBySide({ top, accept }: Walk, one: WalkTerm, two: WalkTerm | undefined): void {
  const endOne = one.start + one.count
  const endTwo = two === undefined ? 0 : two.start + two.count
  let atOne = one.start
  let atTwo = two === undefined ? 0 : two.start
  let least = top.threshold
  while (atOne < endOne || atTwo < endTwo) {
    const slotOne = atOne < endOne ? one.slots[atOne]! : NO_SLOT
    const slotTwo = atTwo < endTwo ? two!.slots[atTwo]! : NO_SLOT
    let key = 0
    if (slotOne <= slotTwo) key += one.weight * one.impacts[atOne++]!
    if (slotTwo <= slotOne) key += two!.weight * two!.impacts[atTwo++]!
    if (key < least) continue
    const slot = Math.min(slotOne, slotTwo)
    if (accept !== undefined && !accept(slot)) continue
    top.offer(key, slot)
    least = top.threshold
  }
}

/** Offers the entries that have a listed term, with all that the frequent ones add. */
function offerTouched({ scratch, top, accept }: Walk, frequent: readonly WalkTerm[], touched: number): void {
  const most = mostOf(frequent)
  for (let i = 0; i < touched; i++) {
    const slot = scratch.touched[i]!
    let key = scratch.scores[slot]!
    if (key + most < top.threshold) continue
    for (let t = 0; t < frequent.length; t++) {
      const term = frequent[t]!
      if (term.frequent!.has(slot)) key += term.weight * impactIn(term, term.frequent!, slot)
    }
    if (key >= top.threshold && (accept === undefined || accept(slot))) top.offer(key, slot)
  }
}
