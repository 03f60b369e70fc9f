// Compares candidates with a query word by word, and fuses BM25, the cosine of the whole and the cosines of the words into one score,
// weighed by the prior.

import type { Borrowed } from '../../memory/memoize.ts'
import type { SlotOrder } from '../../memory/sorted-slots.ts'
import type { EmbeddedWord } from '../embedding/model.ts'
import type { QueryEmbedding, SemanticIndex } from '../embedding/semantic-index.ts'
import type { TermPostings } from '../index/evaluate.ts'
import { findPosting } from '../index/postings.ts'
import type { Intent } from '../sentence/intent.ts'
import type { Language } from '../text/languages/language.ts'
import type { Languages } from '../text/languages/languages.ts'
import { type DemotionCause, SCORE_STEPS } from './final-order.ts'
import type { PriorWeight } from './prior.ts'

/** A word of a query. */
export type Token = {
  readonly token: string
  readonly language: Language
  /** The postings that it is searched by, those of its expansions included. */
  readonly terms: readonly TermPostings[]
  /** What its terms weigh. */
  readonly weight: number
  readonly word: EmbeddedWord | undefined
  /** Its weight in MaxSim. */
  readonly emphasis: number
  /** The postings of the token itself, if it has expansions: an entry without it matches by one of these. */
  readonly own: readonly TermPostings[]
  readonly expansions: readonly { readonly words: string; readonly terms: readonly TermPostings[] }[]
}

/** A query with its terms, their weights and its embedding. */
export type PreparedQuery = {
  readonly tokens: readonly Token[]
  readonly terms: readonly TermPostings[]
  /** The terms that candidates are retrieved by. */
  readonly selective: readonly TermPostings[]
  readonly weight: number
  readonly embedding: QueryEmbedding | undefined
  /** How many of the tokens are compared word by word. */
  readonly compared: number
  /** Whether the catalog, the embedding or the lexicon knows any of the words: otherwise vectors are noise. */
  readonly isKnown: boolean
}

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
  /** It does not match, and is shown because too few do. */
  readonly isWeak?: true
  /** The parts of the score. */
  readonly parts: ScoreParts
  /** Why it is demoted; absent if it is not. */
  readonly demotion?: DemotionCause | undefined
  /** The host of a service of the same seller above it. */
  readonly above?: string | undefined
}

/** The best hits for an intent. */
export type IntentHits = {
  readonly hits: readonly IntentHit[]
  /** How many entries match. */
  readonly total: number
  /** All that were retrieved, for the steps of the request; absent when its words play no part. */
  readonly candidates?: readonly number[]
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
  /** The fused score before standing. */
  readonly relevance: number
  /** What words add to it; the rest is meaning. */
  readonly words: number
  readonly prior: PriorWeight
}

/** The prior of an entry, independent of the query's words. */
export type Prior = (slot: number) => PriorWeight
export const NO_PRIOR: PriorWeight = { factor: 1, limit: 1 }

/** The weights of the cosines, of the whole and of the words, against BM25. */
const COSINE_WEIGHT = 0.5
const MAX_SIM_WEIGHT = 0.3

/** An entry below this has nothing to do with the query. */
export const MIN_COSINE = 0.05

/** Words in another language cannot be found literally, so a high cosine counts as some of them. */
const expectedBm25 = (cosine: number, maxSim: number): number => 0.8 * cosine * cosine + 0.15 * maxSim

/** Linear score fusion: a weighted mean of BM25 and the cosines. */
export const fuse = (bm25: number, cosine: number, maxSim: number, both: boolean): number =>
  both
    ? (bm25 + COSINE_WEIGHT * cosine + MAX_SIM_WEIGHT * maxSim) / (1 + COSINE_WEIGHT + MAX_SIM_WEIGHT)
    : bm25

