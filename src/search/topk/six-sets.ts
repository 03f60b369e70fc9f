// Counts how many of at most six sets have each of 32 slots, in a straight line: with the sets in variables of their own
// nothing is looked up for each of them.

export const MOST_AT_ONCE = 6

export type SixSets = readonly [Int32Array, Int32Array, Int32Array, Int32Array, Int32Array, Int32Array]

/** The set without slots, as far as it was asked for. */
let none = new Int32Array(0)

/** At most six sets as six, of which those that are missing have no slot. */
export function toSix(sets: readonly Int32Array[], words: number): SixSets {
  if (none.length < words) none = new Int32Array(words)
  const [a = none, b = none, c = none, d = none, e = none, f = none] = sets
  return [a, b, c, d, e, f]
}

/** Of 32 slots, a bit each in six sets, those that at least so many of the sets have. */
export function inAtLeast(
  least: number,
  a: number,
  b: number,
  c: number,
  d: number,
  e: number,
  f: number,
): number {
  const abDiffer = a ^ b
  const deDiffer = d ^ e
  const abc = abDiffer ^ c
  const def = deDiffer ^ f
  const abcCarry = (a & b) | (abDiffer & c)
  const defCarry = (d & e) | (deDiffer & f)
  // How many have each slot, in binary.
  const ones = abc ^ def
  const carry = abc & def
  const carriesDiffer = abcCarry ^ defCarry
  const twos = carriesDiffer ^ carry
  const fours = (abcCarry & defCarry) | (carriesDiffer & carry)
  switch (least) {
    case 1:
      return ones | twos | fours
    case 2:
      return twos | fours
    case 3:
      return (ones & twos) | fours
    case 4:
      return fours
    case 5:
      return fours & (ones | twos)
    case 6:
      return fours & twos
    default:
      return least <= 0 ? -1 : 0
  }
}

export const inAtLeastOfSix = (least: number, [a, b, c, d, e, f]: SixSets, word: number): number =>
  inAtLeast(least, a[word]!, b[word]!, c[word]!, d[word]!, e[word]!, f[word]!)
