// Adds up what the listed terms of a walk give to each entry that has one of them.
import { bitOf, WORD_SHIFT } from '../../memory/bits.ts'
import type { Scratch, WalkTerm } from './walk-term.ts'

/** Leaves coverage and score of every entry with one of the terms in `scratch`; answers how many were touched. */
export function addUp(terms: readonly WalkTerm[], scratch: Scratch): number {
  const { coverage, scores, touched, bits, reaching } = scratch
  reaching.fill(0)
  let size = 0
  for (let t = 0; t < terms.length; t++) {
    const { slots, impacts, start, count, weight } = terms[t]!
    const end = start + count
    for (let at = start; at < end; at++) {
      const slot = slots[at]!
      const depth = coverage[slot]! + 1
      coverage[slot] = depth
      reaching[depth]!++
      scores[slot]! += weight * impacts[at]!
      if (depth > 1) continue
      touched[size++] = slot
      bits[slot >> WORD_SHIFT]! |= bitOf(slot)
    }
  }
  return size
}

/** Leaves the scratch all zero again. */
export function clear({ coverage, scores, touched, bits }: Scratch, size: number, words: number): void {
  // Many at once are wiped in one go: that is cheaper than to visit each.
  if (size > words) {
    const end = words << WORD_SHIFT
    coverage.fill(0, 0, end)
    scores.fill(0, 0, end)
    bits.fill(0, 0, words)
    return
  }
  for (let i = 0; i < size; i++) {
    const slot = touched[i]!
    coverage[slot] = 0
    scores[slot] = 0
    bits[slot >> WORD_SHIFT] = 0
  }
}
