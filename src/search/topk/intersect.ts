// Entries that have all terms of a query.
import { bitOf, countBits, lowestSlot, WORD_SHIFT } from '../../memory/bits.ts'
import { type Accept, accepted, findPosting, type PostingsCursor } from './cursor.ts'
import type { TopK } from './top-k.ts'

/** Collects every entry that has all of the terms. Returns how many there are. */
export function collectAll(
  terms: readonly PostingsCursor[],
  { words, top, accept }: { words: number; top: TopK; accept?: Accept | undefined },
): number {
  if (terms.length === 0) return 0
  let total = 0
  const rarest = rarestListed(terms)
  if (rarest !== undefined) {
    forEachInAll(terms, rarest, slot => {
      if (accept !== undefined && !accept(slot)) return
      total++
      collectOne(terms, slot, top)
    })
    return total
  }
  for (let word = 0; word < words; word++) {
    let all = -1
    let bound = 0
    for (let t = 0; t < terms.length && all !== 0; t++) {
      all &= terms[t]!.bitmap!.bits[word]!
      bound += terms[t]!.weight * terms[t]!.bitmap!.blockMax[word]!
    }
    if (all === 0) continue
    if (accept !== undefined) all = accepted(all, word, accept)
    total += countBits(all)
    if (bound < top.threshold) continue
    for (; all !== 0; all &= all - 1) collectOne(terms, lowestSlot(all, word), top)
  }
  return total
}

function collectOne(terms: readonly PostingsCursor[], slot: number, top: TopK): void {
  let key = 0
  for (const term of terms) key += term.weight * term.impacts[findPosting(term, slot)]!
  if (key >= top.threshold) top.collect(key, slot)
}

/** The entries that have all of the terms, as bits, and how many there are. */
export function markAll(terms: readonly PostingsCursor[], words: number): { bits: Int32Array; size: number } {
  const bits = new Int32Array(words)
  let size = 0
  const rarest = rarestListed(terms)
  if (rarest !== undefined) {
    forEachInAll(terms, rarest, slot => {
      bits[slot >> WORD_SHIFT]! |= bitOf(slot)
      size++
    })
    return { bits, size }
  }
  for (let word = 0; word < words; word++) {
    let all = -1
    for (let t = 0; t < terms.length && all !== 0; t++) all &= terms[t]!.bitmap!.bits[word]!
    bits[word] = all
    size += countBits(all)
  }
  return { bits, size }
}

/** The shortest list that is not kept as bits; a term near the border may be shorter and still be bits. */
const rarestListed = (terms: readonly PostingsCursor[]): PostingsCursor | undefined =>
  terms
    .filter(term => term.bitmap === undefined)
    .reduce<PostingsCursor | undefined>(
      (rare, term) => (rare && rare.count <= term.count ? rare : term),
      undefined,
    )

function forEachInAll(
  terms: readonly PostingsCursor[],
  rarest: PostingsCursor,
  visit: (slot: number) => void,
): void {
  const others = terms.filter(term => term !== rarest)
  for (let at = rarest.start; at < rarest.start + rarest.count; at++) {
    const slot = rarest.slots[at]!
    let inAll = true
    for (let i = 0; i < others.length && inAll; i++) inAll = findPosting(others[i]!, slot) >= 0
    if (inAll) visit(slot)
  }
}
