// The interface of a search language. Each has a folder here; languages.ts lists them.
import type { Wish } from '../../../domain/queries/queries.ts'
import type { Status } from '../../../domain/standing/standing.ts'
import type { DemotionCause } from '../../ranking/final-order.ts'
import type { LexiconEntry } from '../equivalents.ts'
import type { ConstraintRules, SharedRules, UnappliedCode } from './constraint-rules.ts'

/** A script without spaces between words. */
export type Unspaced = {
  readonly isOwn: (character: string) => boolean
  /** Returns the words of a run of such characters in order, without function words. */
  readonly segment: (run: string) => readonly string[]
}

/** How texts become terms. */
export type TextRules = {
  readonly unspaced?: Unspaced
  /** Returns the stem of a word, which is NFKC and lower-case. */
  toStem(word: string): string
  /** Returns further terms that a compound is indexed by. */
  toParts(stem: string): string[]
  /** Returns the two words that a compound can also be written as: geocoding, geo coding. */
  splitCompound?(word: string): readonly [string, string] | undefined
  /** Equivalent words, in this language and in others. */
  readonly lexicon?: readonly LexiconEntry[]
  /** Returns whether a character next to the edge of a word makes it part of a longer one. */
  continues?(word: string, edge: string, neighbour: string): boolean
  /** In a sentence, an unknown word shorter than this is not corrected: tyres are not types. */
  readonly minFuzzyLength: number
  /** Returns whether this may follow the stem of a word. Default: any ending. */
  isEnding?(ending: string): boolean
  /** Returns whether a word has too many meanings for a similar word to be its translation: check, run, 頼. */
  isVague?(word: string): boolean
  /** What is between the words of a phrase. */
  readonly joint: string
  /** Returns the word of a lower-case text that has the stem, as it is written there; undefined if it is only part of another. */
  findForm(text: string, stem: string): string | undefined
}

/** The words for sums of money. Patterns are sources of regular expressions. */
export type MoneyWords = {
  readonly units: Readonly<Record<'dollar' | 'cent' | 'euro' | 'yen', readonly string[]>>
  /** A pattern for numbers in words before a unit, and their values. */
  readonly number?: string
  readonly toNumber?: (text: string) => number | undefined
  /** Patterns for "per request": after a sum, and anywhere in a text. */
  readonly each?: string
  readonly saysEach?: string
  /** A pattern for goods with a price of their own: a sum next to one is hardly the price of a request. */
  readonly goods?: string
}

/** How requests are phrased. */
export type SentenceRules = {
  /** Returns whether a word is a stop word or only phrases a request. `word` is lower-case. */
  isFiller(word: string): boolean
  /** Words that apply to every entry of a directory: they are ignored next to another word. */
  readonly generic: readonly string[]
  /** Returns the steps of a request in order; fewer than two for a request of one step. */
  toSteps?(text: string): string[]
  /** Returns whether a word is a number or a quantity, which hardly describes a service. */
  isQuantity?(word: string): boolean
  readonly money: MoneyWords
  /** Negates a condition: before it, at the end of the preceding text; after it, at the beginning of the following text. */
  readonly negation?: { readonly before?: RegExp; readonly after?: RegExp }
  constraints(shared: SharedRules): ConstraintRules
}

/** The words of explanations. */
export type ReasonWords = {
  readonly statuses: Readonly<Record<Status, string>>
  readonly unapplied: Readonly<Record<UnappliedCode, (name: string) => string>>
  /** What a limit in a currency without an exchange rate is not compared with. */
  readonly otherCurrencies: string
  /** The beginning for a hit: by the words it matched, by the conditions alone, or by its similarity. */
  matches(words: readonly string[]): string
  readonly meetsConditions: string
  readonly closeInMeaning: string
  /** The beginning for a hit that does not match. */
  readonly weak: string
  /** What a service offers: its price and chain, then what else was requested, then the end. */
  price(price: string, currency: string, chain: string): string
  readonly between: string
  freeRequests(count: number): string
  inCategory(label: string): string
  /** Why it is demoted. */
  readonly demotion: Readonly<Record<DemotionCause, string>>
  readonly end: string
  /** Between two sentences. */
  readonly gap: string
  /** The conditions of a sentence. */
  readonly conditions: {
    below(sum: string): string
    atMost(sum: string): string
    paidIn(currency: string): string
    on(chain: string): string
    inCategory(label: string): string
    readonly free: string
    by(protocol: string): string
    excluded(name: string): string
    readonly wishes: Readonly<Record<Wish, string>>
    join(conditions: readonly string[]): string
  }
  /** The summary of the answer; `conditions` may be empty. */
  readonly noWord: string
  /** @param subject the words that were searched; empty for a sentence of conditions only */
  nothing(subject: readonly string[], conditions: string): string
  /** Follows when hits are shown that do not match. */
  readonly onlyWeak: string
  /** Follows when results are shown, with the words of the subject that no service has. */
  mentionedByNone(words: readonly string[]): string
  /** Follows when no result has half of the words of the subject. */
  fewMatched(matched: number, words: number): string
  /** @param matched the words of the subject that any hit matched */
  found(count: number, subject: readonly string[], matched: readonly string[], conditions: string): string
}

/** How the embedding tokenizes runs of a script without spaces. */
export type EmbeddedRuns = {
  /** Its characters, as the content of a character class of a regular expression. */
  readonly characters: string
  /** Returns whether a run or a word has these characters. */
  owns(word: string): boolean
  words(run: string): Iterable<string>
  /** Returns whether a word is split into the known words inside it; a known word also counts as itself. */
  isCompound(word: string, isKnown: boolean): boolean
  /** Returns whether a single character inside a compound may be a word. */
  isWord(character: string): boolean
}

/**
 * How the embedding tokenizes the language. The rows are trained on exactly these tokens: a change requires a new training
 * run.
 */
export type EmbeddingRules = {
  /** Stems words with spaces between them. Only that of the first language is used. */
  readonly toStem?: (word: string) => string
  readonly runs?: EmbeddedRuns
}

export interface Language {
  /** ISO 639-1. */
  readonly code: string
  /** Returns whether a text is written in this language. */
  recognises(text: string): boolean
  /** Whether it is the language that stems a word. Depends on the word alone, so that documents and queries agree. */
  owns(word: string): boolean
  readonly text: TextRules
  readonly sentence: SentenceRules
  readonly reasons: ReasonWords
  /** Absent for a language that the embedding is not trained on. */
  readonly embedding?: EmbeddingRules
  /** Returns the label of a category. */
  categoryLabel(id: string): string
}
