// Conjunctions: entries that have all terms of a query.
import { bitOf, countBits, lowestSlot, WORD_SHIFT } from '../../memory/bits.ts'
import { findPosting, type PostingsList } from '../index/postings.ts'
import { type Accept, accepted, type TermPostings } from './evaluation.ts'
import type { TopK } from './top-k.ts'

/** Two terms are not intersected when the shorter list is longer than this. */
const MAX_LOOKED_THROUGH = 4_096

/** Collects every entry that has all of the terms. Returns their number. */
export function collectAll(
  terms: readonly TermPostings[],
  { bitmapWords, top, accept }: { bitmapWords: number; top: TopK; accept?: Accept | undefined },
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
  for (let word = 0; word < bitmapWords; word++) {
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

function collectOne(terms: readonly TermPostings[], slot: number, top: TopK): void {
  let key = 0
  for (const term of terms) key += term.weight * term.impacts[findPosting(term, slot)]!
  if (key >= top.threshold) top.collect(key, slot)
}

/** Returns the entries that have all of the terms, as a bitmap, and their number. */
export function markAll(
  terms: readonly TermPostings[],
  bitmapWords: number,
): { bits: Int32Array; size: number } {
  const bits = new Int32Array(bitmapWords)
  let size = 0
  const rarest = rarestListed(terms)
  if (rarest !== undefined) {
    forEachInAll(terms, rarest, slot => {
      bits[slot >> WORD_SHIFT]! |= bitOf(slot)
      size++
    })
    return { bits, size }
  }
  for (let word = 0; word < bitmapWords; word++) {
    let all = -1
    for (let t = 0; t < terms.length && all !== 0; t++) all &= terms[t]!.bitmap!.bits[word]!
    bits[word] = all
    size += countBits(all)
  }
  return { bits, size }
}

/** Returns the shortest list without a bitmap. Near the limit a term with a bitmap may be shorter. */
const rarestListed = (terms: readonly TermPostings[]): TermPostings | undefined =>
  terms
    .filter(term => term.bitmap === undefined)
    .reduce<TermPostings | undefined>(
      (rare, term) => (rare && rare.count <= term.count ? rare : term),
      undefined,
    )

function forEachInAll(
  terms: readonly TermPostings[],
  rarest: TermPostings,
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

/** Returns the postings of entries that have both terms; undefined when there are none, or too many to intersect. */
export function intersectPostings(a: TermPostings, b: TermPostings): PostingsList | undefined {
  const [rare, other] = a.count <= b.count ? [a, b] : [b, a]
  if (rare.count > MAX_LOOKED_THROUGH) return undefined
  const slots = new Uint32Array(rare.count)
  const impacts = new Uint8Array(rare.count)
  let count = 0
  for (let at = rare.start; at < rare.start + rare.count; at++) {
    const place = findPosting(other, rare.slots[at]!)
    if (place < 0) continue
    slots[count] = rare.slots[at]!
    impacts[count++] = Math.min(rare.impacts[at]!, other.impacts[place]!)
  }
  return count === 0 ? undefined : { slots, impacts, start: 0, count, bitmap: undefined }
}
