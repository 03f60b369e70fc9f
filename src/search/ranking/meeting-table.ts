// Tells which of the entries of a page have anything in common with another, without comparing each with each.
import { hasSketch, LIKENESS_WORDS, NAME_AT, PAYEE_AT, SKETCH_AT, SUFFIX_AT } from './alike.ts'

/** Eleven keys an entry at most: payee, domain, name and eight pairs of min-hashes. */
const KEYS_OF_ONE = 11
/** In the place of a key that an entry does not have. */
const NONE = 0
/** Nearly every key is met once: a bit for each says so without a look at the table. */
const BIT_SHIFT = 17
const WORDS = 2 ** (32 - BIT_SHIFT - 5)
const once = new Int32Array(WORDS)
const again = new Int32Array(WORDS)

/** Well above what is left for a window. */
const SIZE = 4096
const MASK = SIZE - 1
const keys = new Uint32Array(SIZE)
const owners = new Int32Array(SIZE)
/** Whether a place is taken in the present round. */
const rounds = new Uint32Array(SIZE)
let round = 0

/** No more entries are looked at together. */
const MAX_ENTRIES = 256
const met = new Uint32Array(MAX_ENTRIES * KEYS_OF_ONE)
const bits = new Uint16Array(met.length)

/** Marks with 1 each entry that may share a payee, a domain, a name or a text with another. Returns how many there are. */
export function markMeetings(rows: Uint32Array, entries: Int32Array, marks: Uint8Array): number {
  const count = entries.length
  if (count > MAX_ENTRIES) throw new RangeError(`At most ${MAX_ENTRIES} entries can be compared.`)
  for (let i = 0; i < count; i++) writeKeys(rows, entries[i]!, i * KEYS_OF_ONE)
  once.fill(0)
  again.fill(0)
  const end = count * KEYS_OF_ONE
  let isMet = 0
  for (let at = 0; at < end; at++) {
    const key = met[at]!
    if (key === NONE) continue
    const bit = Math.imul(key, 0x9e37_79b1) >>> BIT_SHIFT
    bits[at] = bit
    const mask = 1 << (bit & 31)
    const repeated = once[bit >> 5]! & mask
    again[bit >> 5]! |= repeated
    isMet |= repeated
    once[bit >> 5]! |= mask
  }
  return isMet === 0 ? 0 : markMet(end, marks)
}

function writeKeys(rows: Uint32Array, row: number, first: number): void {
  met[first] = rows[row + PAYEE_AT]!
  met[first + 1] = rows[row + SUFFIX_AT]!
  met[first + 2] = rows[row + NAME_AT]!
  if (!hasSketch(rows, row)) {
    met.fill(NONE, first + 3, first + KEYS_OF_ONE)
    return
  }
  // Two near-copies agree in at least one pair of neighbouring min-hashes.
  let to = first + 3
  for (let at = SKETCH_AT, band = 1; at < LIKENESS_WORDS; at++, band += 2) {
    const word = rows[row + at]!
    met[to++] = (word & 0xffff) | (band << 16)
    met[to++] = (word >>> 16) | ((band + 1) << 16)
  }
}

/** Those whose bit was met again are compared as a whole. */
function markMet(end: number, marks: Uint8Array): number {
  round++
  let marked = 0
  for (let at = 0; at < end; at++) {
    const key = met[at]!
    const bit = bits[at]!
    if (key === NONE || (again[bit >> 5]! & (1 << (bit & 31))) === 0) continue
    const entry = Math.floor(at / KEYS_OF_ONE)
    const other = meet(key, entry)
    if (other < 0) continue
    marked += 2 - marks[entry]! - marks[other]!
    marks[entry] = 1
    marks[other] = 1
  }
  return marked
}

/** Returns the entry that had the key first; -1 where that is this one. */
function meet(key: number, entry: number): number {
  let at = (Math.imul(key, 0x9e37_79b1) >>> 20) & MASK
  for (; rounds[at] === round; at = (at + 1) & MASK)
    if (keys[at] === key) return owners[at] === entry ? -1 : owners[at]!
  rounds[at] = round
  keys[at] = key
  owners[at] = entry
  return -1
}
