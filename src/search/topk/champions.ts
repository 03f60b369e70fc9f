// Collects the entries of impact-ordered (champion) lists, from the highest impacts downwards: the threshold algorithm of Fagin. That
// settles most queries; where it does not, what remains must beat the threshold found here.
import { bitOf, WORD_SHIFT } from '../../memory/bits.ts'
import { WEAK } from '../index/bitmap-postings.ts'
import { type ChampionList, MAX_CHAMPION_STEPS } from '../index/champion-list.ts'
import { type DenseTermPostings, denseKeyOf, type Evaluation } from './evaluation.ts'

/** A dense term, how many of its champions were looked at, and the most that it adds to the key of an entry that is not yet seen. */
export type BoundedTermPostings = DenseTermPostings & {
  readonly champions: ChampionList
  next: number
  most: number
}

/** An entry that is scored costs so many steps; one that its upper bound rules out costs one. */
const STEPS_PER_SCORE = 4

export function toBounded(
  { slots, impacts, start, count, weight, bitmap }: DenseTermPostings,
  base: number,
): BoundedTermPostings {
  const champions = bitmap.champions(slots, impacts, start, count)
  const term = { slots, impacts, start, count, weight, bitmap, champions, next: 0, most: 0 }
  term.most = mostOfNext(term, base)
  return term
}

function mostOfNext({ champions, weight, next }: BoundedTermPostings, base: number): number {
  return base + weight * (next < champions.size ? champions.impacts[next]! : champions.floor)
}

/**
 * Collects champions and marks them as seen, and lowers `most` of each term to what it can add to the others. Returns how
 * many are marked; their slots stand in `scratch.touched` from `from` on.
 */
export function collectChampions(
  { top, scratch, bitmapWords, base, accept }: Evaluation,
  terms: readonly BoundedTermPostings[],
  from: number,
): number {
  const { seen, touched } = scratch
  let sum = 0
  for (const { most } of terms) sum += most
  let marked = 0
  let steps = terms.length > 1 ? MAX_CHAMPION_STEPS : bitmapWords
  while (sum >= top.threshold && steps > 0) {
    const term = strongest(terms)
    if (term === undefined) break
    const { champions, weight } = term
    const { slots, impacts, size } = champions
    // Another term may be the strongest once this one adds less; a single one never gives way.
    const last = terms.length > 1 ? impacts[term.next]! : 0
    const rest = sum - term.most
    let at = term.next
    let { threshold } = top
    const needed =
      terms.length === 2 ? rowNeeded(term, terms[terms[0] === term ? 1 : 0]!, base, threshold) : undefined
    for (; at < size && impacts[at]! >= last && steps > 0; at++, steps--) {
      const own = base + weight * impacts[at]!
      if (rest + own < threshold) break
      const slot = slots[at]!
      const word = slot >> WORD_SHIFT
      const bit = bitOf(slot)
      if (needed !== undefined && (needed[word]! & bit) === 0) continue
      let bound = own
      for (let o = 0; o < terms.length; o++) {
        const other = terms[o]!
        const { bitmap } = other
        if (other !== term && (bitmap.bits[word]! & bit) !== 0)
          bound += base + other.weight * bitmap.mostAt(word, bit)
      }
      if (bound < threshold || (seen[word]! & bit) !== 0) continue
      seen[word]! |= bit
      touched[from + marked++] = slot
      steps -= STEPS_PER_SCORE - 1
      if (accept !== undefined && !accept(slot)) continue
      top.collect(own + denseKeyOf(terms, base, slot, term), slot)
      threshold = top.threshold
    }
    term.next = at
    term.most = mostOfNext(term, base)
    sum = rest + term.most
  }
  return marked
}

/** Of two terms, what a champion of the first must have of the second, as bits: strong impacts, or any; undefined where it needs nothing. */
function rowNeeded(
  { most }: BoundedTermPostings,
  { weight, bitmap }: BoundedTermPostings,
  base: number,
  threshold: number,
): Int32Array | undefined {
  if (most >= threshold) return undefined
  return most + base + weight * WEAK < threshold ? bitmap.strong : bitmap.bits
}

/** The term whose next champion adds most; undefined where all lists are at their end. */
function strongest(terms: readonly BoundedTermPostings[]): BoundedTermPostings | undefined {
  let best: BoundedTermPostings | undefined
  for (let t = 0; t < terms.length; t++) {
    const term = terms[t]!
    if (term.next < term.champions.size && (best === undefined || term.most > best.most)) best = term
  }
  return best
}
