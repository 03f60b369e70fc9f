// Ranks entries for an intent: what its words say (BM25), what it means as a whole (vectors), and what each of its words
// means beside the words of an entry, fused into one score.
import { isJapaneseWord } from './analyzer.ts'
import { TOP_IMPACT } from './document-terms.ts'
import type { EmbeddedWord } from './embedder.ts'
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
  /** Those of the matched tokens that were found in meaning only, each with the word that it met: a stem where English. */
  readonly byMeaning: ReadonlyMap<string, string>
  /** What the score is made of. */
  readonly parts: ScoreParts
}

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
const expectedWords = (near: number, wordNear: number): number => 0.6 * near * near + 0.15 * wordNear

/** How much the length of a word in the embedding, which tells how much it says, counts beside its idf. */
const EMPHASIS = 0.4
const UNKNOWN_LENGTH = 1.2

/** A token counts as matched in meaning from this nearness to a word of the entry on. */
const TOKEN_NEARNESS = 0.5
/** How many entries each side hands over, and how many of these are compared word by word. */
const LEAST_CANDIDATES = 24
const LEAST_COMPARED = 20
/** More words of a query say no more, and it must stay cheap. */
const MOST_COMPARED_WORDS = 24

type Token = {
  readonly token: string
  readonly terms: readonly WalkTerm[]
  readonly weight: number
  readonly word: EmbeddedWord | undefined
}

/** A query made ready: its tokens, and what the words of every entry are weighed against. */
type Question = {
  readonly tokens: readonly Token[]
  readonly terms: readonly WalkTerm[]
  readonly weight: number
  /** The share of Japanese words. */
  readonly japanese: number
  readonly sense: Sense | undefined
  /** Those of the tokens that are compared word by word. */
  readonly compared: readonly Token[]
}

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
  const { meaning } = ranking
  const question = toQuestion(ranking, intent)
  const { sense } = question
  const depth = Math.max(LEAST_CANDIDATES, 2 * count)
  const candidates = new Set(ranking.best(question.terms, depth, order, accept))
  if (meaning && sense) for (const slot of meaning.nearest(sense, depth, order, accept)) candidates.add(slot)
  const shortlist = shorten(ranking, question, candidates, Math.max(LEAST_COMPARED, 2 * count), order, lean)
  return compare(ranking, intent, question, shortlist, count, order)
}

function toQuestion({ queryTerms, present, meaning }: IntentRanking, intent: Intent): Question {
  const strays = createStrays()
  // A token that leads nowhere counts as the rarest word: what lacks it cannot be a full answer.
  const rarest = toWeight(present.size, 0)
  const tokens = intent.contentTokens.map((token): Token => {
    const word = meaning?.word(token)
    const emphasis = word === undefined ? 1 : (word.isKnown ? word.length : UNKNOWN_LENGTH) ** EMPHASIS
    const emphasised = (weight: number) => Math.max(1, Math.round(weight * emphasis))
    const terms: WalkTerm[] = []
    for (const written of queryTerms.words(token)) {
      const term = queryTerms.resolve(written, { strays, cautious: true })
      if (term !== undefined) terms.push({ ...term, weight: emphasised(term.weight) })
    }
    const weight = terms.length === 0 ? emphasised(rarest) : terms.reduce((sum, term) => sum + term.weight, 0)
    return { token, terms, weight, word }
  })
  const weigh = (some: readonly Token[]) => some.reduce((sum, { weight }) => sum + weight, 0)
  const weight = weigh(tokens)
  return {
    tokens,
    terms: tokens.flatMap(token => token.terms),
    weight,
    japanese: weigh(tokens.filter(({ token }) => isJapaneseWord(token))) / weight,
    sense: meaning?.read(intent.subject),
    compared: tokens.filter(({ word }) => word !== undefined).slice(0, MOST_COMPARED_WORDS),
  }
}

/** What is known of a candidate before its words are compared one by one. */
type Candidate = { readonly found: number; readonly near: number; readonly lean: number }

