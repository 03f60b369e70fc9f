// Walks the postings of a sentence for the entries whose words add up to most. The answer is always that of the exhaustive walk.
import { addUp, clear } from './add-up.ts'
import { bitOf, WORD_SHIFT } from './bits.ts'
import { walkBest } from './walk-best.ts'
import { leastImpact, mark, scoreIn, unmark, type Walk, type WalkTerm } from './walk-term.ts'

/** Offers every entry with any of the terms that can be among the best. */
export function walkAny(walk: Walk): void {
  const { terms, scratch, words } = walk
  const listed = terms.filter(term => term.frequent === undefined)
  const frequent = terms.filter(term => term.frequent !== undefined)
  const [one, two] = listed
  // Nearly always: lists are read from end to end, and nothing is added up.
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
  for (const term of listed) mark(term, bits)
  walkBest(walk, frequent)
  for (const term of listed) unmark(term, bits)
}

/** Offers the entries of one list or of two, with all that the frequent terms add. */
function offerListed(
  walk: Walk,
  one: WalkTerm,
  two: WalkTerm | undefined,
  frequent: readonly WalkTerm[],
): void {
  if (two === undefined) {
    offerAlone(walk, one, frequent, false)
    return
  }
  const [few, many] = one.count <= two.count ? [one, two] : [two, one]
  walk.scratch.reserve(walk.words)
  mark(few, walk.scratch.bits)
  offerMany(walk, few, many, frequent)
  offerAlone(walk, few, frequent, true)
  unmark(few, walk.scratch.bits)
}

/** The entries of the longer list, and with them those in both, which are no longer marked then. */
function offerMany(
  { scratch, top, accept }: Walk,
  few: WalkTerm,
  many: WalkTerm,
  frequent: readonly WalkTerm[],
) {
  const { bits } = scratch
  const { slots, impacts, start, count, weight } = many
  const most = mostOf(frequent)
  // Both lists ascend: the place in the shorter one is behind that of the hit before.
  let place = few.start
  let least = leastImpact(top, most, weight)
  for (let at = start; at < start + count; at++) {
    const slot = slots[at]!
    const isInBoth = (bits[slot >> WORD_SHIFT]! & bitOf(slot)) !== 0
    if (!isInBoth && impacts[at]! < least) continue
    let key = weight * impacts[at]!
    if (isInBoth) {
      while (few.slots[place]! < slot) place++
      key += few.weight * few.impacts[place]!
      bits[slot >> WORD_SHIFT]! &= ~bitOf(slot)
    }
    if (key + most < top.threshold) continue
    key += scoreIn(frequent, slot)
    if (key < top.threshold || (accept !== undefined && !accept(slot))) continue
    top.offer(key, slot)
    least = leastImpact(top, most, weight)
  }
}

/** The entries of a list, or those of them that are marked. */
function offerAlone(
  { scratch, top, accept }: Walk,
  term: WalkTerm,
  frequent: readonly WalkTerm[],
  isMarked: boolean,
): void {
  const { bits } = scratch
  const { slots, impacts, start, count, weight } = term
  const most = mostOf(frequent)
  let least = leastImpact(top, most, weight)
  for (let at = start; at < start + count; at++) {
    if (impacts[at]! < least) continue
    const slot = slots[at]!
    if (isMarked && (bits[slot >> WORD_SHIFT]! & bitOf(slot)) === 0) continue
    const key = weight * impacts[at]! + scoreIn(frequent, slot)
    if (key < top.threshold || (accept !== undefined && !accept(slot))) continue
    top.offer(key, slot)
    least = leastImpact(top, most, weight)
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
