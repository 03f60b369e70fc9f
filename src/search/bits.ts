// Sets of slots as bits, 32 to a word.

export const WORD_SHIFT = 5
export const bitOf = (slot: number): number => 1 << (slot & 31)

export function countBits(word: number): number {
  word -= (word >>> 1) & 0x55555555
  word = (word & 0x33333333) + ((word >>> 2) & 0x33333333)
  return Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** The slot of the lowest bit in the word at `index`. */
export const lowestSlot = (word: number, index: number): number =>
  (index << WORD_SHIFT) + (31 - Math.clz32(word & -word))

/**
 * How many slots two sets have in common among their first `words` words. Seven of eight words are added up in binary,
 * each bit at its own place (Harley and Seal), so that one in eight is counted.
 */
export function countCommon(a: Int32Array, b: Int32Array, words: number): number {
  let total = 0
  let ones = 0
  let twos = 0
  let fours = 0
  const whole = words & ~7
  for (let at = 0; at < whole; at += 8) {
    let one = a[at]! & b[at]!
    let other = a[at + 1]! & b[at + 1]!
    let differ = ones ^ one
    const twoA = (ones & one) | (differ & other)
    ones = differ ^ other
    one = a[at + 2]! & b[at + 2]!
    other = a[at + 3]! & b[at + 3]!
    differ = ones ^ one
    const twoB = (ones & one) | (differ & other)
    ones = differ ^ other
    differ = twos ^ twoA
    const fourA = (twos & twoA) | (differ & twoB)
    twos = differ ^ twoB
    one = a[at + 4]! & b[at + 4]!
    other = a[at + 5]! & b[at + 5]!
    differ = ones ^ one
    const twoC = (ones & one) | (differ & other)
    ones = differ ^ other
    one = a[at + 6]! & b[at + 6]!
    other = a[at + 7]! & b[at + 7]!
    differ = ones ^ one
    const twoD = (ones & one) | (differ & other)
    ones = differ ^ other
    differ = twos ^ twoC
    const fourB = (twos & twoC) | (differ & twoD)
    twos = differ ^ twoD
    differ = fours ^ fourA
    total += 8 * countBits((fours & fourA) | (differ & fourB))
    fours = differ ^ fourB
  }
  total += 4 * countBits(fours) + 2 * countBits(twos) + countBits(ones)
  for (let at = whole; at < words; at++) total += countBits(a[at]! & b[at]!)
  return total
}
