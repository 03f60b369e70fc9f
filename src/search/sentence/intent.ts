// Reads what a person or an agent needs from a sentence: the words of the subject, the constraints, the exclusions, the wishes, the steps;
// and makes the same request with other or fewer conditions.
import { type Rates, toDollars } from '../../domain/money/rates.ts'
import {
  type AppliedFilters,
  CONSTRAINT_NAMES,
  CONSTRAINTS,
  type ConstraintName,
  type FilterName,
  type Filters,
  type Revocable,
  toApplied,
} from '../../domain/queries/filters.ts'
import type { Constraints, Wish } from '../../domain/queries/queries.ts'
import { type Analyzer, createAnalyzer, eachWord, foldWidth } from '../text/analyzer.ts'
import type { Excluded, Language } from '../text/languages/language.ts'
import type { Equivalent } from '../text/languages/languages.ts'
import { createConstraintReader, type Stretch } from './constraints.ts'

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

type ConstraintWords = {
  readonly keys: readonly ConstraintName[]
  readonly tokens: readonly string[]
}

/** Returns the tokens of the constraints, without those of the constraints in `dropped`. */
export const toConstraintTokens = (
  words: readonly ConstraintWords[],
  dropped: readonly ConstraintName[] = [],
): string[] => [
  ...new Set(words.flatMap(({ keys, tokens }) => (keys.some(key => dropped.includes(key)) ? [] : tokens))),
]

type ToTokens = (text: string, language: Language) => string[]
type Parts = {
  readonly analyzer: Analyzer
  readonly toTokens: ToTokens
  /** Without words that every service may have. */
  readonly toSelective: ToTokens
}
type ReadSentence = {
  readonly constraints: Constraints
  /** Its words. */
  readonly subject: readonly string[]
  readonly language: Language
  readonly replyLanguage: Language
}

/** Adds the exclusions of a sentence to its constraints. */
type ApplyExclusions = (
  exclusions: readonly Excluded[],
  sentence: ReadSentence,
) => Pick<Intent, 'constraints' | 'excluded'>

function createExclusions({ analyzer, toTokens, toSelective }: Parts): ApplyExclusions {
  const { languages } = analyzer

  /**
   * Returns the words that are excluded, without those that the subject also has: in "news but not crypto news" that is
   * crypto. What has no other words, as booking.com in a request for bookings, is `kept`.
   */
  function toExcluded(
    excluded: readonly Excluded[],
    subject: readonly string[],
    language: Language,
  ): ExcludedEntries & { readonly kept: readonly string[] } {
    const wanted = new Set(subject.map(analyzer.toTerm))
    const phrases = excluded
      .flatMap(({ words = '' }) => words.split('\n'))
      .map(phrase => ({
        phrase,
        tokens: toSelective(phrase, language),
      }))
      .filter(({ tokens }) => tokens.length > 0)
      .map(({ phrase, tokens }) => {
        // A word of the lexicon is not taken apart: 仮想通貨 in a request for 通貨.
        const known = languages
          .equivalentsIn(phrase.toLowerCase())
          .filter(({ written }) => written === phrase.toLowerCase())
        const isWord = known.length > 0 && tokens.length > 1
        return {
          phrase,
          tokens: isWord ? tokens : tokens.filter(token => !wanted.has(analyzer.toTerm(token))),
          others: known.flatMap(each => each.others),
        }
      })
    const words = phrases.flatMap(({ tokens }) => (tokens.length > 0 ? [tokens] : []))
    const others = phrases.flatMap(({ tokens, others }) =>
      tokens.length === 0
        ? []
        : others.length > 0
          ? others
          : tokens.length === 1
            ? languages.equivalentsIn(tokens[0]!).flatMap(each => each.others)
            : [],
    )
    return {
      words,
      others: others.map(phrase => toTokens(phrase, language)),
      chains: [...new Set(excluded.flatMap(({ chains = [] }) => chains))],
      kept: phrases.flatMap(({ phrase, tokens }) => (tokens.length === 0 ? [phrase] : [])),
    }
  }

  return (exclusions, { constraints, subject, language, replyLanguage }) => {
    if (exclusions.length === 0) return { excluded: NOTHING_EXCLUDED, constraints }
    const { kept, ...excluded } = toExcluded(exclusions, subject, language)
    const names = [...excluded.chains, ...excluded.words.map(words => words.join(language.text.joint))]
    const why = replyLanguage.reasons.unapplied.same_word
    const unapplied = [...constraints.unapplied, ...kept.map(text => ({ text, why: why('') }))]
    return {
      excluded,
      constraints: { ...constraints, ...(names.length > 0 && { excluded: names }), unapplied },
    }
  }
}

