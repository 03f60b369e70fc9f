// Since when an entry has its name and description. The age of the entry is not that of its words: an old entry that is edited to the
// name and text of another must not gain precedence by its age.
import { skeletonOf } from './skeleton.ts'
import { SKETCH_BYTES, writeSketch } from './text-sketch.ts'

/** When the texts of an entry were written, if they are younger than the entry. */
export type Wording = {
  /** Since when it has its name; absent: since it came to its present endpoint. */
  readonly nameSince?: string
  /** Since when it has its description, apart from minor edits; absent: since it came to its present endpoint. */
  readonly textSince?: string
  /** The sketch of the description at that time, in base64; absent if it is unchanged. */
  readonly firstSketch?: string
}
type Words = { readonly name: string; readonly description: string }

/**
 * A minor edit retains the age of a description: this many of 16 min-hashes must equal those of the first one. A copy shares 7 with the
 * original, so no text is both: however small the steps, nobody can edit their own text into that of another and retain its age.
 */
const MIN_EQUAL = 10

/** Returns the times of the words after an edit; undefined if they are as old as the entry. */
export function updateWording(
  before: Words & { readonly worded?: Wording },
  after: Words,
  at: string,
): Wording | undefined {
  const { nameSince, ...text } = before.worded ?? {}
  const name = isSameName(before.name, after.name) ? nameSince : at
  const worded: Wording = {
    ...(name !== undefined && { nameSince: name }),
    ...rewordText(before.description, after.description, text, at),
  }
  return Object.keys(worded).length === 0 ? undefined : worded
}

const isSameName = (a: string, b: string): boolean => skeletonOf(a) === skeletonOf(b) || isSpeltAlike(a, b)

type TextWording = Pick<Wording, 'textSince' | 'firstSketch'>

function rewordText(before: string, after: string, worded: TextWording, at: string): TextWording {
  if (isSpeltAlike(before, after)) return worded
  const first = worded.firstSketch ?? sketchOf(before)
  const isMinorEdit = first !== NO_SKETCH && countEqual(first, sketchOf(after)) >= MIN_EQUAL
  return isMinorEdit ? { ...worded, firstSketch: first } : { textSince: at }
}

/** Returns whether two texts differ only in case, white space and punctuation. */
const isSpeltAlike = (a: string, b: string): boolean => lettersOf(a) === lettersOf(b)

const lettersOf = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\p{P}\p{Z}\p{C}]+/gu, '') || text

function sketchOf(text: string): string {
  const bytes = new Uint8Array(SKETCH_BYTES)
  writeSketch(text, bytes, 0)
  return bytes.toBase64()
}
const NO_SKETCH = new Uint8Array(SKETCH_BYTES).toBase64()

function countEqual(a: string, b: string): number {
  const other = Uint8Array.fromBase64(b)
  return Uint8Array.fromBase64(a).reduce((count, byte, i) => count + Number(byte === other[i]), 0)
}

/** Since when an entry has its words, in milliseconds since 1970. @param hereMs since when it is at its present endpoint */
export function wordsSince(
  hereMs: number,
  { nameSince, textSince }: Wording = {},
): { readonly nameMs: number; readonly textMs: number } {
  const laterOf = (since: string | undefined) =>
    since === undefined ? hereMs : Math.max(hereMs, Date.parse(since))
  return { nameMs: laterOf(nameSince), textMs: laterOf(textSince) }
}
