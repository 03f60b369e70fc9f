// Ranks entries for an intent: the query is prepared (postings, embedding and weight of each word, and what is searched in addition to
// it), candidates are retrieved by words and by vectors, and the best of them are compared with the query word by word (rerank.ts).

import type { SlotSet } from '../../memory/bitset.ts'
import type { SlotOrder, SlotTest } from '../../memory/sorted-slots.ts'
import type { SemanticIndex } from '../embedding/semantic-index.ts'
import { scoreOf, type TermPostings, TopK } from '../index/evaluate.ts'
import { MAX_IMPACT } from '../index/postings.ts'
import { createExpansionBudget, type QueryTerms, toAffordable, toIdf } from '../index/query-terms.ts'
import type { Intent } from '../sentence/intent.ts'
import type { Languages } from '../text/languages/languages.ts'
import { MAX_ALIKE } from './final-order.ts'
import type { PriorWeight } from './prior.ts'
import {
  type Candidate,
  fuse,
  type IntentHit,
  type IntentHits,
  MIN_COSINE,
  NO_PRIOR,
  NO_SIMILAR_WORDS,
  type PreparedQuery,
  type Prior,
  type Reranker,
  rerank,
  type Token,
  weighed,
} from './rerank.ts'

/** The exponent of the length of a word's vector, a learned term weight that multiplies the IDF. */
const EMPHASIS = 0.4
const UNKNOWN_LENGTH = 1.2
const MAX_COMPARED_WORDS = 24
/** A sentence is long, and its rarest words find its candidates: their postings together are this part of the entries. */
const SELECTIVE_SHARE = 8
/** The weight of a name: flights from Lisbon. It says less about a service than the other words. */
const NAME_WEIGHT = 0.5

/** What preparing a query depends on. */
type QueryParts = {
  readonly queryTerms: QueryTerms
  readonly present: SlotSet
  readonly semantic: SemanticIndex | undefined
  readonly languages: Languages
}

/** Returns the words and phrases that are equivalent to a token. */
const toOthers = ({ equivalents }: Intent, token: string): string[] => [
  ...new Set((equivalents.get(token) ?? []).flatMap(({ others }) => others)),
]

function prepareQuery(
  { queryTerms, present, semantic, languages }: QueryParts,
  intent: Intent,
  preferred?: SlotTest,
): PreparedQuery {
  const budget = createExpansionBudget(present.size)
  // A token without postings gets the highest IDF: an entry without it cannot match fully.
  const rarest = toIdf(present.size, 0)
  const words = queryTerms.wordsOf(intent.contentTokens, intent.pieces)
  const found = intent.contentTokens.map((token, i): Token => {
    const word = semantic?.embedWord(token)
    const language = languages.ofWord(token)
    const isName = intent.equivalents.get(token)?.some(each => each.nameOf)
    const factor = isName ? NAME_WEIGHT : 1
    const emphasis =
      factor * (word === undefined ? 1 : (word.isKnown ? word.length : UNKNOWN_LENGTH) ** EMPHASIS)
    const others = toOthers(intent, token)
    const terms: TermPostings[] = []
    let weight = 0
    for (const written of words[i]!) {
      const term = queryTerms.resolve(written, {
        budget,
        cautious: true,
        preferred,
        isSpelt: word?.isKnown === true || others.length > 0,
        equivalents: others,
      })
      if (term === undefined) continue
      const emphasised = toWhole(term.weight * emphasis)
      weight += emphasised
      terms.push({ ...term, weight: emphasised })
    }
    if (terms.length === 0) weight = toWhole(rarest * emphasis)
    const expansions = others.flatMap(words => {
      const terms = queryTerms.exact(words)
      return terms ? [{ words, terms }] : []
    })
    const own = expansions.length === 0 ? [] : (queryTerms.exact(token) ?? [])
    return {
      token,
      language,
      terms,
      weight,
      word,
      emphasis: factor * (word?.length ?? 0),
      own,
      expansions,
    }
  })
  const all = found.flatMap(({ terms }) => terms)
  return {
    tokens: found,
    terms: all,
    selective: toAffordable(all, present.size / SELECTIVE_SHARE),
    weight: found.reduce((sum, { weight }) => sum + weight, 0),
    embedding: semantic?.embedQuery(toEmbedded(intent, semantic)),
    compared: Math.min(MAX_COMPARED_WORDS, found.filter(({ word }) => word !== undefined).length),
    isKnown: found.some(
      ({ token, terms, word }) => terms.length > 0 || word?.isKnown || intent.equivalents.has(token),
    ),
  }
}

