// What is looked for beside a word of a sentence, or in its place, and which words only tell what something is about.
import type { SemanticIndex } from '../embedding/semantic-index.ts'
import type { Intent } from '../sentence/read-intent.ts'
import type { TermPostings } from '../topk/evaluation.ts'
import type { QueryTerms } from '../topk/query-terms.ts'

export type ExpandedToken = {
  /** The postings of the token itself. */
  readonly own: readonly TermPostings[]
  readonly others: readonly { readonly words: string; readonly terms: readonly TermPostings[] }[]
}

/** What stands for a token and is unknown to the embedding as such: what it knows is compared by cosine. */
export const toUnknown = (
  { equivalents }: Intent,
  token: string,
  semantic: SemanticIndex | undefined,
): string[] =>
  (equivalents.get(token) ?? []).flatMap(({ written, others }) =>
    others.filter(other => !semantic?.areSimilar(written, other)),
  )

/** Whether a token stands in an aside and nowhere else. */
export function isAside({ asides, subject }: Intent, token: string): boolean {
  if (!asides.some(aside => aside.toLowerCase().includes(token))) return false
  return !withoutAsides(subject, asides).toLowerCase().includes(token)
}

export function withoutAsides(text: string, stretches: readonly string[]): string {
  return stretches.reduce((rest, stretch) => rest.replace(stretch, ' '), text)
}

export const isName = ({ equivalents }: Intent, token: string): boolean =>
  equivalents.get(token)?.some(({ name }) => name) ?? false

/** What is looked for beside a token. What a name is a kind of tells nothing where nothing but names is asked for. */
export function toAlso(intent: Intent, token: string): string[] {
  const equivalents = (intent.equivalents.get(token) ?? []).filter(({ also = [] }) => also.length > 0)
  if (equivalents.length === 0) return []
  const isNamesOnly = intent.contentTokens.every(each => isName(intent, each))
  return equivalents.flatMap(({ also = [], name }) => (name && isNamesOnly ? [] : also))
}

export const toInstead = ({ equivalents }: Intent, token: string): string[] =>
  (equivalents.get(token) ?? []).flatMap(({ instead = [] }) => instead)

/** All that is looked for beside a token or in its place. */
export const toPhrases = (intent: Intent, token: string, queryTerms: QueryTerms): string[] =>
  intent.equivalents.has(token)
    ? [
        ...toInstead(intent, token),
        ...(queryTerms.isKnown(token) ? [] : toOthers(intent, token)),
        ...toAlso(intent, token),
      ]
    : []

export function toStand(
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

/** All that stands for a token that no entry has; names are told by their own words alone. */
export const toOthers = (intent: Intent, token: string): string[] =>
  (intent.equivalents.get(token) ?? []).flatMap(({ others, name }) => (name ? [] : others))
