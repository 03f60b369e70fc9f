// The expansions of the words of a sentence: what is searched in addition to a word or instead of it. Also finds words that
// only describe content.
import type { SemanticIndex } from '../embedding/semantic-index.ts'
import type { Intent } from '../sentence/intent.ts'
import type { TermPostings } from '../topk/evaluate.ts'
import type { QueryTerms } from '../topk/query-terms.ts'

export type ExpandedToken = {
  /** The postings of the token itself. */
  readonly own: readonly TermPostings[]
  readonly others: readonly { readonly words: string; readonly terms: readonly TermPostings[] }[]
}

/** Equivalents that the embedding does not know as such; those that it knows are found by cosine. */
export const toUnknown = (
  { equivalents }: Intent,
  token: string,
  semantic: SemanticIndex | undefined,
): string[] =>
  (equivalents.get(token) ?? []).flatMap(({ written, others }) =>
    others.filter(other => !semantic?.areSimilar(written, other)),
  )

/** Returns whether a token occurs only in asides. */
export function isAside({ asides, subject }: Intent, token: string): boolean {
  if (!asides.some(aside => aside.toLowerCase().includes(token))) return false
  return !withoutAsides(subject, asides).toLowerCase().includes(token)
}

export function withoutAsides(text: string, stretches: readonly string[]): string {
  return stretches.reduce((rest, stretch) => rest.replace(stretch, ' '), text)
}

export const isName = ({ equivalents }: Intent, token: string): boolean =>
  equivalents.get(token)?.some(({ name }) => name) ?? false

/** Returns whether a token is itself a word of the lexicon. */
export const isSpelt = ({ equivalents }: Intent, token: string): boolean =>
  equivalents.get(token)?.some(({ written, others }) => written === token && others.length > 0) ?? false

/**
 * Returns what is searched in addition to a token. The kind of a name is left out when the query consists of names only.
 * @param words of how many words: one word is a kind of what is searched, several mean it only together (crypto taxes)
 */
export function toAlso(intent: Intent, token: string, words?: 'one' | 'several'): string[] {
  const equivalents = (intent.equivalents.get(token) ?? []).filter(
    ({ also = [], written }) =>
      also.length > 0 && (words === undefined || (words === 'one') === isOneWord(intent, written)),
  )
  if (equivalents.length === 0) return []
  const isNamesOnly = intent.contentTokens.every(each => isName(intent, each))
  return equivalents.flatMap(({ also = [], name }) => (name && isNamesOnly ? [] : also))
}

const isOneWord = ({ contentTokens }: Intent, written: string): boolean =>
  contentTokens.filter(token => written.includes(token)).length < 2

/** Returns what is searched instead of a token. A compound of the lexicon is one word: 郵便 is not half of 郵便番号, but mail. */
export const toInstead = (intent: Intent, token: string): string[] =>
  (intent.equivalents.get(token) ?? []).flatMap(({ written, others, instead = [], isReading, name }) =>
    others.length > 0 && !isReading && !name && !isOneWord(intent, written)
      ? [...instead, written, ...others]
      : instead,
  )

/** Returns all that is searched in addition to a token or instead of it. */
export const toPhrases = (intent: Intent, token: string, queryTerms: QueryTerms): string[] =>
  intent.equivalents.has(token)
    ? [
        ...toInstead(intent, token),
        ...(queryTerms.isKnown(token) ? [] : toOthers(intent, token)),
        ...toAlso(intent, token),
      ]
    : []

export function toExpansion(
  intent: Intent,
  token: string,
  phrases: readonly string[],
  queryTerms: QueryTerms,
): ExpandedToken | undefined {
  if (phrases.length === 0) return undefined
  // A name is the same in every language.
  const names = (intent.equivalents.get(token) ?? []).flatMap(({ name, others }) => (name ? others : []))
  const others = phrases.flatMap(words => {
    const terms = queryTerms.exact(words)
    return terms ? [{ words, terms }] : []
  })
  return { own: [token, ...names].flatMap(word => queryTerms.exact(word) ?? []), others }
}

/** Returns all equivalents of a token that no entry has. Names are matched by their own words only. */
export const toOthers = (intent: Intent, token: string): string[] =>
  (intent.equivalents.get(token) ?? []).flatMap(({ others, name }) => (name ? [] : others))