/** Returns the subject with one expansion of each word whose meaning the embedding does not know. */
function toEmbedded(intent: Intent, semantic: SemanticIndex): string {
  if (intent.equivalents.size === 0) return intent.subject
  const added = intent.contentTokens.flatMap(token =>
    (intent.equivalents.get(token) ?? []).flatMap(({ written, others }) =>
      others.filter(other => !semantic.areSimilar(written, other)).slice(-1),
    ),
  )
  return added.length === 0 ? intent.subject : `${intent.subject} ${[...new Set(added)].join(' ')}`
}

const toWhole = (weight: number): number => Math.max(1, Math.round(weight))

/** How many entries are retrieved by words and by vectors each. */
const RETRIEVED = 30
/** At least this many candidates are of each preferred kind, if there are as many. */
const MIN_PREFERRED = 10
/** So many of one seller are reranked before others. */
const MAX_OF_SELLER = 2 * MAX_ALIKE

/** With fewer matches than ENOUGH, weak ones follow them, up to MAX_WITH_WEAK in all; none for unknown words alone. */
const ENOUGH = 3
const MAX_WITH_WEAK = 10

/**
 * What speaks for an entry: the cosine of the whole, that of the words, and how many words there are, since the longer a request, the less
 * of it any entry has. `npm run eval -- --weak` shows what other values would mark.
 */
const MAX_SIM_EVIDENCE = 0.5
const WORD_EVIDENCE = 0.06
const MAX_EVIDENT_WORDS = 12
const MIN_EVIDENCE = 0.66
/** An entry with so much of the words needs no meaning. */
const MIN_LITERAL = 0.5
/** If none of so many that match best is evident, nothing fits the request, whatever words they share with it. */
const MAX_TELLING = 3

export const evidenceOf = ({ parts: { cosine, maxSim } }: Pick<IntentHit, 'parts'>, words: number): number =>
  cosine + MAX_SIM_EVIDENCE * maxSim + WORD_EVIDENCE * Math.min(words, MAX_EVIDENT_WORDS)

const isEvident = (hit: IntentHit, { tokens, embedding }: PreparedQuery): boolean =>
  hit.parts.bm25 >= MIN_LITERAL || embedding === undefined || evidenceOf(hit, tokens.length) >= MIN_EVIDENCE

/** What ranking depends on. */
export type IntentRanking = QueryParts &
  Reranker & {
    /** Returns the entries with the highest sums of weight · impact, best first, and how many accepted ones have any of the terms. */
    best(
      terms: readonly TermPostings[],
      count: number,
      order: SlotOrder,
      accept: SlotTest | undefined,
    ): { readonly hits: readonly { readonly slot: number; readonly key: number }[]; readonly total: number }
  }

export type IntentOptions = {
  readonly accept?: SlotTest | undefined
  readonly prior?: Prior | undefined
  /** All entries that pass, when they are few. */
  readonly among?: readonly number[] | undefined
  /** Kinds of entries that always have candidates, however many others match; the last is the one that is trusted most. */
  readonly preferred?: readonly SlotTest[] | undefined
  /** Returns numbers of which entries of one seller have one in common. */
  readonly sellerOf?: ((slot: number) => readonly number[]) | undefined
}

/** Retrieved entries with their scores before reranking, 0 to 1. */
type Retrieved = {
  readonly slots: readonly number[]
  readonly bm25s: readonly number[]
  readonly cosines: ArrayLike<number>
  /** How many accepted entries have any of the words. */
  readonly total: number
}

