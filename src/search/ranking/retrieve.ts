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
  readonly bm25s: ArrayLike<number>
  /** The cosine of each with the query, 0 to 1. */
  readonly cosines: Float64Array
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
    return { slots, bm25s: byWords.map(wordsOf), cosines: new Float64Array(slots.length) }
  }
  // Where no entry has much of the words, they are in another language or in no entry: all depends on the vectors then.
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
  for (let i = 0; i < retrieved; i++) if (bm25s[i] === UNKNOWN) bm25s[i] = bm25(terms, slots[i]!) / most
  const cosines = new Float64Array(slots.length)
  cosines.set(nearest.cosines)
  cosines.set(semantic.cosines(embedding, slots.slice(retrieved)), retrieved)
  return { slots, bm25s, cosines }
}

/** Both, each entry once. */
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

/** Where few pass the filters, each of them is a candidate. */
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

/** The sum of weight · impact: BM25F, of which the impacts hold all but the IDF. */
function bm25(terms: readonly TermPostings[], slot: number): number {
  let score = 0
  for (const term of terms) {
    const at = findPosting(term, slot)
    if (at >= 0) score += term.weight * term.impacts[at]!
  }
  return score
}