/** The best candidates by what costs little to know. */
function shorten(
  { meaning }: IntentRanking,
  { terms, weight, sense, tokens }: Question,
  candidates: ReadonlySet<number>,
  room: number,
  order: SlotOrder,
  lean: Lean,
): ReadonlyMap<number, Candidate> {
  const floor = meaningFloor(tokens.length)
  const all = new Map<number, Candidate>()
  const top = new TopHits(room, order)
  for (const slot of candidates) {
    const found = wordScore(terms, slot) / (TOP_IMPACT * weight)
    const near = meaning && sense ? meaning.nearness(sense, slot) : 0
    if (found === 0 && near < floor) continue
    const leaning = lean(slot)
    all.set(slot, { found, near, lean: leaning })
    top.offer((found + (MEANING_WEIGHT + WORD_MEANING_WEIGHT) * near) * leaning, slot)
  }
  return new Map(top.sorted().map(({ slot }) => [slot, all.get(slot)!]))
}

type Scored = {
  readonly parts: ScoreParts
  readonly matched: ReadonlySet<string>
  readonly byMeaning: ReadonlyMap<string, string>
}

/** Compares the shortlist word by word and gives the final order. */
function compare(
  ranking: IntentRanking,
  intent: Intent,
  question: Question,
  shortlist: ReadonlyMap<number, Candidate>,
  count: number,
  order: SlotOrder,
): readonly IntentHit[] {
  const { meaning } = ranking
  meaning?.ask(question.compared.map(({ word }) => word!))
  const scored = new Map<number, Scored>()
  const top = new TopHits(count, order)
  for (const [slot, { found, near, lean }] of shortlist) {
    const { wordMeaning, matched, byMeaning } = meet(meaning, question, slot)
    const foreign = ranking.isJapanese(slot) ? 1 - question.japanese : question.japanese
    const words = found + foreign * expectedWords(near, wordMeaning)
    const parts = { words, meaning: near, wordMeaning, lean }
    scored.set(slot, { parts, matched, byMeaning })
    top.offer(fuse(parts, meaning !== undefined) * lean, slot)
  }
  const constraints = new Set(intent.constraintTokens)
  return top.sorted().map(({ key, slot }) => {
    const { parts, matched, byMeaning } = scored.get(slot)!
    const isMatched = (token: string) => matched.has(token) || byMeaning.has(token) || constraints.has(token)
    return {
      slot,
      score: Math.min(1, key),
      matchedTokens: intent.tokens.filter(isMatched),
      byMeaning,
      parts,
    }
  })
}

/** How near each word of the query comes to one of the entry, on average; a word that the entry has is as near as can be. */
function meet(meaning: Meaning | undefined, { tokens, compared }: Question, slot: number) {
  const matched = new Set<string>()
  for (const { token, terms } of tokens)
    if (terms.some(term => findPosting(term, slot) >= 0)) matched.add(token)
  const byMeaning = new Map<string, string>()
  let sum = 0
  let lengths = 0
  meaning?.meet(slot)
  for (let i = 0; meaning && i < compared.length; i++) {
    const { token, word } = compared[i]!
    const near = matched.has(token) ? 1 : meaning.nearestTo(i)
    if (near >= TOKEN_NEARNESS && near < 1) byMeaning.set(token, meaning.metWord(i))
    sum += word!.length * near * near
    lengths += word!.length
  }
  return { wordMeaning: lengths === 0 ? 0 : sum / lengths, matched, byMeaning }
}

const fuse = ({ words, meaning, wordMeaning }: ScoreParts, both: boolean): number =>
  both
    ? (words + MEANING_WEIGHT * meaning + WORD_MEANING_WEIGHT * wordMeaning) /
      (1 + MEANING_WEIGHT + WORD_MEANING_WEIGHT)
    : words

function wordScore(terms: readonly WalkTerm[], slot: number): number {
  let score = 0
  for (const term of terms) {
    const at = findPosting(term, slot)
    if (at >= 0) score += term.weight * term.impacts[at]!
  }
  return score
}

const MET_NOTHING: ReadonlyMap<string, string> = new Map()

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
    byMeaning: MET_NOTHING,
    parts: { words: 1, meaning: 0, wordMeaning: 0, lean: key },
  }))
}
