// Counts for 32 slots at once how many terms each has: in binary, one word a digit, each slot at its own bit.
const PLANES = 7

const planes = new Int32Array(PLANES)

/** Counts how many of the sets (at most 127) have each slot of a word, three sets at a time; answers how many digits are in use. */
export function addPlanes(sets: readonly Int32Array[], word: number): number {
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

/** The count of the slot at a bit. */
export function countAt(bit: number, used: number): number {
  let count = 0
  for (let digit = 0; digit < used; digit++) if ((planes[digit]! & bit) !== 0) count |= 1 << digit
  return count
}

/** The slots whose count is above (or at least) `limit`. */
export function countedAbove(limit: number, used: number, orEqual: boolean): number {
  if (limit >= 1 << used) return 0
  let above = 0
  let equal = -1
  for (let digit = used - 1; digit >= 0; digit--) {
    const plane = planes[digit]!
    if ((limit & (1 << digit)) === 0) {
      above |= equal & plane
      equal &= ~plane
    } else equal &= plane
  }
  return orEqual ? above | equal : above
}
