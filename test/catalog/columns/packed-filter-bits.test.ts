import { describe, expect, test } from 'bun:test'
import {
  chainSetBits,
  combineTests,
  currencyBits,
  FAILS,
  freeQuotaBits,
  hasFreeQuotaIn,
  levelBits,
  levelIn,
  levelOf,
  PASSES,
  packBits,
  statusBits,
  statusIn,
  TOP_LEVEL,
  verdictOf,
} from '../../../src/catalog/columns/packed-filter-bits.ts'
import { compareDecimals, toDecimal, toPriceWords } from '../../../src/domain/money/money.ts'
import { fc } from '../../fast-check.ts'

const DECIMALS = 18
const ONE = 10n ** BigInt(DECIMALS)
const powerOfTwo = (exponent: number): bigint =>
  exponent < 0 ? ONE >> BigInt(-exponent) : ONE << BigInt(exponent)

/** Amounts of all sizes, often beside a power of two, where levels meet. */
const price = fc
  .oneof(
    fc.bigInt(0n, ONE * ONE - 1n),
    fc.bigInt(0n, ONE),
    fc
      .tuple(fc.integer({ min: -24, max: 12 }), fc.bigInt(-2n, 2n))
      .map(([exponent, beside]) => powerOfTwo(exponent) + beside),
  )
  .map(amount => toDecimal(amount, DECIMALS))

describe('the level of a price', () => {
  test('never falls when the price rises', () => {
    fc.assert(
      fc.property(price, price, (a, b) => {
        const [low, high] = compareDecimals(a, b) <= 0 ? [a, b] : [b, a]
        expect(levelOf(toPriceWords(low))).toBeLessThanOrEqual(levelOf(toPriceWords(high)))
      }),
      { numRuns: 2_000 },
    )
  })

  test('is 0 only for a price of 0', () => {
    expect(levelOf(toPriceWords('0'))).toBe(0)
    expect(levelOf(toPriceWords('0.000000000000000001'))).toBe(1)
  })

  test('distinguishes usual prices', () => {
    const levels = ['0.0001', '0.001', '0.005', '0.01', '0.05', '0.1', '1', '100'].map(text =>
      levelOf(toPriceWords(text)),
    )
    expect(new Set(levels).size).toBe(levels.length)
    expect(levelOf(toPriceWords('999999999999999999'))).toBe(TOP_LEVEL)
  })
})

/** Chains and currencies by their numbers, of which only the first have a place of their own. */
const number = fc.oneof(fc.nat(20), fc.nat(100_000))

test('two bytes hold status, free quota and price level', () => {
  const entry = fc.record({
    status: fc.nat(2),
    hasFreeQuota: fc.boolean(),
    level: fc.nat(TOP_LEVEL),
    chainSet: number,
    currency: number,
  })
  fc.assert(
    fc.property(entry, entry => {
      const [traits] = Uint16Array.of(packBits(entry))
      expect(statusIn(traits!)).toBe(entry.status)
      expect(hasFreeQuotaIn(traits!)).toBe(entry.hasFreeQuota)
      expect(levelIn(traits!)).toBe(entry.level)
    }),
    { numRuns: 1_000 },
  )
})

test('packed bits agree with the columns of every entry', () => {
  const numbers = (length: number) =>
    fc.option(fc.array(fc.constantFrom(0, 1), { minLength: length, maxLength: length }), { nil: undefined })
  const entry = fc.record({
    status: fc.nat(2),
    hasFreeQuota: fc.boolean(),
    level: fc.nat(TOP_LEVEL),
    chainSet: fc.nat(29),
    currency: fc.nat(29),
  })
  const wanted = fc.record({
    wantedStatus: fc.option(fc.nat(2), { nil: undefined }),
    chainSets: numbers(30),
    currencies: numbers(30),
    free: fc.constantFrom('quota' as const, 'any' as const, undefined),
    maxLevel: fc.option(fc.nat(TOP_LEVEL), { nil: undefined }),
  })
  fc.assert(
    fc.property(entry, wanted, (entry, wanted) => {
      const { wantedStatus, chainSets, currencies, free, maxLevel } = wanted
      const { status, chainSet, currency, hasFreeQuota, level } = entry
      const isFree = free === undefined || hasFreeQuota || (free === 'any' && level === 0)
      const fits =
        (wantedStatus ?? status) === status && chainSets?.[chainSet] !== 0 && currencies?.[currency] !== 0
      const isOpen =
        level === maxLevel || (chainSets && chainSet >= 15) || (currencies && currency >= 15) || false
      const isLess = maxLevel === undefined || level <= maxLevel
      const tests = [
        wantedStatus === undefined ? [] : statusBits(wantedStatus),
        free === undefined ? [] : freeQuotaBits(free),
        maxLevel === undefined ? [] : levelBits(maxLevel),
        chainSets === undefined ? [] : chainSetBits(chainSets),
        currencies === undefined ? [] : currencyBits(currencies),
      ].flat()
      const verdict = verdictOf(combineTests(tests), packBits(entry))
      if (!isFree || !fits || !isLess) expect(verdict).not.toBe(PASSES)
      else expect(verdict).not.toBe(FAILS)
      if (!isOpen) expect(verdict).toBe(isFree && fits && isLess ? PASSES : FAILS)
    }),
    { numRuns: 5_000 },
  )
})
