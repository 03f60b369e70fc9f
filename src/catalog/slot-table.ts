// Finds the slot of an id: open addressing over typed arrays, 22 bytes an entry where a Map needs 165.
import { isServiceId, readIdWords, writeIdWords } from '../domain/ids.ts'
import type { Image } from '../domain/image.ts'
import { grown } from './arena.ts'

const EMPTY = -1
const FREED = -2

export class SlotTable {
  /** Four words of the id for each slot. */
  #words = new Uint32Array(4 * 1024)
  #cells = new Int32Array(2048).fill(EMPTY)
  #taken = 0
  #next = 0
  #free: number[] = []
  readonly #probe = new Uint32Array(4)
  size = 0

  get bytes(): number {
    return this.#words.byteLength + this.#cells.byteLength
  }

  find(id: string): number | undefined {
    if (!isServiceId(id)) return undefined
    writeIdWords(id, this.#probe, 0)
    const cell = this.#seek()
    return cell < 0 ? undefined : this.#cells[cell]
  }

  /** Gives the id a slot of its own; it must not have one yet. */
  add(id: string): number {
    const slot = this.#free.pop() ?? this.#next++
    if (4 * slot >= this.#words.length) this.#words = grown(this.#words, this.#words.length * 2)
    writeIdWords(id, this.#words, 4 * slot)
    if (this.#taken * 2 >= this.#cells.length) this.#rehash()
    this.#put(slot)
    this.size++
    return slot
  }

  /** Frees the slot for another id. */
  remove(id: string): void {
    writeIdWords(id, this.#probe, 0)
    const cell = this.#seek()
    if (cell < 0) return
    this.#free.push(this.#cells[cell]!)
    this.#cells[cell] = FREED
    this.size--
  }

  id(slot: number): string {
    return readIdWords(this.#words, 4 * slot)
  }

  /** Orders slots by their ids, which is by age. */
  compare(a: number, b: number): number {
    for (let i = 0; i < 4; i++) {
      const difference = this.#words[4 * a + i]! - this.#words[4 * b + i]!
      if (difference !== 0) return difference
    }
    return 0
  }

  /** One of the four words that ids are compared by, the first one first. */
  word(slot: number, place: number): number {
    return this.#words[4 * slot + place]!
  }

  /** Orders a slot against an id that need not be here. */
  compareTo(slot: number, words: Uint32Array): number {
    for (let i = 0; i < 4; i++) {
      const difference = this.#words[4 * slot + i]! - words[i]!
      if (difference !== 0) return difference
    }
    return 0
  }

  carry(image: Image): void {
    this.#words = image.array(this.#words, 4 * this.#next)
    this.#cells = image.array(this.#cells)
    this.#taken = image.number(this.#taken)
    this.#next = image.number(this.#next)
    this.#free = image.numbers(this.#free)
    this.size = image.number(this.size)
  }

  #seek(): number {
    // Not taken apart in one go: an iterator over four words costs more than the search.
    const probe = this.#probe
    const w0 = probe[0]!
    const w1 = probe[1]!
    const w2 = probe[2]!
    const w3 = probe[3]!
    const mask = this.#cells.length - 1
    for (let cell = w3 & mask; ; cell = (cell + 1) & mask) {
      const slot = this.#cells[cell]!
      if (slot === EMPTY) return -1
      const at = 4 * slot
      const words = this.#words
      if (
        slot >= 0 &&
        words[at + 3] === w3 &&
        words[at + 2] === w2 &&
        words[at + 1] === w1 &&
        words[at] === w0
      )
        return cell
    }
  }

  #put(slot: number): void {
    const mask = this.#cells.length - 1
    // The last word of an id is random, so it spreads by itself.
    let cell = this.#words[4 * slot + 3]! & mask
    while (this.#cells[cell] !== EMPTY) cell = (cell + 1) & mask
    this.#cells[cell] = slot
    this.#taken++
  }

  #rehash(): void {
    const old = this.#cells
    const wanted = this.size * 4 >= old.length ? old.length * 2 : old.length
    this.#cells = new Int32Array(wanted).fill(EMPTY)
    this.#taken = 0
    for (const slot of old) if (slot >= 0) this.#put(slot)
  }
}
