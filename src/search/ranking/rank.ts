// Ranks entries for an intent in three steps: retrieve, prune, rerank. BM25, the cosine of the whole sentence and the cosines of
// its words are fused into one score.

import type { SlotOrder } from '../../memory/sorted-slots.ts'
import type { Intent } from '../sentence/intent.ts'
import type { Accept } from '../topk/evaluate.ts'
import { TopK } from '../topk/top-k.ts'
import { type Candidate, prune } from './prune.ts'
import { type PreparedQuery, prepareQuery, type QueryParts } from './query.ts'
import { type Reranker, rerank } from './rerank.ts'
import { type Candidates, merge, type Retrievers, retrieve, retrieveAll } from './retrieve.ts'
import {
  cosineFloor,
  type IntentHit,
  type IntentHits,
  NO_PRIOR,
  NO_SIMILAR_WORDS,
  type Prior,
} from './score.ts'

/** How many entries are retrieved by words and by vectors each, and how many of these are reranked. */
const MIN_CANDIDATES = 20
const MIN_RERANKED = 16
/** At least this many more than requested. */
const SPARE = 6
/** At least this many candidates are of each preferred kind, if there are as many. */
const MIN_PREFERRED = 10

/** With fewer matches than ENOUGH, weak ones follow them, up to MAX_WITH_WEAK in all; none for unknown words alone. */
const ENOUGH = 3
const MAX_WITH_WEAK = 10

export type IntentRanking = QueryParts & Retrievers & Reranker

/** Ranks for one intent. It can be called repeatedly: the words are looked up once. */
export type IntentRanker = {
  /** Returns the best hits. */
  rank(count: number): IntentHits
  /** Returns whether an entry can be a hit at any position. */
  fits(slot: number): boolean
}

export type IntentOptions = {
  readonly accept?: Accept | undefined
  readonly prior?: Prior | undefined
  readonly among?: readonly number[] | undefined
  /** Kinds of entries that always have candidates, however many others match. Each kind is a subset of the one before it. */
  readonly preferred?: readonly Accept[] | undefined
}

export function createIntentRanker(
  ranking: IntentRanking,
  intent: Intent,
  order: SlotOrder,
  { accept, prior = () => NO_PRIOR, among, preferred = [] }: IntentOptions,
): IntentRanker {
  const passes = (slot: number) => accept === undefined || accept(slot)
  if (intent.contentTokens.length === 0)
    return {
      rank(count) {
        const hits = rankByFilter(ranking, intent, count, order, accept, prior, among)
        return { hits, total: () => (hits.length === 0 ? 0 : countPassing(ranking, accept)) }
      },
      fits: passes,
    }
  const query = prepareQuery(ranking, intent, preferred.at(-1))
  return {
    rank: count => rankWords(ranking, intent, query, count, order, { accept, prior, among, preferred }),
    fits: slot => passes(slot) && isFitting(ranking, query, slot),
  }
}

function rankWords(
  ranking: IntentRanking,
  intent: Intent,
  query: PreparedQuery,
  count: number,
  order: SlotOrder,
  { accept, prior, among, preferred = [] }: IntentOptions & { readonly prior: Prior },
): IntentHits {
  const depth = Math.max(MIN_CANDIDATES, count + SPARE)
  const candidates = among
    ? retrieveAll(ranking, query, among)
    : retrieveWith(ranking, query, depth, order, accept, preferred)
  const k = Math.max(MIN_RERANKED, count + SPARE)
  const pruned = pruneWith(query, candidates, k, order, prior, preferred)
  const hits = rerank(ranking, intent, query, pruned, count, order)
  const missing = Math.min(count, MAX_WITH_WEAK) - hits.length
  const total = () => countFitting(query, candidates)
  if (hits.length >= ENOUGH || missing <= 0 || !query.isKnown) return { hits, total }
  const weak = prune(query, candidates, k, order, prior, { weak: true })
  const others = rerank(ranking, intent, query, weak, missing, order)
  // The order must agree with the scores.
  const maxWeakScore = hits.at(-1)?.score ?? 1
  const shown = others.map(hit => ({
    ...hit,
    score: Math.min(hit.score, maxWeakScore),
    isWeak: true as const,
  }))
  return { hits: [...hits, ...shown], total }
}

