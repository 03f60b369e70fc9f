// Sets of slots as bits, 32 to a word, and named marks of each slot.
import { grown } from './growing.ts'

export const WORD_SHIFT = 5
export const bitOf = (slot: number): number => 1 << (slot & 31)

/** The slot of the lowest set bit in the word at `index`. */
export const lowestSlot = (word: number, index: number): number =>
  (index << WORD_SHIFT) + (31 - Math.clz32(word & -word))

// A growing set of slots, one bit each.

export class SlotSet {
  #bits = new Int32Array(32)
  #end = 0
  size = 0

  get bytes(): number {
    return this.#bits.byteLength
  }

  has(slot: number): boolean {
    const word = slot >> WORD_SHIFT
    return word < this.#end && (this.#bits[word]! & bitOf(slot)) !== 0
  }

  add(slot: number): void {
    if (this.has(slot)) return
    const word = slot >> WORD_SHIFT
    this.#bits = grown(this.#bits, word + 1)
    if (word >= this.#end) this.#end = word + 1
    this.#bits[word]! |= bitOf(slot)
    this.size++
  }

  delete(slot: number): boolean {
    if (!this.has(slot)) return false
    this.#bits[slot >> WORD_SHIFT]! &= ~bitOf(slot)
    this.size--
    return true
  }

  each(visit: (slot: number) => void): void {
    for (let word = 0; word < this.#end; word++) {
      for (let left = this.#bits[word]!; left !== 0; left &= left - 1) visit(lowestSlot(left, word))
    }
  }
}

/** Named marks of each slot, a bit each. */
export class SlotMarks<Name extends string> {
  readonly #masks: Readonly<Record<Name, number>>
  #bits = new Uint8Array(0)

  /** @param names at most eight */
  constructor(...names: readonly Name[]) {
    this.#masks = Object.fromEntries(names.map((name, i) => [name, 1 << i])) as Record<Name, number>
  }

  get bytes(): number {
    return this.#bits.byteLength
  }

  write(slot: number, marks: Readonly<Record<Name, boolean>>): void {
    this.#bits = grown(this.#bits, slot + 1)
    let bits = 0
    for (const name in this.#masks) if (marks[name]) bits |= this.#masks[name]
    this.#bits[slot] = bits
  }

  has(slot: number, name: Name): boolean {
    return (this.#bits[slot]! & this.#masks[name]) !== 0
  }
}
