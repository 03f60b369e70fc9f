import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { compareDecimals } from '../../src/domain/money.ts'
import { NO_RATES, type Rates, readRates, toDollars } from '../../src/domain/rates.ts'

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

  test('is not told where no rate says it, or it would be larger than any price', () => {
    expect(toDollars('1', 'POINTS', RATES)).toBeUndefined()
    expect(toDollars('1', 'JPY', NO_RATES)).toBeUndefined()
    expect(toDollars('999999999999999999', 'TINY', RATES)).toBeUndefined()
    expect(toDollars('1,5', 'USDC', RATES)).toBeUndefined()
  })

  test('never falls where the amount rises', () => {
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

  test('is the same whichever currency the rates are told in', () => {
    const inYen = read({ base: 'JPY', date: '2026-11-16', rates: { USD: 0.00625, EUR: 0.005 } })
    expect(toDollars('1', 'EURC', inYen)).toEqual({ amount: '1.25', rateDate: '2026-11-16' })
    expect(toDollars('160', 'JPY', inYen)).toEqual({ amount: '1', rateDate: '2026-11-16' })
  })
})

describe('a table of rates', () => {
  test.each([
    [[], 'must be an object with base, date and rates'],
    [{ base: 'USD', date: 'today', rates: {} }, 'date must be a date, like "2026-11-16"'],
    [{ base: 'USD', date: '2026-11-16', rates: { JPY: '154' } }, 'rates.JPY must be a positive number'],
    [{ base: 'USD', date: '2026-11-16', rates: { JPY: 0 } }, 'rates.JPY must be a positive number'],
    [{ base: 'USD', date: '2026-11-16', rates: { JPY: -1 } }, 'rates.JPY must be a positive number'],
    [{ base: 'EUR', date: '2026-11-16', rates: { JPY: 170 } }, 'rates must hold USD'],
    [{ date: '2026-11-16', rates: {} }, 'base must be the code of a currency'],
  ])('%j is refused by name', (document, problem) => {
    expect(problemsOf(document).join('; ')).toContain(problem)
  })
})
