// Caps and what counts against them, in whole millionths of a dollar: sums of them are exact.

const MICRO_DIGITS = 6
/** No cap is higher; sums of thousands of them are still exact. */
export const MAX_MICRO_DOLLARS = 1_000_000 * 1_000_000

/** Rounded up, so that nothing counts for less than it costs; undefined where it is more than any cap. @param decimal of dollars */
export function toMicroDollars(decimal: string): number | undefined {
  const [whole = '', fraction = ''] = decimal.split('.')
  const kept = fraction.slice(0, MICRO_DIGITS).padEnd(MICRO_DIGITS, '0')
  const isCut = /[1-9]/.test(fraction.slice(MICRO_DIGITS))
  const micro = BigInt(whole + kept) + (isCut ? 1n : 0n)
  return micro > BigInt(MAX_MICRO_DOLLARS) ? undefined : Number(micro)
}

/** As a decimal of dollars. */
export function fromMicroDollars(micro: number): string {
  const digits = String(micro).padStart(MICRO_DIGITS + 1, '0')
  const whole = digits.slice(0, -MICRO_DIGITS)
  const fraction = digits.slice(-MICRO_DIGITS).replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}
