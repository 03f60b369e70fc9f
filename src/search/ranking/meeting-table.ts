// Tells which of the entries of a page have anything in common with another, without comparing each with each.
import { hasSketch, LIKENESS_WORDS, NAME_AT, PAYEE_AT, SKETCH_AT, SUFFIX_AT } from './alike.ts'

/** Well above what a window needs: eleven keys an entry. */
const SIZE = 4096
const MASK = SIZE - 1

const keys = new Uint32Array(SIZE)
const owners = new Int32Array(SIZE)
/** Whether a place is taken in the present round. */
const rounds = new Uint32Array(SIZE)
let round = 0

/** Marks with 1 each entry that may share a payee, a domain, a name or a text with another. Returns how many there are. */
export function markMeetings(rows: Uint32Array, entries: Int32Array, marks: Uint8Array): number {
  round++
  let marked = 0
  const mark = (entry: number) => {
    marked += 1 - marks[entry]!
    marks[entry] = 1
  }
  const meet = (key: number, entry: number) => {
    let at = (Math.imul(key, 0x9e37_79b1) >>> 20) & MASK
    for (; rounds[at] === round; at = (at + 1) & MASK) {
      if (keys[at] !== key) continue
      if (owners[at] === entry) return
      mark(owners[at]!)
      mark(entry)
      return
    }
    rounds[at] = round
    keys[at] = key
    owners[at] = entry
  }
  for (let i = 0; i < entries.length; i++) {
    const row = entries[i]!
    meet(rows[row + PAYEE_AT]!, i)
    meet(rows[row + SUFFIX_AT]!, i)
    meet(rows[row + NAME_AT]!, i)
    if (!hasSketch(rows, row)) continue
    // Two near-copies agree in at least one pair of neighbouring min-hashes.
    for (let at = SKETCH_AT, band = 1; at < LIKENESS_WORDS; at++, band += 2) {
      const word = rows[row + at]!
      meet(((word & 0xffff) | (band << 16)) >>> 0, i)
      meet(((word >>> 16) | ((band + 1) << 16)) >>> 0, i)
    }
  }
  return marked
}