const MAX_TOKENS = 64
const MAX_STEPS = 3
/** The end of a web address is no word: every host has one. */
const WEB_ENDING = /(?<=[a-z0-9])(?<!@[a-z0-9.-]+)\.(?:com|org|io|gov|edu|co\.jp|jp)(?![a-z0-9-])/gi
const withoutWebEnding = (text: string): string => (text.includes('.') ? text.replace(WEB_ENDING, ' ') : text)

/** @param replyCode the code of the language of the answer. Default: that of the query */
type SentenceReader = (query: string, replyCode?: string) => Intent

export function createSentenceReader(analyzer: Analyzer = createAnalyzer()): SentenceReader {
  const { languages } = analyzer
  const readConstraints = createConstraintReader(languages)
  const generic = new Set(languages.all.flatMap(({ sentence }) => sentence.generic))

  /** A sentence may also have fillers of another language: 天気 API please. */
  function toTokens(text: string, language: Language, pieces?: Map<string, string[]>): string[] {
    const { sentence } = language
    const tokens: string[] = []
    let whole = ''
    analyzer.forEachWord(
      withoutWebEnding(text),
      eachWord((word, kind) => {
        if (kind === 'word') whole = word
        if (kind === 'joined' || sentence.isFiller(word)) return
        const other = languages.ofWord(word)
        if (other !== language && other.sentence.isFiller(word)) return
        if (kind === 'word') tokens.push(word)
        else pieces?.set(whole, [...(pieces.get(whole) ?? []), word])
      }),
    )
    return tokens
  }

  const toSelective = (text: string, language: Language): string[] =>
    toTokens(text, language).filter(token => !generic.has(token))
  const applyExclusions = createExclusions({ analyzer, toTokens, toSelective })

  function toContent(tokens: readonly string[], constrained: boolean): readonly string[] {
    const selective = tokens.filter(token => !generic.has(token))
    return selective.length > 0 || constrained ? selective : tokens
  }

  function toEquivalents(found: readonly Equivalent[], language: Language): Map<string, Equivalent[]> {
    const equivalents = new Map<string, Equivalent[]>()
    for (const each of found)
      for (const token of toTokens(each.written, language))
        equivalents.set(token, [...(equivalents.get(token) ?? []), each])
    return equivalents
  }

  /** The equivalents of a step are those of the sentence that it also has. */
  function toSteps(subject: string, language: Language, known: Intent['equivalents']): Step[] {
    const texts = language.sentence.toSteps?.(subject) ?? []
    const steps: Step[] = []
    for (const text of texts) {
      const pieces = new Map<string, string[]>()
      const tokens = [...new Set(toTokens(text, language, pieces))]
      const contentTokens = tokens.filter(token => !generic.has(token))
      if (contentTokens.length === 0) continue
      const lower = text.toLowerCase()
      const equivalents = new Map<string, readonly Equivalent[]>()
      for (const token of contentTokens) {
        const found = known.get(token)?.filter(({ written }) => lower.includes(written)) ?? []
        if (found.length > 0) equivalents.set(token, found)
      }
      steps.push({ text, tokens, contentTokens, subject: text, pieces, equivalents })
      if (steps.length === MAX_STEPS) break
    }
    return steps.length < 2 ? [] : steps
  }

  return (query, replyCode) => {
    const text = foldWidth(query)
    const language = languages.ofText(text)
    const replyLanguage = languages.all.find(({ code }) => code === replyCode) ?? language
    const {
      stretches,
      filter,
      constraints: read,
      excluded: exclusions,
      wishes,
    } = readConstraints(text, replyLanguage)
    const pieces = new Map<string, string[]>()
    const parts = stretches.map(({ text, role, keys = [] }) => ({
      role,
      keys,
      tokens: toTokens(text, language, pieces),
    }))
    const constraintWords = parts.filter(({ role }) => role === 'applied')
    const tokensOf = (role?: Stretch['role']): string[] => [
      ...new Set(parts.flatMap(part => (role === undefined || part.role === role ? part.tokens : []))),
    ]
    const subject = tokensOf('subject').slice(0, MAX_TOKENS)
    const subjectText = stretches
      .filter(({ role }) => role === 'subject')
      .map(stretch => stretch.text)
      .join(' ')
    const { excluded, constraints } = applyExclusions(exclusions, {
      constraints: read,
      subject,
      language,
      replyLanguage,
    })
    const equivalents = toEquivalents(languages.equivalentsIn(subjectText.toLowerCase()), language)
    return {
      query,
      language: replyLanguage,
      tokens: tokensOf().slice(0, MAX_TOKENS),
      contentTokens: toContent(subject, Object.keys(filter).length > 0 || wishes.length > 0),
      constraintTokens: toConstraintTokens(constraintWords),
      constraintWords,
      subject: subjectText,
      steps: toSteps(subjectText, language, equivalents),
      pieces,
      equivalents,
      filter,
      constraints,
      excluded,
      wishes,
    }
  }
}

