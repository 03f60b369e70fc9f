// A hash of every record, computed when it is written; the hash of a page is combined from them without reading its bytes.

import { grown } from '../../memory/growing.ts'

const HALVES = 2
const HALF_BITS = 32n

export class RecordHashes {
  /** Both halves for each slot. */
  #halves = new Uint32Array(0)

  get bytes(): number {
    return this.#halves.byteLength
  }

  write(slot: number, text: Uint8Array): void {
    const at = HALVES * slot
    this.#halves = grown(this.#halves, at + HALVES)
    const hash = Bun.hash.xxHash3(text)
    this.#halves[at] = Number(BigInt.asUintN(32, hash))
    this.#halves[at + 1] = Number(hash >> HALF_BITS)
  }

  /** The combined hash of the records of these slots, in order: equal for equal records in every process. */
  of(slots: readonly number[]): string {
    let one = slots.length
    let two = ~slots.length
    for (let i = 0; i < slots.length; i++) {
      const at = HALVES * slots[i]!
      // Each step is invertible, so pages that differ in the hash of one record never collide.
      one = Math.imul(one ^ this.#halves[at]!, 0x85ebca6b)
      one ^= one >>> 13
      two = Math.imul(two ^ this.#halves[at + 1]!, 0xc2b2ae35)
      two ^= two >>> 16
    }
    return (one >>> 0).toString(16) + (two >>> 0).toString(16).padStart(8, '0')
  }
}
