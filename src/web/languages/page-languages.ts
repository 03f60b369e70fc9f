// The languages of the pages: words, formats, and where their lines break.

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
  /** What the directory says, with its spaces where no line breaks. */
  readonly unbroken?: (text: string) => string
  /** A text after a shortened value, glued to it where no line breaks between them. */
  readonly glued?: (text: string) => string
}

const ENGLISH: PageLanguage = {
  words: ENGLISH_WORDS,
  numberLocale: 'en',
  dateLocale: 'en-GB',
  openGraphLocale: 'en_GB',
}

// A number stays with its unit, and a value with the particle after it: no line breaks between them. After an address, which may fill a
// line by itself, one does: else it would part the particle.

const BEFORE_UNIT_OR_PARTICLE = /(?<=\d) (?=[A-Z]{2}|ms)|(?<=\S)(?<!\S{25}) (?=\p{Script=Hiragana})/gu

export const toUnbroken = (text: string): string => text.replace(BEFORE_UNIT_OR_PARTICLE, '\u00a0')

/** A particle stays in the line of the value before it. */
const toGlued = (text: string): string => text.replace(/^ (?=\p{Script=Hiragana})/u, '\u00a0')

/** The same of every text in the words of the pages, and of what their functions return. */
function allUnbroken<T>(words: T): T {
  if (typeof words === 'string') return toUnbroken(words) as T
  if (typeof words === 'function')
    return ((...values: readonly unknown[]) =>
      allUnbroken((words as (...values: readonly unknown[]) => unknown)(...values))) as T
  if (Array.isArray(words)) return words.map(allUnbroken) as T
  if (typeof words === 'object' && words !== null)
    return Object.fromEntries(Object.entries(words).map(([name, each]) => [name, allUnbroken(each)])) as T
  return words
}

const JAPANESE: PageLanguage = {
  words: allUnbroken(JAPANESE_WORDS),
  numberLocale: 'ja',
  dateLocale: 'ja',
  openGraphLocale: 'ja_JP',
  // Kana: a text of Han characters alone may be Chinese.
  script: /[\p{sc=Hiragana}\p{sc=Katakana}]/u,
  unbroken: toUnbroken,
  glued: toGlued,
}

export const PAGE_LANGUAGES: Readonly<Record<LanguageCode, PageLanguage>> = { en: ENGLISH, ja: JAPANESE }

/** In which the reference, and what the directory says about services, is written. */
export const SOURCE_LANGUAGE: LanguageCode = 'en'
