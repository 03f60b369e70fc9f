// Walks the postings of a sentence for the entries whose words add up to most. The answer is always that of the exhaustive walk.

import { bitOf, WORD_SHIFT } from '../../memory/bits.ts'
import { addUp, clear } from './add-up.ts'
import { toBar } from './impact-bar.ts'
import { walkBest } from './walk-best.ts'
import { leastImpact, mark, scoreIn, unmark, type Walk, type WalkTerm } from './walk-term.ts'

/** More lists are added up, entry by entry. */
const MOST_LISTS = 4
/** So many postings are looked at before any of them is offered: there is no branch for each. */
const STRETCH = 256
const chosen = new Int32Array(STRETCH)
const reaches = new Int32Array(STRETCH)
const keys = new Int32Array(STRETCH)

/** Offers every entry with any of the terms that can be among the best. */
export function walkAny(walk: Walk): void {
  const { terms, scratch, words } = walk
  const listed = terms.filter(term => term.frequent === undefined)
  const frequent = terms.filter(term => term.frequent !== undefined)
  if (walk.accept === undefined)
    for (const term of listed) walk.top.expect(term.weight * toBar(term, walk.top.room))
  scratch.reserve(words)
  // Nearly always: lists are read from end to end, and nothing is added up.
  if (listed.length <= MOST_LISTS) {
    offerLists(walk, listed, frequent)
    return
  }
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

/** Offers the entries of a few lists, the longest first, with all that the frequent terms add, and then those that have frequent terms alone. */
function offerLists(walk: Walk, listed: readonly WalkTerm[], frequent: readonly WalkTerm[]): void {
  const { bits: offered, marks } = walk.scratch
  const lists = listed.toSorted((a, b) => b.count - a.count)
  for (let i = 0; i < lists.length; i++) {
    const shorter = lists.slice(i + 1)
    for (const other of shorter) mark(other, marks)
    if (shorter.length > 0) offerShared(walk, lists[i]!, shorter, frequent)
    offerAlone(walk, lists[i]!, frequent)
    for (const other of shorter) unmark(other, marks)
  }
  if (canEnter(walk, frequent)) {
    for (const term of lists) mark(term, offered)
    walkBest(walk, frequent)
    for (const term of lists) unmark(term, offered)
  } else for (const term of lists.slice(1)) unmark(term, offered)
}

/** Offers the entries of a list that shorter ones have marked and that were not offered before; they are known as offered then. */
function offerShared(
  walk: Walk,
  { slots, impacts, start, count, weight }: WalkTerm,
  shorter: readonly WalkTerm[],
  frequent: readonly WalkTerm[],
): void {
  const { bits: offered, marks } = walk.scratch
  // All lists ascend: the place in another one is behind that of the entry before.
  const places = shorter.map(other => other.start)
  for (let from = start; from < start + count; from += STRETCH) {
    const end = Math.min(start + count, from + STRETCH)
    let found = 0
    for (let at = from; at < end; at++) {
      const slot = slots[at]!
      const word = slot >> WORD_SHIFT
      chosen[found] = at
      found += ((marks[word]! & ~offered[word]!) >>> (slot & 31)) & 1
    }
    addReach(frequent, slots, found)
    for (let i = 0; i < found; i++) {
      const at = chosen[i]!
      const slot = slots[at]!
      let own = weight * impacts[at]!
      for (let t = 0; t < shorter.length; t++) {
        const other = shorter[t]!
        const last = other.start + other.count
        let place = places[t]!
        while (place < last && other.slots[place]! < slot) place++
        if (place < last && other.slots[place] === slot) own += other.weight * other.impacts[place]!
        places[t] = place
      }
      offered[slot >> WORD_SHIFT]! |= bitOf(slot)
      if (own + reaches[i]! >= walk.top.threshold) offerOne(walk, own, slot, frequent)
    }
  }
}

/** Offers the entries of a list that are neither marked nor were offered before. */
function offerAlone(walk: Walk, term: WalkTerm, frequent: readonly WalkTerm[]): void {
  const { scratch, top, accept } = walk
  const { slots, impacts, start, count, weight } = term
  const { bits: offered, marks } = scratch
  const passing = accept?.passing
  const test = passing === undefined ? accept : undefined
  const most = mostOf(frequent)
  for (let from = start; from < start + count; from += STRETCH) {
    const end = Math.min(start + count, from + STRETCH)
    const least = leastImpact(top, most, weight)
    let found = 0
    for (let at = from; at < end; at++) {
      chosen[found] = at
      found += (least - 1 - impacts[at]!) >>> 31
    }
    if (passing !== undefined) found = keepPassing(passing, slots, found)
    found = keepReaching(walk, term, frequent, found)
    // All are added up before any is offered: the processor waits for many impacts at the same time, but not behind a hit
    // whose place it has to guess.
    for (let i = 0; i < found; i++) {
      const at = chosen[i]!
      keys[i] = weight * impacts[at]! + scoreIn(frequent, slots[at]!)
    }
    for (let i = 0; i < found; i++) {
      if (keys[i]! < top.threshold) continue
      const slot = slots[chosen[i]!]!
      const word = slot >> WORD_SHIFT
      if (((marks[word]! | offered[word]!) & bitOf(slot)) !== 0) continue
      if (test === undefined || test(slot)) top.offer(keys[i]!, slot)
    }
  }
}

/** Of the first `found` of the chosen keeps those that pass; answers how many. */
function keepPassing(passing: Int32Array, slots: Uint32Array, found: number): number {
  let kept = 0
  for (let i = 0; i < found; i++) {
    const at = chosen[i]!
    const slot = slots[at]!
    chosen[kept] = at
    kept += (passing[slot >> WORD_SHIFT]! >>> (slot & 31)) & 1
  }
  return kept
}

/** Of the first `found` of the chosen keeps those that can enter as far as bits alone tell, with what the list itself adds; answers how many. */
function keepReaching(
  { top }: Walk,
  { slots, impacts, weight }: WalkTerm,
  frequent: readonly WalkTerm[],
  found: number,
): number {
  if (frequent.length === 0) return found
  for (let i = 0; i < found; i++) reaches[i] = weight * impacts[chosen[i]!]!
  for (let t = 0; t < frequent.length; t++) {
    const { bits, highest } = frequent[t]!.frequent!
    const most = frequent[t]!.weight * highest
    // Without a branch: the next is looked up while memory has not yet answered for this one.
    for (let i = 0; i < found; i++) {
      const slot = slots[chosen[i]!]!
      reaches[i]! += most & -((bits[slot >> WORD_SHIFT]! >>> (slot & 31)) & 1)
    }
  }
  const least = top.threshold - 1
  let kept = 0
  for (let i = 0; i < found; i++) {
    chosen[kept] = chosen[i]!
    kept += (least - reaches[i]!) >>> 31
  }
  return kept
}

/** Leaves in `reaches` what frequent terms add at most to the first `found` of the chosen, as far as bits tell. */
function addReach(frequent: readonly WalkTerm[], slots: Uint32Array, found: number): void {
  for (let i = 0; i < found; i++) reaches[i] = 0
  for (let t = 0; t < frequent.length; t++) {
    const { weight } = frequent[t]!
    const { bits, tops } = frequent[t]!.frequent!
    // Without a branch: the next is looked up while memory has not yet answered for this one.
    for (let i = 0; i < found; i++) {
      const slot = slots[chosen[i]!]!
      const word = slot >> WORD_SHIFT
      reaches[i]! += weight * tops[word]! * ((bits[word]! >>> (slot & 31)) & 1)
    }
  }
}

/** Offers an entry to which the listed terms add so much. */
function offerOne({ top, accept }: Walk, listed: number, slot: number, frequent: readonly WalkTerm[]): void {
  if (accept !== undefined && !accept(slot)) return
  const key = listed + scoreIn(frequent, slot)
  if (key >= top.threshold) top.offer(key, slot)
}

/** Offers the entries that have a listed term, with all that the frequent ones add. */
function offerTouched(walk: Walk, frequent: readonly WalkTerm[], touched: number): void {
  const { scratch, top } = walk
  const most = mostOf(frequent)
  for (let i = 0; i < touched; i++) {
    const slot = scratch.touched[i]!
    const listed = scratch.scores[slot]!
    if (listed + most >= top.threshold) offerOne(walk, listed, slot, frequent)
  }
}
