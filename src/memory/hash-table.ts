// Finds numbers by hash, in flat memory (linear hashing): the table grows by one chain at a time, so that no single insert is slow,
// however large the table is.
import type { Snapshot } from './snapshot.ts'

const END = -1
const SMALL = 1_024

export class HashLists {
  readonly #hashOf: (number: number) => number
  /** The first number of each chain, and for each number the next one. */
  #firsts = new Int32Array(SMALL).fill(END)
  #nexts = new Int32Array(SMALL)
  #lists = SMALL
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
    return this.#firsts[this.#listOf(hash)]!
  }

  /** The number after this one in its chain; negative: none. */
  next(number: number): number {
    return this.#nexts[number]!
  }

  add(number: number): void {
    if (number >= this.#nexts.length) this.#nexts = enlarged(this.#nexts, number + 1)
    this.#link(number)
    if (++this.#size > this.#lists) this.#split()
  }

  /** The number must have been added with the same hash. @throws Error if it is not in the chain of its hash */
  remove(number: number): void {
    const list = this.#listOf(this.#hashOf(number))
    const before = this.#before(number, list)
    // Removing it from another chain would drop the rest of that chain.
    if ((before === END ? this.#firsts[list] : this.#nexts[before]) !== number)
      throw new Error(`Number ${number} is not in the list of its hash.`)
    const next = this.#nexts[number]!
    if (before === END) this.#firsts[list] = next
    else this.#nexts[before] = next
    this.#size--
  }

  serialize(snapshot: Snapshot): void {
    this.#firsts = snapshot.array(this.#firsts)
    this.#nexts = snapshot.array(this.#nexts)
    this.#lists = snapshot.number(this.#lists)
    this.#base = snapshot.number(this.#base)
    this.#size = snapshot.number(this.#size)
  }

  /** Chains are split in order; one that was not split yet still contains the numbers of its other half. */
  #listOf(hash: number): number {
    const list = hash & (2 * this.#base - 1)
    return list < this.#lists ? list : list - this.#base
  }

  #before(number: number, list: number): number {
    let before = END
    for (let at = this.#firsts[list]!; at !== number && at !== END; at = this.#nexts[at]!) before = at
    return before
  }

  #link(number: number): void {
    const list = this.#listOf(this.#hashOf(number))
    this.#nexts[number] = this.#firsts[list]!
    this.#firsts[list] = number
  }

  #split(): void {
    const list = this.#lists - this.#base
    if (this.#lists === this.#firsts.length) this.#firsts = enlarged(this.#firsts, this.#lists + 1)
    this.#firsts[this.#lists++] = END
    let number = this.#firsts[list]!
    this.#firsts[list] = END
    while (number !== END) {
      const next = this.#nexts[number]!
      this.#link(number)
      number = next
    }
    if (this.#lists === 2 * this.#base) this.#base = this.#lists
  }
}

function enlarged(array: Int32Array<ArrayBuffer>, minLength: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(Math.max(minLength, array.length + (array.length >> 1)))
  larger.set(array)
  return larger
}
