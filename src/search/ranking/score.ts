// The score of an entry for an intent: what it is made of, and what each part weighs.

export type IntentHit = {
  readonly slot: number
  /** 0 to 1, of the same meaning whatever the query. */
  readonly score: number
  /** Tokens of the query, in its order: found as words, found in meaning, or part of a constraint that the entry passes. */
  readonly matchedTokens: readonly string[]
  /** Those of the matched tokens that were found in meaning only, each with the word, or the stem, that it met. */
  readonly byMeaning: ReadonlyMap<string, string>
  /** What the score is made of. */
  readonly parts: ScoreParts
}

/** Of a hit whose tokens were all found as words. */
export const MET_NOTHING: ReadonlyMap<string, string> = new Map()

export type ScoreParts = {
  readonly words: number
  /** Of the whole sentence. */
  readonly meaning: number
  /** Of each word by itself. */
  readonly wordMeaning: number
  readonly lean: number
}

/** How far standing and wishes lean an entry, 0 to 1; multiplies its score. */
export type Lean = (slot: number) => number

/** What meaning, of the whole and of each word, weighs against words. */
export const MEANING_WEIGHT = 0.27
export const WORD_MEANING_WEIGHT = 0.28

/**
 * An entry that has none of the words is shown only if it is this near in meaning. The longer a request, the more of
 * its words are beside the point and the less near even the right entry comes.
 */
export const meaningFloor = (tokens: number): number => Math.max(0.12, 0.38 - 0.03 * tokens)

/** Words of another language cannot be found literally, so meaning stands in for them. */
export const expectedWords = (near: number, wordNear: number): number => 0.6 * near * near + 0.15 * wordNear

export const fuse = (words: number, meaning: number, wordMeaning: number, both: boolean): number =>
  both
    ? (words + MEANING_WEIGHT * meaning + WORD_MEANING_WEIGHT * wordMeaning) /
      (1 + MEANING_WEIGHT + WORD_MEANING_WEIGHT)
    : words

/** So many steps lead from 0 to 1: what differs less ties, so that the last digits of a sum decide nothing. */
const STEPS = 1_000_000

export const toScore = (relevance: number, lean: number): number =>
  Math.min(STEPS, Math.round(relevance * lean * STEPS)) / STEPS
