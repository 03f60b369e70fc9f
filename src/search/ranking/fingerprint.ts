// Decides whether two entries are of one seller, and whether one is a near-duplicate of the other. The catalog writes a
// fingerprint of each entry.

/** The fingerprint of an entry, in words of 32 bits: hashes of payee, registrable domain and name, and a sketch of the description. */
export type FingerprintRows = { readonly rows: Uint32Array }
export const FINGERPRINT_WORDS = 10
export const PAYEE_AT = 0
export const SUFFIX_AT = 2
export const NAME_AT = 4
export const SKETCH_AT = 6

/** About half of the shingles are equal when this many of 16 min-hashes are. */
const MIN_EQUAL = 7
const LOW_SEVEN = 0x7f7f_7f7f
const HIGH = 0x8080_8080

export const rowOf = (slot: number): number => slot * FINGERPRINT_WORDS

const areEqual = (rows: Uint32Array, a: number, b: number, at: number): boolean =>
  rows[a + at] === rows[b + at] && rows[a + at + 1] === rows[b + at + 1]

/** One seller: the same payee, or the same registrable domain. */
export const isSameSeller = (rows: Uint32Array, a: number, b: number): boolean =>
  areEqual(rows, a, b, PAYEE_AT) || areEqual(rows, a, b, SUFFIX_AT)

export const isSameName = (rows: Uint32Array, a: number, b: number): boolean => areEqual(rows, a, b, NAME_AT)

/** A text that is too short has no sketch. */
export const hasSketch = (rows: Uint32Array, a: number): boolean => rows[a + SKETCH_AT] !== 0

export function isSameText(rows: Uint32Array, a: number, b: number): boolean {
  if (!hasSketch(rows, a) || !hasSketch(rows, b)) return false
  let equal = 0
  for (let at = SKETCH_AT; at < FINGERPRINT_WORDS; at++) equal += equalBytes(rows[a + at]!, rows[b + at]!)
  return equal >= MIN_EQUAL
}

/** Returns how many of the four bytes of two words are equal. */
function equalBytes(a: number, b: number): number {
  const difference = a ^ b
  // Its high bits are set in the bytes that differ.
  let differ = (((difference & LOW_SEVEN) + LOW_SEVEN) | difference) & HIGH
  let count = 4
  for (; differ !== 0; differ &= differ - 1) count--
  return count
}
