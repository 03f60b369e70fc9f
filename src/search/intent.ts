// Reads what a person or an agent says it needs.
import type { Constraints } from '../domain/answers.ts'
import { eachWord, foldWidth, forEachWord, isJapaneseWord } from './analyzer.ts'
import { isEnglishFiller } from './english.ts'
import { isJapaneseFiller } from './japanese.ts'
import { withoutRequest } from './japanese-requests.ts'

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
  readonly constraints: Constraints
}

const MAX_TOKENS = 64
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u
const HAN = /\p{Script=Han}/u

/** Any kana, or Chinese characters without Latin ones beside them, is read as Japanese. */
const languageOf = (text: string): Language => (KANA.test(text) || HAN.test(text) ? 'ja' : 'en')

const isFiller = (word: string): boolean =>
  isJapaneseWord(word) ? isJapaneseFiller(word) : isEnglishFiller(word)

function toTokens(text: string): string[] {
  const tokens = new Set<string>()
  const visit = eachWord((word, kind) => {
    if (kind === 'word' && tokens.size < MAX_TOKENS && !isFiller(word)) tokens.add(word)
  })
  forEachWord(text, visit)
  return [...tokens]
}

export function readIntent(query: string): Intent {
  const text = foldWidth(query)
  const tokens = toTokens(withoutRequest(text))
  return { query, language: languageOf(text), tokens, contentTokens: tokens, constraints: { unapplied: [] } }
}
