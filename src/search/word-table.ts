// Remembers the number of every plain word without making a string of it: a catalog of a million entries holds tens of
// millions of words, and cutting each out of its text costs more than looking it up.
import { grown } from './growing.ts'

/** Folds ASCII capitals; leaves digits as they are. */
const fold = (unit: number): number => (unit < 0x41 ? unit : unit | 0x20)

export class WordTable {
  #table = new Int32Array(4096).fill(-1)
  #hashes = new Int32Array(1024)
  #starts = new Uint32Array(1024)
  #numbers = new Int32Array(1024)
  #units = new Uint8Array(8192)
  #size = 0

  get bytes(): number {
    const { byteLength } = this.#units
    return (
      byteLength +
      this.#table.byteLength +
      this.#hashes.byteLength +
      this.#starts.byteLength +
      this.#numbers.byteLength
    )
  }

  /** The number kept for the ASCII letters and digits `text[start, end)`, whatever their case, or -1. */
  find(text: string, start: number, end: number): number {
    const hash = this.#hash(text, start, end)
    const mask = this.#table.length - 1
    for (let at = hash & mask; ; at = (at + 1) & mask) {
      const entry = this.#table[at]!
      if (entry < 0) return -1
      if (this.#hashes[entry] === hash && this.#isSame(entry, text, start, end)) return this.#numbers[entry]!
    }
  }

  /** Keeps a number for a word that was not found. */
  add(text: string, start: number, end: number, number: number): void {
    if (this.#size * 2 >= this.#table.length) this.#enlarge()
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
    this.#file(entry)
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

  #file(entry: number): void {
    const mask = this.#table.length - 1
    let at = this.#hashes[entry]! & mask
    while (this.#table[at]! >= 0) at = (at + 1) & mask
    this.#table[at] = entry
  }

  #enlarge(): void {
    this.#table = new Int32Array(this.#table.length * 2).fill(-1)
    for (let entry = 0; entry < this.#size; entry++) this.#file(entry)
  }
}
