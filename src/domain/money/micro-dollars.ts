// Spending caps and the amounts that count against them, in micro-dollars (whole millionths of a dollar), so that sums are exact.

const MICRO_DIGITS = 6
/** Upper bound of every cap; sums of thousands of such amounts are still exact. */
export const MAX_MICRO_DOLLARS = 1_000_000 * 1_000_000

/** Rounds up, so that nothing counts for less than it costs; undefined above every cap. @param decimal amount in dollars */
export function toMicroDollars(decimal: string): number | undefined {
  const [whole = '', fraction = ''] = decimal.split('.')
  const micros = fraction.slice(0, MICRO_DIGITS).padEnd(MICRO_DIGITS, '0')
  const isCut = /[1-9]/.test(fraction.slice(MICRO_DIGITS))
  const micro = BigInt(whole + micros) + (isCut ? 1n : 0n)
  return micro > BigInt(MAX_MICRO_DOLLARS) ? undefined : Number(micro)
}

/** Returns a decimal amount in dollars. */
export function fromMicroDollars(micro: number): string {
  const digits = String(micro).padStart(MICRO_DIGITS + 1, '0')
  const whole = digits.slice(0, -MICRO_DIGITS)
  const fraction = digits.slice(-MICRO_DIGITS).replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}
