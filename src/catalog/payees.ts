// Finds the slots that are paid at an address: chains through typed arrays, about 20 bytes an entry.
import type { Image } from '../domain/image.ts'
import { grown } from './arena.ts'

/** An address as 64 bits. */
export type PayeeWords = readonly [number, number]

const END = -1
const UNLINKED = -2

export class Payees {
  /** Nobody outside can make two addresses meet: the seeds are others in every catalog. */
  #seeds = crypto.getRandomValues(new Uint32Array(2))
  #words = new Uint32Array(2 * 1024)
  #next = new Int32Array(1024)
  /** The one before it in its chain; END: it is the first. */
  #before = new Int32Array(1024).fill(UNLINKED)
  #heads = new Int32Array(1024).fill(END)
  #size = 0

  get bytes(): number {
    return this.#words.byteLength + this.#next.byteLength + this.#before.byteLength + this.#heads.byteLength
  }

  write(slot: number, address: string): void {
    this.#growTo(slot + 1)
    const words = this.words(address)
    if (this.#before[slot] !== UNLINKED) {
      if (this.isPaid(slot, words)) return
      this.release(slot)
    }
    this.#words.set(words, 2 * slot)
    if (++this.#size > this.#heads.length) this.#rehash()
    this.#link(slot)
  }

  release(slot: number): void {
    const [next, before] = [this.#next[slot]!, this.#before[slot]!]
    if (before === UNLINKED) return
    if (before === END) this.#heads[this.#chainOf(this.#words[2 * slot + 1]!)] = next
    else this.#next[before] = next
    if (next !== END) this.#before[next] = before
    this.#before[slot] = UNLINKED
    this.#size--
  }

  /** Hexadecimal addresses mean the same in either case; all others are told apart by it. */
  words(address: string): PayeeWords {
    const text = address.trim()
    const folded = /^0x[0-9a-f]+$/i.test(text) ? text.toLowerCase() : text
    return [Bun.hash.xxHash32(folded, this.#seeds[0]), Bun.hash.xxHash32(folded, this.#seeds[1])]
  }

  isPaid(slot: number, [first, second]: PayeeWords): boolean {
    return this.#words[2 * slot] === first && this.#words[2 * slot + 1] === second
  }

  /** In no order; undefined where it would have to look at more than so many. */
  find(words: PayeeWords, most: number): number[] | undefined {
    const found: number[] = []
    let looks = 0
    for (let slot = this.#heads[this.#chainOf(words[1])]!; slot !== END; slot = this.#next[slot]!) {
      if (++looks > most) return undefined
      if (this.isPaid(slot, words)) found.push(slot)
    }
    return found
  }

  carry(image: Image): void {
    this.#seeds = image.array(this.#seeds)
    this.#words = image.array(this.#words)
    this.#next = image.array(this.#next)
    this.#before = image.array(this.#before)
    this.#heads = image.array(this.#heads)
    this.#size = image.number(this.#size)
  }

  #chainOf(word: number): number {
    return word & (this.#heads.length - 1)
  }

  #link(slot: number): void {
    const chain = this.#chainOf(this.#words[2 * slot + 1]!)
    const first = this.#heads[chain]!
    this.#heads[chain] = slot
    this.#next[slot] = first
    this.#before[slot] = END
    if (first !== END) this.#before[first] = slot
  }

  #rehash(): void {
    this.#heads = new Int32Array(this.#heads.length * 2).fill(END)
    for (const [slot, before] of this.#before.entries()) if (before !== UNLINKED) this.#link(slot)
  }

  #growTo(slots: number): void {
    const length = this.#next.length
    if (slots <= length) return
    const capacity = Math.max(slots, length * 2)
    this.#words = grown(this.#words, 2 * capacity)
    this.#next = grown(this.#next, capacity)
    this.#before = grown(this.#before, capacity).fill(UNLINKED, length)
  }
}
