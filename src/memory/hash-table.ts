// Finds numbers by hash, in flat memory (linear hashing): the table grows by one chain at a time, so that no single insert is slow,
// however large the table is.
import { grown } from './growing.ts'

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
