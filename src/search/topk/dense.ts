// Entries with dense terms: champions first, then a scan of the bitmaps for combinations of terms that can reach the
// threshold, 128 entries at a step.
import { lowestSlot } from '../../memory/bits.ts'
import type { Borrowed } from '../../memory/borrowed.ts'
import { MAX_BLOCKS } from '../index/bitmap-rows.ts'
import { type BlockBound, createBlockBound, toConjuncts } from './bounds.ts'
import { type BoundedTermPostings, collectChampions, toBounded } from './champions.ts'
import { type DenseTermPostings, denseKeyOf, type Evaluation } from './evaluation.ts'

/** The scan starts with this many words and doubles the step each time. */
const FIRST_WORDS = 64
/** The conjuncts are computed again when the threshold has risen by this share of the maximum score. */
const RISE = 1 / 64

/**
 * Collects the best entries with any of the terms that are not yet seen. Returns how many are marked as seen; their slots
 * are in `scratch.touched`.
 */
export function collectDense(evaluation: Evaluation, dense: readonly DenseTermPostings[]): number {
  const { top, base } = evaluation
  const terms: BoundedTermPostings[] = []
  for (const term of dense) terms.push(toBounded(term, base))
  const marked = collectChampions(evaluation, terms)
  let bound = 0
  for (const { max } of terms) bound += max
  if (bound >= top.threshold) scan(evaluation, terms)
  return marked
}

function scan(evaluation: Evaluation, terms: BoundedTermPostings[]): void {
  const { bitmapWords, top, base } = evaluation
  const { rows } = terms[0]!.bitmap
  terms.sort((a, b) => b.max - a.max)
  const rise = RISE * terms.reduce((sum, { max }) => sum + max - base, 0)
  const bound = createBlockBound(terms, base)
  let known = Number.NEGATIVE_INFINITY
  let conjuncts = toConjuncts(terms, base, top.threshold)
  let step = FIRST_WORDS
  for (let from = 0; from < bitmapWords; from += step) {
    if (top.threshold > known + rise) {
      known = top.threshold
      conjuncts = toConjuncts(terms, base, known)
    }
    if (conjuncts.length === 0) return
    if (from > 0 && step < MAX_BLOCKS) step *= 2
    collectFound(evaluation, terms, bound, rows.matchAny(conjuncts, from, Math.min(bitmapWords, from + step)))
  }
}

/** @param found pairs of a word number and the bits of its matching slots */
function collectFound(
  { scratch, top, base, accept }: Evaluation,
  terms: readonly BoundedTermPostings[],
  bound: BlockBound,
  found: Borrowed<Int32Array>,
): void {
  const { seen } = scratch
  const passing = accept?.passing
  const test = passing === undefined ? accept : undefined
  for (let i = 0; i < found.length; i += 2) {
    const word = found[i]!
    const open = found[i + 1]! & ~seen[word]! & (passing === undefined ? -1 : passing[word]!)
    if (open === 0) continue
    for (let slots = bound(open, word, top.threshold); slots !== 0; slots &= slots - 1) {
      const slot = lowestSlot(slots, word)
      if (test === undefined || test(slot)) top.collect(denseKeyOf(terms, base, slot), slot)
    }
  }
}
