// Walks the entries that have all words of a query.
import { bitOf, countBits, lowestSlot, WORD_SHIFT } from '../../memory/bits.ts'
import type { TopHits } from './top-k.ts'
import { accepted, findPosting, type Walk, type WalkTerm } from './walk-term.ts'

/** Offers every entry that has all of the terms; answers how many there are. */
export function walkAll({ terms, words, top, accept }: Walk): number {
  if (terms.length === 0) return 0
  let total = 0
  const rarest = rarestListed(terms)
  if (rarest !== undefined) {
    eachInAll(terms, rarest, slot => {
      if (accept !== undefined && !accept(slot)) return
      total++
      offerAll(terms, slot, top)
    })
    return total
  }
  for (let word = 0; word < words; word++) {
    let all = -1
    let bound = 0
    for (let t = 0; t < terms.length && all !== 0; t++) {
      all &= terms[t]!.frequent!.bits[word]!
      bound += terms[t]!.weight * terms[t]!.frequent!.tops[word]!
    }
    if (all === 0) continue
    if (accept !== undefined) all = accepted(all, word, accept)
    total += countBits(all)
    if (bound < top.threshold) continue
    for (; all !== 0; all &= all - 1) offerAll(terms, lowestSlot(all, word), top)
  }
  return total
}

function offerAll(terms: readonly WalkTerm[], slot: number, top: TopHits): void {
  let key = 0
  for (const term of terms) key += term.weight * term.impacts[findPosting(term, slot)]!
  if (key >= top.threshold) top.offer(key, slot)
}

/** Marks every entry that has all of the terms; answers the bits and how many they are. */
export function markAll(terms: readonly WalkTerm[], words: number): { bits: Int32Array; size: number } {
  const bits = new Int32Array(words)
  let size = 0
  const rarest = rarestListed(terms)
  if (rarest !== undefined) {
    eachInAll(terms, rarest, slot => {
      bits[slot >> WORD_SHIFT]! |= bitOf(slot)
      size++
    })
    return { bits, size }
  }
  for (let word = 0; word < words; word++) {
    let all = -1
    for (let t = 0; t < terms.length && all !== 0; t++) all &= terms[t]!.frequent!.bits[word]!
    bits[word] = all
    size += countBits(all)
  }
  return { bits, size }
}

/** The shortest list that is not kept as bits; a term near the border may be shorter and still be bits. */
const rarestListed = (terms: readonly WalkTerm[]): WalkTerm | undefined =>
  terms
    .filter(term => term.frequent === undefined)
    .reduce<WalkTerm | undefined>((rare, term) => (rare && rare.count <= term.count ? rare : term), undefined)

function eachInAll(terms: readonly WalkTerm[], rarest: WalkTerm, visit: (slot: number) => void): void {
  const others = terms.filter(term => term !== rarest)
  for (let at = rarest.start; at < rarest.start + rarest.count; at++) {
    const slot = rarest.slots[at]!
    let inAll = true
    for (let i = 0; i < others.length && inAll; i++) inAll = findPosting(others[i]!, slot) >= 0
    if (inAll) visit(slot)
  }
}
