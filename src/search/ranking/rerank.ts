// Reranks the pruned candidates: compares each with the query word by word, and fuses all parts into one score.

import type { Borrowed } from '../../memory/borrowed.ts'
import type { SlotOrder } from '../../memory/sorted-slots.ts'
import type { SemanticIndex } from '../embedding/semantic-index.ts'
import { findPosting } from '../index/postings.ts'
import type { Intent } from '../sentence/intent.ts'
import type { Languages } from '../text/languages/languages.ts'
import type { TermPostings } from '../topk/evaluate.ts'
import { TopK } from '../topk/top-k.ts'
import type { Candidate } from './prune.ts'
import type { PreparedQuery } from './query.ts'
import { expectedBm25, fuse, type IntentHit, NO_SIMILAR_WORDS, type ScoreParts, toScore } from './score.ts'

/**
 * A token matches by similarity from this cosine with a word of the entry on. Words of one language can be similar because
 * they are used alike (polygon, fintech); translations are not. Of the pairs that the judged queries find between 0.5 and
 * 0.55, half are none (合成 and speech); between 0.55 and 0.6, a quarter.
 */
const MIN_WORD_COSINE = 0.7
const MIN_TRANSLATION_COSINE = 0.55
/** A word of many meanings is close to the translations of each: check and 防止. */
const MIN_VAGUE_COSINE = 0.9

/** The number of bits that an integer holds exactly. */
const MAX_SHARED = 52

const ABSENT = -1
const FOUND = -2
const FOUND_EXPANDED = -3

/** What reranking depends on. */
export type Reranker = {
  readonly semantic: SemanticIndex | undefined
  readonly languages: Languages
  /** Returns the index of an entry's language. */
  languageOf(slot: number): number
}

/** Returns the best `count` of the candidates by their final score. */
export function rerank(
  { semantic, languages, languageOf }: Reranker,
  intent: Intent,
  query: PreparedQuery,
  candidates: readonly Candidate[],
  count: number,
  order: SlotOrder,
): readonly IntentHit[] {
  const parts = new Array<ScoreParts>(candidates.length)
  const matches = new Matches(candidates.length, query.tokens.length)
  // Hits are identified by their index in the candidates.
  const top = new TopK(count, (a, b) => order(candidates[a]!.slot, candidates[b]!.slot))
  for (let i = 0; i < candidates.length; i++) {
    const { slot, bm25, cosine, prior } = candidates[i]!
    const foreign = query.foreign[languageOf(slot)]!
    const bound = fuse(bm25 + foreign * expectedBm25(cosine, 1), cosine, 1, semantic !== undefined)
    // Skipped by its upper bound: even if every word matched, it would not be in the result.
    if (toScore(bound, prior) < top.threshold) continue
    const maxSim = matchWords(semantic, languages, query, slot, matches, i)
    const withForeign = bm25 + foreign * expectedBm25(cosine, maxSim)
    parts[i] = { bm25: withForeign, cosine, maxSim, prior }
    top.collect(toScore(fuse(withForeign, cosine, maxSim, semantic !== undefined), prior), i)
  }
  return top.sorted().map(({ key, slot: i }) => {
    const { slot } = candidates[i]!
    const { matchedTokens, similarWords } = matches.of(i, slot, intent, query, semantic)
    return { slot, score: key, matchedTokens, similarWords, parts: parts[i]! }
  })
}

/** Which tokens each candidate matches, and which of them only by similarity. */
class Matches {
  readonly #tokens: number
  /** For each token of each candidate: ABSENT, FOUND, FOUND_EXPANDED, or the embedding row of the most similar word. */
  readonly #matches: Int32Array
  /** Candidates that match the same tokens, as bits, share the list of them. */
  readonly #shared = new Map<number, readonly string[]>()

  constructor(candidates: number, tokens: number) {
    this.#tokens = tokens
    this.#matches = new Int32Array(candidates * tokens).fill(ABSENT)
  }