/** Ranks entries for an intent, best first. */
export function rankIntentHits(
  ranking: IntentRanking,
  intent: Intent,
  count: number,
  order: SlotOrder,
  options: IntentOptions,
): IntentHits {
  const { accept, among, preferred = [], sellerOf } = options
  if (intent.contentTokens.length === 0) return rankByFilter(ranking, intent, count, order, options)
  const query = prepareQuery(ranking, intent, preferred.at(-1))
  const depth = Math.max(RETRIEVED, count)
  let retrieved = among
    ? scoreAll(ranking, query, among)
    : retrieveWith(ranking, query, depth, order, options)
  // Where few have its words, they must not be crowded out by what stands well and has none of them.
  const worded = new Set(retrieved.slots.filter((_, i) => retrieved.bm25s[i]! > 0))
  const chosen =
    worded.size <= MIN_PREFERRED
      ? { ...options, preferred: [...preferred, (slot: number) => worded.has(slot)] }
      : options
  let selected = select(retrieved, count, order, chosen)
  if (!among && selected.crowds.size > 0) {
    // Others than the sellers with too many entries may not have been retrieved.
    const isOther: SlotTest = slot =>
      !sellerOf!(slot).some(seller => selected.crowds.has(seller)) && (!accept || accept(slot))
    retrieved = merge(retrieved, retrieve(ranking, query, depth, order, isOther))
    selected = select(retrieved, count, order, chosen)
  }
  const ranked = rerank(ranking, intent, query, selected.candidates, order)
  // By relevance: what stands well and does not fit must not speak for what fits and comes last, such as samples.
  const best = ranked.toSorted((a, b) => b.parts.relevance - a.parts.relevance).slice(0, MAX_TELLING)
  const isFound = best.some(hit => isEvident(hit, query))
  const fits = (hit: IntentHit) => isFound && (hit.parts.bm25 > 0 || isEvident(hit, query))
  const hits = ranked.filter(fits).slice(0, count)
  const similar = ranked.filter(hit => hit.parts.bm25 === 0 && fits(hit)).length
  const total = hits.length === 0 ? 0 : retrieved.total + similar
  const missing = Math.min(count, MAX_WITH_WEAK) - hits.length
  const candidates = retrieved.slots
  if (hits.length >= ENOUGH || missing <= 0 || !query.isKnown) return { hits, total, candidates }
  // The order must agree with the scores.
  const maxWeakScore = hits.at(-1)?.score ?? 1
  const weak = ranked
    .filter(hit => !fits(hit))
    .slice(0, missing)
    .map(hit => ({ ...hit, score: Math.min(hit.score, maxWeakScore), isWeak: true as const }))
  return { hits: [...hits, ...weak], total, candidates }
}

/** The best by BM25 and the best by cosine, without duplicates. */
function retrieve(
  { semantic, best }: IntentRanking,
  { terms, selective, weight, embedding }: PreparedQuery,
  depth: number,
  order: SlotOrder,
  accept: SlotTest | undefined,
): Retrieved {
  const { hits, total } = best(selective, depth, order, accept)
  const nearest = embedding && semantic?.nearest(embedding, depth, order, accept)
  const scores = new Map(hits.map(({ slot, key }) => [slot, key]))
  const isAll = selective.length === terms.length
  const known = new Set(nearest?.slots)
  const others = hits.flatMap(({ slot }) => (known.has(slot) ? [] : [slot]))
  const slots = [...(nearest?.slots ?? []), ...others]
  return {
    slots,
    bm25s: slots.map(
      slot => ((isAll ? scores.get(slot) : undefined) ?? scoreOf(terms, slot)) / (MAX_IMPACT * weight),
    ),
    cosines: nearest
      ? [...nearest.cosines, ...semantic!.cosines(embedding!, others)]
      : new Float64Array(slots.length),
    total,
  }
}

/** Adds the best entries of a preferred kind when few of them are among the candidates. */
function retrieveWith(
  ranking: IntentRanking,
  query: PreparedQuery,
  depth: number,
  order: SlotOrder,
  { accept, preferred = [] }: IntentOptions,
): Retrieved {
  let all = retrieve(ranking, query, depth, order, accept)
  if (all.slots.length < depth) return all
  for (const isPreferred of preferred) {
    if (all.slots.filter(isPreferred).length >= MIN_PREFERRED) continue
    all = merge(all, retrieve(ranking, query, MIN_PREFERRED, order, isPreferred))
  }
  return all
}

/** Adds further entries without duplicates. */
function merge(first: Retrieved, more: Retrieved): Retrieved {
  const known = new Set(first.slots)
  const added = [...more.slots.keys()].filter(i => !known.has(more.slots[i]!))
  return {
    slots: [...first.slots, ...added.map(i => more.slots[i]!)],
    bm25s: [...first.bm25s, ...added.map(i => more.bm25s[i]!)],
    cosines: [...Array.from(first.cosines), ...added.map(i => more.cosines[i]!)],
    total: first.total,
  }
}