/** The factor of the relevance beyond an entry's limit, or instead of its seniority. */
const BEYOND_LIMIT = 0.05
/** The same among those of equal seniority: less than what a week makes. */
const AMONG_EQUALS = 0.00003

/**
 * A text that consists of the query alone matches it better than any honest one, so relevance beyond the limit hardly counts. Wallets
 * cost next to nothing, so of those that have established payers the one that had them first is first: that cannot be bought.
 */
export function weighed(relevance: number, { factor, limit, seniority }: PriorWeight): number {
  const beyond = relevance - limit
  if (beyond < 0) return factor * relevance
  if (seniority === undefined) return factor * (limit + BEYOND_LIMIT * beyond)
  return factor * (limit + BEYOND_LIMIT * seniority + AMONG_EQUALS * beyond)
}

export const toScore = (relevance: number, prior: PriorWeight): number =>
  Math.min(SCORE_STEPS, Math.round(weighed(relevance, prior) * SCORE_STEPS)) / SCORE_STEPS

/**
 * A token matches by similarity from this cosine with a word of the entry on. Words of one language can be similar because
 * they are used alike (polygon, fintech); translations are not. Of the pairs that the judged queries find between 0.5 and
 * 0.55, half are none (合成 and speech); between 0.55 and 0.6, a quarter.
 */
const MIN_WORD_COSINE = 0.7
const MIN_TRANSLATION_COSINE = 0.55

/** A word with a lower learned weight is general: it is close to words for each of its meanings, like check and 防止. */
const MIN_TELLING = 0.8
const MIN_GENERAL_COSINE = 0.9

/** A retrieved entry with its scores before reranking. */
export type Candidate = {
  readonly slot: number
  readonly bm25: number
  readonly cosine: number
  readonly prior: PriorWeight
}

/** What reranking depends on. */
export type Reranker = {
  readonly semantic: SemanticIndex | undefined
  readonly languages: Languages
  /** Returns the index of an entry's language. */
  languageOf(slot: number): number
}

/** An entry that is less close to the query mentions it in passing if it has one of its words: that word counts the less. */
const CLOSE = 0.3

/** An entry with less than this share of the first one's relevance fits less well: standing does not lift it past one that fits. */
const FITTING = 0.9

/** Returns the relevance from which on an entry fits as well as the one with the best score. */
export function fittingOf(all: readonly Pick<ScoreParts, 'relevance' | 'prior'>[]): number {
  let first = { score: 0, relevance: 0 }
  for (const { relevance, prior } of all) {
    const score = toScore(relevance, prior)
    if (score > first.score) first = { score, relevance }
  }
  return FITTING * first.relevance
}

/** @param fitting see `fittingOf` */
export const finalScore = (
  { relevance, prior }: Pick<ScoreParts, 'relevance' | 'prior'>,
  fitting: number,
): number => toScore(relevance >= fitting ? relevance : relevance * (relevance / fitting) ** 2, prior)

/** Returns the candidates by their final score, best first. */
export function rerank(
  { semantic, languages, languageOf }: Reranker,
  intent: Intent,
  query: PreparedQuery,
  candidates: readonly Candidate[],
  order: SlotOrder,
): IntentHit[] {
  const compared = candidates.map(({ slot, bm25, cosine, prior }) => {
    const { maxSim, onlyWord, foreign, matched, similarWords } = compare(
      semantic,
      languages,
      query,
      slot,
      languages.all[languageOf(slot)]!,
    )
    const closeness = onlyWord === 0 ? 1 : Math.min(1, Math.max(MIN_COSINE, cosine) / CLOSE)
    // Words in another language cannot be found literally.
    const found = closeness * bm25 + foreign * expectedBm25(cosine, maxSim)
    const isMatched = new Set([...intent.constraintTokens, ...matched])
    const isBoth = semantic !== undefined
    const relevance = fuse(found, cosine, maxSim - (1 - closeness) * onlyWord, isBoth)
    const matchedTokens = intent.tokens.filter(token => isMatched.has(token))
    const parts = { bm25, cosine, maxSim, relevance, words: fuse(found, 0, 0, isBoth), prior }
    return { slot, matchedTokens, similarWords, parts }
  })
  const fitting = fittingOf(compared.map(({ parts }) => parts))
  const hits = compared.map((hit): IntentHit => ({ ...hit, score: finalScore(hit.parts, fitting) }))
  return hits.sort((a, b) => b.score - a.score || order(a.slot, b.slot))
}

