// Prepares an intent for ranking: the postings, the embedding and the weight of each word.

import type { SlotSet } from '../../memory/bitset.ts'
import type { EmbeddedWord } from '../embedding/model.ts'
import type { QueryEmbedding, SemanticIndex } from '../embedding/semantic-index.ts'
import type { Intent } from '../sentence/intent.ts'
import type { Language } from '../text/languages/language.ts'
import type { Languages } from '../text/languages/languages.ts'
import type { Accept, TermPostings } from '../topk/evaluate.ts'
import { createExpansionBudget } from '../topk/expansion-budget.ts'
import { toAffordable } from '../topk/keyword-terms.ts'
import { type QueryTerms, toIdf } from '../topk/query-terms.ts'
import {
  type ExpandedToken,
  isAside,
  isName,
  isSpelt,
  toAlso,
  toExpansion,
  toInstead,
  toOthers,
  toPhrases,
  toUnknown,
  withoutAsides,
} from './expansions.ts'

/** A word that the embedding knows is not a typo, so it is only expanded to terms of at least this similarity. */
const MIN_LIKE = 0.3
/** The exponent of the length of a word's vector, a learned term weight that multiplies the IDF. */
const EMPHASIS = 0.4
const UNKNOWN_LENGTH = 1.2
const MAX_COMPARED_WORDS = 24
/** The weight of a name, which says less about the service than the other words: flights from Lisbon. */
const NAME_WEIGHT = 0.4
/** The weight of the language that something is in: captions in Portuguese. */
const LANGUAGE_WEIGHT = 0.6
/** The weight of a word that only describes the content of a message, a reminder or a picture. */
const ASIDE_WEIGHT = 0.4

export type Token = {
  readonly token: string
  readonly terms: readonly TermPostings[]
  readonly word: EmbeddedWord | undefined
  readonly isName: boolean
  /** Its weight in MaxSim. */
  readonly emphasis: number
  /** What is searched in addition to the token or instead of it. An entry without the token itself matches by this. */
  readonly expansion?: ExpandedToken | undefined
}

/** A query with its terms, their weights and its embedding. */
export type PreparedQuery = {
  readonly tokens: readonly Token[]
  readonly terms: readonly TermPostings[]
  /** The terms that candidates are retrieved by. */
  readonly selective: readonly TermPostings[]
  readonly weight: number
  /** For entries in each of the languages: the share of the query's weight that is in another language. */
  readonly foreign: readonly number[]
  readonly embedding: QueryEmbedding | undefined
  /** The tokens that are compared word by word. */
  readonly compared: readonly Token[]
  /** Whether the catalog, the embedding or a table of equivalents knows any of the words: otherwise vectors are noise. */
  readonly isKnown: boolean
}

/** What preparing a query depends on. */
export type QueryParts = {
  readonly queryTerms: QueryTerms
  readonly present: SlotSet
  readonly semantic: SemanticIndex | undefined
  readonly languages: Languages
}

