// Prices in US dollars: amounts of any currency, converted by the operator's rates. Exact decimals, no floats.
import { z } from 'zod'
import { findAsset, unitOf as moneyOf } from '../chains/assets.ts'
import type { Entry } from '../listing/service.ts'
import { costOf } from '../terms/terms.ts'
import { currencyKey, DECIMAL, toBoundedDecimal, toDecimal, trimZeros } from './money.ts'

/** Units of each currency for one US dollar, by the key of the currency, as of a date. */
export type Rates = {
  /** null: there are no rates, and only dollar amounts can be converted. */
  readonly date: string | null
  readonly perDollar: ReadonlyMap<string, Ratio>
}

/** An exact positive number. */
type Ratio = { readonly numerator: bigint; readonly denominator: bigint }

export const NO_RATES: Rates = { date: null, perDollar: new Map() }

/** A price in US dollars, and the date of the rate; null if no rate is needed. */
export type DollarPrice = { readonly amount: string; readonly rateDate: string | null }

/** Decimals of an amount in dollars: a millionth of a millionth is less than any chain transfers. */
const DECIMALS = 12
const SCALE = 10n ** BigInt(DECIMALS)
/** The first amount that does not fit into a price. */
const TOO_LARGE = 10n ** 18n * SCALE
/** Currencies in one document. */
const MAX_RATES = 1_000

const DOLLAR = 'usd'

/** A stablecoin counts as its unit of account. */
const unitOf = (currency: string): string => currencyKey(moneyOf(currency))

const ratesSchema = z.object(
  {
    base: z
      .string({ error: 'must be the code of a currency, like "USD"' })
      .regex(/^[A-Za-z0-9.]{1,32}$/, 'must be the code of a currency, like "USD"'),
    date: z.iso.date({ error: 'must be a date, like "2026-11-16"' }),
    rates: z
      .record(
        z.string(),
        z
          .number({ error: 'must be a positive number: units of the currency for one of the base' })
          .positive('must be a positive number: units of the currency for one of the base'),
        { error: 'must be an object of currencies with numbers, like {"JPY": 154.2}' },
      )
      .refine(rates => Object.keys(rates).length <= MAX_RATES, `must hold at most ${MAX_RATES} currencies`),
  },
  { error: 'must be an object with base, date and rates' },
)

/** Returns the rates in a document, or its problems, field by field. */
export function readRates(document: unknown): Rates | { readonly problems: readonly string[] } {
  const parsed = ratesSchema.safeParse(document)
  if (!parsed.success)
    return {
      problems: parsed.error.issues.map(({ path, message }) =>
        path.length === 0 ? message : `${path.join('.')} ${message}`,
      ),
    }
  const { base, date, rates } = parsed.data
  const perBase = new Map(Object.entries(rates).map(([code, rate]) => [currencyKey(code), toRatio(rate)]))
  perBase.set(currencyKey(base), ONE)
  const dollars = perBase.get(DOLLAR)
  if (!dollars) return { problems: ['rates must hold USD where base is another currency'] }
  return { date, perDollar: new Map([...perBase].map(([code, rate]) => [code, divide(rate, dollars)])) }
}

const ONE: Ratio = { numerator: 1n, denominator: 1n }

const divide = (a: Ratio, b: Ratio): Ratio => ({
  numerator: a.numerator * b.denominator,
  denominator: a.denominator * b.numerator,
})

/** The shortest decimal that parses to this number, as a ratio: 1e-7 is 1 to ten million. */
function toRatio(number: number): Ratio {
  const [digits = '', exponent = '0'] = number.toString().split('e')
  const [whole = '', fraction = ''] = digits.split('.')
  const power = Number(exponent) - fraction.length
  const value = BigInt(whole + fraction)
  return power < 0
    ? { numerator: value, denominator: 10n ** BigInt(-power) }
    : { numerator: value * 10n ** BigInt(power), denominator: 1n }
}

/** Returns undefined if no rate is known. @param amount a decimal */
export function toDollars(amount: string, currency: string, rates: Rates): DollarPrice | undefined {
  if (!DECIMAL.test(amount)) return undefined
  const unit = unitOf(currency)
  if (unit === DOLLAR) return { amount: trimZeros(amount), rateDate: null }
  const rate = rates.perDollar.get(unit)
  if (!rate) return undefined
  const { numerator, denominator } = divide(toExact(amount), rate)
  // Rounded half up, so that an amount has the same value everywhere.
  const scaled = (2n * numerator * SCALE + denominator) / (2n * denominator)
  return scaled >= TOO_LARGE ? undefined : { amount: toDecimal(scaled, DECIMALS), rateDate: rates.date }
}

type AssetAmount = { readonly network: string; readonly asset: string; readonly amount: string }

/** The same for the smallest units of an asset; undefined if it is unknown. */
export function assetToDollars(
  { network, asset, amount }: AssetAmount,
  rates: Rates,
): DollarPrice | undefined {
  const known = findAsset(network, asset)
  return known && toDollars(toBoundedDecimal(BigInt(amount), known.decimals), known.currency, rates)
}

/** Bounds on the value of one unit, in dollars. */
type Worth = { readonly min: Ratio; readonly max: Ratio }

/**
 * The lowest and the highest value of one unit since its exchange rate floats. Where the operator gives no rates, it detects prices of
 * another order of magnitude.
 */
const HISTORICAL_WORTH: ReadonlyMap<string, Worth> = new Map([
  ['eur', { min: toRatio(0.8), max: toRatio(1.6) }],
  ['jpy', { min: divide(ONE, toRatio(300)), max: divide(ONE, toRatio(75)) }],
])

/** Rates move between two dates, and merchants round: less than half as much again is the same price in another currency. */
const MARGIN: Ratio = { numerator: 3n, denominator: 2n }

function worthOf(currency: string, rates: Rates): Worth | undefined {
  const unit = unitOf(currency)
  if (unit === DOLLAR) return { min: ONE, max: ONE }
  const rate = rates.perDollar.get(unit)
  if (!rate) return HISTORICAL_WORTH.get(unit)
  const worth = divide(ONE, rate)
  return { min: worth, max: worth }
}

type Amount = { readonly amount: string; readonly currency: string }

/** Whether the requested amount is more money than the listed one at every plausible rate; false if a currency is unknown. */
export function isSurelyMore(requested: Amount, listed: Amount, rates: Rates): boolean {
  const [worth, listedWorth] = [worthOf(requested.currency, rates), worthOf(listed.currency, rates)]
  if (!worth || !listedWorth) return false
  const min = multiply(toExact(requested.amount), worth.min)
  const max = multiply(multiply(toExact(listed.amount), listedWorth.max), MARGIN)
  return min.numerator * max.denominator > max.numerator * min.denominator
}

const multiply = (a: Ratio, b: Ratio): Ratio => ({
  numerator: a.numerator * b.numerator,
  denominator: a.denominator * b.denominator,
})

function toExact(decimal: string): Ratio {
  const [whole = '', fraction = ''] = decimal.split('.')
  return { numerator: BigInt(whole + fraction), denominator: 10n ** BigInt(fraction.length) }
}

/** Whether its amounts are dollars at any rate. */
export const isInDollars = (currency: string): boolean => unitOf(currency) === DOLLAR

/** Price per request in dollars; undefined if it cannot be converted. */
export const dollarPriceOf = (
  entry: Pick<Entry, 'pricing' | 'seen'>,
  rates: Rates,
): DollarPrice | undefined => toDollars(costOf(entry), entry.pricing.currency, rates)