type Comparison = {
  /** The mean over the query words of the highest cosine with a word of the entry. */
  readonly maxSim: number
  /** The part of it that is the only word that the entry has; 0 if it has several, or one that the embedding does not know. */
  readonly onlyWord: number
  /** The share of the query's weight in another language than the entry's, of words that it does not have. */
  readonly foreign: number
  readonly matched: readonly string[]
  readonly similarWords: ReadonlyMap<string, string>
}

/**
 * Late interaction (MaxSim, as in ColBERT: Khattab and Zaharia, 2020): the cosine of each query word with the most similar
 * word of the entry, squared, and averaged with the lengths of the word vectors as weights. A word that the entry has
 * counts as 1.
 */
function compare(
  semantic: SemanticIndex | undefined,
  languages: Languages,
  { tokens, compared, weight }: PreparedQuery,
  slot: number,
  language: Token['language'],
): Comparison {
  const matched: string[] = []
  let similarWords: Map<string, string> | undefined
  let words = 0
  let sum = 0
  let lengths = 0
  let found = 0
  let known = 0
  let foreign = 0
  let rows: Borrowed<Uint32Array> | undefined
  for (const each of tokens) {
    const { token, terms, word, emphasis } = each
    const isFound = hasAny(terms, slot)
    if (isFound) {
      found++
      matched.push(token)
      const expansion = findExpansion(each, slot)
      if (expansion !== undefined) similarWords = (similarWords ?? new Map()).set(token, expansion)
    } else if (each.language !== language && each.expansions.length === 0) foreign += each.weight / weight
    if (!semantic || word === undefined || words === compared) continue
    words++
    lengths += emphasis
    if (isFound) {
      sum += emphasis
      if (word.isKnown) known = emphasis
      continue
    }
    rows ??= semantic.rowsOf(slot)
    const nearest = semantic.nearestWord(word, rows)
    if (nearest === undefined || nearest.cosine <= 0) continue
    sum += emphasis * nearest.cosine * nearest.cosine
    if (nearest.cosine < MIN_TRANSLATION_COSINE) continue
    const similar = semantic.wordOf(nearest.row)
    if (nearest.cosine < minCosine(languages, each, similar)) continue
    matched.push(token)
    similarWords = (similarWords ?? new Map()).set(token, similar)
  }
  return {
    maxSim: lengths === 0 ? 0 : sum / lengths,
    onlyWord: found === 1 && known > 0 ? known / lengths : 0,
    foreign,
    matched,
    similarWords: similarWords ?? NO_SIMILAR_WORDS,
  }
}

/** Returns the expansion that an entry has instead of the token itself. */
const findExpansion = ({ own, expansions }: Token, slot: number): string | undefined =>
  expansions.length === 0 || hasAny(own, slot)
    ? undefined
    : expansions.find(({ terms }) => terms.every(term => findPosting(term, slot) >= 0))?.words

/** Returns the cosine from which on two words are a match. */
function minCosine(languages: Languages, { word, language }: Token, similar: string): number {
  if (word!.length < MIN_TELLING) return MIN_GENERAL_COSINE
  return language === languages.ofWord(similar) ? MIN_WORD_COSINE : MIN_TRANSLATION_COSINE
}

function hasAny(terms: readonly TermPostings[], slot: number): boolean {
  for (const term of terms) if (findPosting(term, slot) >= 0) return true
  return false
}
