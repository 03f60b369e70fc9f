// Finds the slot of an id: a chained hash table in typed arrays, about 26 bytes per entry; a Map needs 165.

import { isServiceId, readIdWords, writeIdWords } from '../../domain/ids.ts'
import { grown } from '../../memory/growing.ts'
import { ChainedHash } from '../../memory/hash-table.ts'

export class SlotTable {
  /** Four words of the id for each slot. */
  #words = new Uint32Array(0)
  /** The last word of an id is random, so it serves as its hash. */
  readonly #slots = new ChainedHash(slot => this.#words[4 * slot + 3]!)
  #next = 0
  #free: number[] = []
  readonly #probe = new Uint32Array(4)
  size = 0

  get bytes(): number {
    return this.#words.byteLength + this.#slots.bytes
  }

  find(id: string): number | undefined {
    if (!isServiceId(id)) return undefined
    writeIdWords(id, this.#probe, 0)
    const slot = this.#seek()
    return slot < 0 ? undefined : slot
  }

  /** Assigns a slot to an id that has none. */
  add(id: string): number {
    const slot = this.#free.pop() ?? this.#next++
    this.#words = grown(this.#words, 4 * (slot + 1))
    writeIdWords(id, this.#words, 4 * slot)
    this.#slots.add(slot)
    this.size++
    return slot
  }

  /** Frees the slot for reuse. */
  remove(id: string): void {
    writeIdWords(id, this.#probe, 0)
    const slot = this.#seek()
    if (slot < 0) return
    this.#slots.remove(slot)
    this.#free.push(slot)
    this.size--
  }

  id(slot: number): string {
    return readIdWords(this.#words, 4 * slot)
  }

  /** Orders slots by id, which is by age. */
  compare(a: number, b: number): number {
    for (let i = 0; i < 4; i++) {
      const difference = this.#words[4 * a + i]! - this.#words[4 * b + i]!
      if (difference !== 0) return difference
    }
    return 0
  }

  /** One of the four words of an id, the most significant first. */
  word(slot: number, place: number): number {
    return this.#words[4 * slot + place]!
  }

  /** Orders a slot against an id that may be absent. */
  compareTo(slot: number, words: Uint32Array): number {
    for (let i = 0; i < 4; i++) {
      const difference = this.#words[4 * slot + i]! - words[i]!
      if (difference !== 0) return difference
    }
    return 0
  }

  #seek(): number {
    // Not destructured: an iterator over four words costs more than the search.
    const [probe, words] = [this.#probe, this.#words]
    const w0 = probe[0]!
    const w1 = probe[1]!
    const w2 = probe[2]!
    const w3 = probe[3]!
    let slot = this.#slots.first(w3)
    for (; slot >= 0; slot = this.#slots.next(slot)) {
      const at = 4 * slot
      if (words[at + 3] === w3 && words[at + 2] === w2 && words[at + 1] === w1 && words[at] === w0) break
    }
    return slot
  }
}
