// Hash tables in flat memory: numbers by hash, and the slots that share a text.
import { grown } from './growing.ts'

/** FNV-1a over UTF-16 units, with a final mix so that the low bits can serve as an index into a table. */
export const FNV_START = 0x811c9dc5
const FNV_PRIME = 0x01000193

export const addUnit = (hash: number, unit: number): number => Math.imul(hash ^ unit, FNV_PRIME)

/** Returns an unsigned number. */
export const mixed = (hash: number): number => (hash ^ (hash >>> 15)) >>> 0

export function hashUnits(text: string, start = 0, end = text.length): number {
  let hash = FNV_START
  for (let i = start; i < end; i++) hash = addUnit(hash, text.charCodeAt(i))
  return mixed(hash)
}

// Finds numbers by hash, in flat memory (linear hashing): the table grows by one chain at a time, so that no single insert is slow,
// however large the table is.

const END = -1
const SMALL = 1_024

export class ChainedHash {
  readonly #hashOf: (number: number) => number
  /** The first number of each chain, and for each number the next one. */
  #firsts = new Int32Array(SMALL).fill(END)
  #nexts = new Int32Array(SMALL)
  #chains = SMALL
  /** The largest power of two that is not above the number of chains. */
  #base = SMALL
  #size = 0

  /** @param hashOf 32 bits, shared by few numbers; called again for numbers that were added before */
  constructor(hashOf: (number: number) => number) {
    this.#hashOf = hashOf
  }

  get bytes(): number {
    return this.#firsts.byteLength + this.#nexts.byteLength
  }

  /** The first number whose hash may be this one; negative: none. */
  first(hash: number): number {
    return this.#firsts[this.#chainOf(hash)]!
  }

  /** The number after this one in its chain; negative: none. */
  next(number: number): number {
    return this.#nexts[number]!
  }

  add(number: number): void {
    this.#nexts = grown(this.#nexts, number + 1)
    this.#link(number)
    if (++this.#size > this.#chains) this.#split()
  }

  /** The number must have been added with the same hash. @throws Error if it is not in the chain of its hash */
  remove(number: number): void {
    const chain = this.#chainOf(this.#hashOf(number))
    const before = this.#before(number, chain)
    // Removing it from another chain would drop the rest of that chain.
    if ((before === END ? this.#firsts[chain] : this.#nexts[before]) !== number)
      throw new Error(`Number ${number} is not in the chain of its hash.`)
    const next = this.#nexts[number]!
    if (before === END) this.#firsts[chain] = next
    else this.#nexts[before] = next
    this.#size--
  }

  /** Chains are split in order; one that was not split yet still contains the numbers of its other half. */
  #chainOf(hash: number): number {
    const chain = hash & (2 * this.#base - 1)
    return chain < this.#chains ? chain : chain - this.#base
  }

  #before(number: number, chain: number): number {
    let before = END
    for (let at = this.#firsts[chain]!; at !== number && at !== END; at = this.#nexts[at]!) before = at
    return before
  }

  #link(number: number): void {
    const chain = this.#chainOf(this.#hashOf(number))
    this.#nexts[number] = this.#firsts[chain]!
    this.#firsts[chain] = number
  }

  #split(): void {
    const chain = this.#chains - this.#base
    this.#firsts = grown(this.#firsts, this.#chains + 1)
    this.#firsts[this.#chains++] = END
    let number = this.#firsts[chain]!
    this.#firsts[chain] = END
    while (number !== END) {
      const next = this.#nexts[number]!
      this.#link(number)
      number = next
    }
    if (this.#chains === 2 * this.#base) this.#base = this.#chains
  }
}

// Finds the slots that share a text, such as a payment address: rings in typed arrays, about 25 bytes per entry.

/** A text as a hash of 64 bits. */
type TextWords = readonly [number, number]

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

  /** At most `max` slots with the text, in no particular order. */
  of(text: string, max: number): number[] {
    return this.findSome(this.words(text), max)
  }

  findSome([first, second]: TextWords, max: number): number[] {
    const head = this.#headOf(first, second)
    if (head < 0) return []
    const slots = [head]
    for (let slot = this.#nexts[head]!; slot !== head && slots.length < max; slot = this.#nexts[slot]!)
      slots.push(slot)
    return slots
  }

  /** Negative: no slot has the text. */
  #headOf(first: number, second: number): number {
    let slot = this.#heads.first(second)
    while (slot >= 0 && (this.#words[2 * slot] !== first || this.#words[2 * slot + 1] !== second))
      slot = this.#heads.next(slot)
    return slot
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
