// The rules by which a language finds constraints in a sentence: patterns, and what a match of each requests.
import type { Chain } from '../../../domain/chains/chains.ts'
import type { AppliedFilters, ConstraintName } from '../../../domain/queries/filters.ts'
import type { Wish } from '../../../domain/queries/queries.ts'
import type { Status } from '../../../domain/standing/standing.ts'
import type { Protocol } from '../../../domain/terms/terms.ts'

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

/** A pattern, and hints: texts of which one is in every match, so that most sentences need not be searched. */
type Pattern = RegExp & {
  readonly hints: readonly string[]
  readonly isBeyondAscii?: true
}

/** A hint for any digit. */
export const DIGITS = '0…9'

/** `pattern` is global and is applied to the lowered sentence. */
export const hinted = (hints: string, pattern: RegExp): Pattern =>
  Object.assign(pattern, { hints: hints.split('|') })

/** A pattern whose matches always have characters beyond ASCII. */
export const beyondAscii = (hints: string, pattern: RegExp): Pattern =>
  Object.assign(hinted(hints, pattern), { isBeyondAscii: true as const })

/** Returns what a match requests; undefined leaves its words to the subject. `earlier`: what the rules before have found. */
export type Rule = {
  readonly pattern: Pattern
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
  readonly price?: Reader
  readonly currency?: Reader
  readonly status?: Reader
  readonly free?: Reader
  readonly protocol?: Reader
  readonly category?: Reader
  readonly wish?: Reader
  readonly chain?: Reader
  /** Constraints that depend on another one before them. */
  readonly listed?: Reader
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
  /** The hints for a sum. */
  readonly sumHints: string
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

const always = (found: FoundConstraint, patterns: readonly Pattern[]): Reader =>
  patterns.map(pattern => ({ pattern, handle: () => found }))

export const asksStatus = (status: Status, ...patterns: readonly Pattern[]): Reader =>
  always({ filter: { status }, echo: { status } }, patterns)

export const asksProtocol = (protocol: Protocol, ...patterns: readonly Pattern[]): Reader =>
  always({ filter: { protocol }, echo: { protocol } }, patterns)

/** quota: a free quota is required; any: free of charge is accepted as well. */
export const asksFree = (freeQuota: 'quota' | 'any', ...patterns: readonly Pattern[]): Reader =>
  always({ filter: { freeQuota }, echo: { freeQuota: true } }, patterns)

export const wishes = (wish: Wish, ...patterns: readonly Pattern[]): Reader => always({ wish }, patterns)

/** The patterns have a group `unit`. */
export const asksCurrency = (
  { toCurrency }: Pick<SharedRules, 'toCurrency'>,
  ...patterns: readonly Pattern[]
): Reader => patterns.map(pattern => ({ pattern, handle: ({ groups }) => toCurrency(groups!.unit!) }))

/** The patterns have a group `name`. An unknown category is left to the subject. */
export const asksCategory = (
  { toCategory }: Pick<SharedRules, 'toCategory'>,
  ...patterns: readonly Pattern[]
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
