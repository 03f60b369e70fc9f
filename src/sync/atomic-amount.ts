import { toDecimal } from '../domain/money.ts'

/**
 * The price that an amount in an asset's smallest units stands for; undefined for what is no whole number,
 * such as dollars where atomic units belong.
 */
export function readAtomicAmount(amount: unknown, decimals: number): string | undefined {
  const digits = typeof amount === 'number' && Number.isSafeInteger(amount) ? String(amount) : amount
  if (typeof digits !== 'string' || !/^\d{1,78}$/.test(digits)) return undefined
  return toDecimal(BigInt(digits), decimals)
}
