// Pairs of adjacent UTF-16 units. How a word begins rules it out at most positions of a text (a Bloom filter).

export const PAIR_BITS = 4096

/** Returns the bit of the two units from an index on. */
export const toPairBit = (text: string, at: number): number =>
  (Math.imul(text.charCodeAt(at), 31) + text.charCodeAt(at + 1)) & (PAIR_BITS - 1)

export class PairsOfUnits {
  readonly #bits = new Uint32Array(PAIR_BITS / 32)

  add(bit: number): void {
    this.#bits[bit >>> 5]! |= 1 << (bit & 31)
  }

  has(bit: number): boolean {
    return (this.#bits[bit >>> 5]! & (1 << (bit & 31))) !== 0
  }
}
