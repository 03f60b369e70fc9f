// The names that a language has for categories and chains, and the words that names and descriptions are judged by.
import type { KnownCategory } from '../listing/known-categories.ts'

export type LanguageNames = {
  /** The name of the language, in English and in the language itself. */
  readonly inEnglish: string
  readonly ownName: string
  readonly categories: Readonly<Record<KnownCategory, string>>
  /** Further spellings of chains, by chain name. */
  readonly chains?: Readonly<Record<string, readonly string[]>>
  /** Words by which a name imitates that of another owner, as in "Acme (official)". */
  readonly claims: {
    /** A pattern for those before a name, with what separates them from it. */
    readonly before: string
    readonly after: readonly string[]
    /** What may follow them, as in "official site". */
    readonly things: readonly string[]
  }
  /** A pattern for words which say that something costs money. */
  readonly paid: string
}
