import { describe, expect, test } from 'bun:test'
import { compareDecimals } from '../../../src/domain/money/money.ts'
import { isSurelyMore, NO_RATES, type Rates, readRates, toDollars } from '../../../src/domain/money/rates.ts'
import { fc } from '../../fast-check.ts'

const read = (document: unknown): Rates => {
  const rates = readRates(document)
  if ('problems' in rates) throw new Error(rates.problems.join())
  return rates
}
const problemsOf = (document: unknown): readonly string[] => {
  const rates = readRates(document)
  return 'problems' in rates ? rates.problems : []
}
const RATES = read({ base: 'USD', date: '2026-11-16', rates: { JPY: 160, EUR: 0.8, TINY: 1e-7, VAST: 1e21 } })

describe('an amount in dollars', () => {
  test.each([
    ['0.010', 'USDC', '0.01', null],
    ['7', 'usd', '7', null],
    ['0', 'JPYC', '0', '2026-11-16'],
    ['1', 'JPY', '0.00625', '2026-11-16'],
    ['1', 'EURC', '1.25', '2026-11-16'],
    ['1', 'tiny', '10000000', '2026-11-16'],
    ['1', 'VAST', '0', '2026-11-16'],
  ])('%s %s is %s', (amount, currency, dollars, rateDate) => {
    expect(toDollars(amount, currency, RATES)).toEqual({ amount: dollars, rateDate })
  })

  test('is undefined without a rate, or beyond the largest price', () => {
    expect(toDollars('1', 'POINTS', RATES)).toBeUndefined()
    expect(toDollars('1', 'JPY', NO_RATES)).toBeUndefined()
    expect(toDollars('999999999999999999', 'TINY', RATES)).toBeUndefined()
    expect(toDollars('1,5', 'USDC', RATES)).toBeUndefined()
  })

  test('never falls when the amount rises', () => {
    const amounts = fc.bigInt({ min: 0n, max: 10n ** 24n }).map(n => {
      const digits = n.toString().padStart(19, '0')
      return `${digits.slice(0, -12)}.${digits.slice(-12)}`
    })
    fc.assert(
      fc.property(amounts, amounts, (a, b) => {
        const [left, right] = [toDollars(a, 'JPY', RATES)!, toDollars(b, 'JPY', RATES)!]
        return compareDecimals(a, b) * compareDecimals(left.amount, right.amount) >= 0
      }),
    )
  })

  test('is the same for rates of any base currency', () => {
    const inYen = read({ base: 'JPY', date: '2026-11-16', rates: { USD: 0.00625, EUR: 0.005 } })
    expect(toDollars('1', 'EURC', inYen)).toEqual({ amount: '1.25', rateDate: '2026-11-16' })
    expect(toDollars('160', 'JPY', inYen)).toEqual({ amount: '1', rateDate: '2026-11-16' })
  })
})

describe('an amount that is more at any plausible rate:', () => {
  const isMore = (asked: string, currency: string, listed: string, inCurrency: string, rates = NO_RATES) =>
    isSurelyMore({ amount: asked, currency }, { amount: listed, currency: inCurrency }, rates)

  test.each([
    ['900', 'EURC', '0.0025', 'USDC', true],
    ['0.0025', 'EURC', '0.0025', 'USDC', false],
    ['0.004', 'EUR', '0.0025', 'USD', false],
    ['0.005', 'EUR', '0.0025', 'USD', true],
    ['1', 'JPYC', '0.01', 'USDC', false],
    ['10', 'JPYC', '0.01', 'USDC', true],
    ['1', 'USDC', '100', 'JPY', false],
    ['3', 'USDC', '100', 'JPY', true],
    ['1', 'USDC', '0', 'JPY', true],
    ['999999', 'DOGE', '0.01', 'USDC', false],
  ])('%s %s beside %s %s, without rates', (asked, currency, listed, inCurrency, expected) => {
    expect(isMore(asked, currency, listed, inCurrency)).toBe(expected)
  })

  test('with rates, an amount counts as more from about 1.5 times the price on', () => {
    expect(isMore('2.4', 'JPYC', '0.01', 'USDC', RATES)).toBe(false)
    expect(isMore('2.5', 'JPYC', '0.01', 'USDC', RATES)).toBe(true)
    expect(isMore('0.012', 'EURC', '0.01', 'USDC', RATES)).toBe(false)
    expect(isMore('0.0121', 'EURC', '0.01', 'USDC', RATES)).toBe(true)
  })
})

test.each([
  [[], 'must be an object with base, date and rates'],
  [{ base: 'USD', date: 'today', rates: {} }, 'date must be a date, like "2026-11-16"'],
  [{ base: 'USD', date: '2026-11-16', rates: { JPY: '154' } }, 'rates.JPY must be a positive number'],
  [{ base: 'USD', date: '2026-11-16', rates: { JPY: 0 } }, 'rates.JPY must be a positive number'],
  [{ base: 'USD', date: '2026-11-16', rates: { JPY: -1 } }, 'rates.JPY must be a positive number'],
  [{ base: 'EUR', date: '2026-11-16', rates: { JPY: 170 } }, 'rates must hold USD'],
  [{ date: '2026-11-16', rates: {} }, 'base must be the code of a currency'],
])('a table of rates: %j is refused by name', (document, problem) => {
  expect(problemsOf(document).join('; ')).toContain(problem)
})
