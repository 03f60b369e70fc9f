// Collects the entries of impact-ordered (champion) lists, from the highest impacts downwards: the threshold algorithm of Fagin. That
// settles most queries; where it does not, what remains must beat the threshold found here.
import { bitOf, WORD_SHIFT } from '../../memory/bits.ts'
import { WEAK } from '../index/bitmap-postings.ts'
import { type ChampionList, MAX_CHAMPION_STEPS } from '../index/champion-list.ts'
import { type DenseTermPostings, denseKeyOf, type Evaluation } from './evaluation.ts'

/** A dense term with the most that it adds to the key of an entry that is not yet seen. */
export type BoundedTermPostings = DenseTermPostings & { most: number }

/** An entry that is scored costs so many steps; one that its upper bound rules out costs one. */
const STEPS_PER_SCORE = 4

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
  const lists = terms.map(({ slots, impacts, start, count, bitmap }) =>
    bitmap.champions(slots, impacts, start, count),
  )
  const others = terms.map((_, t) => toBounds(terms.filter((_, other) => other !== t)))
  const next = new Int32Array(terms.length)
  const mostAt = (t: number): number => {
    const { impacts, size, floor } = lists[t]!
    return base + terms[t]!.weight * (next[t]! < size ? impacts[next[t]!]! : floor)
  }
  let sum = 0
  for (let t = 0; t < terms.length; t++) sum += terms[t]!.most = mostAt(t)
  let marked = 0
  let steps = terms.length > 1 ? MAX_CHAMPION_STEPS : bitmapWords
  while (sum >= top.threshold && steps > 0) {
    const t = strongest(terms, lists, next)
    if (t < 0) break
    const { slots, impacts, size } = lists[t]!
    const { bits, strong, blockMax, weights } = others[t]!
    const own = terms[t]!.most
    let at = next[t]!
    const impact = impacts[at]!
    let { threshold } = top
    for (; at < size && impacts[at] === impact && sum >= threshold && steps > 0; at++, steps--) {
      const slot = slots[at]!
      const word = slot >> WORD_SHIFT
      const bit = bitOf(slot)
      let bound = own
      for (let o = 0; o < bits.length; o++) {
        if ((bits[o]![word]! & bit) === 0) continue
        const most = blockMax[o]![word]!
        bound += base + weights[o]! * ((strong[o]![word]! & bit) !== 0 || most < WEAK ? most : WEAK)
      }
      if (bound < threshold || (seen[word]! & bit) !== 0) continue
      seen[word]! |= bit
      touched[from + marked++] = slot
      steps -= STEPS_PER_SCORE - 1
      if (accept !== undefined && !accept(slot)) continue
      top.collect(own + denseKeyOf(terms, base, slot, t), slot)
      threshold = top.threshold
    }
    next[t] = at
    sum -= own
    sum += terms[t]!.most = mostAt(t)
  }
  return marked
}

/** The term whose next champion adds most; -1 where all lists are at their end. */
function strongest(
  terms: readonly BoundedTermPostings[],
  lists: readonly ChampionList[],
  next: Int32Array,
): number {
  let best = -1
  for (let t = 0; t < terms.length; t++)
    if (next[t]! < lists[t]!.size && (best < 0 || terms[t]!.most > terms[best]!.most)) best = t
  return best
}

/** What upper bounds are made of, looked up once: they are asked for at every champion. */
const toBounds = (terms: readonly BoundedTermPostings[]) => ({
  bits: terms.map(({ bitmap }) => bitmap.bits),
  strong: terms.map(({ bitmap }) => bitmap.strong),
  blockMax: terms.map(({ bitmap }) => bitmap.blockMax),
  weights: terms.map(({ weight }) => weight),
})
