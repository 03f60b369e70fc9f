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
/** At least so many more than are asked for. */
const SPARE = 6
/** Meaning is looked for with little effort where an entry has this much of the words, else with much. */
const WELL_FOUND = 0.3
const SMALL_EFFORT = 0.25
const GREAT_EFFORT = 1
/**
 * The words that say most lead to the candidates: so many, and of those that many entries have so many. A query must stay
 * cheap, and a further frequent word finds no other entries.
 */
const MOST_WALKED = 24
const MOST_FREQUENT = 6
const MOST_COMPARED_WORDS = 24

type Token = {
  readonly token: string
  readonly terms: readonly WalkTerm[]
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
  /** The entries with the highest sums of weight · impact for the terms, best first. */
  best(
    terms: readonly WalkTerm[],
    count: number,
    order: SlotOrder,
    accept: Accept | undefined,
  ): readonly { readonly slot: number; readonly key: number }[]
}

export function rankIntent(
  ranking: IntentRanking,
  intent: Intent,
  count: number,
  order: SlotOrder,
  accept: Accept | undefined,
  lean: Lean = () => 1,
  among?: readonly number[],
): readonly IntentHit[] {
  if (intent.contentTokens.length === 0)
    return rankByFilter(ranking, intent, count, order, accept, lean, among)
  const question = toQuestion(ranking, intent)
  const depth = Math.max(LEAST_CANDIDATES, count + SPARE)
  const candidates = among
    ? judgeAll(ranking, question, among)
    : gather(ranking, question, depth, order, accept)
  const room = Math.max(LEAST_COMPARED, count + SPARE)
  const shortlist = shorten(question, candidates, room, order, lean)
  return compare(ranking, intent, question, shortlist, count, order)
}

function toQuestion({ queryTerms, present, meaning }: IntentRanking, intent: Intent): Question {
  const strays = createStrays()
  // A token that leads nowhere counts as the rarest word: what lacks it cannot be a full answer.
  const rarest = toWeight(present.size, 0)
  const all: WalkTerm[] = []
  let total = 0
  let japanese = 0
  const tokens = intent.contentTokens.map((token): Token => {
    const word = meaning?.word(token)
    const emphasis = word === undefined ? 1 : (word.isKnown ? word.length : UNKNOWN_LENGTH) ** EMPHASIS
    const first = all.length
    let weight = 0
    for (const written of queryTerms.words(token)) {
      const term = queryTerms.resolve(written, { strays, cautious: true })
      if (term === undefined) continue
      const emphasised = { ...term, weight: toWhole(term.weight * emphasis) }
      weight += emphasised.weight
      all.push(emphasised)
    }
    if (all.length === first) weight = toWhole(rarest * emphasis)
    total += weight
    if (isJapaneseWord(token)) japanese += weight
    return { token, terms: all.slice(first), word }
  })
  return {
    tokens,
    terms: all,
    weight: total,
    japanese: japanese / total,
    sense: meaning?.read(intent.subject),
    compared: tokens.filter(({ word }) => word !== undefined).slice(0, MOST_COMPARED_WORDS),
  }
}

const toWhole = (weight: number): number => Math.max(1, Math.round(weight))

/** What is known of an entry before its words are compared one by one. */
type Candidate = { readonly slot: number; readonly found: number; readonly near: number; lean: number }

/** The entries that words lead to, and those that meaning leads to. */
function gather(
  { meaning, best }: IntentRanking,
  { terms, weight, sense }: Question,
  depth: number,
  order: SlotOrder,
  accept: Accept | undefined,
): Candidate[] {
  const most = TOP_IMPACT * weight
  const slots: number[] = []
  const found: number[] = []
  const telling = terms.length > MOST_FREQUENT ? mostTelling(terms) : terms
  for (const { slot, key } of best(telling, depth, order, accept)) {
    slots.push(slot)
    found.push((telling === terms ? key : wordScore(terms, slot)) / most)
  }
  if (!meaning || !sense) return slots.map((slot, i) => ({ slot, found: found[i]!, near: 0, lean: 1 }))
  // Where no entry has much of the words, they are in another language or in no entry: all depends on meaning then.
  const effort = (found[0] ?? 0) < WELL_FOUND ? GREAT_EFFORT : SMALL_EFFORT
  const byWords = new Set(slots)
  for (const slot of meaning.nearest(sense, depth, order, accept, effort)) {
    if (byWords.has(slot)) continue
    slots.push(slot)
    found.push(wordScore(terms, slot) / most)
  }
  const near = meaning.nearness(sense, slots)
  return slots.map((slot, i) => ({ slot, found: found[i]!, near: near[i]!, lean: 1 }))
}

