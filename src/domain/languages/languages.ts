// The languages of the directory. Tables of words are indexed by these codes, so that the compiler requires every language.
import { ENGLISH_NAMES } from './english.ts'
import { JAPANESE_NAMES } from './japanese.ts'
import type { LanguageNames } from './language-names.ts'

/** By ISO 639-1 code. The first is the default. */
const NAMES = { en: ENGLISH_NAMES, ja: JAPANESE_NAMES }

export type LanguageCode = keyof typeof NAMES
export const LANGUAGES: Readonly<Record<LanguageCode, LanguageNames>> = NAMES
export const LANGUAGE_CODES = Object.keys(LANGUAGES) as readonly LanguageCode[]

/** As a list in a sentence: English or Japanese. */
export const LANGUAGE_CHOICE = toChoice(LANGUAGE_CODES.map(code => LANGUAGES[code].inEnglish))

/** Written by hand: loading the tables of Intl would take longer than most of a start. */
function toChoice(names: readonly string[]): string {
  const last = names.at(-1)!
  const others = names.slice(0, -1)
  return others.length === 0 ? last : `${others.join(', ')}${others.length > 1 ? ',' : ''} or ${last}`
}

/** Creates a value for each language. */
export const forEachLanguage = <T>(make: (code: LanguageCode) => T): Record<LanguageCode, T> =>
  Object.fromEntries(LANGUAGE_CODES.map(code => [code, make(code)])) as Record<LanguageCode, T>
