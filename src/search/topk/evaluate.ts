// Finds the k entries with the highest keys; a key is the sum of what each query term adds. Sparse terms are read as lists
// and dense terms as bitmaps. Entries whose upper bound is below the k-th best key are skipped (MaxScore, block-max WAND).
// The result equals that of an exhaustive evaluation.
import { WORD_SHIFT } from '../../memory/bits.ts'
import { countDense } from './count.ts'
import { collectDense } from './dense.ts'
import type { DenseTermPostings, Evaluation, TermPostings } from './evaluation.ts'
import { collectSparse, markSeen, unmarkSeen } from './sparse.ts'

const isDense = (term: TermPostings): term is DenseTermPostings => term.bitmap !== undefined

/** Collects the best entries with any of the terms. Returns how many entries have one, or 0 when they are not counted. */
export function evaluate(evaluation: Evaluation, { counts = false } = {}): number {
  const { terms, scratch, bitmapWords, base, top } = evaluation
  scratch.reserve(bitmapWords)
  const sparse: TermPostings[] = []
  const dense: DenseTermPostings[] = []
  for (const term of terms) {
    if (isDense(term)) dense.push(term)
    else sparse.push(term)
  }
  sparse.sort((a, b) => a.count - b.count)
  const withoutDense = sparse.length > 0 ? collectSparse(evaluation, sparse, dense, counts) : 0
  let bound = 0
  for (const { weight, bitmap } of dense) bound += base + weight * bitmap.maxImpact
  if (dense.length > 0 && bound >= top.threshold) {
    markSeen(sparse, scratch)
    const marked = collectDense(evaluation, dense)
    for (let i = 0; i < marked; i++) scratch.seen[scratch.touched[i]! >> WORD_SHIFT] = 0
    unmarkSeen(sparse, scratch)
  }
  return counts ? countDense(dense) + withoutDense : 0
}
