// What the pages need of a language.
import type { Words } from './english/words.ts'

/** How a text without spaces is divided into what a line keeps together. */
export type Phrases = {
  /** Whether a word is written in it. */
  readonly recognises: (text: string) => boolean
  readonly split: (text: string) => readonly string[]
}

export type PageLanguage = {
  readonly words: Words
  /** How numbers and dates are written (BCP 47). */
  readonly numberLocale: string
  readonly dateLocale: string
  /** With an underscore, as Open Graph wants it. */
  readonly openGraphLocale: string
  /** Of a language without spaces. */
  readonly phrases?: Phrases
  /** What the directory says, with its spaces where no line breaks. */
  readonly unbroken?: (text: string) => string
  /** A text after a shortened value, glued to it where no line breaks between them. */
  readonly glued?: (text: string) => string
}
