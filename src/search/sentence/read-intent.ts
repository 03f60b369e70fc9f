// Reads what a person or an agent says it needs: the words of the subject, the constraints, the wishes.
import type { Constraints } from '../../domain/answers.ts'
import type { IntentFilter } from '../../domain/intent-filter.ts'
import { createAnalyzer, eachWord, foldWidth } from '../text/analyzer.ts'
import { isEnglishFiller } from '../text/languages/english/words.ts'
import { withoutRequest } from '../text/languages/japanese/requests.ts'
import { isJapaneseFiller } from '../text/languages/japanese/words.ts'
import { readConstraints, type Stretch } from './constraints/constraints.ts'
import type { ConstraintKey, Wish } from './constraints/reading.ts'

export type Language = 'en' | 'ja'

export type Intent = {
  /** As received. */
  readonly query: string
  /** The language to answer in. */
  readonly language: Language
  /** Content words: NFKC, lower-case, not stemmed, in order, none twice. */
  readonly tokens: readonly string[]
  /** The tokens that count towards text relevance. */
  readonly contentTokens: readonly string[]
  /** The tokens of the constraints that are applied: they match whatever passes. */
  readonly constraintTokens: readonly string[]
  /** The same by what they are about. */
  readonly constraintWords: readonly ConstraintWords[]
  /** The sentence without its constraints and wishes. */
  readonly subject: string
  readonly filter: IntentFilter
  readonly constraints: Constraints
  /** What leans the order without leaving anything out. */
  readonly wishes: readonly Wish[]
}

export type ConstraintWords = {
  readonly keys: readonly ConstraintKey[]
  readonly tokens: readonly string[]
}

const MAX_TOKENS = 64
const { forEachWord, languages } = createAnalyzer()
const languageOf = (text: string): Language => languages.ofText(text).code as Language

const isFiller = (word: string): boolean =>
  languages.ofWord(word).code === 'ja' ? isJapaneseFiller(word) : isEnglishFiller(word)

/** Every entry of a directory is one of these: such a word says nothing beside another. */
const GENERIC = new Set('api apis service services endpoint endpoints provider providers サービス'.split(' '))

function toTokens(text: string): string[] {
  const tokens: string[] = []
  forEachWord(
    languageOf(text) === 'ja' ? withoutRequest(text) : text,
    eachWord((word, kind) => {
      if (kind === 'word' && !isFiller(word)) tokens.push(word)
    }),
  )
  return tokens
}

function toContent(tokens: readonly string[], constrained: boolean): readonly string[] {
  const telling = tokens.filter(token => !GENERIC.has(token))
  return telling.length > 0 || constrained ? telling : tokens
}

export function readIntent(query: string): Intent {
  const text = foldWidth(query)
  const language = languageOf(text)
  const { stretches, filter, constraints, wishes } = readConstraints(text, language)
  const read = stretches.map(({ text, role, keys = [] }) => ({ role, keys, tokens: toTokens(text) }))
  const constraintWords = read.filter(({ role }) => role === 'applied')
  const tokensOf = (role?: Stretch['role']): string[] => [
    ...new Set(read.flatMap(part => (role === undefined || part.role === role ? part.tokens : []))),
  ]
  const subject = tokensOf('subject').slice(0, MAX_TOKENS)
  return {
    query,
    language,
    tokens: tokensOf().slice(0, MAX_TOKENS),
    contentTokens: toContent(subject, Object.keys(filter).length > 0 || wishes.length > 0),
    constraintTokens: toConstraintTokens(constraintWords),
    constraintWords,
    subject: stretches
      .filter(({ role }) => role === 'subject')
      .map(stretch => stretch.text)
      .join(' '),
    filter,
    constraints,
    wishes,
  }
}

/** The tokens of the constraints that are still applied without those that are about one of `left`. */
export const toConstraintTokens = (
  words: readonly ConstraintWords[],
  left: readonly ConstraintKey[] = [],
): string[] => [
  ...new Set(words.flatMap(({ keys, tokens }) => (keys.some(key => left.includes(key)) ? [] : tokens))),
]

/** In the order in which one would give way: first the money, last where to pay. */
const GIVES_WAY: readonly (readonly [ConstraintKey, keyof IntentFilter])[] = [
  ['maxPricePerRequest', 'maxPrice'],
  ['freeQuota', 'free'],
  ['status', 'status'],
  ['currency', 'currencies'],
  ['category', 'category'],
  ['chain', 'chain'],
]

/** The same intent without one of its constraints, for each of them. */
export function relaxations(intent: Intent): { readonly relaxed: ConstraintKey; readonly intent: Intent }[] {
  return GIVES_WAY.filter(([, key]) => intent.filter[key] !== undefined).map(([relaxed, key]) => {
    const { [key]: _, ...filter } = intent.filter
    const constraintTokens = toConstraintTokens(intent.constraintWords, [relaxed])
    return { relaxed, intent: { ...intent, filter, constraintTokens } }
  })
}
