// Remembers the number of every plain word without making a string of it: a catalog of a million entries holds tens of
// millions of words, and cutting each out of its text costs more than looking it up.
import { HashLists } from '../domain/hash-lists.ts'
import { grown } from './growing.ts'

/** Folds ASCII capitals; leaves digits as they are. */
const fold = (unit: number): number => (unit < 0x41 ? unit : unit | 0x20)

export class WordTable {
  #hashes = new Int32Array(1024)
  #starts = new Uint32Array(1024)
  #numbers = new Int32Array(1024)
  #units = new Uint8Array(8192)
  #size = 0
  readonly #entries = new HashLists(entry => this.#hashes[entry]!)

  get bytes(): number {
    const { byteLength } = this.#units
    return (
      byteLength +
      this.#entries.bytes +
      this.#hashes.byteLength +
      this.#starts.byteLength +
      this.#numbers.byteLength
    )
  }

  /** The number kept for the ASCII letters and digits `text[start, end)`, whatever their case, or -1. */
  find(text: string, start: number, end: number): number {
    const hash = this.#hash(text, start, end)
    for (let entry = this.#entries.first(hash); entry >= 0; entry = this.#entries.next(entry))
      if (this.#hashes[entry] === hash && this.#isSame(entry, text, start, end)) return this.#numbers[entry]!
    return -1
  }

  /** Keeps a number for a word that was not found. */
  add(text: string, start: number, end: number, number: number): void {
    const entry = this.#size++
    const from = this.#starts[entry]!
    const to = from + end - start
    this.#hashes = grown(this.#hashes, this.#size)
    this.#numbers = grown(this.#numbers, this.#size)
    this.#starts = grown(this.#starts, this.#size + 1)
    this.#units = grown(this.#units, to)
    for (let i = start; i < end; i++) this.#units[from + i - start] = fold(text.charCodeAt(i))
    this.#starts[entry + 1] = to
    this.#numbers[entry] = number
    this.#hashes[entry] = this.#hash(text, start, end)
    this.#entries.add(entry)
  }

  #hash(text: string, start: number, end: number): number {
    let hash = 0x811c9dc5 | 0
    for (let i = start; i < end; i++) hash = Math.imul(hash ^ fold(text.charCodeAt(i)), 0x01000193)
    return hash ^ (hash >>> 15)
  }

  #isSame(entry: number, text: string, start: number, end: number): boolean {
    const from = this.#starts[entry]!
    if (this.#starts[entry + 1]! - from !== end - start) return false
    for (let i = start; i < end; i++) {
      if (this.#units[from + i - start] !== fold(text.charCodeAt(i))) return false
    }
    return true
  }
}
