// Retrieves the candidates of an intent: lexically, by its terms in the postings, and semantically, by its embedding.

import type { SlotOrder } from '../../memory/sorted-slots.ts'
import type { SemanticIndex } from '../embedding/semantic-index.ts'
import { MAX_IMPACT } from '../index/document-terms.ts'
import { type Accept, scoreOf, type TermPostings } from '../topk/evaluate.ts'
import type { PreparedQuery } from './query.ts'

const UNKNOWN = -1

/** Retrieved entries with their scores before reranking. */
export type Candidates = {
  readonly slots: readonly number[]
  /** The BM25 score of each, 0 to 1. */
  readonly bm25s: ArrayLike<number>
  /** The cosine of each with the query, 0 to 1. */
  readonly cosines: Float64Array
  /** How many accepted entries have any of the words. */
  readonly total: number
}

/** What retrieval depends on. */
export type Retrievers = {
  readonly semantic: SemanticIndex | undefined
  /** Returns the entries with the highest sums of weight · impact, best first, and how many accepted ones have any of the terms. */
  best(
    terms: readonly TermPostings[],
    count: number,
    order: SlotOrder,
    accept: Accept | undefined,
  ): { readonly hits: readonly { readonly slot: number; readonly key: number }[]; readonly total: number }
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
  const { hits: byWords, total } = best(selective, depth, order, accept)
  const wordsOf = ({ slot, key }: (typeof byWords)[number]) =>
    (selective.length === terms.length ? key : scoreOf(terms, slot)) / maxScore
  if (!semantic || !embedding) {
    const slots = byWords.map(({ slot }) => slot)
    return { slots, bm25s: byWords.map(wordsOf), cosines: new Float64Array(slots.length), total }
  }
  const nearest = semantic.nearest(embedding, depth, order, accept)
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
  for (let i = 0; i < retrieved; i++)
    if (bm25s[i] === UNKNOWN) bm25s[i] = scoreOf(terms, slots[i]!) / maxScore
  const cosines = new Float64Array(slots.length)
  cosines.set(nearest.cosines)
  cosines.set(semantic.cosines(embedding, slots.slice(retrieved)), retrieved)
  return { slots, bm25s, cosines, total }
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
  return { slots, bm25s, cosines, total: first.total }
}

/** When few entries pass the filters, all of them are candidates. */
export function retrieveAll(
  { semantic }: Pick<Retrievers, 'semantic'>,
  { terms, weight, embedding }: PreparedQuery,
  slots: readonly number[],
): Candidates {
  const bm25s = new Float64Array(slots.length)
  for (let i = 0; i < slots.length; i++) bm25s[i] = scoreOf(terms, slots[i]!) / (MAX_IMPACT * weight)
  const cosines = semantic && embedding ? semantic.cosines(embedding, slots) : new Float64Array(slots.length)
  return { slots, bm25s, cosines, total: bm25s.filter(bm25 => bm25 > 0).length }
}
