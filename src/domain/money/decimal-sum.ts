// Exact sums of decimal amounts with any number of digits, written without needless zeros.
import { toDecimal } from './money.ts'

export const addDecimals = (a: string, b: string): string => combine(a, b, (left, right) => left + right)

/** @throws RangeError where b is more than a: sums of amounts are never negative. */
export const subtractDecimals = (a: string, b: string): string =>
  combine(a, b, (left, right) => {
    if (right > left) throw new RangeError(`${b} cannot be taken from ${a}.`)
    return left - right
  })

function combine(a: string, b: string, operation: (a: bigint, b: bigint) => bigint): string {
  const scale = Math.max(fractionOf(a).length, fractionOf(b).length)
  return toDecimal(operation(toUnits(a, scale), toUnits(b, scale)), scale)
}

const fractionOf = (decimal: string) => decimal.split('.')[1] ?? ''

const toUnits = (decimal: string, scale: number) =>
  BigInt(decimal.split('.')[0]! + fractionOf(decimal).padEnd(scale, '0'))
