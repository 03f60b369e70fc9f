// The score of an entry for an intent: what it is made of, and what each part weighs.

import type { HeldBack } from './held-back.ts'
import type { PriorWeight } from './prior.ts'

export type IntentHit = {
  readonly slot: number
  /** 0 to 1, of the same meaning whatever the query. */
  readonly score: number
  /** Tokens of the query, in its order: found as words, similar to a word of the entry, or part of a constraint that the entry passes. */
  readonly matchedTokens: readonly string[]
  /** Those of the matched tokens that the entry does not have, each with its most similar word, or the stem of it. */
  readonly similarWords: ReadonlyMap<string, string>
  /** It does not fit and is shown because too few do. */
  readonly isWeak?: true
  /** What the score is made of. */
  readonly parts: ScoreParts
  /** Why it stands further back than its parts say; absent where it does not. */
  readonly heldBack?: HeldBack | undefined
}

/** The best hits for an intent. */
export type IntentHits = {
  readonly hits: readonly IntentHit[]
  /** Counts the entries that fit. */
  total(): number
}

/** Of a hit that has each of its matched tokens as a word. */
export const NO_SIMILAR_WORDS: ReadonlyMap<string, string> = new Map()

export type ScoreParts = {
  /** Of the words, divided by the best that the query could reach. */
  readonly bm25: number
  /** Of the whole sentence and the entry. */
  readonly cosine: number
  /** The mean over its words of the highest cosine with a word of the entry. */
  readonly maxSim: number
  readonly prior: PriorWeight
}

/** What standing and wishes say of an entry before any query. */
export type Prior = (slot: number) => PriorWeight
export const NO_PRIOR: PriorWeight = { factor: 1, limit: 1 }

/** What the cosines, of the whole and of its words, weigh against BM25. */
export const COSINE_WEIGHT = 0.27
export const MAX_SIM_WEIGHT = 0.28

/**
 * An entry that has none of the words fits only if its cosine is this high. The longer a request, the more of its words are
 * beside the point and the lower is the cosine of even the right entry.
 */
export const cosineFloor = (tokens: number): number => Math.max(0.12, 0.42 - 0.03 * tokens)
/** An entry below this has nothing to do with the request. */
export const MIN_COSINE = 0.05

/** Words of another language cannot be found literally, so a high cosine counts as some of them. */
export const expectedBm25 = (cosine: number, maxSim: number): number => 0.6 * cosine * cosine + 0.15 * maxSim

/** Linear score fusion: a weighted mean of BM25 and the cosines. */
export const fuse = (bm25: number, cosine: number, maxSim: number, both: boolean): number =>
  both
    ? (bm25 + COSINE_WEIGHT * cosine + MAX_SIM_WEIGHT * maxSim) / (1 + COSINE_WEIGHT + MAX_SIM_WEIGHT)
    : bm25

/** So many steps lead from 0 to 1: what differs less ties, so that the last digits of a sum decide nothing. */
export const SCORE_STEPS = 1_000_000

/** What lies beyond the limit of an entry counts so much. */
const BEYOND_LIMIT = 0.05

/** A text that is made of nothing but a query fits it better than any honest one: beyond its limit that hardly counts. */
export const weighed = (relevance: number, { factor, limit }: PriorWeight): number =>
  factor * (relevance <= limit ? relevance : limit + BEYOND_LIMIT * (relevance - limit))

export const toScore = (relevance: number, prior: PriorWeight): number =>
  Math.min(SCORE_STEPS, Math.round(weighed(relevance, prior) * SCORE_STEPS)) / SCORE_STEPS
