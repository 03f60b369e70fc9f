// Tells which of the entries of a page have anything in common with another, without comparing each with each.
import { hasSketch, LIKENESS_WORDS, NAME_AT, PAYEE_AT, SKETCH_AT, SUFFIX_AT } from './alike.ts'

/** Eleven keys an entry at most: payee, domain, name and eight pairs of min-hashes. */
const KEYS_OF_ONE = 11
/** In the place of a key that an entry does not have. */
const NONE = 0

/** No more entries are looked at together. */
const MAX_ENTRIES = 256
/** The keys of one entry. */
const own = new Uint32Array(KEYS_OF_ONE)

/** Well above the keys of all: a place is found at once. Two words for each: the key, and who had it first in which round. */
const BITS = 13
const SIZE = 2 ** BITS
const MASK = SIZE - 1
const table = new Uint32Array(2 * SIZE)
/** Rounds need no emptying of the table until their numbers are used up. */
const MAX_ROUND = 2 ** 24 - 1
let round = 0

/** Marks with 1 each entry that may share a payee, a domain, a name or a text with another. Returns how many there are. */
export function markMeetings(rows: Uint32Array, entries: Int32Array, marks: Uint8Array): number {
  const count = entries.length
  if (count > MAX_ENTRIES) throw new RangeError(`At most ${MAX_ENTRIES} entries can be compared.`)
  if (++round > MAX_ROUND) {
    table.fill(0)
    round = 1
  }
  let marked = 0
  for (let entry = 0; entry < count; entry++) {
    writeKeys(rows, entries[entry]!)
    for (let k = 0; k < KEYS_OF_ONE; k++) {
      const key = own[k]!
      if (key === NONE) continue
      const other = meet(key, entry)
      if (other === entry) continue
      marked += 2 - marks[entry]! - marks[other]!
      marks[entry] = 1
      marks[other] = 1
    }
  }
  return marked
}

function writeKeys(rows: Uint32Array, row: number): void {
  own[0] = rows[row + PAYEE_AT]!
  own[1] = rows[row + SUFFIX_AT]!
  own[2] = rows[row + NAME_AT]!
  if (!hasSketch(rows, row)) {
    own.fill(NONE, 3)
    return
  }
  // Two near-copies agree in at least one pair of neighbouring min-hashes.
  let to = 3
  for (let at = SKETCH_AT, band = 1; at < LIKENESS_WORDS; at++, band += 2) {
    const word = rows[row + at]!
    own[to++] = (word & 0xffff) | (band << 16)
    own[to++] = (word >>> 16) | ((band + 1) << 16)
  }
}

/** Returns the entry that had the key first. */
function meet(key: number, entry: number): number {
  let at = Math.imul(key, 0x9e37_79b1) >>> (32 - BITS)
  for (; table[2 * at + 1]! >>> 8 === round; at = (at + 1) & MASK)
    if (table[2 * at] === key) return table[2 * at + 1]! & 0xff
  table[2 * at] = key
  table[2 * at + 1] = (round << 8) | entry
  return entry
}
