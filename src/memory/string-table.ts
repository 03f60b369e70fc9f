// The texts of all terms, numbered, in flat memory. The garbage collector would visit a string for each over and over: a million of them
// block requests for tens of milliseconds.

import { grown } from './growing.ts'
import { addUnit, ChainedHash, FNV_START, hashUnits, mixed } from './hash-table.ts'

/** Assigns a small number to each distinct text, so that a column of texts becomes a column of numbers. */
export class Interner {
  #numbers = new Map<string, number>()
  texts: string[] = []

  number(text: string): number {
    let number = this.#numbers.get(text)
    if (number === undefined) {
      number = this.texts.length
      this.#numbers.set(text, number)
      this.texts.push(text)
    }
    return number
  }

  /** Returns undefined if the text never occurred. */
  find(text: string): number | undefined {
    return this.#numbers.get(text)
  }
}

export class TermTexts {
  #units = new Uint16Array(8_192)
  /** The end of each text, where the next one starts. */
  #ends = new Uint32Array(1_024)
  #hashes = new Int32Array(1_024)
  #size = 0
  /** Hash of the text of the last `find`. */
  #soughtHash = 0
  readonly #lists = new ChainedHash(number => this.#hashes[number]!)

  get size(): number {
    return this.#size
  }

  get bytes(): number {
    const { byteLength } = this.#units
    return byteLength + this.#ends.byteLength + this.#hashes.byteLength + this.#lists.bytes
  }

  /** The number of a text, or -1. */
  find(text: string): number {
    const hash = hashUnits(text) | 0
    this.#soughtHash = hash
    let number = this.#lists.first(hash)
    while (number >= 0 && !(this.#hashes[number] === hash && this.#is(number, text)))
      number = this.#lists.next(number)
    return number < 0 ? -1 : number
  }

  /** Returns the number of a text; a new text gets the next number. */
  add(text: string): number {
    const known = this.find(text)
    if (known >= 0) return known
    const number = this.#size++
    const start = this.#start(number)
    const end = start + text.length
    this.#units = grown(this.#units, end)
    this.#ends = grown(this.#ends, this.#size)
    this.#hashes = grown(this.#hashes, this.#size)
    for (let i = 0; i < text.length; i++) this.#units[start + i] = text.charCodeAt(i)
    this.#ends[number] = end
    this.#hashes[number] = this.#soughtHash
    this.#lists.add(number)
    return number
  }

  at(number: number): string {
    return String.fromCharCode(...this.#units.subarray(this.#start(number), this.#ends[number]))
  }

  startsWith(number: number, prefix: string): boolean {
    const start = this.#start(number)
    if (this.#ends[number]! - start < prefix.length) return false
    for (let i = 0; i < prefix.length; i++) if (this.#units[start + i] !== prefix.charCodeAt(i)) return false
    return true
  }

  /** Whether text `a` sorts before text `b`, unit by unit. */
  isBefore(a: number, b: number): boolean {
    let [atA, atB] = [this.#start(a), this.#start(b)]
    const [endA, endB] = [this.#ends[a]!, this.#ends[b]!]
    while (atA < endA && atB < endB && this.#units[atA] === this.#units[atB]) {
      atA++
      atB++
    }
    if (atA === endA || atB === endB) return atA === endA && atB < endB
    return this.#units[atA]! < this.#units[atB]!
  }

  #start(number: number): number {
    return number === 0 ? 0 : this.#ends[number - 1]!
  }

  #is(number: number, text: string): boolean {
    return this.#ends[number]! - this.#start(number) === text.length && this.startsWith(number, text)
  }
}

// The number of every plain word, found without allocating a string: a catalog of a million entries contains tens of millions of words,
// and extracting each from its text costs more than the lookup.

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
