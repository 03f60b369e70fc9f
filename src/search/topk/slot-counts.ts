// Counts for 32 slots at once how many terms each has: in binary, one word a digit, each slot at its own bit.
const PLANES = 7

const planes = new Int32Array(PLANES)

/** Counts how many of the sets (at most 127) have each slot of a word, three sets at a time; answers how many digits are in use. */
function addPlanes(sets: readonly Int32Array[], word: number): number {
  // Digits in variables of their own: they stay in registers through the whole loop.
  let ones = 0
  let twos = 0
  let fours = 0
  let eights = 0
  let sixteens = 0
  let higher = 0
  let highest = 0
  for (let i = 0; i < sets.length; i += 3) {
    const a = sets[i]![word]!
    const b = i + 1 < sets.length ? sets[i + 1]![word]! : 0
    const c = i + 2 < sets.length ? sets[i + 2]![word]! : 0
    const differ = a ^ b
    const sum = differ ^ c
    const two = (a & b) | (differ & c)
    const carried = ones & sum
    ones ^= sum
    const unlike = twos ^ two
    const four = (twos & two) | (unlike & carried)
    twos = unlike ^ carried
    const eight = fours & four
    fours ^= four
    if (eight === 0) continue
    const sixteen = eights & eight
    eights ^= eight
    const high = sixteens & sixteen
    sixteens ^= sixteen
    highest ^= higher & high
    higher ^= high
  }
  planes[0] = ones
  planes[1] = twos
  planes[2] = fours
  planes[3] = eights
  planes[4] = sixteens
  planes[5] = higher
  planes[6] = highest
  let used = PLANES
  while (used > 0 && planes[used - 1] === 0) used--
  return used
}

/** The slots whose count is at least `least`. */
function countedFrom(least: number, used: number): number {
  if (least >= 1 << used) return 0
  let above = 0
  let equal = -1
  for (let digit = used - 1; digit >= 0; digit--) {
    const plane = planes[digit]!
    if ((least & (1 << digit)) === 0) {
      above |= equal & plane
      equal &= ~plane
    } else equal &= plane
  }
  return above | equal
}

/**
 * The slots of a word that at least `least` of the sets (at most 127) have. Where few sets may lack a slot, those that lack
 * none, one and two are followed from set to set, and sets with few slots in front end that early.
 */
export function slotsInAtLeast(least: number, sets: readonly Int32Array[], word: number): number {
  const spare = sets.length - least
  if (least <= 0) return -1
  if (spare < 0) return 0
  if (spare > 2) return least === 1 ? slotsInAny(sets, word) : countedFrom(least, addPlanes(sets, word))
  return followLacking(spare, sets, word)
}

/** What the sets followed last lack one fewer of, where there is one fewer. */
let lackingFewer = 0

/** The slots of a word that no more than `spare` (at most two) of the sets lack. */
function followLacking(spare: number, sets: readonly Int32Array[], word: number): number {
  let none = -1
  let one = spare > 0 ? -1 : 0
  let two = spare > 1 ? -1 : 0
  for (let i = 0; i < sets.length && (none | one | two) !== 0; i++) {
    const here = sets[i]![word]!
    if (spare > 1) two = (two & here) | one
    if (spare > 0) one = (one & here) | none
    none &= here
  }
  lackingFewer = spare > 1 ? one : spare > 0 ? none : 0
  return none | one | two
}

/** Of the slots of a word, those that exactly `least` (at least 1) of the sets have, and in `beyond` those that more have. */
export type Covered = { exactly: number; beyond: number }

export function countCovered(least: number, sets: readonly Int32Array[], word: number, found: Covered): void {
  const spare = sets.length - least
  if (spare > 2) {
    const used = addPlanes(sets, word)
    found.beyond = countedFrom(least + 1, used)
    found.exactly = countedFrom(least, used) & ~found.beyond
    return
  }
  const enough = spare < 0 ? 0 : followLacking(spare, sets, word)
  found.beyond = spare < 0 ? 0 : lackingFewer
  found.exactly = enough & ~found.beyond
}

export function slotsInAny(sets: readonly Int32Array[], word: number): number {
  let any = 0
  for (let i = 0; i < sets.length; i++) any |= sets[i]![word]!
  return any
}

/** How many of the gains, which fall, must be added to `sum` to reach `least`; more than there are where all do not suffice. */
export function fewestToReach(least: number, sum: number, gains: readonly number[]): number {
  let count = 0
  for (let reached = sum; reached < least && count <= gains.length; count++) reached += gains[count] ?? 0
  return count
}
