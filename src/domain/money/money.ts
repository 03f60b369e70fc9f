import { isRecord } from '../json.ts'

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

/** The inverse: 0.0025 with 6 decimals is 2500; undefined if the smallest unit of the asset is larger. */
export function toAtomic(decimal: string, decimals: number): string | undefined {
  return isRepresentable(decimal, decimals) ? toAtomicFloor(decimal, decimals) : undefined
}

/** The same, without what is smaller than the smallest unit. */
export function toAtomicFloor(decimal: string, decimals: number): string {
  const [whole = '', fraction = ''] = decimal.split('.')
  return BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0')).toString()
}

/** Like `compareDecimals`, for an amount in smallest units of any size. */
export function compareAtomic(amount: bigint, decimals: number, decimal: string): number {
  const [whole = '', fraction = ''] = decimal.split('.')
  const scale = Math.max(decimals, fraction.length)
  const left = amount * 10n ** BigInt(scale - decimals)
  const right = BigInt(whole + fraction.padEnd(scale, '0'))
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
export function isRepresentable(decimal: string, decimals: number): boolean {
  const point = decimal.indexOf('.')
  let end = point < 0 ? 0 : decimal.length
  while (end > point + 1 && decimal[end - 1] === '0') end--
  return end - point - 1 <= decimals || point < 0
}

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
  const scale = Math.max(fractionOf(a).length, fractionOf(b).length)
  return toDecimal(operation(toUnits(a, scale), toUnits(b, scale)), scale)
}

const fractionOf = (decimal: string) => decimal.split('.')[1] ?? ''

const toUnits = (decimal: string, scale: number) =>
  BigInt(decimal.split('.')[0]! + fractionOf(decimal).padEnd(scale, '0'))

// Spending caps and the amounts that count against them, in micro-dollars (whole millionths of a dollar), so that sums are exact.

const MICRO_DIGITS = 6
/** Upper bound of every cap; sums of thousands of such amounts are still exact. */
const MAX_MICRO_DOLLARS = 1_000_000 * 1_000_000

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

/**
 * The fields of a scheme in `extra` that move money in addition to payee and amount: deposits, fees, parties that can withdraw or
 * withhold the payment. `extra` is untrusted, so it is read within bounds.
 */

/** Schemes in which a request costs its amount, or less. */
const PER_REQUEST: readonly string[] = ['exact', 'upto', 'charge']

/** Whether at most the amount is transferred, and only to the payee. */
export const isPerRequest = (scheme: string): boolean => PER_REQUEST.includes(scheme)

/** Names of fields that can cost the payer money; the party that pays the gas receives nothing, and names and nonces move nothing. */
const RISKS = /deposit|fee(?!_?payer)|recipient|receiver|withdraw|authori[sz]er|operator|escrow|split|policy/i
const MOVES_MONEY = new RegExp(`${RISKS.source}|transfer_?method|payment_?flow`, 'i')
/** Fields that are compared. */
const MAX_FIELDS = 32
/** Fields, and parts of a value, that are shown to people. */
const MAX_SHOWN = 8
/** Characters of a name and of a value. */
const MAX_NAME = 64
const MAX_VALUE = 80

/** Equal if the fields that move money are equal, whatever else differs. */
export const moneyKey = (extra: unknown): string =>
  fieldsOf(extra, MOVES_MONEY, MAX_FIELDS)
    .map(([name, value]) => JSON.stringify([name, value]))
    .join('')

/** For people, like `minDeposit 5000000`. */
export const risksIn = (extra: unknown): string[] =>
  fieldsOf(extra, RISKS, MAX_SHOWN).map(([name, value]) => `${name} ${value}`)

function fieldsOf(extra: unknown, names: RegExp, maxFields: number): (readonly [string, string])[] {
  if (!isRecord(extra)) return []
  return Object.keys(extra)
    .filter(name => name.length <= MAX_NAME && names.test(name) && extra[name] != null)
    .sort()
    .slice(0, maxFields)
    .map(name => [toVisible(name), toText(extra[name], 2)] as const)
}

/** Mixed case in hexadecimal is only a checksum. */
const toScalar = (value: unknown): string => {
  const text = String(value)
  return /^0x[0-9a-f]+$/i.test(text) ? text.toLowerCase() : text
}

/** Values nested deeper than any scheme has them are cut. */
function toText(value: unknown, depth: number): string {
  if (typeof value !== 'object' || value === null) return toVisible(toScalar(value).slice(0, MAX_VALUE))
  if (depth === 0) return '…'
  const parts = Object.entries(value)
    .slice(0, MAX_SHOWN)
    .map(([key, part]) => `${key.slice(0, MAX_NAME)} ${toText(part, depth - 1)}`)
  return toVisible(parts.join(', ').slice(0, MAX_VALUE))
}

const toVisible = (text: string): string => text.replace(/[^\x20-\x7e…]/g, '?')

/** A fee up to this share of the amount, in basis points, is the usual charge of a payment processor. */
const MAX_FEE_BPS = 1_000

/** The recipient of a fee that is so high that it is a part of the payment; undefined if there is none. */
export function feePayee(extra: unknown): string | undefined {
  if (!isRecord(extra) || typeof extra.feeRecipient !== 'string') return undefined
  const share = Math.max(...[extra.minFeeBps, extra.maxFeeBps, extra.feeBps].map(toShare))
  return share > MAX_FEE_BPS ? extra.feeRecipient : undefined
}

/** A value that is not a number may mean any share. */
const toShare = (bps: unknown): number => {
  if (bps === undefined || bps === null) return 0
  const number = typeof bps === 'object' ? Number.NaN : Number(bps)
  return Number.isNaN(number) ? Number.POSITIVE_INFINITY : number
}
