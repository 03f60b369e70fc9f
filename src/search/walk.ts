// Walks the postings of a sentence for the entries whose words add up to most. The answer is always that of the exhaustive walk.
import { addUp, clear } from './add-up.ts'
import { bitOf, WORD_SHIFT } from './bits.ts'
import { walkBest } from './walk-best.ts'
import { scoreIn, type Walk, type WalkTerm } from './walk-term.ts'

/** Offers every entry with any of the terms that can be among the best. */
export function walkAny(walk: Walk): void {
  const { terms, scratch, words } = walk
  const listed = terms.filter(term => term.frequent === undefined)
  const frequent = terms.filter(term => term.frequent !== undefined)
  const [one, two] = listed
  // Nearly always: lists are read from end to end, and no room to add up in, as large as the catalog, is touched.
  if (one !== undefined && listed.length <= 2) {
    offerListed(walk, one, two, frequent)
    if (canEnter(walk, frequent)) walkUnlisted(walk, listed, frequent)
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

/** Offers the entries that have frequent terms and none of the listed ones. */
function walkUnlisted(walk: Walk, listed: readonly WalkTerm[], frequent: readonly WalkTerm[]): void {
  const { scratch, words } = walk
  scratch.reserve(words)
  const { bits } = scratch
  for (const { slots, start, count } of listed)
    for (let at = start; at < start + count; at++) bits[slots[at]! >> WORD_SHIFT]! |= bitOf(slots[at]!)
  walkBest(walk, frequent)
  for (const { slots, start, count } of listed)
    for (let at = start; at < start + count; at++) bits[slots[at]! >> WORD_SHIFT] = 0
}

/** Above every slot. */
const NO_SLOT = 0x7fffffff

/** Two lists side by side, or one alone: offers their entries, with all that the frequent terms add. */
function offerListed(
  { top, accept }: Walk,
  one: WalkTerm,
  two: WalkTerm | undefined,
  frequent: readonly WalkTerm[],
): void {
  const endOne = one.start + one.count
  const endTwo = two === undefined ? 0 : two.start + two.count
  let atOne = one.start
  let atTwo = two === undefined ? 0 : two.start
  const most = mostOf(frequent)
  let least = top.threshold
  while (atOne < endOne || atTwo < endTwo) {
    const slotOne = atOne < endOne ? one.slots[atOne]! : NO_SLOT
    const slotTwo = atTwo < endTwo ? two!.slots[atTwo]! : NO_SLOT
    let key = 0
    if (slotOne <= slotTwo) key += one.weight * one.impacts[atOne++]!
    if (slotTwo <= slotOne) key += two!.weight * two!.impacts[atTwo++]!
    if (key + most < least) continue
    const slot = Math.min(slotOne, slotTwo)
    key += scoreIn(frequent, slot)
    if (key < least || (accept !== undefined && !accept(slot))) continue
    top.offer(key, slot)
    least = top.threshold
  }
}

/** Offers the entries that have a listed term, with all that the frequent ones add. */
function offerTouched({ scratch, top, accept }: Walk, frequent: readonly WalkTerm[], touched: number): void {
  const most = mostOf(frequent)
  for (let i = 0; i < touched; i++) {
    const slot = scratch.touched[i]!
    const listed = scratch.scores[slot]!
    if (listed + most < top.threshold) continue
    const key = listed + scoreIn(frequent, slot)
    if (key >= top.threshold && (accept === undefined || accept(slot))) top.offer(key, slot)
  }
}
