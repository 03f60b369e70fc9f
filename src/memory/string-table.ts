// The texts of all terms, numbered, in flat memory. The garbage collector would visit a string for each over and over: a million of them
// block requests for tens of milliseconds.

import { hashUnits } from './fnv1a.ts'
import { grown } from './growing.ts'
import { ChainedHash } from './hash-table.ts'

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
