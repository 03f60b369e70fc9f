// What the pages need of a language.
import type { Words } from './english/words.ts'

export type PageLanguage = {
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