/** When few entries pass the filters, all of them are candidates. */
function scoreAll(
  { semantic }: IntentRanking,
  { terms, weight, embedding }: PreparedQuery,
  slots: readonly number[],
): Retrieved {
  const bm25s = slots.map(slot => scoreOf(terms, slot) / (MAX_IMPACT * weight))
  const cosines = semantic && embedding ? semantic.cosines(embedding, slots) : new Float64Array(slots.length)
  return { slots, bm25s, cosines, total: bm25s.filter(bm25 => bm25 > 0).length }
}

/** Returns what has a word or is near, with its score before reranking. */
function toCandidates(
  { slots, bm25s, cosines }: Retrieved,
  prior: Prior,
): (Candidate & { readonly score: number })[] {
  const candidates: (Candidate & { readonly score: number })[] = []
  for (let i = 0; i < slots.length; i++) {
    const [slot, bm25, cosine] = [slots[i]!, bm25s[i]!, cosines[i]!]
    if (bm25 === 0 && cosine < MIN_COSINE) continue
    const weight: PriorWeight = prior(slot)
    candidates.push({
      slot,
      bm25,
      cosine,
      prior: weight,
      score: weighed(fuse(bm25, cosine, cosine, true), weight),
    })
  }
  return candidates
}

/**
 * Returns the candidates that are reranked: the best k, those of a seller with many entries only if there is room, and the best of each
 * preferred kind, since an entry in another language is only known to match after reranking. `crowds` are the keys of sellers that left
 * no room for others.
 */
function select(
  retrieved: Retrieved,
  k: number,
  order: SlotOrder,
  { prior = () => NO_PRIOR, preferred = [], sellerOf }: IntentOptions,
): { readonly candidates: readonly Candidate[]; readonly crowds: ReadonlySet<number> } {
  const sorted = toCandidates(retrieved, prior).sort((a, b) => b.score - a.score || order(a.slot, b.slot))
  const crowds = new Set<number>()
  if (sorted.length <= k) return { candidates: sorted, crowds }
  const chosen = new Set<Candidate>()
  const counts = new Map<number, number>()
  for (const candidate of sorted) {
    if (chosen.size >= k) break
    const sellers = sellerOf?.(candidate.slot) ?? []
    const crowding = sellers.filter(seller => (counts.get(seller) ?? 0) >= MAX_OF_SELLER)
    for (const seller of crowding) crowds.add(seller)
    if (crowding.length > 0) continue
    for (const seller of sellers) counts.set(seller, (counts.get(seller) ?? 0) + 1)
    chosen.add(candidate)
  }
  if (chosen.size >= k) crowds.clear()
  for (const candidate of sorted) if (chosen.size < k) chosen.add(candidate)
  for (const isPreferred of preferred) {
    const ofKind = sorted.filter(({ slot }) => isPreferred(slot))
    for (const candidate of ofKind.slice(0, MIN_PREFERRED)) chosen.add(candidate)
  }
  return { candidates: [...chosen], crowds }
}

/** Without a content word, the constraints select the entries, and wishes and ties decide their order. */
function rankByFilter(
  { present }: IntentRanking,
  intent: Intent,
  count: number,
  order: SlotOrder,
  { accept, prior = () => NO_PRIOR, among }: IntentOptions,
): IntentHits {
  if (Object.keys(intent.filter).length === 0 && intent.wishes.length === 0) return { hits: [], total: 0 }
  const top = new TopK(count, order)
  const wished = intent.wishes.length > 0
  let total = 0
  present.each(slot => {
    if (accept !== undefined && !accept(slot)) return
    total++
    if (!among) top.collect(wished ? prior(slot).factor : 1, slot)
  })
  for (const slot of among ?? []) top.collect(wished ? prior(slot).factor : 1, slot)
  const matched = new Set(intent.constraintTokens)
  const matchedTokens = intent.tokens.filter(token => matched.has(token))
  const hits = top.sorted().map(({ slot, key }) => ({
    slot,
    score: 1,
    matchedTokens,
    similarWords: NO_SIMILAR_WORDS,
    parts: { bm25: 1, cosine: 0, maxSim: 0, relevance: 1, words: 1, prior: { factor: key, limit: 1 } },
  }))
  return { hits, total: hits.length === 0 ? 0 : total }
}