function isFitting(ranking: IntentRanking, query: PreparedQuery, slot: number): boolean {
  const { bm25s, cosines } = retrieveAll(ranking, query, [slot])
  return bm25s[0]! > 0 || cosines[0]! >= cosineFloor(query.tokens.length)
}

/** Counts the entries that have a word of the query, and of the candidates without one those that are similar enough. */
function countFitting({ tokens }: PreparedQuery, { bm25s, cosines, total }: Candidates): number {
  const floor = cosineFloor(tokens.length)
  let similar = 0
  for (let i = 0; i < cosines.length; i++) if (bm25s[i] === 0 && cosines[i]! >= floor) similar++
  return total + similar
}

/** Adds the best entries of a preferred kind when few of them are among the candidates. */
function retrieveWith(
  ranking: IntentRanking,
  query: PreparedQuery,
  depth: number,
  order: SlotOrder,
  accept: Accept | undefined,
  preferred: readonly Accept[],
): Candidates {
  let all = retrieve(ranking, query, depth, order, accept)
  if (all.slots.length < depth) return all
  for (const isPreferred of preferred) {
    let found = 0
    for (const slot of all.slots) if (isPreferred(slot)) found++
    if (found < MIN_PREFERRED) all = merge(all, retrieve(ranking, query, MIN_PREFERRED, order, isPreferred))
  }
  return all
}

/**
 * Returns the best candidates, with the best of each preferred kind: an entry in another language is only known to match
 * after reranking.
 */
function pruneWith(
  query: PreparedQuery,
  candidates: Candidates,
  k: number,
  order: SlotOrder,
  prior: Prior,
  preferred: readonly Accept[],
): readonly Candidate[] {
  const pruned = prune(query, candidates, k, order, prior)
  if (pruned.length < k) return pruned
  for (const isPreferred of preferred) {
    let found = 0
    for (const { slot } of pruned) if (isPreferred(slot)) found++
    if (found >= MIN_PREFERRED) continue
    const known = new Set(pruned.map(({ slot }) => slot))
    const others = prune(query, candidates, MIN_PREFERRED, order, prior, { accept: isPreferred })
    pruned.push(...others.filter(({ slot }) => !known.has(slot)))
  }
  return pruned
}

function countPassing({ present }: IntentRanking, accept: Accept | undefined): number {
  if (accept === undefined) return present.size
  let passing = 0
  present.each(slot => {
    if (accept(slot)) passing++
  })
  return passing
}

/** Without a content word, the constraints select the entries, and wishes and ties decide their order. */
function rankByFilter(
  { present }: IntentRanking,
  intent: Intent,
  count: number,
  order: SlotOrder,
  accept: Accept | undefined,
  prior: Prior,
  among: readonly number[] | undefined,
): readonly IntentHit[] {
  if (Object.keys(intent.filter).length === 0 && intent.wishes.length === 0) return []
  const top = new TopK(count, order)
  const wished = intent.wishes.length > 0
  const collect = (slot: number) => top.collect(wished ? prior(slot).factor : 1, slot)
  if (among) among.forEach(collect)
  else
    present.each(slot => {
      if (accept === undefined || accept(slot)) collect(slot)
    })
  const matched = new Set(intent.constraintTokens)
  const matchedTokens = intent.tokens.filter(token => matched.has(token))
  return top.sorted().map(({ slot, key }) => ({
    slot,
    score: 1,
    matchedTokens,
    similarWords: NO_SIMILAR_WORDS,
    parts: { bm25: 1, cosine: 0, maxSim: 0, prior: { factor: key, limit: 1 } },
  }))
}
