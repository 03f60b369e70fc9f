// What a language calls the things of the directory.
import type { KnownCategory } from '../known-categories.ts'

export type LanguageNames = {
  /** Of the language itself, in English and in its own words. */
  readonly inEnglish: string
  readonly ownName: string
  readonly categories: Readonly<Record<KnownCategory, string>>
  /** Further spellings of chains, by their names. */
  readonly chains?: Readonly<Record<string, readonly string[]>>
}
