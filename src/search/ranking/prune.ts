// Prunes the candidates to those that are worth reranking.

import type { SlotOrder } from '../../memory/sorted-slots.ts'
import type { Accept } from '../topk/evaluate.ts'
import { TopK } from '../topk/top-k.ts'
import type { PriorWeight } from './prior.ts'
import type { PreparedQuery } from './query.ts'
import type { Candidates } from './retrieve.ts'
import { cosineFloor, fuse, MIN_COSINE, type Prior, weighed } from './score.ts'

/** A retrieved entry with its scores before reranking. */
export type Candidate = {
  readonly slot: number
  readonly bm25: number
  readonly cosine: number
  readonly prior: PriorWeight
}

/**
 * Returns the k best candidates by the scores of retrieval, best first: those that have a word or reach the cosine floor,
 * or with `weak` those that do neither but come close. With `accept`, only accepted ones.
 */
export function prune(
  { tokens }: PreparedQuery,
  { slots, bm25s, cosines }: Candidates,
  k: number,
  order: SlotOrder,
  priorOf: Prior,
  { weak = false, accept }: { readonly weak?: boolean; readonly accept?: Accept } = {},
): Candidate[] {
  const floor = cosineFloor(tokens.length)
  const priors = new Array<PriorWeight>(slots.length)
  // Candidates are identified by their index.
  const top = new TopK(k, (a, b) => order(slots[a]!, slots[b]!))
  for (let i = 0; i < slots.length; i++) {
    const isWeak = bm25s[i] === 0 && cosines[i]! < floor
    if (isWeak !== weak || (isWeak && cosines[i]! < MIN_COSINE)) continue
    if (accept && !accept(slots[i]!)) continue
    priors[i] = priorOf(slots[i]!)
    top.collect(weighed(fuse(bm25s[i]!, cosines[i]!, cosines[i]!, true), priors[i]!), i)
  }
  return top.sorted().map(({ slot: i }) => ({
    slot: slots[i]!,
    bm25: bm25s[i]!,
    cosine: cosines[i]!,
    prior: priors[i]!,
  }))
}
