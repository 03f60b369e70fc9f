// Finds the slots that are paid at an address: chains through typed arrays, about 20 bytes an entry.
import { HashLists } from '../memory/hash-table.ts'
import type { Image } from '../memory/snapshot.ts'
import { FIRST_SLOTS, grown } from './arena.ts'

/** An address as 64 bits. */
export type PayeeWords = readonly [number, number]

export class Payees {
  /** Nobody outside can make two addresses meet: the seed is another one in every catalog. */
  #seed = crypto.getRandomValues(new Uint32Array(2))
  #seed64 = toSeed64(this.#seed)
  readonly #hash = new BigUint64Array(1)
  readonly #halves = new Uint32Array(this.#hash.buffer)
  #words = new Uint32Array(2 * FIRST_SLOTS.payees)
  #isIn = new Uint8Array(FIRST_SLOTS.payees)
  readonly #slots = new HashLists(slot => this.#words[2 * slot + 1]!, { linksBack: true })

  get bytes(): number {
    return this.#words.byteLength + this.#isIn.byteLength + this.#slots.bytes
  }

  /** @param key what all spellings of the address have in common */
  write(slot: number, key: string): void {
    this.#growTo(slot + 1)
    const words = this.words(key)
    if (this.#isIn[slot] === 1) {
      if (this.isPaid(slot, words)) return
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

  words(key: string): PayeeWords {
    this.#hash[0] = Bun.hash.xxHash64(key, this.#seed64)
    return [this.#halves[0]!, this.#halves[1]!]
  }

  isPaid(slot: number, [first, second]: PayeeWords): boolean {
    return this.#words[2 * slot] === first && this.#words[2 * slot + 1] === second
  }

  /** In no order; undefined where it would have to look at more than so many. */
  find(words: PayeeWords, most: number): number[] | undefined {
    const found: number[] = []
    let looks = 0
    for (let slot = this.#slots.first(words[1]); slot >= 0; slot = this.#slots.next(slot)) {
      if (++looks > most) return undefined
      if (this.isPaid(slot, words)) found.push(slot)
    }
    return found
  }

  /** The same for several addresses together. */
  findAny(wanted: readonly PayeeWords[], most: number): number[] | undefined {
    const found: number[] = []
    for (const words of wanted) {
      const slots = this.find(words, most - found.length)
      if (!slots) return undefined
      found.push(...slots)
    }
    return found
  }

  carry(image: Image): void {
    this.#seed = image.array(this.#seed)
    this.#seed64 = toSeed64(this.#seed)
    this.#words = image.array(this.#words)
    this.#isIn = image.array(this.#isIn)
    this.#slots.carry(image)
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
