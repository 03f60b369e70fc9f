// Retrieves the candidates of an intent: lexically, by its terms in the postings, and semantically, by its embedding.

import type { SlotOrder } from '../../memory/sorted-slots.ts'
import type { SemanticIndex } from '../embedding/semantic-index.ts'
import { MAX_IMPACT } from '../index/document-terms.ts'
import { findPosting } from '../index/postings.ts'
import type { Accept, TermPostings } from '../topk/evaluation.ts'
import type { PreparedQuery } from './query.ts'

/** Few inverted lists of vectors are probed where an entry has this much of the words, else all that a search may probe. */
const WELL_MATCHED = 0.3
const LOW_PROBE_FACTOR = 0.25
const FULL_PROBE_FACTOR = 1
const UNKNOWN = -1

/** Retrieved entries, with what is known of them before reranking. */
export type Candidates = {
  readonly slots: readonly number[]
  /** How much of the words each has, 0 to 1. */
  readonly wordScores: ArrayLike<number>
  /** The cosine of each with the query, 0 to 1. */
  readonly similarities: Float64Array
}

/** What candidates are retrieved from. */
export type Retrievers = {
  readonly semantic: SemanticIndex | undefined
  /** How many entries that are accepted have any of the terms. */
  countAny(terms: readonly TermPostings[], accept: Accept | undefined): number
  /** The entries with the highest sums of weight · impact for the terms, best first. */
  best(
    terms: readonly TermPostings[],
    count: number,
    order: SlotOrder,
    accept: Accept | undefined,
  ): readonly { readonly slot: number; readonly key: number }[]
}

/** Hybrid retrieval: the best `depth` by BM25 and the best `depth` by cosine, each entry once. */
export function retrieve(
  { semantic, best }: Retrievers,
  { terms, selective, weight, embedding }: PreparedQuery,
  depth: number,
  order: SlotOrder,
  accept: Accept | undefined,
): Candidates {
  const most = MAX_IMPACT * weight
  const byWords = best(selective, depth, order, accept)
  const wordsOf = ({ slot, key }: (typeof byWords)[number]) =>
    (selective === terms ? key : bm25(terms, slot)) / most
  if (!semantic || !embedding) {
    const slots = byWords.map(({ slot }) => slot)
    return { slots, wordScores: byWords.map(wordsOf), similarities: new Float64Array(slots.length) }
  }
  // Where no entry has much of the words, they are in another language or in no entry: all depends on the vectors then.
  const [first] = byWords
  const probeFactor =
    first === undefined || wordsOf(first) < WELL_MATCHED ? FULL_PROBE_FACTOR : LOW_PROBE_FACTOR
  const nearest = semantic.nearest(embedding, depth, order, { accept, probeFactor })
  const slots = [...nearest.slots]
  const wordScores: number[] = new Array(slots.length).fill(UNKNOWN)
  for (const hit of byWords) {
    const place = nearest.slots.indexOf(hit.slot)
    if (place < 0) {
      slots.push(hit.slot)
      wordScores.push(wordsOf(hit))
    } else wordScores[place] = wordsOf(hit)
  }
  const retrieved = nearest.slots.length
  for (let i = 0; i < retrieved; i++)
    if (wordScores[i] === UNKNOWN) wordScores[i] = bm25(terms, slots[i]!) / most
  const similarities = new Float64Array(slots.length)
  similarities.set(nearest.similarities)
  similarities.set(semantic.similarities(embedding, slots.slice(retrieved)), retrieved)
  return { slots, wordScores, similarities }
}

/** Both, each entry once. */
export function merge(first: Candidates, second: Candidates): Candidates {
  const known = new Set(first.slots)
  const added = second.slots.flatMap((slot, i) => (known.has(slot) ? [] : [i]))
  const slots = [...first.slots, ...added.map(i => second.slots[i]!)]
  const similarities = new Float64Array(slots.length)
  similarities.set(first.similarities)
  similarities.set(
    added.map(i => second.similarities[i]!),
    first.slots.length,
  )
  const wordScores = [...Array.from(first.wordScores), ...added.map(i => second.wordScores[i]!)]
  return { slots, wordScores, similarities }
}

/** Where few pass the filters, each of them is a candidate. */
export function retrieveAll(
  { semantic }: Pick<Retrievers, 'semantic'>,
  { terms, weight, embedding }: PreparedQuery,
  slots: readonly number[],
): Candidates {
  const wordScores = new Float64Array(slots.length)
  for (let i = 0; i < slots.length; i++) wordScores[i] = bm25(terms, slots[i]!) / (MAX_IMPACT * weight)
  const similarities =
    semantic && embedding ? semantic.similarities(embedding, slots) : new Float64Array(slots.length)
  return { slots, wordScores, similarities }
}

/** The sum of weight · impact: BM25F, of which the impacts hold all but the IDF. */
function bm25(terms: readonly TermPostings[], slot: number): number {
  let score = 0
  for (const term of terms) {
    const at = findPosting(term, slot)
    if (at >= 0) score += term.weight * term.impacts[at]!
  }
  return score
}
