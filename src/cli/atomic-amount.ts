/**
 * An amount in the smallest units of an asset as an exact decimal: 2500 with 6 decimals is 0.0025.
 * undefined for what is no whole number, such as dollars where atomic units belong.
 */
export function toDecimal(amount: unknown, decimals: number): string | undefined {
  const digits = typeof amount === 'number' && Number.isSafeInteger(amount) ? String(amount) : amount
  if (typeof digits !== 'string' || !/^\d{1,78}$/.test(digits)) return undefined
  const padded = digits.replace(/^0+(?=\d)/, '').padStart(decimals + 1, '0')
  const whole = padded.slice(0, padded.length - decimals)
  const fraction = padded.slice(padded.length - decimals).replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}
