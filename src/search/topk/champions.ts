// Reads the champion lists of the dense terms in descending order of impact (threshold algorithm, Fagin 2001). This
// completes most queries; otherwise it gives the threshold that the remaining entries must reach.
import { bitOf, WORD_SHIFT } from '../../memory/bits.ts'
import { WEAK } from '../index/bitmap-postings.ts'
import { type ChampionList, MAX_CHAMPION_STEPS } from '../index/champion-list.ts'
import { type DenseTermPostings, denseKeyOf, type Evaluation } from './evaluation.ts'

/**
 * A dense term, the position in its champion list, and the maximum that it adds to the key of an entry that is not yet
 * seen.
 */
export type BoundedTermPostings = DenseTermPostings & {
  readonly champions: ChampionList
  next: number
  max: number
}

/** The cost of scoring an entry, in steps. Skipping one by its upper bound is one step. */
const STEPS_PER_SCORE = 4

export function toBounded(
  { slots, impacts, start, count, weight, bitmap }: DenseTermPostings,
  base: number,
): BoundedTermPostings {
  const champions = bitmap.champions(slots, impacts, start, count)
  const term = { slots, impacts, start, count, weight, bitmap, champions, next: 0, max: 0 }
  term.max = maxOfNext(term, base)
  return term
}

function maxOfNext({ champions, weight, next }: BoundedTermPostings, base: number): number {
  return base + weight * (next < champions.size ? champions.impacts[next]! : champions.floor)
}

/**
 * Collects champions and marks them as seen, and lowers `max` of each term to what it can add to the other entries. Returns
 * how many are marked; their slots are in `scratch.touched`.
 */
export function collectChampions(
  { top, scratch, bitmapWords, base, accept }: Evaluation,
  terms: readonly BoundedTermPostings[],
): number {
  const { seen, touched } = scratch
  let sum = 0
  for (const { max } of terms) sum += max
  let marked = 0
  let steps = terms.length > 1 ? MAX_CHAMPION_STEPS : bitmapWords
  while (sum >= top.threshold && steps > 0) {
    const term = strongest(terms)
    if (term === undefined) break
    const { champions, weight } = term
    const { slots, impacts, size } = champions
    // With several terms, another list may have the next highest impact once this one drops.
    const last = terms.length > 1 ? impacts[term.next]! : 0
    const rest = sum - term.max
    let at = term.next
    let { threshold } = top
    const needed =
      terms.length === 2 ? rowNeeded(term, terms[terms[0] === term ? 1 : 0]!, base, threshold) : undefined
    for (; at < size && steps > 0; at++, steps--) {
      const impact = impacts[at]!
      const own = base + weight * impact
      if (impact < last || rest + own < threshold) break
      const slot = slots[at]!
      const word = slot >> WORD_SHIFT
      const bit = bitOf(slot)
      if (needed !== undefined && (needed[word]! & bit) === 0) continue
      let bound = own
      for (let o = 0; o < terms.length; o++) {
        const other = terms[o]!
        const { bitmap } = other
        if (other !== term && (bitmap.bits[word]! & bit) !== 0)
          bound += base + other.weight * bitmap.maxAt(word, bit)
      }
      if (bound < threshold) continue
      const before = seen[word]!
      if ((before & bit) !== 0) continue
      seen[word] = before | bit
      touched[marked++] = slot
      steps -= STEPS_PER_SCORE - 1
      if (accept !== undefined && !accept(slot)) continue
      top.collect(own + denseKeyOf(terms, base, slot, term), slot)
      threshold = top.threshold
    }
    term.next = at
    term.max = maxOfNext(term, base)
    sum = rest + term.max
  }
  return marked
}

/**
 * Returns which bits of the second term a champion of the first needs to reach the threshold: those of strong impacts, or
 * all; undefined when it reaches the threshold alone.
 */
function rowNeeded(
  { max }: BoundedTermPostings,
  { weight, bitmap }: BoundedTermPostings,
  base: number,
  threshold: number,
): Int32Array | undefined {
  if (max >= threshold) return undefined
  return max + base + weight * WEAK < threshold ? bitmap.strong : bitmap.bits
}

/** Returns the term whose next champion adds most; undefined at the end of all lists. */
function strongest(terms: readonly BoundedTermPostings[]): BoundedTermPostings | undefined {
  let best: BoundedTermPostings | undefined
  for (let t = 0; t < terms.length; t++) {
    const term = terms[t]!
    if (term.next < term.champions.size && (best === undefined || term.max > best.max)) best = term
  }
  return best
}
