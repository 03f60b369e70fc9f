// Which languages the directory speaks: stated here, and whatever needs words in each of them asks for all by their codes.
import { ENGLISH_NAMES } from './english.ts'
import { JAPANESE_NAMES } from './japanese.ts'
import type { LanguageNames } from './language-names.ts'

/** By their codes of ISO 639-1. The first is the one for whoever asks for none. */
const NAMES = { en: ENGLISH_NAMES, ja: JAPANESE_NAMES }

export type LanguageCode = keyof typeof NAMES
export const LANGUAGES: Readonly<Record<LanguageCode, LanguageNames>> = NAMES
export const LANGUAGE_CODES = Object.keys(LANGUAGES) as readonly LanguageCode[]

/** As a list in a sentence: English or Japanese. */
export const SPOKEN = new Intl.ListFormat('en', { type: 'disjunction' }).format(
  LANGUAGE_CODES.map(code => LANGUAGES[code].inEnglish),
)

/** Something for each of the languages. */
export const forEachLanguage = <T>(make: (code: LanguageCode) => T): Record<LanguageCode, T> =>
  Object.fromEntries(LANGUAGE_CODES.map(code => [code, make(code)])) as Record<LanguageCode, T>
