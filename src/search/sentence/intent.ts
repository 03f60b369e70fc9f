// What was understood of a sentence.
import type { Constraints, Wish } from '../../domain/queries/answers.ts'
import type { AppliedFilters, ConstraintName } from '../../domain/queries/filters.ts'
import type { Equivalent } from '../text/equivalents.ts'
import type { Language } from '../text/languages/language.ts'

export type Intent = {
  /** As received. */
  readonly query: string
  /** The language of the answer. */
  readonly language: Language
  /** Content words: NFKC, lower-case, not stemmed, in order, without duplicates. */
  readonly tokens: readonly string[]
  /** The tokens that count for relevance. */
  readonly contentTokens: readonly string[]
  /** The tokens of the applied constraints: every entry that passes matches them. */
  readonly constraintTokens: readonly string[]
  /** The same by constraint. */
  readonly constraintWords: readonly ConstraintWords[]
  /** The words inside tokens that are written like code: getTokenPrice. */
  readonly pieces: ReadonlyMap<string, readonly string[]>
  /** The equivalents of tokens that have any. */
  readonly equivalents: ReadonlyMap<string, readonly Equivalent[]>
  /** The sentence without constraints and wishes. */
  readonly subject: string
  /** The steps of a request; empty for a request of one step. */
  readonly steps: readonly Step[]
  readonly filter: AppliedFilters
  readonly constraints: Constraints
  /** What is excluded from the results. */
  readonly excluded: ExcludedEntries
  /** What changes the order without excluding anything. */
  readonly wishes: readonly Wish[]
}

/** One step of a request. */
export type Step = Pick<Intent, 'tokens' | 'contentTokens' | 'subject' | 'pieces' | 'equivalents'> & {
  readonly text: string
}

export type ExcludedEntries = {
  /** Excludes entries that have all words of one of these. */
  readonly words: readonly (readonly string[])[]
  /** Excludes entries that have all words of an equivalent of these. */
  readonly others: readonly (readonly string[])[]
  /** Excludes entries that are paid on one of these. */
  readonly chains: readonly string[]
}

export const NOTHING_EXCLUDED: ExcludedEntries = { words: [], others: [], chains: [] }

export type ConstraintWords = {
  readonly keys: readonly ConstraintName[]
  readonly tokens: readonly string[]
}

/** Returns the tokens of the constraints, without those of the constraints in `left`. */
export const toConstraintTokens = (
  words: readonly ConstraintWords[],
  left: readonly ConstraintName[] = [],
): string[] => [
  ...new Set(words.flatMap(({ keys, tokens }) => (keys.some(key => left.includes(key)) ? [] : tokens))),
]
