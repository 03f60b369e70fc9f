// Finds the slots that share a text, such as the address they are paid at: chains through typed arrays, about 20 bytes an entry.

import { grown } from './arena.ts'
import { HashLists } from './hash-table.ts'
import type { Snapshot } from './snapshot.ts'

/** Most texts are nobody's: for these nothing is made. */
const NONE: readonly number[] = []

/** A text as 64 bits. */
export type TextWords = readonly [number, number]

export class HashedTexts {
  /** Nobody outside can make two texts meet: the seed is another one in every catalog. */
  #seed = crypto.getRandomValues(new Uint32Array(2))
  #seed64 = toSeed64(this.#seed)
  readonly #hash = new BigUint64Array(1)
  readonly #halves = new Uint32Array(this.#hash.buffer)
  #words: Uint32Array<ArrayBuffer>
  #isIn: Uint8Array<ArrayBuffer>
  readonly #slots = new HashLists(slot => this.#words[2 * slot + 1]!, { linksBack: true })

  constructor(firstSlots: number) {
    this.#words = new Uint32Array(2 * firstSlots)
    this.#isIn = new Uint8Array(firstSlots)
  }

  get bytes(): number {
    return this.#words.byteLength + this.#isIn.byteLength + this.#slots.bytes
  }

  /** @param text what all that count as the same have in common */
  write(slot: number, text: string): void {
    this.#growTo(slot + 1)
    const words = this.words(text)
    if (this.#isIn[slot] === 1) {
      if (this.has(slot, words)) return
      this.release(slot)
    }
    this.#words.set(words, 2 * slot)
    this.#isIn[slot] = 1
    this.#slots.add(slot)
  }

  release(slot: number): void {
    if (this.#isIn[slot] !== 1) return
    this.#isIn[slot] = 0
    this.#slots.remove(slot)
  }

  words(text: string): TextWords {
    this.#hash[0] = Bun.hash.xxHash64(text, this.#seed64)
    return [this.#halves[0]!, this.#halves[1]!]
  }

  wordsOf(slot: number): TextWords {
    return [this.#words[2 * slot]!, this.#words[2 * slot + 1]!]
  }

  has(slot: number, [first, second]: TextWords): boolean {
    return this.#words[2 * slot] === first && this.#words[2 * slot + 1] === second
  }

  /** In no order; undefined where it would have to look at more than so many. */
  find(words: TextWords, most: number): number[] | undefined {
    const found = this.findSome(words, most + 1)
    return found.looks > most ? undefined : found.slots
  }

  /** The same for several texts together. */
  findAny(wanted: readonly TextWords[], most: number): number[] | undefined {
    const found: number[] = []
    for (const words of wanted) {
      const slots = this.find(words, most - found.length)
      if (!slots) return undefined
      found.push(...slots)
    }
    return found
  }

  /** Those that have the text, among the first so many that it looks at, in no order. */
  of(text: string, most: number): readonly number[] {
    this.#hash[0] = Bun.hash.xxHash64(text, this.#seed64)
    const first = this.#halves[0]!
    const second = this.#halves[1]!
    let found: number[] | undefined
    let slot = this.#slots.first(second)
    for (let looks = 0; slot >= 0 && looks < most; looks++) {
      if (this.#words[2 * slot] === first && this.#words[2 * slot + 1] === second) {
        if (found) found.push(slot)
        else found = [slot]
      }
      slot = this.#slots.next(slot)
    }
    return found ?? NONE
  }

  /** Those among the first so many that it looks at. */
  findSome(words: TextWords, most: number): { readonly slots: number[]; readonly looks: number } {
    const slots: number[] = []
    let looks = 0
    for (let slot = this.#slots.first(words[1]); slot >= 0 && looks < most; slot = this.#slots.next(slot)) {
      looks++
      if (this.has(slot, words)) slots.push(slot)
    }
    return { slots, looks }
  }

  carry(snapshot: Snapshot): void {
    this.#seed = snapshot.array(this.#seed)
    this.#seed64 = toSeed64(this.#seed)
    this.#words = snapshot.array(this.#words)
    this.#isIn = snapshot.array(this.#isIn)
    this.#slots.carry(snapshot)
  }

  #growTo(slots: number): void {
    const length = this.#isIn.length
    if (slots <= length) return
    const capacity = Math.max(slots, length * 2)
    this.#words = grown(this.#words, 2 * capacity)
    this.#isIn = grown(this.#isIn, capacity)
  }
}

const toSeed64 = ([high, low]: Uint32Array): bigint => (BigInt(high!) << 32n) | BigInt(low!)
