// Begins the search for the best entries with the postings of the highest impacts, term by term downwards. That settles
// most walks; where it does not, what else can enter must beat what was found here.
import { bitOf, WORD_SHIFT } from './bits.ts'
import { impactIn, type Walk, type WalkTerm } from './walk-term.ts'

/** A term that is kept as bits, and the most that it adds to an entry that was not looked at. */
export type Led = WalkTerm & { readonly frequent: NonNullable<WalkTerm['frequent']>; most: number }

/** One is looked at for so many words of slots that must be read where this settles nothing, as with many terms. */
const WORDS_FOR_ONE = 4
let lookedAt = new Int32Array(0)

export const toLed = (term: WalkTerm): Led => {
  const frequent = term.frequent!
  const { slots, impacts, start, count, weight } = term
  return { slots, impacts, start, count, weight, frequent, most: weight * frequent.highest }
}

/**
 * Offers the leaders of the terms and marks them as seen, and leaves in `most` what the terms can add to others. Answers how
 * many it has marked.
 */
export function offerLeaders({ top, scratch, words, accept }: Walk, terms: readonly Led[]): number {
  const mostMarked = Math.ceil(words / WORDS_FOR_ONE)
  if (lookedAt.length < mostMarked) lookedAt = new Int32Array(2 * mostMarked)
  const seen = scratch.bits
  const leaders = terms.map(({ slots, impacts, start, count, frequent }) =>
    frequent.leaders(slots, impacts, start, count),
  )
  const next = new Int32Array(terms.length)
  const mostOf = (t: number): number => {
    const { impacts, size, floor } = leaders[t]!
    return terms[t]!.weight * (next[t]! < size ? impacts[next[t]!]! : floor)
  }
  let sum = 0
  for (let t = 0; t < terms.length; t++) {
    terms[t]!.most = mostOf(t)
    sum += terms[t]!.most
  }
  let marked = 0
  while (sum >= top.threshold && marked < mostMarked) {
    let first = -1
    for (let t = 0; t < terms.length; t++)
      if (next[t]! < leaders[t]!.size && (first < 0 || terms[t]!.most > terms[first]!.most)) first = t
    if (first < 0) break
    const slot = leaders[first]!.slots[next[first]!++]!
    sum -= terms[first]!.most
    terms[first]!.most = mostOf(first)
    sum += terms[first]!.most
    const word = slot >> WORD_SHIFT
    if ((seen[word]! & bitOf(slot)) !== 0) continue
    seen[word]! |= bitOf(slot)
    lookedAt[marked++] = slot
    const key = keyOf(terms, slot)
    if (key >= top.threshold && (accept === undefined || accept(slot))) top.offer(key, slot)
  }
  return marked
}

/** Nothing that lies near the marked entries counts as seen any more. */
export function unmarkLeaders({ scratch }: Walk, marked: number): void {
  for (let i = 0; i < marked; i++) scratch.bits[lookedAt[i]! >> WORD_SHIFT] = 0
}

export function keyOf(terms: readonly Led[], slot: number): number {
  let key = 0
  for (let t = 0; t < terms.length; t++) {
    const term = terms[t]!
    if (term.frequent.has(slot)) key += term.weight * impactIn(term, term.frequent, slot)
  }
  return key
}
