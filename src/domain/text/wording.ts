// Since when an entry has its name and description. The age of the entry is not that of its words: an old entry that is edited to the
// name and text of another must not gain precedence by its age.
import { skeletonOf } from './skeleton.ts'

/** When the texts of an entry were written, if they are younger than the entry. */
export type Wording = {
  /** Since when it has its name; absent: since it came to its present endpoint. */
  readonly nameSince?: string
  /** Since when it has its description, apart from case, white space and punctuation; absent: since it came to its present endpoint. */
  readonly textSince?: string
}
type Words = { readonly name: string; readonly description: string }

/** Returns the times of the words after an edit; undefined if they are as old as the entry. */
export function updateWording(
  before: Words & { readonly worded?: Wording },
  after: Words,
  at: string,
): Wording | undefined {
  const { nameSince, textSince } = before.worded ?? {}
  const name = isSameName(before.name, after.name) ? nameSince : at
  const text = isSpeltAlike(before.description, after.description) ? textSince : at
  if (name === undefined && text === undefined) return undefined
  return { ...(name !== undefined && { nameSince: name }), ...(text !== undefined && { textSince: text }) }
}

const isSameName = (a: string, b: string): boolean => skeletonOf(a) === skeletonOf(b) || isSpeltAlike(a, b)

/** Returns whether two texts differ only in case, white space and punctuation. */
const isSpeltAlike = (a: string, b: string): boolean => lettersOf(a) === lettersOf(b)

/** Returns a text without case, white space and punctuation. */
export const lettersOf = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\p{P}\p{Z}\p{C}]+/gu, '') || text

/** Since when an entry has its words, in milliseconds since 1970. @param hereMs since when it is at its present endpoint */
export function wordsSince(
  hereMs: number,
  { nameSince, textSince }: Wording = {},
): { readonly nameMs: number; readonly textMs: number } {
  const laterOf = (since: string | undefined) =>
    since === undefined ? hereMs : Math.max(hereMs, Date.parse(since))
  return { nameMs: laterOf(nameSince), textMs: laterOf(textSince) }
}
