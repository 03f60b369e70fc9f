// Retrieves the candidates of an intent: lexically, by its terms in the postings, and semantically, by its embedding.

import type { SlotOrder } from '../../memory/sorted-slots.ts'
import type { SemanticIndex } from '../embedding/semantic-index.ts'
import { MAX_IMPACT } from '../index/document-terms.ts'
import { findPosting } from '../index/postings.ts'
import type { Accept, TermPostings } from '../topk/evaluation.ts'
import type { PreparedQuery } from './query.ts'

/** Few inverted lists are probed when an entry has this share of the words, otherwise all that a search may probe. */
const WELL_MATCHED = 0.3
const LOW_PROBE_FACTOR = 0.25
const FULL_PROBE_FACTOR = 1
const UNKNOWN = -1

/** Retrieved entries with their scores before reranking. */
export type Candidates = {
  readonly slots: readonly number[]
  /** The BM25 score of each, 0 to 1. */
  readonly bm25s: ArrayLike<number>
  /** The cosine of each with the query, 0 to 1. */
  readonly cosines: Float64Array
}

/** What retrieval depends on. */
export type Retrievers = {
  readonly semantic: SemanticIndex | undefined
  /** Returns how many accepted entries have any of the terms. */
  countAny(terms: readonly TermPostings[], accept: Accept | undefined): number
  /** Returns the entries with the highest sums of weight · impact, best first. */
  best(
    terms: readonly TermPostings[],
    count: number,
    order: SlotOrder,
    accept: Accept | undefined,
  ): readonly { readonly slot: number; readonly key: number }[]
}

/** Hybrid retrieval: the best `depth` by BM25 and the best `depth` by cosine, without duplicates. */
export function retrieve(
  { semantic, best }: Retrievers,
  { terms, selective, weight, embedding }: PreparedQuery,
  depth: number,
  order: SlotOrder,
  accept: Accept | undefined,
): Candidates {
  const maxScore = MAX_IMPACT * weight
  const byWords = best(selective, depth, order, accept)
  const wordsOf = ({ slot, key }: (typeof byWords)[number]) =>
    (selective === terms ? key : bm25(terms, slot)) / maxScore
  if (!semantic || !embedding) {
    const slots = byWords.map(({ slot }) => slot)
    return { slots, bm25s: byWords.map(wordsOf), cosines: new Float64Array(slots.length) }
  }
  // When no entry has much of the words, they are unknown or in another language, and the result depends on the vectors
  // alone.
  const [first] = byWords
  const probeFactor =
    first === undefined || wordsOf(first) < WELL_MATCHED ? FULL_PROBE_FACTOR : LOW_PROBE_FACTOR
  const nearest = semantic.nearest(embedding, depth, order, { accept, probeFactor })
  const slots = [...nearest.slots]
  const bm25s: number[] = new Array(slots.length).fill(UNKNOWN)
  for (const hit of byWords) {
    const place = nearest.slots.indexOf(hit.slot)
    if (place < 0) {
      slots.push(hit.slot)
      bm25s.push(wordsOf(hit))
    } else bm25s[place] = wordsOf(hit)
  }
  const retrieved = nearest.slots.length
  for (let i = 0; i < retrieved; i++) if (bm25s[i] === UNKNOWN) bm25s[i] = bm25(terms, slots[i]!) / maxScore
  const cosines = new Float64Array(slots.length)
  cosines.set(nearest.cosines)
  cosines.set(semantic.cosines(embedding, slots.slice(retrieved)), retrieved)
  return { slots, bm25s, cosines }
}

/** Merges candidates without duplicates. */
export function merge(first: Candidates, second: Candidates): Candidates {
  const known = new Set(first.slots)
  const added = second.slots.flatMap((slot, i) => (known.has(slot) ? [] : [i]))
  const slots = [...first.slots, ...added.map(i => second.slots[i]!)]
  const cosines = new Float64Array(slots.length)
  cosines.set(first.cosines)
  cosines.set(
    added.map(i => second.cosines[i]!),
    first.slots.length,
  )
  const bm25s = [...Array.from(first.bm25s), ...added.map(i => second.bm25s[i]!)]
  return { slots, bm25s, cosines }
}

/** When few entries pass the filters, all of them are candidates. */
export function retrieveAll(
  { semantic }: Pick<Retrievers, 'semantic'>,
  { terms, weight, embedding }: PreparedQuery,
  slots: readonly number[],
): Candidates {
  const bm25s = new Float64Array(slots.length)
  for (let i = 0; i < slots.length; i++) bm25s[i] = bm25(terms, slots[i]!) / (MAX_IMPACT * weight)
  const cosines = semantic && embedding ? semantic.cosines(embedding, slots) : new Float64Array(slots.length)
  return { slots, bm25s, cosines }
}

/** The sum of weight · impact: BM25F, with impacts that include all but the IDF. */
function bm25(terms: readonly TermPostings[], slot: number): number {
  let score = 0
  for (const term of terms) {
    const at = findPosting(term, slot)
    if (at >= 0) score += term.weight * term.impacts[at]!
  }
  return score
}
