// Finds the slots that share a text, such as a payment address: rings in typed arrays, about 25 bytes per entry.

import { grown } from './growing.ts'
import { ChainedHash } from './hash-table.ts'

/** Most texts have no slots: nothing is allocated for these. */
const NONE: readonly number[] = []

/** A text as a hash of 64 bits. */
export type TextWords = readonly [number, number]

const OUT = 0
const MEMBER = 1
/** The slot of a text through which the others are found. */
const HEAD = 2

export class HashedTexts {
  /** Random per catalog, so that an attacker cannot construct collisions. */
  #seed = crypto.getRandomValues(new Uint32Array(2))
  #seed64 = toSeed64(this.#seed)
  readonly #hash = new BigUint64Array(1)
  readonly #halves = new Uint32Array(this.#hash.buffer)
  #words = new Uint32Array(0)
  #states = new Uint8Array(0)
  /** One slot of each text, so that a text with many slots does not slow down lookups of others. */
  readonly #heads = new ChainedHash(slot => this.#words[2 * slot + 1]!)
  /** All slots of a text form a ring. */
  #nexts = new Int32Array(0)
  #befores = new Int32Array(0)

  get bytes(): number {
    const arrays = [this.#words, this.#states, this.#nexts, this.#befores]
    return arrays.reduce((sum, { byteLength }) => sum + byteLength, this.#heads.bytes)
  }

  /** @param text the key that all equal texts share */
  write(slot: number, text: string): void {
    this.#growTo(slot + 1)
    const words = this.words(text)
    if (this.#states[slot] !== OUT) {
      if (this.has(slot, words)) return
      this.release(slot)
    }
    this.#words.set(words, 2 * slot)
    const head = this.#headOf(words[0], words[1])
    if (head < 0) {
      this.#states[slot] = HEAD
      this.#link(slot, slot)
      this.#heads.add(slot)
      return
    }
    this.#states[slot] = MEMBER
    this.#link(slot, this.#nexts[head]!)
    this.#link(head, slot)
  }

  release(slot: number): void {
    const state = this.#states[slot]
    if (state === undefined || state === OUT) return
    this.#states[slot] = OUT
    const next = this.#nexts[slot]!
    this.#link(this.#befores[slot]!, next)
    if (state === MEMBER) return
    this.#heads.remove(slot)
    if (next === slot) return
    this.#states[next] = HEAD
    this.#heads.add(next)
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

  /** In no particular order; undefined if there are more than `max`. */
  find(words: TextWords, max: number): number[] | undefined {
    const slots = this.findSome(words, max + 1)
    return slots.length > max ? undefined : slots
  }

  /** The same for several texts together. */
  findAny(texts: readonly TextWords[], max: number): number[] | undefined {
    const found: number[] = []
    for (const words of texts) {
      const slots = this.find(words, max - found.length)
      if (!slots) return undefined
      found.push(...slots)
    }
    return found
  }

  /** At most `max` slots with the text, in no particular order. */
  of(text: string, max: number): readonly number[] {
    this.#hash[0] = Bun.hash.xxHash64(text, this.#seed64)
    const head = this.#headOf(this.#halves[0]!, this.#halves[1]!)
    return head < 0 ? NONE : this.#ring(head, max)
  }

  findSome([first, second]: TextWords, max: number): number[] {
    const head = this.#headOf(first, second)
    return head < 0 ? [] : this.#ring(head, max)
  }

  /** Negative: no slot has the text. */
  #headOf(first: number, second: number): number {
    let slot = this.#heads.first(second)
    while (slot >= 0 && (this.#words[2 * slot] !== first || this.#words[2 * slot + 1] !== second))
      slot = this.#heads.next(slot)
    return slot
  }

  #ring(head: number, max: number): number[] {
    const slots = [head]
    for (let slot = this.#nexts[head]!; slot !== head && slots.length < max; slot = this.#nexts[slot]!)
      slots.push(slot)
    return slots
  }

  #link(before: number, next: number): void {
    this.#nexts[before] = next
    this.#befores[next] = before
  }

  #growTo(slots: number): void {
    this.#words = grown(this.#words, 2 * slots)
    this.#states = grown(this.#states, slots)
    this.#nexts = grown(this.#nexts, slots)
    this.#befores = grown(this.#befores, slots)
  }
}

const toSeed64 = ([high, low]: Uint32Array): bigint => (BigInt(high!) << 32n) | BigInt(low!)
