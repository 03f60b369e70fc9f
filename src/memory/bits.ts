// Sets of slots as bits, 32 to a word.

export const WORD_SHIFT = 5
export const bitOf = (slot: number): number => 1 << (slot & 31)

export function countBits(word: number): number {
  word -= (word >>> 1) & 0x55555555
  word = (word & 0x33333333) + ((word >>> 2) & 0x33333333)
  return Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** The slot of the lowest set bit in the word at `index`. */
export const lowestSlot = (word: number, index: number): number =>
  (index << WORD_SHIFT) + (31 - Math.clz32(word & -word))
