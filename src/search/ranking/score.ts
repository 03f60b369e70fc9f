// The score of an entry. `toScore` weighs any relevance by the prior; the parts and their weights are those of an intent.

import { type DemotionCause, SCORE_STEPS } from './final-order.ts'
import type { PriorWeight } from './prior.ts'

export type IntentHit = {
  readonly slot: number
  /** 0 to 1, comparable between queries. */
  readonly score: number
  /**
   * Tokens of the query, in its order: found as words, similar to a word of the entry, or part of a constraint that the
   * entry meets.
   */
  readonly matchedTokens: readonly string[]
  /** The matched tokens that the entry does not have, each with its most similar word or the stem of it. */
  readonly similarWords: ReadonlyMap<string, string>
  /** It has a word that means the same as one of the query. */
  readonly isTranslated?: boolean
  /** It does not match, and is shown because too few do. */
  readonly isWeak?: true
  /** The parts of the score. */
  readonly parts: ScoreParts
  /** Why it is demoted; absent if it is not. */
  readonly demotion?: DemotionCause | undefined
}

/** The best hits for an intent. */
export type IntentHits = {
  readonly hits: readonly IntentHit[]
  /** How many entries match. */
  readonly total: number
  /** All that were candidates. */
  readonly slots: readonly number[]
}

/** Of a hit that has all matched tokens as words. */
export const NO_SIMILAR_WORDS: ReadonlyMap<string, string> = new Map()

export type ScoreParts = {
  /** BM25, divided by the highest score that the query can reach. */
  readonly bm25: number
  /** The cosine of the sentence and the entry. */
  readonly cosine: number
  /** The mean over the query words of the highest cosine with a word of the entry. */
  readonly maxSim: number
  readonly prior: PriorWeight
}

/** The prior of an entry, independent of the query's words. */
export type Prior = (slot: number) => PriorWeight
export const NO_PRIOR: PriorWeight = { factor: 1, limit: 1 }

/** The weights of the cosines, of the whole and of the words, against BM25. */
export const COSINE_WEIGHT = 0.27
export const MAX_SIM_WEIGHT = 0.28

/**
 * An entry without any of the words matches only from this cosine on. The longer a query, the more words in it are
 * irrelevant, and the lower is the cosine of even the right entry.
 */
export const cosineFloor = (tokens: number): number => Math.max(0.12, 0.42 - 0.03 * tokens)
/** An entry below this has nothing to do with the query. */
export const MIN_COSINE = 0.05

/** Words in another language cannot be found literally, so a high cosine counts as some of them. */
export const expectedBm25 = (cosine: number, maxSim: number): number => 0.6 * cosine * cosine + 0.15 * maxSim

/** Linear score fusion: a weighted mean of BM25 and the cosines. */
export const fuse = (bm25: number, cosine: number, maxSim: number, both: boolean): number =>
  both
    ? (bm25 + COSINE_WEIGHT * cosine + MAX_SIM_WEIGHT * maxSim) / (1 + COSINE_WEIGHT + MAX_SIM_WEIGHT)
    : bm25

/** The factor of the relevance beyond an entry's limit. */
const BEYOND_LIMIT = 0.05

/**
 * A text that consists of the query alone matches it better than any honest one, so relevance beyond the limit hardly
 * counts.
 */
export const weighed = (relevance: number, { factor, limit }: PriorWeight): number =>
  factor * (relevance <= limit ? relevance : limit + BEYOND_LIMIT * (relevance - limit))

export const toScore = (relevance: number, prior: PriorWeight): number =>
  Math.min(SCORE_STEPS, Math.round(weighed(relevance, prior) * SCORE_STEPS)) / SCORE_STEPS
