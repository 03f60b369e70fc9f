// Prepares an intent for ranking: the postings, the embedding and the weight of each word, and what is searched in addition to it.

import type { SlotSet } from '../../memory/bitset.ts'
import type { EmbeddedWord } from '../embedding/model.ts'
import type { QueryEmbedding, SemanticIndex } from '../embedding/semantic-index.ts'
import type { Intent } from '../sentence/intent.ts'
import type { Language } from '../text/languages/language.ts'
import type { Languages } from '../text/languages/languages.ts'
import type { Accept, TermPostings } from '../topk/evaluate.ts'
import { createExpansionBudget, type QueryTerms, toAffordable, toIdf } from '../topk/query-terms.ts'

/** A word that the embedding knows is not a typo, so it is only expanded to terms of at least this similarity. */
const MIN_LIKE = 0.45
/** The exponent of the length of a word's vector, a learned term weight that multiplies the IDF. */
const EMPHASIS = 0.4
const UNKNOWN_LENGTH = 1.2
const MAX_COMPARED_WORDS = 24
/** The weight of a number, and of a name: flights from Lisbon. They say less about a service than the other words. */
const QUANTITY_WEIGHT = 0.4
const NAME_WEIGHT = 0.4

export type Token = {
  readonly token: string
  readonly language: Language
  /** The postings that it is searched by, those of its expansions included. */
  readonly terms: readonly TermPostings[]
  /** The share of the query's weight. */
  readonly share: number
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

/** What preparing a query depends on. */
export type QueryParts = {
  readonly queryTerms: QueryTerms
  readonly present: SlotSet
  readonly semantic: SemanticIndex | undefined
  readonly languages: Languages
}

/** Returns the words and phrases that are equivalent to a token, and those of what it is a kind of. */
function toExpansions({ equivalents }: Intent, token: string): { others: string[]; kinds: string[] } {
  const found = equivalents.get(token) ?? []
  return {
    others: [...new Set(found.flatMap(({ others }) => others))],
    kinds: [...new Set(found.flatMap(({ also = [] }) => also))],
  }
}

export function prepareQuery(
  { queryTerms, present, semantic, languages }: QueryParts,
  intent: Intent,
  preferred?: Accept,
): PreparedQuery {
  const budget = createExpansionBudget(present.size)
  // A token without postings gets the highest IDF: an entry without it cannot match fully.
  const rarest = toIdf(present.size, 0)
  let total = 0
  const found = intent.contentTokens.map((token, i) => {
    const word = semantic?.embedWord(token)
    const language = languages.ofWord(token)
    const isName = intent.equivalents.get(token)?.some(each => each.isName)
    const factor = isName ? NAME_WEIGHT : language.sentence.isQuantity?.(token) ? QUANTITY_WEIGHT : 1
    const emphasis =
      factor * (word === undefined ? 1 : (word.isKnown ? word.length : UNKNOWN_LENGTH) ** EMPHASIS)
    const { others, kinds } = toExpansions(intent, token)
    const terms: TermPostings[] = []
    let weight = 0
    for (const written of queryTerms.words(asWritten(intent, token, queryTerms), neighboursOf(intent, i))) {
      const term = queryTerms.resolve(written, {
        budget,
        cautious: true,
        isLike: word?.isKnown ? (term: string) => semantic!.similarity(token, term) >= MIN_LIKE : undefined,
        preferred,
        isSpelt: others.length > 0,
        equivalents: others,
        kinds,
      })
      if (term === undefined) continue
      const emphasised = toWhole(term.weight * emphasis)
      weight += emphasised
      terms.push({ ...term, weight: emphasised })
    }
    if (terms.length === 0) weight = toWhole(rarest * emphasis)
    total += weight
    const expansions = [...others, ...kinds].flatMap(words => {
      const terms = queryTerms.exact(words)
      return terms ? [{ words, terms }] : []
    })
    const own = expansions.length === 0 ? [] : (queryTerms.exact(token) ?? [])
    return {
      token,
      language,
      terms,
      share: weight,
      word,
      emphasis: factor * (word?.length ?? 0),
      own,
      expansions,
    }
  })
  const all = found.flatMap(({ terms }) => terms)
  return {
    tokens: found.map(each => ({ ...each, share: each.share / total })),
    terms: all,
    selective: toAffordable(all, present.size),
    weight: total,
    embedding: semantic?.embedQuery(toEmbedded(intent, semantic)),
    compared: Math.min(MAX_COMPARED_WORDS, found.filter(({ word }) => word !== undefined).length),
    isKnown: found.some(
      ({ token, terms, word }) => terms.length > 0 || word?.isKnown || intent.equivalents.has(token),
    ),
  }
}

/** Returns the pieces of a word of code that no entry has: getTokenPrice. */
const asWritten = ({ pieces }: Intent, token: string, queryTerms: QueryTerms): string => {
  const parts = pieces.get(token)
  return parts === undefined || queryTerms.isKnown(token) ? token : parts.join(' ')
}

const neighboursOf = ({ contentTokens }: Intent, i: number) => ({
  before: contentTokens[i - 1],
  after: contentTokens[i + 1],
})

/** Returns the subject with one expansion of each word whose meaning the embedding does not know. */
function toEmbedded(intent: Intent, semantic: SemanticIndex): string {
  if (intent.equivalents.size === 0) return intent.subject
  const added = intent.contentTokens.flatMap(token =>
    (intent.equivalents.get(token) ?? []).flatMap(({ written, others, also = [] }) => [
      ...others.filter(other => !semantic.areSimilar(written, other)).slice(-1),
      ...also.slice(0, 1),
    ]),
  )
  return added.length === 0 ? intent.subject : `${intent.subject} ${[...new Set(added)].join(' ')}`
}

const toWhole = (weight: number): number => Math.max(1, Math.round(weight))
