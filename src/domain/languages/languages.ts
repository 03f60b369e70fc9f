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
export const SPOKEN = toChoice(LANGUAGE_CODES.map(code => LANGUAGES[code].inEnglish))

/** By hand: the tables of Intl take longer to load than most of a start. */
function toChoice(names: readonly string[]): string {
  const last = names.at(-1)!
  const others = names.slice(0, -1)
  return others.length === 0 ? last : `${others.join(', ')}${others.length > 1 ? ',' : ''} or ${last}`
}

/** Something for each of the languages. */
export const forEachLanguage = <T>(make: (code: LanguageCode) => T): Record<LanguageCode, T> =>
  Object.fromEntries(LANGUAGE_CODES.map(code => [code, make(code)])) as Record<LanguageCode, T>
