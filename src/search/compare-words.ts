// Compares candidates with an intent word by word, fuses what is known of them into one score and gives the final order.
import type { Intent } from './intent.ts'
import type { Question } from './intent-question.ts'
import { expectedWords, fuse, type IntentHit, MET_NOTHING, type ScoreParts } from './intent-score.ts'
import type { Meaning } from './meaning.ts'
import type { Candidate } from './shorten-candidates.ts'
import { type SlotOrder, TopHits } from './top-hits.ts'
import { findPosting, type WalkTerm } from './walk-term.ts'

/** A token counts as matched in meaning from this nearness to a word of the entry on. */
const TOKEN_NEARNESS = 0.5

/** A candidate compared word by word: for each token how near it comes, and the word that it met in meaning. */
type Compared = {
  readonly parts: ScoreParts
  readonly matched: Uint8Array
  readonly met: readonly (string | undefined)[]
}

/** What candidates are compared by. */
export type Comparing = {
  readonly meaning: Meaning | undefined
  isJapanese(slot: number): boolean
}

/** Compares the shortlist word by word and gives the final order. */
export function compare(
  { meaning, isJapanese }: Comparing,
  intent: Intent,
  question: Question,
  shortlist: readonly Candidate[],
  count: number,
  order: SlotOrder,
): readonly IntentHit[] {
  meaning?.ask(question.compared.map(({ word }) => word!))
  const compared = new Map<number, Compared>()
  const top = new TopHits(count, order)
  for (const { slot, found, near, lean } of shortlist) {
    const foreign = isJapanese(slot) ? 1 - question.japanese : question.japanese
    const most = fuse(found + foreign * expectedWords(near, 1), near, 1, meaning !== undefined)
    // Even with every word met it would not be shown.
    if (most * lean < top.threshold) continue
    const { wordMeaning, matched, met } = meet(meaning, question, slot)
    const words = found + foreign * expectedWords(near, wordMeaning)
    compared.set(slot, { parts: { words, meaning: near, wordMeaning, lean }, matched, met })
    top.offer(fuse(words, near, wordMeaning, meaning !== undefined) * lean, slot)
  }
  return top.sorted().map(({ key, slot }) => toHit(intent, question, slot, key, compared.get(slot)!))
}

function toHit(
  intent: Intent,
  question: Question,
  slot: number,
  score: number,
  { parts, matched, met }: Compared,
): IntentHit {
  const found = [...intent.constraintTokens]
  for (let i = 0; i < question.tokens.length; i++) if (matched[i] === 1) found.push(question.tokens[i]!.token)
  let byMeaning: Map<string, string> | undefined
  for (let i = 0; i < met.length; i++) {
    if (met[i] === undefined) continue
    const { token } = question.compared[i]!
    found.push(token)
    byMeaning ??= new Map()
    byMeaning.set(token, met[i]!)
  }
  return {
    slot,
    score: Math.min(1, score),
    matchedTokens: intent.tokens.filter(token => found.includes(token)),
    byMeaning: byMeaning ?? MET_NOTHING,
    parts,
  }
}

/** How near each word of the query comes to one of the entry, on average; a word that the entry has is as near as can be. */
function meet(meaning: Meaning | undefined, { tokens, compared }: Question, slot: number) {
  const matched = new Uint8Array(tokens.length)
  const met: (string | undefined)[] = []
  let sum = 0
  let lengths = 0
  meaning?.meet(slot)
  for (let i = 0; i < tokens.length; i++) {
    const { terms, word } = tokens[i]!
    const isFound = hasAny(terms, slot)
    if (isFound) matched[i] = 1
    const asked = met.length
    if (!meaning || word === undefined || asked === compared.length) continue
    const near = isFound ? 1 : meaning.nearestTo(asked)
    met.push(!isFound && near >= TOKEN_NEARNESS ? meaning.metWord() : undefined)
    sum += word.length * near * near
    lengths += word.length
  }
  return { wordMeaning: lengths === 0 ? 0 : sum / lengths, matched, met }
}

function hasAny(terms: readonly WalkTerm[], slot: number): boolean {
  for (const term of terms) if (findPosting(term, slot) >= 0) return true
  return false
}
