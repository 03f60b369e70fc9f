// Ranks entries for an intent: what its words say (BM25) and what it means (vectors), fused into one score.
import { isJapaneseWord } from './analyzer.ts'
import { TOP_IMPACT } from './document-terms.ts'
import type { Intent } from './intent.ts'
import type { Meaning, Sense } from './meaning.ts'
import { createStrays, type QueryTerms, toWeight } from './query-terms.ts'
import type { SlotSet } from './slot-set.ts'
import { type SlotOrder, TopHits } from './top-hits.ts'
import { type Accept, findPosting, type WalkTerm } from './walk-term.ts'

export type IntentHit = {
  readonly slot: number
  /** 0 to 1, of the same meaning whatever the query. */
  readonly score: number
  /** Tokens of the query, in its order: found as words, found in meaning, or part of a constraint that the entry passes. */
  readonly matchedTokens: readonly string[]
  /** Those of the matched tokens that were found in meaning only. */
  readonly byMeaning: readonly string[]
  /** What the score is made of. */
  readonly parts: { readonly words: number; readonly meaning: number; readonly lean: number }
}

/** How far standing and wishes lean an entry, 0 to 1; multiplies its score. */
export type Lean = (slot: number) => number

/** What meaning weighs against words. */
export const MEANING_WEIGHT = 0.35

/**
 * An entry that has none of the words is shown only if it is this near in meaning. The longer a request, the more of
 * its words are beside the point and the less near even the right entry comes.
 */
export const meaningFloor = (tokens: number): number => Math.max(0.12, 0.38 - 0.03 * tokens)

/**
 * Words of another language cannot be found literally, so meaning stands in for them. Entries of the query's language
 * have about 0.6 · near² in words; what is described in another language is given a little more, as nothing else speaks for it.
 */
const expectedWords = (near: number): number => near * near

/** A token counts as matched in meaning from this nearness to the entry on. */
const TOKEN_NEARNESS = 0.3
/** How many entries each side hands to the other for scoring. */
const LEAST_CANDIDATES = 64

type Token = { readonly token: string; readonly terms: readonly WalkTerm[] }

export type IntentRanking = {
  readonly queryTerms: QueryTerms
  readonly present: SlotSet
  readonly meaning: Meaning | undefined
  isJapanese(slot: number): boolean
  /** The entries with the highest sums of impacts for the terms. */
  best(
    terms: readonly WalkTerm[],
    count: number,
    order: SlotOrder,
    accept: Accept | undefined,
  ): readonly number[]
}

export function rankIntent(
  ranking: IntentRanking,
  intent: Intent,
  count: number,
  order: SlotOrder,
  accept: Accept | undefined,
  lean: Lean = () => 1,
): readonly IntentHit[] {
  if (intent.contentTokens.length === 0) return rankByFilter(ranking, intent, count, order, accept, lean)
  const { queryTerms, present, meaning } = ranking
  const strays = createStrays()
  const tokens: Token[] = intent.contentTokens.map(token => ({
    token,
    terms: queryTerms
      .words(token)
      .map(word => queryTerms.resolve(word, { strays, cautious: true }))
      .filter(term => term !== undefined),
  }))
  const terms = tokens.flatMap(token => token.terms)
  // A token that leads nowhere counts as the rarest word: what lacks it cannot be a full answer.
  const rarest = toWeight(present.size, 0)
  const weigh = (some: readonly Token[]) =>
    some.reduce((sum, token) => sum + (token.terms.length === 0 ? rarest : weightOf(token.terms)), 0)
  const weight = weigh(tokens)
  const japanese = weigh(tokens.filter(({ token }) => isJapaneseWord(token))) / weight
  const floor = meaningFloor(tokens.length)

  const depth = Math.max(LEAST_CANDIDATES, 2 * count)
  const candidates = new Set(ranking.best(terms, depth, order, accept))
  const sense = meaning?.read(intent.subject)
  if (meaning && sense) for (const slot of meaning.nearest(sense, depth, order, accept)) candidates.add(slot)

  const top = new TopHits(count, order)
  const parts = new Map<number, IntentHit['parts']>()
  for (const slot of candidates) {
    const found = wordScore(terms, slot) / (TOP_IMPACT * weight)
    const near = meaning && sense ? meaning.nearness(sense, slot) : 0
    if (found === 0 && near < floor) continue
    const foreign = ranking.isJapanese(slot) ? 1 - japanese : japanese
    const words = found + foreign * expectedWords(near)
    const leaning = lean(slot)
    parts.set(slot, { words, meaning: near, lean: leaning })
    top.offer(fuse(words, near, meaning !== undefined) * leaning, slot)
  }
  const senses = meaning
    ? new Map(intent.contentTokens.map(token => [token, meaning.read(token)]))
    : undefined
  return top.sorted().map(({ key, slot }) => {
    const found = new Set(
      tokens
        .filter(token => token.terms.some(term => findPosting(term, slot) >= 0))
        .map(({ token }) => token),
    )
    const near = (token: string) => isNear(meaning, senses?.get(token), slot)
    const byMeaning = intent.contentTokens.filter(token => !found.has(token) && near(token))
    const matched = new Set([...found, ...byMeaning, ...intent.constraintTokens])
    return {
      slot,
      score: Math.min(1, key),
      matchedTokens: intent.tokens.filter(token => matched.has(token)),
      byMeaning,
      parts: parts.get(slot)!,
    }
  })
}

const fuse = (words: number, meaning: number, both: boolean): number =>
  both ? (words + MEANING_WEIGHT * meaning) / (1 + MEANING_WEIGHT) : words

const isNear = (meaning: Meaning | undefined, sense: Sense | undefined, slot: number): boolean =>
  meaning !== undefined && sense !== undefined && meaning.nearness(sense, slot) >= TOKEN_NEARNESS

const weightOf = (terms: readonly WalkTerm[]): number => terms.reduce((sum, { weight }) => sum + weight, 0)

function wordScore(terms: readonly WalkTerm[], slot: number): number {
  let score = 0
  for (const term of terms) {
    const at = findPosting(term, slot)
    if (at >= 0) score += term.weight * term.impacts[at]!
  }
  return score
}

/** Without a content word the constraints alone decide, wishes and ties the order. */
function rankByFilter(
  { present }: IntentRanking,
  intent: Intent,
  count: number,
  order: SlotOrder,
  accept: Accept | undefined,
  lean: Lean,
): readonly IntentHit[] {
  if (Object.keys(intent.filter).length === 0 && intent.wishes.length === 0) return []
  const top = new TopHits(count, order)
  const wished = intent.wishes.length > 0
  present.each(slot => {
    if (accept === undefined || accept(slot)) top.offer(wished ? lean(slot) : 1, slot)
  })
  const matched = new Set(intent.constraintTokens)
  const matchedTokens = intent.tokens.filter(token => matched.has(token))
  return top.sorted().map(({ slot, key }) => ({
    slot,
    score: 1,
    matchedTokens,
    byMeaning: [],
    parts: { words: 1, meaning: 0, lean: key },
  }))
}
