// Since when an entry has the words that it has. Its own age says nothing about them: whoever edits an old entry into somebody's name
// and text does not bring the age along.
import { skeletonOf } from './skeleton.ts'
import { SKETCH_BYTES, writeSketch } from './text-sketch.ts'

/** What is known of the words of an entry beyond its own age. */
export type Wording = {
  /** Since when it has its name; absent: since it came to where it is. */
  readonly nameSince?: string
  /** Since when it has its description, but for what was touched up; absent: since it came to where it is. */
  readonly textSince?: string
  /** The sketch of the description with which that began, in base64; absent where it is still the same. */
  readonly firstSketch?: string
}
type Words = { readonly name: string; readonly description: string }

/**
 * A description is touched up, and keeps its age, while so many of 16 min-hashes are those of the first one. A copy shares 7 with the
 * original, so no text is both: however small the steps, nobody gets from a text of their own to somebody else's and keeps its age.
 */
const MIN_KEPT = 10

/** Returns what is known of the words after an edit; undefined where they are as old as the entry. */
export function reword(
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
  const isTouchedUp = first !== NO_SKETCH && countEqual(first, sketchOf(after)) >= MIN_KEPT
  return isTouchedUp ? { ...worded, firstSketch: first } : { textSince: at }
}

/** Returns whether two texts differ in case, white space and punctuation alone. */
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

/** Returns since when an entry has its words, given since when it is where it is: milliseconds since 1970. */
export function wordsSince(
  hereMs: number,
  { nameSince, textSince }: Wording = {},
): { readonly nameMs: number; readonly textMs: number } {
  const laterOf = (since: string | undefined) =>
    since === undefined ? hereMs : Math.max(hereMs, Date.parse(since))
  return { nameMs: laterOf(nameSince), textMs: laterOf(textSince) }
}
