// Compounds that a query and an entry write differently: e-mail and email, geo coding and geocoding, QR code and qrcode,
// getTokenPrice and its words.
import type { Analyzer } from '../text/analyzer.ts'
import { findPosting, type PostingsCursor } from './cursor.ts'

const MIN_JOINED = 5
const MAX_JOINED = 24
/** More entries than this are not looked through for those that have both words. */
const MAX_LOOKED_THROUGH = 4_096

const CONVERSION = /^([a-z]{2,})[24]([a-z]{2,})$/

/** The words of a conversion as code writes it: text2speech. */
export const splitConversion = (word: string): string[] => CONVERSION.exec(word)?.slice(1) ?? []

/** Two words as one; undefined where their language does not write them with a space between. */
export function joinWords({ languages }: Analyzer, first: string, second: string): string | undefined {
  const length = first.length + second.length
  if (length < MIN_JOINED || length > MAX_JOINED) return undefined
  const isSpaced = (word: string) => languages.ofWord(word).text.unspaced === undefined
  return isSpaced(first) && isSpaced(second) ? first + second : undefined
}

/** The entries that have both words, wherever they stand; undefined where there are none, or too many to look. */
export function intersectPostings(
  a: PostingsCursor,
  b: PostingsCursor,
): Omit<PostingsCursor, 'weight'> | undefined {
  const [rare, other] = a.count <= b.count ? [a, b] : [b, a]
  if (rare.count > MAX_LOOKED_THROUGH) return undefined
  const slots = new Uint32Array(rare.count)
  const impacts = new Uint8Array(rare.count)
  let count = 0
  for (let at = rare.start; at < rare.start + rare.count; at++) {
    const place = findPosting(other, rare.slots[at]!)
    if (place < 0) continue
    slots[count] = rare.slots[at]!
    impacts[count++] = Math.min(rare.impacts[at]!, other.impacts[place]!)
  }
  return count === 0 ? undefined : { slots, impacts, start: 0, count, bitmap: undefined }
}
