// What a search language consists of: rules for constraints, and the interface that each language has.
import type { Chain } from '../../../domain/chains/chains.ts'
import type { AppliedFilters, ConstraintName } from '../../../domain/queries/filters.ts'
import type { Wish } from '../../../domain/queries/queries.ts'
import type { Status } from '../../../domain/standing/standing.ts'
import type { Protocol } from '../../../domain/terms/terms.ts'
import type { DemotionCause } from '../../ranking/final-order.ts'

// The rules by which a language finds constraints in a sentence: patterns, and what a match of each requests.

const PROVIDERS: ReadonlySet<string> = new Set(
  `google bing yahoo duckduckgo serpapi tavily perplexity openai chatgpt gpt anthropic claude gemini mistral groq cohere
deepseek huggingface replicate midjourney dall-e elevenlabs deepgram assemblyai aws amazon azure microsoft ibm cloudflare
vercel github gitlab coingecko coinmarketcap coinbase binance kraken etherscan alchemy infura quicknode moralis chainlink uniswap opensea
twilio sendgrid mailgun mailchimp telegram whatsapp discord slack notion zapier firecrawl apify scraperapi brightdata puppeteer playwright
selenium deepl mapbox openstreetmap openweathermap accuweather bloomberg reuters stripe paypal pinata pinecone facebook instagram tiktok
linkedin twitter reddit youtube wikipedia`.split(/\s+/),
)

/** @param word lower-case */
export const isProvider = (word: string): boolean => PROVIDERS.has(word)

/** Why a constraint that was found is not applied. */
export type UnappliedCode =
  | 'chain_as_subject'
  | 'lowest_price'
  | 'price_of_something_else'
  | 'unknown_category'
  | 'second_of_a_kind'
  | 'negated'
  | 'undecidable'
  | 'same_word'
  | 'no_rate'
  | 'unmet_name'

/** A constraint as it is shown in the answer. */
export type Echo = string | true | readonly string[]

/** An exclusion: entries that have all of these words, or are paid on one of these chains. */
export type Excluded = { readonly words?: string; readonly chains?: readonly string[] }

/** What a match of a pattern requests. */
export type FoundConstraint = {
  readonly filter?: AppliedFilters
  /** As shown in the answer. */
  readonly echo?: Partial<Readonly<Record<ConstraintName, Echo>>>
  readonly excluded?: Excluded
  readonly wish?: Wish
  /** Why it is not applied. `name`: its subject, if the reason mentions it. */
  readonly unapplied?: { readonly code: UnappliedCode; readonly name?: string }
  /** The part of an applied constraint, from its beginning on, that is not applied: the lower end of a range. */
  readonly lowerEnd?: string
  /** Set when the constraint is longer or shorter than the match of its pattern. */
  readonly start?: number
  readonly end?: number
}

/** A constraint that was found, and its position in the sentence. */
export type Reading = FoundConstraint & { readonly start: number; readonly end: number }

/** The sentence with ASCII capitals lowered, so that positions are the same in both. */
export type Sentence = { readonly text: string; readonly lower: string }

/**
 * `pattern` is global and is applied to the lowered sentence. `handle` returns what a match requests; undefined leaves its words to the
 * subject. `earlier`: what the rules before have found.
 */
export type Rule = {
  readonly pattern: RegExp
  readonly handle: (
    match: RegExpExecArray,
    sentence: Sentence,
    earlier: readonly Reading[],
  ) => FoundConstraint | undefined
}

/** Of these rules, the longest match is taken. */
export type Reader = readonly Rule[]

/** The rules of a language, by subject. */
export type ConstraintRules = {
  /** What need not be so. It is read first, requests nothing, and keeps its words from being read as a condition. */
  readonly concession?: Reader
  readonly price?: Reader
  readonly currency?: Reader
  readonly status?: Reader
  readonly free?: Reader
  readonly protocol?: Reader
  readonly category?: Reader
  readonly wish?: Reader
  readonly chain?: Reader
  /** What is to be excluded, and what a service must work without. */
  readonly exclusion?: Reader
}

export type BoundOptions = {
  /** Whether the limit itself is excluded. */
  readonly below?: boolean
  /** Whether the sum is stated to be per request. */
  readonly each?: boolean
  /** The sentence, to decide whether the sum belongs to something else. */
  readonly sentence: Sentence
}

export type Groups = Readonly<Record<string, string | undefined>>

/** Patterns that the languages share, built from the words of each. */
export type SharedRules = {
  /** The source of a pattern for a sum of money. Its groups are passed to `toBound`. */
  readonly sum: string
  /** The source of a pattern for a unit of money. */
  readonly unit: string
  /** The source of a pattern for a number in digits. */
  readonly number: string
  /** The source of a pattern for what may follow a sum: per request. */
  readonly each: string
  readonly saysEach: (text: string) => boolean
  readonly toBound: (groups: Groups, options: BoundOptions) => FoundConstraint | undefined
  readonly toCurrency: (unit: string) => FoundConstraint
  /** The source of a pattern for the id or the label of a known category. */
  readonly categoryName: string
  readonly toCategory: (name: string) => FoundConstraint | undefined
}