// Converts a limit in a unit of account, such as 「1円以下」, to a limit for every comparable currency.

/** Whether the currency is only the unit of the limit: a word for money covers several currencies, the name of an asset one. */
export const isUnitOfLimit = ({ maxPricePerRequest, currency }: AppliedFilters): boolean =>
  maxPricePerRequest !== undefined && currency !== undefined && currency.length > 1

/** Returns the filters unchanged when no exchange rate gives the limit in dollars, or a limit in dollars is given as well. */
export function inOneMeasure(filter: AppliedFilters, rates: Rates): AppliedFilters {
  if (!isUnitOfLimit(filter) || filter.maxUsdPrice !== undefined) return filter
  const { maxPricePerRequest, currency, ...rest } = filter
  const { amount, below } = maxPricePerRequest!
  const limit = toDollars(amount, currency![0]!, rates)
  return limit ? { ...rest, maxUsdPrice: { amount: limit.amount, below } } : filter
}

// Applies what the caller overrides in a sentence: constraints to drop, and filters to add.

type Refinement = Filters & { readonly without?: readonly Revocable[] | undefined }

/** Each filter replaces a constraint of its kind; a limit in dollars any limit, with its unit. */
export function refineIntent(intent: Intent, refinement: Refinement): Intent {
  const set = toApplied(refinement)
  const limit: readonly Revocable[] = isUnitOfLimit(intent.filter)
    ? ['maxPricePerRequest', 'currency']
    : ['maxPricePerRequest']
  const without = [...(refinement.without ?? []), ...(set.maxUsdPrice === undefined ? [] : limit)]
  if (without.length === 0 && Object.keys(set).length === 0) return intent
  const filter: Partial<Record<FilterName, unknown>> = { ...intent.filter }
  const constraints = { ...intent.constraints }
  const dropped: ConstraintName[] = []
  for (const name of CONSTRAINT_NAMES) {
    if (!without.includes(name) && !(name in set)) continue
    dropped.push(name)
    delete filter[name]
    delete constraints[name]
  }
  const constraintTokens = toConstraintTokens(intent.constraintWords, dropped)
  if (without.includes('excluded')) delete constraints.excluded
  const excluded = constraints.excluded ? intent.excluded : NOTHING_EXCLUDED
  return {
    ...intent,
    wishes: without.includes('wishes') ? [] : intent.wishes,
    excluded,
    filter: { ...filter, ...set } as AppliedFilters,
    constraints,
    constraintTokens,
  }
}

// The relaxations of a sentence, for answers without a result: the same request with one condition less.

/** The order in which constraints are relaxed: the price first, the chain last. */
const RELAX_ORDER = CONSTRAINT_NAMES.toSorted((a, b) => CONSTRAINTS[a].relaxRank - CONSTRAINTS[b].relaxRank)

/** Returns the intent without one of its constraints, for each of them. */
export function relaxations(intent: Intent): { readonly relaxed: ConstraintName; readonly intent: Intent }[] {
  // A limit of one yen without its unit would be one of any currency, so both are relaxed together.
  const isOne = isUnitOfLimit(intent.filter)
  return RELAX_ORDER.filter(name => intent.filter[name] !== undefined && !(isOne && name === 'currency')).map(
    relaxed => {
      const dropped: ConstraintName[] =
        isOne && relaxed === 'maxPricePerRequest' ? [relaxed, 'currency'] : [relaxed]
      const filter = { ...intent.filter }
      for (const name of dropped) delete filter[name]
      const constraintTokens = toConstraintTokens(intent.constraintWords, dropped)
      return { relaxed, intent: { ...intent, filter, constraintTokens } }
    },
  )
}
