// The names that a language has for categories and chains.
import type { KnownCategory } from '../known-categories.ts'

export type LanguageNames = {
  /** The name of the language, in English and in the language itself. */
  readonly inEnglish: string
  readonly ownName: string
  readonly categories: Readonly<Record<KnownCategory, string>>
  /** Further spellings of chains, by chain name. */
  readonly chains?: Readonly<Record<string, readonly string[]>>
}
