// The form in which a language says how constraints are told in a sentence: patterns, and what a match of each asks for.
import type { Wish } from '../../../domain/answers.ts'
import type { Chain } from '../../../domain/chains.ts'
import type { AppliedFilters, ConstraintName } from '../../../domain/filters.ts'
import type { Status } from '../../../domain/standing.ts'
import { toPairBit } from '../pairs-of-units.ts'

/** Why something that was read is not applied. */
export type UnappliedCode =
  | 'chain_as_subject'
  | 'lowest_price'
  | 'price_of_something_else'
  | 'unknown_category'
  | 'measure'
  | 'second_of_a_kind'
  | 'negated'
  | 'undecidable'
  | 'speed'

/** As an answer echoes a constraint. */
export type Echo = string | true | readonly string[]

/** What is left out: entries that have all of these words, entries that are paid on one of these chains. */
export type Excluded = { readonly words?: string; readonly chains?: readonly string[] }

/** What a match of a pattern asks for. */
export type FoundConstraint = {
  readonly filter?: AppliedFilters
  /** As echoed in the answer. */
  readonly echo?: Partial<Readonly<Record<ConstraintName, Echo>>>
  readonly excluded?: Excluded
  readonly wish?: Wish
  /** Why it is not applied. `name`: what it is about, where the words of the reason say it. */
  readonly unapplied?: { readonly code: UnappliedCode; readonly name?: string }
  /** Of what is applied, how much from its beginning on is not: the lower end of a range. */
  readonly lowerEnd?: string
  /** Where the reading is longer or shorter than the match of its pattern. */
  readonly start?: number
  readonly end?: number
}

/** One constraint as it was read, and where it stands in the sentence. */
export type Reading = FoundConstraint & { readonly start: number; readonly end: number }

/** The sentence with ASCII capitals lowered, so that every position is the same in both. */
export type Sentence = { readonly text: string; readonly lower: string }

/** A pattern and what stands wherever it matches, one of several: most sentences need not be searched for it. */
export type Pattern = RegExp & { readonly hints?: readonly Hint[]; readonly isBeyondAscii?: true }

/** `pair` is the bit of its first two units; absent where it has one alone. */
export type Hint = { readonly text: string; readonly pair?: number }

/** A hint that stands for any of them. */
export const DIGITS = '0…9'

/** `pattern` is global and reads the lowered sentence. */
export const hinted = (hints: string, pattern: RegExp): Pattern =>
  Object.assign(pattern, {
    hints: hints
      .split('|')
      .map(
        (text): Hint => (text.length > 1 && text !== DIGITS ? { text, pair: toPairBit(text, 0) } : { text }),
      ),
  })

/** A pattern that holds characters beyond ASCII wherever it matches. */
export const beyondAscii = (hints: string, pattern: RegExp): Pattern =>
  Object.assign(hinted(hints, pattern), { isBeyondAscii: true as const })

/** What a match of a pattern says; undefined leaves the words to the subject. `earlier` was read by the rules before. */
export type Rule = {
  readonly pattern: Pattern
  readonly handle: (
    match: RegExpExecArray,
    sentence: Sentence,
    earlier: readonly Reading[],
  ) => FoundConstraint | undefined
}

/** Rules of which the longer reading wins. */
export type Reader = readonly Rule[]

/** The rules of a language, by what they are about. */
export type ConstraintRules = {
  readonly price?: Reader
  readonly currency?: Reader
  /** Figures that services cannot be filtered by. */
  readonly measure?: Reader
  readonly status?: Reader
  readonly free?: Reader
  readonly category?: Reader
  readonly wish?: Reader
  readonly chain?: Reader
  /** What is a constraint because another stands before it. */
  readonly listed?: Reader
  /** What is to be left out, and what a service shall do without. */
  readonly exclusion?: Reader
}

export type BoundOptions = {
  /** The price must be less. */
  readonly below?: boolean
  /** It is said that the sum is for one request. */
  readonly each?: boolean
  /** The sentence, which tells whether the sum is that of something else. */
  readonly sentence: Sentence
}

export type Groups = Readonly<Record<string, string | undefined>>

/** What the languages share, put together from the words of each. */
export type SharedRules = {
  /** The source of a pattern that matches a sum of money; its groups go to `toBound`. */
  readonly sum: string
  /** The source of a pattern that matches a unit of money. */
  readonly unit: string
  /** The source of a pattern that matches a number in digits. */
  readonly number: string
  /** The source of a pattern that matches what may follow a sum: per request. */
  readonly each: string
  readonly saysEach: (text: string) => boolean
  readonly toBound: (groups: Groups, options: BoundOptions) => FoundConstraint | undefined
  readonly toCurrency: (unit: string) => FoundConstraint
  /** The source of a pattern that matches the id of a known category, or what a language calls it. */
  readonly categoryName: string
  readonly toCategory: (name: string) => FoundConstraint | undefined
}

const always = (found: FoundConstraint, patterns: readonly Pattern[]): Reader =>
  patterns.map(pattern => ({ pattern, handle: () => found }))

export const asksStatus = (status: Status, ...patterns: readonly Pattern[]): Reader =>
  always({ filter: { status }, echo: { status } }, patterns)

/** quota: a free quota is wanted; any: free of charge will do as well. */
export const asksFree = (freeQuota: 'quota' | 'any', ...patterns: readonly Pattern[]): Reader =>
  always({ filter: { freeQuota }, echo: { freeQuota: true } }, patterns)

export const wishes = (wish: Wish, ...patterns: readonly Pattern[]): Reader => always({ wish }, patterns)

export const isNotApplied = (code: UnappliedCode, ...patterns: readonly Pattern[]): Reader =>
  always({ unapplied: { code } }, patterns)

/** The patterns have a group `unit`. */
export const asksCurrency = (
  { toCurrency }: Pick<SharedRules, 'toCurrency'>,
  ...patterns: readonly Pattern[]
): Reader => patterns.map(pattern => ({ pattern, handle: ({ groups }) => toCurrency(groups!.unit!) }))

/** The patterns have a group `name`; what is no known category is left to the subject. */
export const asksCategory = (
  { toCategory }: Pick<SharedRules, 'toCategory'>,
  ...patterns: readonly Pattern[]
): Reader => patterns.map(pattern => ({ pattern, handle: ({ groups }) => toCategory(groups!.name!) }))

/** Any of the chains will do. */
export function asksChain(...chains: readonly [Chain, ...Chain[]]): FoundConstraint {
  const names = [...new Set(chains.map(({ name }) => name))]
  const chain = names.length === 1 ? names[0]! : names
  return { filter: { chain }, echo: { chain } }
}

export const leavesOutChain = (...chains: readonly Chain[]): FoundConstraint => ({
  excluded: { chains: [...new Set(chains.map(({ name }) => name))] },
})
