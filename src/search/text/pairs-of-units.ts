// A bit set of the pairs of adjacent UTF-16 units in a text (a Bloom filter). It rules out most words without searching the
// text.

const BITS = 4096

/** Returns the bit of the two units from an index on. */
export const toPairBit = (text: string, at: number): number =>
  (Math.imul(text.charCodeAt(at), 31) + text.charCodeAt(at + 1)) & (BITS - 1)

export class PairsOfUnits {
  readonly #bits = new Uint32Array(BITS / 32)

  constructor(text = '') {
    for (let at = 0; at + 1 < text.length; at++) this.add(toPairBit(text, at))
  }

  add(bit: number): void {
    this.#bits[bit >>> 5]! |= 1 << (bit & 31)
  }

  has(bit: number): boolean {
    return (this.#bits[bit >>> 5]! & (1 << (bit & 31))) !== 0
  }
}
