// What the search knows of a language. Each has a folder beside this file; languages.ts lists them.
import type { Wish } from '../../../domain/answers.ts'
import type { Status } from '../../../domain/standing.ts'
import type { HeldBack } from '../../ranking/held-back.ts'
import type { LexiconEntry } from '../equivalents.ts'
import type { ConstraintRules, SharedRules, UnappliedCode } from './constraint-rules.ts'

/** A script that puts no space between words. */
export type Unspaced = {
  readonly isOwn: (character: string) => boolean
  /** The words of a run of such characters in order, grammar left out. */
  readonly segment: (run: string) => readonly string[]
}

/** How its texts become terms. */
export type TextRules = {
  readonly unspaced?: Unspaced
  /** What the forms of one word share. `word` is normalised to NFKC and lower-case. */
  toStem(word: string): string
  /** Further terms under which a compound is found. */
  toParts(stem: string): string[]
  /** The two words that a compound may also be written as: geocoding, geo coding. */
  splitCompound?(word: string): readonly [string, string] | undefined
  /** Words that stand for each other, in this language and in others. */
  readonly lexicon?: readonly LexiconEntry[]
  /** Whether a character beside a word, at the edge that is told, makes it a part of another. */
  continues?(word: string, edge: string, neighbour: string): boolean
  /** The word in Latin letters, lower-case, as it sounds; undefined where that does not tell a name. */
  toLetters?(word: string): string | undefined
  /** In a sentence, a shorter word that no entry has is rather another word than a misspelt one: tyres are not types. */
  readonly minFuzzyLength: number
  /** Whether a word may go on with this behind its stem; any ending may where it is absent. */
  isEnding?(ending: string): boolean
  /** What stands between the words of a phrase. */
  readonly joint: string
  /** The word of a lower-case text that has the stem, as it is written there. */
  findForm(text: string, stem: string): string | undefined
}

/** How sums of money are told; patterns are sources of regular expressions. */
export type MoneyWords = {
  readonly units: Readonly<Record<'dollar' | 'cent' | 'euro' | 'yen', readonly string[]>>
  /** Numbers in words, such as stand before a unit, and what they are. */
  readonly number?: string
  readonly toNumber?: (text: string) => number | undefined
  /** What behind a sum says that it is for one request, and what in a text says so. */
  readonly each?: string
  readonly saysEach?: string
  /** What costs so much by itself: a sum beside it is hardly the price of a request. */
  readonly goods?: string
}

/** What is turned into what: words that name the one, and words that name the other. Lower-case. */
export type Conversion = { readonly from: readonly string[]; readonly to: readonly string[] }

/** A conversion that has a name: speech into text is transcription. */
export type NamedConversion = Conversion & {
  /** What services for it are called, in any language. */
  readonly names: readonly string[]
  /** How a text tells of it without saying what becomes of what. */
  readonly pattern: RegExp
}

/** Of a conversion that no text tells of but by what becomes of what. */
export const NEVER_MATCHES = /(?!)/

/** Names of like things, and what services are called for whoever names two of them: dollars in euros are a matter of exchange rates. */
export type NamedPair = {
  /** Each with all of its names, lower-case. */
  readonly of: readonly (readonly string[])[]
  readonly names: readonly string[]
}

/** Wording of a request that has no fixed words, and what services are called for whoever words it so. */
export type Phrasing = {
  /** Finds each occurrence in a lower-case text. */
  readonly pattern: RegExp
  readonly names: readonly string[]
}

/** How a request is told. */
export type SentenceRules = {
  /** Grammar, stop words, and the phrasing of a request. `word` is lower-case. */
  isFiller(word: string): boolean
  /** What every entry of a directory is: such a word says nothing beside another. */
  readonly generic: readonly string[]
  /** The text with a space in place of each phrase that only makes it a request, where its words would not tell. */
  withoutRequest(text: string): string
  /** The steps of a request in order; fewer than two where it is one. */
  toSteps?(text: string): string[]
  /** What a request tells of the content of a message, a reminder or a picture, which any service for it may have. */
  toAsides?(text: string): readonly string[]
  /** The conversions that a sentence or a description tells of. */
  toConversions?(text: string): readonly Conversion[]
  /** The names of services in this language, by the first name that a request in another language is expanded to. */
  readonly serviceNames?: ReadonlyMap<string, readonly string[]>
  readonly namedConversions?: readonly NamedConversion[]
  readonly namedPairs?: readonly NamedPair[]
  readonly phrasings?: readonly Phrasing[]
  /** What stands in every lower-case text that one of them is in. */
  readonly phrasingHint?: RegExp
  /** A number, or a number of things: it tells how many or when, and hardly what. */
  isQuantity?(word: string): boolean
  readonly money: MoneyWords
  /** What turns a condition into its opposite: at the end of the text before it, at the beginning of the text behind it. */
  readonly negation?: { readonly before?: RegExp; readonly after?: RegExp }
  constraints(shared: SharedRules): ConstraintRules
}

/** In what words it is told why a service is in the answer. */
export type ReasonWords = {
  readonly statuses: Readonly<Record<Status, string>>
  readonly unapplied: Readonly<Record<UnappliedCode, (name: string) => string>>
  /** How a hit begins: by the words it matched, by the conditions where nothing else was asked for, or by its similarity. */
  matches(words: readonly string[]): string
  readonly meetsConditions: string
  readonly closeInMeaning: string
  /** How a hit begins that does not fit. */
  readonly weak: string
  /** What a service offers: its price and where it is paid, then what else was asked for, up to the end. */
  price(price: string, currency: string, chain: string): string
  readonly between: string
  freeRequests(count: number): string
  inCategory(label: string): string
  /** Why it stands further back than it matches. */
  readonly heldBack: Readonly<Record<HeldBack, string>>
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
    leftOut(name: string): string
    readonly wishes: Readonly<Record<Wish, string>>
    join(conditions: readonly string[]): string
  }
  /** The whole answer; `conditions` may be empty. */
  readonly noWord: string
  /** @param subject the words looked for; none where only conditions were told */
  nothing(subject: readonly string[], conditions: string): string
  /** What follows it where hits are shown that do not fit. */
  readonly onlyWeak: string
  /** @param matched those words of the subject that something matched */
  found(count: number, subject: readonly string[], matched: readonly string[], conditions: string): string
}

/** How the embedding cuts runs of a script without spaces. */
export type EmbeddedRuns = {
  /** Its characters, as a class of a regular expression holds them. */
  readonly characters: string
  /** Whether a run or a word is of these characters. */
  owns(word: string): boolean
  words(run: string): Iterable<string>
  /** Whether a word is read as the known words inside it; a known one counts as itself too. */
  isCompound(word: string, isKnown: boolean): boolean
  /** Whether a single character inside a compound may be a word. */
  isWord(character: string): boolean
}

/** How the embedding reads it. The rows are trained on exactly these cuts: a change asks for a new training run. */
export type EmbeddingRules = {
  /** Of words with spaces between them, asked of the first language. */
  readonly toStem?: (word: string) => string
  readonly runs?: EmbeddedRuns
}

export interface Language {
  /** ISO 639-1. */
  readonly code: string
  /** Whether a text is written in it. */
  recognises(text: string): boolean
  /** Whether it is the language that stems a word. Depends on the word alone, so that documents and queries agree. */
  owns(word: string): boolean
  readonly text: TextRules
  readonly sentence: SentenceRules
  readonly reasons: ReasonWords
  /** None of a language that the embedding is not trained on. */
  readonly embedding?: EmbeddingRules
  /** What it calls a category. */
  categoryLabel(id: string): string
}
