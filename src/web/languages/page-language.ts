// What the pages need of a language.
import type { Words } from './english/words.ts'

export type PageLanguage = {
  readonly words: Words
  /** How numbers and dates are written (BCP 47). */
  readonly numberLocale: string
  readonly dateLocale: string
  /** With an underscore, as Open Graph wants it. */
  readonly openGraphLocale: string
}