  set(candidate: number, token: number, match: number): void {
    this.#matches[candidate * this.#tokens + token] = match
  }

  of(
    candidate: number,
    slot: number,
    intent: Intent,
    { tokens }: PreparedQuery,
    semantic: SemanticIndex | undefined,
  ): Pick<IntentHit, 'matchedTokens' | 'similarWords'> {
    let which = 0
    let similarWords: Map<string, string> | undefined
    for (let i = 0; i < tokens.length; i++) {
      const match = this.#matches[candidate * this.#tokens + i]!
      if (match === ABSENT) continue
      which += 2 ** i
      const { token, expansion } = tokens[i]!
      const similar =
        match === FOUND_EXPANDED
          ? expansion?.others.find(({ terms }) => terms.every(term => findPosting(term, slot) >= 0))?.words
          : match === FOUND
            ? undefined
            : semantic?.wordOf(match)
      if (similar === undefined) continue
      similarWords ??= new Map()
      similarWords.set(token, similar)
    }
    let matchedTokens = tokens.length <= MAX_SHARED ? this.#shared.get(which) : undefined
    if (matchedTokens === undefined) {
      matchedTokens = this.#matched(candidate, intent, tokens)
      this.#shared.set(which, matchedTokens)
    }
    return { matchedTokens, similarWords: similarWords ?? NO_SIMILAR_WORDS }
  }

  #matched(candidate: number, intent: Intent, tokens: PreparedQuery['tokens']): readonly string[] {
    const matched = new Set(intent.constraintTokens)
    for (let i = 0; i < tokens.length; i++)
      if (this.#matches[candidate * this.#tokens + i] !== ABSENT) matched.add(tokens[i]!.token)
    return intent.tokens.filter(token => matched.has(token))
  }
}

/**
 * Late interaction (MaxSim, as in ColBERT: Khattab and Zaharia, 2020): the cosine of each query word with the most similar
 * word of the entry, squared, and averaged with the lengths of the word vectors as weights. A word that the entry has
 * counts as 1.
 */
function matchWords(
  semantic: SemanticIndex | undefined,
  languages: Languages,
  { tokens, compared }: PreparedQuery,
  slot: number,
  matches: Matches,
  candidate: number,
): number {
  let words = 0
  let sum = 0
  let lengths = 0
  let rows: Borrowed<Uint32Array> | undefined
  for (let i = 0; i < tokens.length; i++) {
    const { token, terms, word, emphasis, expansion, isName } = tokens[i]!
    const isFound = hasAny(terms, slot)
    const isOwn = isFound && (expansion === undefined || hasAny(expansion.own, slot))
    // An entry about coins does not match the name of a coin.
    if (isFound && (isOwn || !isName)) matches.set(candidate, i, isOwn ? FOUND : FOUND_EXPANDED)
    if (!semantic || word === undefined || words === compared.length) continue
    words++
    if (!isFound) rows ??= semantic.rowsOf(slot)
    const nearest = isFound ? undefined : semantic.nearestWord(word, rows!)
    const near = isFound ? 1 : Math.max(0, nearest?.cosine ?? 0)
    if (nearest !== undefined && near >= MIN_TRANSLATION_COSINE) {
      const similar = semantic.wordOf(nearest.row)
      if (near >= minCosine(languages, token, similar)) matches.set(candidate, i, nearest.row)
    }
    sum += emphasis * near * near
    lengths += emphasis
  }
  return lengths === 0 ? 0 : sum / lengths
}

/** Returns the cosine from which on two words are a match. */
function minCosine(languages: Languages, token: string, similar: string): number {
  const [own, other] = [languages.ofWord(token), languages.ofWord(similar)]
  if (own.text.isVague?.(token) || other.text.isVague?.(similar)) return MIN_VAGUE_COSINE
  return own === other ? MIN_WORD_COSINE : MIN_TRANSLATION_COSINE
}

function hasAny(terms: readonly TermPostings[], slot: number): boolean {
  for (const term of terms) if (findPosting(term, slot) >= 0) return true
  return false
}
