// Category ids and their labels. Any well-formed id is accepted; the known ones have labels in every language.
import { hiddenInName, isBlank, isStacked } from './invisible.ts'
import { KNOWN_CATEGORY_IDS } from './known-categories.ts'
import { forEachLanguage, LANGUAGES, type LanguageCode } from './languages/languages.ts'

/** What a category is called, by the code of the language. */
export type Labels = Readonly<Record<LanguageCode, string>>
export type Category = { readonly id: string; readonly labels: Labels; readonly count: number }

export const KNOWN_CATEGORIES: Readonly<Record<string, Labels>> = Object.fromEntries(
  KNOWN_CATEGORY_IDS.map(id => [id, forEachLanguage(code => LANGUAGES[code].categories[id])]),
)

/** Letters and digits of any script first, then also marks, space and `. _ : / & -`; 64 code points at most. */
export const CATEGORY_ID = /^[\p{L}\p{N}][\p{L}\p{N}\p{M} ._:/&-]{0,63}$/u
/**
 * The same for readers of JSON Schema, as near as a pattern comes that means the same with and without the flag `u`: many
 * validators compile without it, and read `\p{L}` as letters of its own name.
 */
export const CATEGORY_ID_SCHEMA = {
  pattern: "^[^\\x00-/:-@\\[-`{-\\x7f][^\\x00-\\x1f!-%'-,;-@\\[-^`{-\\x7f]*$",
  maxLength: 64,
}

/** Returns whether a service may be listed under it: there are letters and marks that nobody sees. */
export const isCategoryId = (id: string): boolean =>
  CATEGORY_ID.test(id) && !isBlank(id) && !isStacked(id) && hiddenInName(id) === undefined

/** What two spellings of one category have in common. */
export const categoryKey = (id: string): string => id.toLowerCase()

/** The labels of a known id; for an unknown one a readable label made from it: `image-generation` → `Image Generation`. */
export function categoryLabels(id: string): Labels {
  const key = categoryKey(id)
  const known = Object.hasOwn(KNOWN_CATEGORIES, key) ? KNOWN_CATEGORIES[key] : undefined
  if (known) return known
  const label = id
    .split(/[-_.:/ ]+/)
    .filter(word => word !== '')
    .map(word => word.replace(/^\p{L}/u, letter => letter.toUpperCase()))
    .join(' ')
  return forEachLanguage(() => label)
}

const IDS_BY_LABEL = new Map(
  Object.entries(KNOWN_CATEGORIES).flatMap(([id, labels]) =>
    Object.values(labels).map(label => [label.toLowerCase(), id]),
  ),
)

/** Maps a readable label back to an id, as an export document needs it. */
export function categoryFromLabel(label: string): string {
  const folded = label.trim().toLowerCase()
  return IDS_BY_LABEL.get(folded) ?? folded.replace(/\s+/g, '-')
}
