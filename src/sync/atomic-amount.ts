import { toDecimal } from '../domain/money/money.ts'

/**
 * Converts an amount in an asset's atomic units to a decimal price; undefined if it is not an integer, as when a list gives dollars
 * instead of atomic units.
 */
export function readAtomicAmount(amount: unknown, decimals: number): string | undefined {
  const digits = typeof amount === 'number' && Number.isSafeInteger(amount) ? String(amount) : amount
  if (typeof digits !== 'string' || !/^\d{1,78}$/.test(digits)) return undefined
  return toDecimal(BigInt(digits), decimals)
}
