// What the pages need of a language.
import type { Words } from './english/words.ts'

export type PageLanguage = {
  readonly words: Words
  /** How numbers and dates are written (BCP 47). */
  readonly numberLocale: string
  readonly dateLocale: string
  /**
   * What the directory says about services is kept in English: sentences, and phrases such as what is wrong with a field,
   * in this language. undefined where they are not known.
   */
  readonly translateSentences?: (english: string) => string | undefined
  readonly translatePhrase?: (english: string) => string | undefined
}
