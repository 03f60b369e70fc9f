// Finds the hits of a page that may be of one seller or copies of each other (near-duplicate detection by min-hash
// banding), without comparing all pairs.
import { FINGERPRINT_WORDS, hasSketch, NAME_AT, PAYEE_AT, SKETCH_AT, SUFFIX_AT } from './fingerprint.ts'

/** The maximum number of entries that are compared together. */
export const MAX_ENTRIES = 256

/** Groups of entries that share a key. A group is identified by its first entry. */
export class Groups {
  /** The first entry of the group of each entry. */
  readonly first: Uint8Array
  readonly #sizes: Uint16Array

  constructor(count: number) {
    this.first = new Uint8Array(count)
    this.#sizes = new Uint16Array(count)
  }

  add(entry: number, first: number): void {
    this.first[entry] = first
    this.#sizes[first]!++
  }

  /** Returns the size of the group of an entry. */
  sizeOf(entry: number): number {
    return this.#sizes[this.first[entry]!]!
  }
}

export type CandidateGroups = {
  readonly payees: Groups
  readonly domains: Groups
  readonly names: Groups
  /** 1 for entries whose text may be that of another. */
  readonly texts: Uint8Array
}

/**
 * A hash table much larger than the number of keys (eleven per entry), so that collisions are rare. Each cell has an entry
 * and the round it was written in.
 */
const BITS = 13
const MASK = 2 ** BITS - 1
/** A cell of an earlier round is empty, so the table is cleared only when the round numbers are used up. */
const MAX_ROUND = 2 ** 24 - 1

/** The memory is reused; each ranking has one instance. */
export class CandidatePairs {
  readonly #table = new Uint32Array(2 ** BITS)
  #round = 0

  /** @param entries the offset of each entry's row */
  find(rows: Uint32Array, entries: Int32Array): CandidateGroups {
    const count = entries.length
    if (count > MAX_ENTRIES) throw new RangeError(`At most ${MAX_ENTRIES} entries can be compared.`)
    if (++this.#round > MAX_ROUND) {
      this.#table.fill(0)
      this.#round = 1
    }
    const [payees, domains, names] = [new Groups(count), new Groups(count), new Groups(count)]
    const texts = new Uint8Array(count)
    for (let entry = 0; entry < count; entry++) {
      payees.add(entry, this.#firstWith(rows, entries, entry, PAYEE_AT, payees))
      domains.add(entry, this.#firstWith(rows, entries, entry, SUFFIX_AT, domains))
      names.add(entry, this.#firstWith(rows, entries, entry, NAME_AT, names))
      if (hasSketch(rows, entries[entry]!)) this.#markTexts(rows, entries, entry, texts)
    }
    return { payees, domains, names, texts }
  }

  /** The cell may have another key with the same hash, so the keys themselves are compared. */
  #firstWith(rows: Uint32Array, entries: Int32Array, entry: number, at: number, groups: Groups): number {
    const table = this.#table
    const round = this.#round
    const row = entries[entry]! + at
    const [low, high] = [rows[row]!, rows[row + 1]!]
    let place = low & MASK
    for (; table[place]! >>> 8 === round; place = (place + 1) & MASK) {
      const other = table[place]! & 0xff
      const otherRow = entries[other]! + at
      if (rows[otherRow] === low && rows[otherRow + 1] === high && other !== entry)
        return groups.first[other]!
    }
    table[place] = (round << 8) | entry
    return entry
  }

  /**
   * Nearly all near-duplicates agree in a pair of neighbouring min-hashes: all of those with nine of sixteen equal, 91 %
   * with seven.
   */
  #markTexts(rows: Uint32Array, entries: Int32Array, entry: number, texts: Uint8Array): void {
    const table = this.#table
    const round = this.#round
    const row = entries[entry]!
    for (let at = SKETCH_AT; at < FINGERPRINT_WORDS; at++)
      for (let shift = 0; shift <= 16; shift += 16) {
        const pair = (rows[row + at]! >>> shift) & 0xffff
        let place = Math.imul(pair | ((at + shift) << 16), 0x9e37_79b1) >>> (32 - BITS)
        for (; table[place]! >>> 8 === round; place = (place + 1) & MASK) {
          const other = table[place]! & 0xff
          const otherRow = entries[other]!
          if (
            ((rows[otherRow + at]! >>> shift) & 0xffff) !== pair ||
            other === entry ||
            !hasSketch(rows, otherRow)
          )
            continue
          texts[entry] = 1
          texts[other] = 1
          break
        }
        if (table[place]! >>> 8 !== round) table[place] = (round << 8) | entry
      }
  }
}