function mostTelling(terms: readonly WalkTerm[]): WalkTerm[] {
  let frequent = 0
  return terms
    .toSorted((a, b) => b.weight - a.weight)
    .filter(term => term.frequent === undefined || ++frequent <= MOST_FREQUENT)
    .slice(0, MOST_WALKED)
}

/** Where few can be meant, each of them is a candidate. */
function judgeAll({ meaning }: IntentRanking, question: Question, slots: readonly number[]): Candidate[] {
  const { terms, weight, sense } = question
  const near = meaning && sense ? meaning.nearness(sense, slots) : undefined
  return slots.map((slot, i) => ({
    slot,
    found: wordScore(terms, slot) / (TOP_IMPACT * weight),
    near: near?.[i] ?? 0,
    lean: 1,
  }))
}

/** The best candidates by what costs little to know, best first. */
function shorten(
  { tokens }: Question,
  candidates: readonly Candidate[],
  room: number,
  order: SlotOrder,
  lean: Lean,
): Candidate[] {
  const floor = meaningFloor(tokens.length)
  const top = new TopHits(room, order)
  const bySlot = new Map<number, Candidate>()
  for (const candidate of candidates) {
    const { slot, found, near } = candidate
    if (found === 0 && near < floor) continue
    candidate.lean = lean(slot)
    bySlot.set(slot, candidate)
    top.offer((found + (MEANING_WEIGHT + WORD_MEANING_WEIGHT) * near) * candidate.lean, slot)
  }
  return top.sorted().map(({ slot }) => bySlot.get(slot)!)
}

/** A candidate compared word by word: for each token how near it comes, and the word that it met in meaning. */
type Compared = {
  readonly parts: ScoreParts
  readonly matched: Uint8Array
  readonly met: readonly (string | undefined)[]
}

const MET_NOTHING: ReadonlyMap<string, string> = new Map()

/** Compares the shortlist word by word and gives the final order. */
function compare(
  ranking: IntentRanking,
  intent: Intent,
  question: Question,
  shortlist: readonly Candidate[],
  count: number,
  order: SlotOrder,
): readonly IntentHit[] {
  const { meaning } = ranking
  meaning?.ask(question.compared.map(({ word }) => word!))
  const compared = new Map<number, Compared>()
  const top = new TopHits(count, order)
  for (const { slot, found, near, lean } of shortlist) {
    const foreign = ranking.isJapanese(slot) ? 1 - question.japanese : question.japanese
    const judge = (wordMeaning: number): ScoreParts => ({
      words: found + foreign * expectedWords(near, wordMeaning),
      meaning: near,
      wordMeaning,
      lean,
    })
    // Even with every word met it would not be shown.
    if (fuse(judge(1), meaning !== undefined) * lean < top.threshold) continue
    const { wordMeaning, matched, met } = meet(meaning, question, slot)
    const parts = judge(wordMeaning)
    compared.set(slot, { parts, matched, met })
    top.offer(fuse(parts, meaning !== undefined) * lean, slot)
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

/** Without a content word the constraints alone decide, wishes and ties the order. */
function rankByFilter(
  { present }: IntentRanking,
  intent: Intent,
  count: number,
  order: SlotOrder,
  accept: Accept | undefined,
  lean: Lean,
  among: readonly number[] | undefined,
): readonly IntentHit[] {
  if (Object.keys(intent.filter).length === 0 && intent.wishes.length === 0) return []
  const top = new TopHits(count, order)
  const wished = intent.wishes.length > 0
  const offer = (slot: number) => top.offer(wished ? lean(slot) : 1, slot)
  if (among) among.forEach(offer)
  else
    present.each(slot => {
      if (accept === undefined || accept(slot)) offer(slot)
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
