// Begins the search for the best entries with the postings of the highest impacts, term by term downwards. That settles
// most walks; where it does not, what else can enter must beat what was found here.
import { bitOf, WORD_SHIFT } from '../../memory/bits.ts'
import { type Leaders, MOST_STEPS } from '../index/champion-list.ts'
import { scoreIn, type Walk, type WalkTerm } from './walk-term.ts'

/** A term that is kept as bits, and the most that it adds to an entry that was not looked at. */
export type Led = WalkTerm & { readonly frequent: NonNullable<WalkTerm['frequent']>; most: number }

/** To add an entry up takes several steps; one that bits rule out takes one. */
const STEPS_FOR_ONE = 4
/** Which entries were marked. */
let lookedAt = new Int32Array(MOST_STEPS)

export const toLed = (term: WalkTerm): Led => {
  const frequent = term.frequent!
  const { slots, impacts, start, count, weight } = term
  return { slots, impacts, start, count, weight, frequent, most: weight * frequent.highest }
}

/**
 * Offers the leaders of the terms and marks them as seen, and leaves in `most` what the terms can add to others that may
 * still enter. Answers how many it has marked.
 */
export function offerLeaders({ top, scratch, words, accept }: Walk, terms: readonly Led[]): number {
  if (lookedAt.length < words) lookedAt = new Int32Array(2 * words)
  const seen = scratch.bits
  const leaders = terms.map(({ slots, impacts, start, count, frequent }) =>
    frequent.leaders(slots, impacts, start, count),
  )
  const next = new Int32Array(terms.length)
  let sum = 0
  for (let t = 0; t < terms.length; t++) sum += setMost(terms[t]!, leaders[t]!, 0)
  let marked = 0
  let steps = terms.length > 1 ? MOST_STEPS : words
  while (sum >= top.threshold && steps > 0) {
    let first = -1
    for (let t = 0; t < terms.length; t++)
      if (next[t]! < leaders[t]!.size && (first < 0 || terms[t]!.most > terms[first]!.most)) first = t
    if (first < 0) break
    const term = terms[first]!
    const { slots, impacts, size } = leaders[first]!
    const own = term.most
    let at = next[first]!
    const impact = impacts[at]!
    // All that the term adds as much to.
    for (; at < size && impacts[at] === impact && sum >= top.threshold && steps > 0; at++, steps--) {
      const slot = slots[at]!
      if (own + reachOf(terms, slot, first) < top.threshold) continue
      const word = slot >> WORD_SHIFT
      if ((seen[word]! & bitOf(slot)) !== 0) continue
      seen[word]! |= bitOf(slot)
      lookedAt[marked++] = slot
      steps -= STEPS_FOR_ONE - 1
      if (accept !== undefined && !accept(slot)) continue
      const key = own + scoreIn(terms, slot, first)
      if (key >= top.threshold) top.offer(key, slot)
    }
    next[first] = at
    sum += setMost(term, leaders[first]!, at) - own
  }
  return marked
}

/** What a term adds at most, once all before the `next` of its leaders are known. */
function setMost(term: Led, { impacts, size, floor }: Leaders, next: number): number {
  term.most = term.weight * (next < size ? impacts[next]! : floor)
  return term.most
}

/** What the terms but one add to an entry at most, as far as bits tell. */
function reachOf(terms: readonly Led[], slot: number, except: number): number {
  const word = slot >> WORD_SHIFT
  let reach = 0
  for (let t = 0; t < terms.length; t++) {
    if (t === except) continue
    const { weight, frequent } = terms[t]!
    if ((frequent.bits[word]! & bitOf(slot)) !== 0) reach += weight * frequent.tops[word]!
  }
  return reach
}

/** Nothing that lies near the marked entries counts as seen any more. */
export function unmarkLeaders({ scratch }: Walk, marked: number): void {
  for (let i = 0; i < marked; i++) scratch.bits[lookedAt[i]! >> WORD_SHIFT] = 0
}