export function prepareQuery(
  { queryTerms, present, semantic, languages }: QueryParts,
  intent: Intent,
  preferred?: Accept,
): PreparedQuery {
  const budget = createExpansionBudget(present.size)
  // A token without postings gets the highest IDF: an entry without it cannot match fully.
  const rarest = toIdf(present.size, 0)
  const all: TermPostings[] = []
  let total = 0
  const byLanguage = new Map<Language, number>()
  // Most services are in the first language. Where one token of another is searched in every language, the others are too:
  // otherwise it alone would decide among those services.
  const phrasesOf = intent.contentTokens.map(token => toPhrases(intent, token, queryTerms))
  const unknownOf = intent.contentTokens.map(token => toUnknown(intent, token, semantic))
  const isExpanded = phrasesOf.some(phrases => phrases.length > 0)
  const tokens = intent.contentTokens.map((token, i): Token => {
    const word = semantic?.embedWord(token)
    const language = languages.ofWord(token)
    const isNamed = isName(intent, token) || language.sentence.isQuantity?.(token)
    const isLanguage = language.sentence.isLanguageOf?.(token, intent.subject)
    const share =
      (isNamed ? NAME_WEIGHT : isLanguage ? LANGUAGE_WEIGHT : 1) * (isAside(intent, token) ? ASIDE_WEIGHT : 1)
    const emphasis =
      share * (word === undefined ? 1 : (word.isKnown ? word.length : UNKNOWN_LENGTH) ** EMPHASIS)
    const isWidened = (isExpanded && language !== languages.all[0]) || !queryTerms.isKnown(token)
    const others = isWidened ? toOthers(intent, token) : []
    const phrases = others.length === 0 ? phrasesOf[i]! : [...new Set([...phrasesOf[i]!, ...others])]
    const first = all.length
    let weight = 0
    for (const written of queryTerms.words(asWritten(intent, token, queryTerms), neighboursOf(intent, i))) {
      const term = queryTerms.resolve(written, {
        budget,
        cautious: true,
        isLike: word?.isKnown ? (term: string) => semantic!.similarity(token, term) >= MIN_LIKE : undefined,
        preferred,
        isSpelt: isSpelt(intent, token),
        equivalents: intent.equivalents.has(token)
          ? [...unknownOf[i]!, ...others, ...toAlso(intent, token, 'several')]
          : [],
        kinds: toAlso(intent, token, 'one'),
        instead: toInstead(intent, token),
      })
      if (term === undefined) continue
      const { slots, impacts, start, count } = term
      const emphasised = toWhole(term.weight * emphasis)
      weight += emphasised
      all.push({ slots, impacts, start, count, weight: emphasised })
    }
    if (all.length === first) weight = toWhole(rarest * emphasis)
    total += weight
    // Equivalents are searched in every language, so the token is not foreign to any.
    for (const each of phrases.length > 0 ? languages.all : [language])
      byLanguage.set(each, (byLanguage.get(each) ?? 0) + weight)
    return {
      token,
      terms: all.slice(first),
      word,
      emphasis: share * (word?.length ?? 0),
      isName: isName(intent, token),
      expansion: toExpansion(intent, token, phrases, queryTerms),
    }
  })
  return {
    tokens,
    terms: all,
    selective: toAffordable(all, present.size),
    weight: total,
    foreign: languages.all.map(language => (total - (byLanguage.get(language) ?? 0)) / total),
    embedding: semantic?.embedQuery(withUnknown(intent, unknownOf)),
    compared: tokens.filter(({ word }) => word !== undefined).slice(0, MAX_COMPARED_WORDS),
    isKnown: tokens.some(
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

/**
 * Returns the subject with one equivalent of each word that the embedding does not know.
 * @param unknownOf the equivalents of each token that the embedding does not know as such
 */
function withUnknown(intent: Intent, unknownOf: readonly (readonly string[])[]): string {
  if (intent.equivalents.size === 0 && intent.asides.length === 0) return intent.subject
  const others = intent.contentTokens.flatMap((token, i) => [
    ...unknownOf[i]!.slice(-1),
    ...toAlso(intent, token).slice(0, 1),
  ])
  const placeless = withoutPlaces(intent)
  const isAll = intent.contentTokens.every(token => isAside(intent, token))
  const subject = withReplacements(isAll ? placeless : withoutAsides(placeless, intent.asides), intent)
  return others.length === 0 ? subject : `${subject} ${[...new Set(others)].join(' ')}`
}

/** Returns the text with replacements for the words that have any. */
function withReplacements(subject: string, { contentTokens, equivalents }: Intent): string {
  let text = subject
  for (const { written, instead } of new Set(contentTokens.flatMap(token => equivalents.get(token) ?? []))) {
    const at = instead ? text.toLowerCase().indexOf(written) : -1
    if (at >= 0)
      text = `${text.slice(0, at)} ${instead!.slice(0, 2).join(' ')} ${text.slice(at + written.length)}`
  }
  return text
}

/** Returns the subject without the places in it, unless it has nothing else: they say nothing about the task. */
function withoutPlaces({ subject, contentTokens, equivalents }: Intent): string {
  const placesOf = (token: string) => (equivalents.get(token) ?? []).filter(({ name }) => name === 'place')
  const places = contentTokens.map(placesOf)
  if (places.every(each => each.length > 0)) return subject
  let text = subject
  for (const { written } of places.flat()) {
    const at = text.toLowerCase().indexOf(written)
    if (at >= 0) text = `${text.slice(0, at)} ${text.slice(at + written.length)}`
  }
  return text
}

const toWhole = (weight: number): number => Math.max(1, Math.round(weight))
