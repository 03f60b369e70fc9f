// The languages of the pages: words and formats.

import type { LanguageCode } from '../../domain/languages/languages.ts'
import { ENGLISH_WORDS, type Words } from './english/words.ts'
import { JAPANESE_WORDS } from './japanese/words.ts'

type PageLanguage = {
  readonly words: Words
  /** How numbers and dates are written (BCP 47). */
  readonly numberLocale: string
  readonly dateLocale: string
  /** With an underscore, as Open Graph wants it. */
  readonly openGraphLocale: string
  /** Letters that no other language is written in, of a language without spaces between words. */
  readonly script?: RegExp
}

const ENGLISH: PageLanguage = {
  words: ENGLISH_WORDS,
  numberLocale: 'en',
  dateLocale: 'en-GB',
  openGraphLocale: 'en_GB',
}

const JAPANESE: PageLanguage = {
  words: JAPANESE_WORDS,
  numberLocale: 'ja',
  dateLocale: 'ja',
  openGraphLocale: 'ja_JP',
  // Kana: a text of Han characters alone may be Chinese.
  script: /[\p{sc=Hiragana}\p{sc=Katakana}]/u,
}

export const PAGE_LANGUAGES: Readonly<Record<LanguageCode, PageLanguage>> = { en: ENGLISH, ja: JAPANESE }

/** In which the reference, and what the directory says about services, is written. */
export const SOURCE_LANGUAGE: LanguageCode = 'en'
