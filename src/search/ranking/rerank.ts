// Compares candidates with an intent word by word, fuses what is known of them into one score and gives the final order.

import type { SemanticIndex } from '../embedding/semantic-index.ts'
import type { Intent } from '../sentence/read-intent.ts'
import { findPosting, type PostingsCursor } from '../topk/cursor.ts'
import { type SlotOrder, TopK } from '../topk/top-k.ts'
import type { Candidate } from './prune.ts'
import type { Question } from './query.ts'
import { expectedWords, fuse, type IntentHit, MET_NOTHING, type ScoreParts, toScore } from './score.ts'

/** A token counts as matched in meaning from this nearness to a word of the entry on. */
const TOKEN_NEARNESS = 0.5

/** So many bits a whole number holds. */
const MAX_SHARED = 52

const ABSENT = -1
const FOUND = -2

/** What candidates are compared by. */
export type Comparing = {
  readonly semantic: SemanticIndex | undefined
  /** The place of an entry's language among those that are searched in. */
  languageOf(slot: number): number
}

/** Compares the shortlist word by word and gives the final order. */
export function compare(
  comparing: Comparing,
  intent: Intent,
  question: Question,
  shortlist: readonly Candidate[],
  count: number,
  order: SlotOrder,
): readonly IntentHit[] {
  const { semantic, languageOf } = comparing
  const parts = new Array<ScoreParts>(shortlist.length)
  const matches = new Matches(shortlist.length, question.tokens.length)
  // Known by their places in the shortlist.
  const top = new TopK(count, (a, b) => order(shortlist[a]!.slot, shortlist[b]!.slot))
  for (let i = 0; i < shortlist.length; i++) {
    const { slot, found, near, lean } = shortlist[i]!
    const foreign = question.foreign[languageOf(slot)]!
    const most = fuse(found + foreign * expectedWords(near, 1), near, 1, semantic !== undefined)
    // Even with every word met it would not be shown.
    if (toScore(most, lean) < top.threshold) continue
    const wordMeaning = matchWords(semantic, question, slot, matches, i)
    const words = found + foreign * expectedWords(near, wordMeaning)
    parts[i] = { words, meaning: near, wordMeaning, lean }
    top.collect(toScore(fuse(words, near, wordMeaning, semantic !== undefined), lean), i)
  }
  return top.sorted().map(({ key, slot: i }) => {
    const { matchedTokens, byMeaning } = matches.of(i, intent, question, semantic)
    return { slot: shortlist[i]!.slot, score: key, matchedTokens, byMeaning, parts: parts[i]! }
  })
}

/** Which tokens each candidate has, and which of them met one of its words in meaning. */
class Matches {
  readonly #tokens: number
  /** For each token of each candidate: ABSENT, FOUND, or the row of the word that it met. */
  readonly #met: Int32Array
  /** Candidates that matched the same tokens, a bit each, share the list of them: most have all or one. */
  readonly #shared = new Map<number, readonly string[]>()

  constructor(candidates: number, tokens: number) {
    this.#tokens = tokens
    this.#met = new Int32Array(candidates * tokens).fill(ABSENT)
  }

  set(candidate: number, token: number, met: number): void {
    this.#met[candidate * this.#tokens + token] = met
  }

  of(
    candidate: number,
    intent: Intent,
    { tokens }: Question,
    semantic: SemanticIndex | undefined,
  ): Pick<IntentHit, 'matchedTokens' | 'byMeaning'> {
    let which = 0
    let byMeaning: Map<string, string> | undefined
    for (let i = 0; i < tokens.length; i++) {
      const met = this.#met[candidate * this.#tokens + i]!
      if (met === ABSENT) continue
      which += 2 ** i
      if (met === FOUND || !semantic) continue
      byMeaning ??= new Map()
      byMeaning.set(tokens[i]!.token, semantic.wordOf(met))
    }
    let matchedTokens = tokens.length <= MAX_SHARED ? this.#shared.get(which) : undefined
    if (matchedTokens === undefined) {
      matchedTokens = this.#matched(candidate, intent, tokens)
      this.#shared.set(which, matchedTokens)
    }
    return { matchedTokens, byMeaning: byMeaning ?? MET_NOTHING }
  }

  #matched(candidate: number, intent: Intent, tokens: Question['tokens']): readonly string[] {
    const matched = new Set(intent.constraintTokens)
    for (let i = 0; i < tokens.length; i++)
      if (this.#met[candidate * this.#tokens + i] !== ABSENT) matched.add(tokens[i]!.token)
    return intent.tokens.filter(token => matched.has(token))
  }
}

/** How near each word of the query comes to one of the entry, on average; a word that the entry has is as near as can be. */
function matchWords(
  semantic: SemanticIndex | undefined,
  { tokens, compared }: Question,
  slot: number,
  matches: Matches,
  candidate: number,
): number {
  let words = 0
  let sum = 0
  let lengths = 0
  for (let i = 0; i < tokens.length; i++) {
    const { terms, word } = tokens[i]!
    const isFound = hasAny(terms, slot)
    if (isFound) matches.set(candidate, i, FOUND)
    if (!semantic || word === undefined || words === compared.length) continue
    words++
    const nearest = isFound ? undefined : semantic.nearestWord(word, slot)
    const near = isFound ? 1 : Math.max(0, nearest?.cosine ?? 0)
    if (nearest !== undefined && near >= TOKEN_NEARNESS) matches.set(candidate, i, nearest.row)
    sum += word.length * near * near
    lengths += word.length
  }
  return lengths === 0 ? 0 : sum / lengths
}

function hasAny(terms: readonly PostingsCursor[], slot: number): boolean {
  for (const term of terms) if (findPosting(term, slot) >= 0) return true
  return false
}
