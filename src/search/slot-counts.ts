// Counts for 32 slots at once how many terms each has: in binary, one word a digit, each slot at its own bit.
const PLANES = 8

const planes = new Int32Array(PLANES)

/** Adds one to the slots in `bits`; answers how many digits are in use, of which it is told `used`. */
export function addPlane(bits: number, used: number): number {
  let carry = bits
  for (let digit = 0; digit < used; digit++) {
    const both = planes[digit]! & carry
    planes[digit]! ^= carry
    carry = both
    if (carry === 0) return used
  }
  planes[used] = carry
  return used + 1
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