const always = (found: FoundConstraint, patterns: readonly RegExp[]): Reader =>
  patterns.map(pattern => ({ pattern, handle: () => found }))

export const asksStatus = (status: Status, ...patterns: readonly RegExp[]): Reader =>
  always({ filter: { status }, echo: { status } }, patterns)

export const asksProtocol = (protocol: Protocol, ...patterns: readonly RegExp[]): Reader =>
  always({ filter: { protocol }, echo: { protocol } }, patterns)

export const concedes = (...patterns: readonly RegExp[]): Reader => always({}, patterns)

/** quota: a free quota is required; any: free of charge is accepted as well. */
export const asksFree = (freeQuota: 'quota' | 'any', ...patterns: readonly RegExp[]): Reader =>
  always({ filter: { freeQuota }, echo: { freeQuota: true } }, patterns)

export const wishes = (wish: Wish, ...patterns: readonly RegExp[]): Reader => always({ wish }, patterns)

/** The patterns have a group `unit`. */
export const asksCurrency = (
  { toCurrency }: Pick<SharedRules, 'toCurrency'>,
  ...patterns: readonly RegExp[]
): Reader => patterns.map(pattern => ({ pattern, handle: ({ groups }) => toCurrency(groups!.unit!) }))

/** The patterns have a group `name`. An unknown category is left to the subject. */
export const asksCategory = (
  { toCategory }: Pick<SharedRules, 'toCategory'>,
  ...patterns: readonly RegExp[]
): Reader => patterns.map(pattern => ({ pattern, handle: ({ groups }) => toCategory(groups!.name!) }))

/** Any of the chains is accepted. */
export function asksChain(...chains: readonly [Chain, ...Chain[]]): FoundConstraint {
  const names = [...new Set(chains.map(({ name }) => name))]
  const chain = names.length === 1 ? names[0]! : names
  return { filter: { chain }, echo: { chain } }
}

export const leavesOutChain = (...chains: readonly Chain[]): FoundConstraint => ({
  excluded: { chains: [...new Set(chains.map(({ name }) => name))] },
})

// The interface of a search language. Each has a folder here; languages.ts lists them.

/** A script without spaces between words. */
export type Unspaced = {
  readonly isOwn: (character: string) => boolean
  /** Returns the words of a run of such characters in order, without function words. */
  readonly segment: (run: string) => readonly string[]
}

/** Words that are equivalent, and their readings. A reading is expanded to the words, but not the reverse. */
export type LexiconEntry = {
  readonly words: readonly string[]
  readonly readings: readonly string[]
  /** It is the name of a place, a coin or a firm, or of a day. Hardly any service is about that one alone. */
  readonly nameOf?: 'thing' | 'day'
}

/** How texts become terms. */
type TextRules = {
  readonly unspaced?: Unspaced
  /** Returns the stem of a word, which is NFKC and lower-case. */
  toStem(word: string): string
  /** Returns further terms that a compound is indexed by. */
  toParts(stem: string): string[]
  /** Equivalent words, in this language and in others. */
  readonly lexicon?: readonly LexiconEntry[]
  /** Returns whether a character next to the edge of a word makes it part of a longer one. */
  continues?(word: string, edge: string, neighbour: string): boolean
  /** In a sentence, an unknown word shorter than this is not corrected: tyres are not types. */
  readonly minFuzzyLength: number
  /** Returns whether this may follow the stem of a word. Default: any ending. */
  isEnding?(ending: string): boolean
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
type SentenceRules = {
  /** Returns whether a word is a stop word or only phrases a request. `word` is lower-case. */
  isFiller(word: string): boolean
  /** Words that apply to every entry of a directory: they are ignored next to another word. */
  readonly generic: readonly string[]
  /** Returns the steps of a request in order; fewer than two for a request of one step. */
  toSteps?(text: string): string[]
  readonly money: MoneyWords
  /** Negates a condition: before it, at the end of the preceding text; after it, at the beginning of the following text. */
  readonly negation?: { readonly before?: RegExp; readonly after?: RegExp }
  constraints(shared: SharedRules): ConstraintRules
  /** Whether every match of these rules has characters beyond ASCII: a sentence without any is not searched for them. */
  readonly isBeyondAscii?: true
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
  /** Why it is demoted. @param above the host of a service of the same seller above it */
  readonly demotion: Readonly<Record<DemotionCause, (above: string | undefined) => string>>
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
type EmbeddingRules = {
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
