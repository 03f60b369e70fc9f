// Decimal amounts, compared exactly: up to 18 digits before and 18 after the point, more than a float holds.
export const DECIMAL = /^\d{1,18}(\.\d{1,18})?$/

/**
 * An amount as four words of nine digits each, most significant first. Amounts compare word by word, and a million of them fit side by
 * side in one typed array.
 */
export type PriceWords = readonly [number, number, number, number]

export function toPriceWords(decimal: string): PriceWords {
  const dot = decimal.indexOf('.')
  const point = dot < 0 ? decimal.length : dot
  return [
    nineDigits(decimal, point - 18),
    nineDigits(decimal, point - 9),
    nineDigits(decimal, point + 1),
    nineDigits(decimal, point + 10),
  ]
}

/** An approximation as a number, monotonic in the amount. */
export const toRough = (billions: number, units: number, billionths: number, rest: number): number =>
  billions * 1e9 + units + billionths / 1e9 + rest / 1e18

/** Reads zeros before and after the text. */
function nineDigits(text: string, from: number): number {
  let number = 0
  for (let at = from; at < from + 9; at++) {
    number = number * 10 + (at >= 0 && at < text.length ? text.charCodeAt(at) - 48 : 0)
  }
  return number
}

/** Negative when a is less than b, 0 when the amounts are equal in any notation. */
export function compareDecimals(a: string, b: string): number {
  const left = toPriceWords(a)
  const right = toPriceWords(b)
  for (let i = 0; i < 4; i++) {
    const difference = left[i]! - right[i]!
    if (difference !== 0) return difference
  }
  return 0
}

/** An amount in an asset's smallest units as an exact decimal: 2500 with 6 decimals is 0.0025. */
export function toDecimal(amount: bigint, decimals: number): string {
  const digits = amount.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}

/** The inverse, without what is smaller than the smallest unit: 0.0025 with 6 decimals is 2500. */
function toUnits(decimal: string, decimals: number): bigint {
  const [whole = '', fraction = ''] = decimal.split('.')
  return BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
}

const fractionDigits = (decimal: string): number => decimal.split('.')[1]?.length ?? 0

/** As `toUnits`, for JSON. */
export const toAtomicFloor = (decimal: string, decimals: number): string =>
  toUnits(decimal, decimals).toString()

/** The same; undefined if the smallest unit of the asset is larger than the amount requires. */
export const toAtomic = (decimal: string, decimals: number): string | undefined =>
  isRepresentable(decimal, decimals) ? toAtomicFloor(decimal, decimals) : undefined

/** Like `compareDecimals`, for an amount in smallest units of any size. */
export function compareAtomic(amount: bigint, decimals: number, decimal: string): number {
  const scale = Math.max(decimals, fractionDigits(decimal))
  const left = amount * 10n ** BigInt(scale - decimals)
  const right = toUnits(decimal, scale)
  return left < right ? -1 : left > right ? 1 : 0
}

/** The largest whole amount that `DECIMAL` accepts. */
const MAX_DECIMAL = '9'.repeat(18)

/** A decimal within the bounds of `DECIMAL`, rounded up so that no amount appears too low; larger amounts become the maximum. */
export function toBoundedDecimal(amount: bigint, decimals: number): string {
  const unit = decimals > 18 ? 10n ** BigInt(decimals - 18) : 1n
  const decimal = toDecimal((amount + unit - 1n) / unit, Math.min(decimals, 18))
  return DECIMAL.test(decimal) ? decimal : MAX_DECIMAL
}

/** Without needless zeros. */
export const trimZeros = (decimal: string): string =>
  (decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal).replace(/^0+(?=\d)/, '')

/** Whether an asset with this many decimals has units as small as the amount requires. */
export const isRepresentable = (decimal: string, decimals: number): boolean =>
  fractionDigits(trimZeros(decimal)) <= decimals

const DOLLARS = [
  'usd',
  'usdc',
  'usdt',
  'usdt0',
  'pyusd',
  'usds',
  'dai',
  'usdg',
  'rlusd',
  'fdusd',
  'megausd',
  'musd',
]
const YEN = ['jpy', 'jpyc', 'gyen']
const EUROS = ['eur', 'eurc']

/** The currencies that a word for money covers: a dollar is USD and every dollar stablecoin. */
export const CURRENCY_FAMILIES = { dollar: DOLLARS, yen: YEN, euro: EUROS } as const

const KNOWN: ReadonlySet<string> = new Set(Object.values(CURRENCY_FAMILIES).flat())

/** @param key of the currency, from `currencyKey` */
export const isKnownCurrency = (key: string): boolean => KNOWN.has(key)

export const currencyKey = (currency: string): string => currency.normalize('NFKC').toLowerCase()

// Exact sums of decimal amounts with any number of digits, written without needless zeros.

export const addDecimals = (a: string, b: string): string => combine(a, b, (left, right) => left + right)

/** @throws RangeError where b is more than a: sums of amounts are never negative. */
export const subtractDecimals = (a: string, b: string): string =>
  combine(a, b, (left, right) => {
    if (right > left) throw new RangeError(`${b} cannot be taken from ${a}.`)
    return left - right
  })

function combine(a: string, b: string, operation: (a: bigint, b: bigint) => bigint): string {
  const scale = Math.max(fractionDigits(a), fractionDigits(b))
  return toDecimal(operation(toUnits(a, scale), toUnits(b, scale)), scale)
}

// Spending caps and the amounts that count against them, in micro-dollars (whole millionths of a dollar), so that sums are exact.

const MICRO_DIGITS = 6
/** Upper bound of every cap; sums of thousands of such amounts are still exact. */
const MAX_MICRO_DOLLARS = 1_000_000 * 1_000_000

/** Rounds up, so that nothing counts for less than it costs; undefined above every cap. @param decimal amount in dollars */
export function toMicroDollars(decimal: string): number | undefined {
  const micro = toUnits(decimal, MICRO_DIGITS) + (isRepresentable(decimal, MICRO_DIGITS) ? 0n : 1n)
  return micro > BigInt(MAX_MICRO_DOLLARS) ? undefined : Number(micro)
}

/** Returns a decimal amount in dollars. */
export const fromMicroDollars = (micro: number): string => toDecimal(BigInt(micro), MICRO_DIGITS)
