// Category ids and their labels. Any well-formed id is accepted; the known ones have labels in every language.
import { memoize } from '../../memory/memoize.ts'
import { forEachLanguage, KNOWN_CATEGORY_IDS, LANGUAGES, type LanguageCode } from '../languages/languages.ts'
import { hiddenInName, isBlank, isStacked } from '../text/invisible.ts'

/** The names of a category by language code. */
export type Labels = Readonly<Record<LanguageCode, string>>
export type Category = { readonly id: string; readonly labels: Labels; readonly count: number }

export const KNOWN_CATEGORIES: Readonly<Record<string, Labels>> = Object.fromEntries(
  KNOWN_CATEGORY_IDS.map(id => [id, forEachLanguage(code => LANGUAGES[code].categories[id])]),
)

/** Letters and digits of any script first, then also marks, space and `. _ : / & -`; 64 code points at most. */
export const CATEGORY_ID = /^[\p{L}\p{N}][\p{L}\p{N}\p{M} ._:/&-]{0,63}$/u
/**
 * An approximation for JSON Schema that means the same with and without the flag `u`: many validators compile without it, and then
 * read `\p{L}` as the letters `p`, `L` and braces.
 */
export const CATEGORY_ID_SCHEMA = {
  pattern: "^[^\\x00-/:-@\\[-`{-\\x7f][^\\x00-\\x1f!-%'-,;-@\\[-^`{-\\x7f]*$",
  maxLength: 64,
}

/** Returns whether a service may be listed under the id: it must also contain no invisible letters or marks. */
export const isCategoryId = (id: string): boolean =>
  CATEGORY_ID.test(id) && !isBlank(id) && !isStacked(id) && hiddenInName(id) === undefined

/** The key that all spellings of a category share. */
export const categoryKey = (id: string): string => id.toLowerCase()

/** Labels are read for every entry of an answer, and most catalogs have few categories. */
const MAX_REMEMBERED = 4096

/** The labels of a known id. For an unknown one, a readable label derived from it: `image-generation` → `Image Generation`. */
export const categoryLabels: (id: string) => Labels = memoize(MAX_REMEMBERED, id => {
  const key = categoryKey(id)
  const known = Object.hasOwn(KNOWN_CATEGORIES, key) ? KNOWN_CATEGORIES[key] : undefined
  if (known) return known
  const label = id
    .split(/[-_.:/ ]+/)
    .filter(word => word !== '')
    .map(word => word.replace(/^\p{L}/u, letter => letter.toUpperCase()))
    .join(' ')
  return forEachLanguage(() => label)
})

const IDS_BY_LABEL = new Map(
  Object.entries(KNOWN_CATEGORIES).flatMap(([id, labels]) =>
    Object.values(labels).map(label => [label.toLowerCase(), id]),
  ),
)

/** Returns the known category that has this label in any language. */
export const findCategoryByLabel = (label: string): string | undefined =>
  IDS_BY_LABEL.get(label.trim().toLowerCase())

/** Maps a label back to an id; export documents contain labels. */
export const categoryFromLabel = (label: string): string =>
  findCategoryByLabel(label) ?? label.trim().toLowerCase().replace(/\s+/g, '-')

export const isKnownCategory = (id: string): boolean => Object.hasOwn(KNOWN_CATEGORIES, categoryKey(id))
