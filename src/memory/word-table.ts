// The number of every plain word, found without allocating a string: a catalog of a million entries contains tens of millions of words,
// and extracting each from its text costs more than the lookup.

import { addUnit, FNV_START, mixed } from './fnv1a.ts'
import { grown } from './growing.ts'
import { ChainedHash } from './hash-table.ts'

/** A word fits into one CPU cache line: its hash, its number, its length, and its letters, four per word. */
const RECORD_SHIFT = 3
const NUMBER = 1
const LENGTH = 2
const LETTERS = 3
const MAX_LETTERS = 4 * ((1 << RECORD_SHIFT) - LETTERS)

/** Folds ASCII capitals; leaves digits as they are. */
const fold = (unit: number): number => (unit < 0x41 ? unit : unit | 0x20)

export class WordTable {
  #records = new Int32Array(1024 << RECORD_SHIFT)
  #size = 0
  readonly #lists = new ChainedHash(entry => this.#records[entry << RECORD_SHIFT]!)
  /** The letters of the word being looked up; zeros after its end. */
  readonly #letters = new Int32Array(MAX_LETTERS / 4)

  get bytes(): number {
    return this.#records.byteLength + this.#lists.bytes
  }

  /** The number stored for the ASCII letters and digits `text[start, end)`, in any case, or -1. */
  find(text: string, start: number, end: number): number {
    const length = end - start
    if (length > MAX_LETTERS) return -1
    const hash = this.#read(text, start, end)
    for (let entry = this.#lists.first(hash); entry >= 0; entry = this.#lists.next(entry)) {
      const at = entry << RECORD_SHIFT
      if (this.#records[at] === hash && this.#isRead(at, length)) return this.#records[at + NUMBER]!
    }
    return -1
  }

  /** Stores a number for a word that was not found; words of more than twenty letters are too rare to store. */
  add(text: string, start: number, end: number, number: number): void {
    if (end - start > MAX_LETTERS) return
    const entry = this.#size++
    const at = entry << RECORD_SHIFT
    this.#records = grown(this.#records, this.#size << RECORD_SHIFT)
    this.#records[at] = this.#read(text, start, end)
    this.#records[at + NUMBER] = number
    this.#records[at + LENGTH] = end - start
    this.#records.set(this.#letters, at + LETTERS)
    this.#lists.add(entry)
  }

  /** Reads the letters of a word, and returns their hash. */
  #read(text: string, start: number, end: number): number {
    let hash = FNV_START
    let four = 0
    let taken = 0
    const length = end - start
    for (let i = 0; i < length; i++) {
      four |= fold(text.charCodeAt(start + i)) << (8 * (i & 3))
      if ((i & 3) < 3 && i + 1 < length) continue
      // With four letters per step, the low bits need mixing at every step.
      hash = mixed(addUnit(hash, four)) | 0
      this.#letters[taken++] = four
      four = 0
    }
    while (taken < MAX_LETTERS / 4) this.#letters[taken++] = 0
    return hash
  }

  /** Whether the record is the word that was read last. */
  #isRead(at: number, length: number): boolean {
    if (this.#records[at + LENGTH] !== length) return false
    for (let i = 0; i < MAX_LETTERS / 4; i++)
      if (this.#records[at + LETTERS + i] !== this.#letters[i]) return false
    return true
  }
}
