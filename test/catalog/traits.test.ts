import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { hasFreeQuotaIn, levelIn, levelOf, statusIn, TOP_LEVEL, toTraits } from '../../src/catalog/traits.ts'
import { compareDecimals, toDecimal, toPriceWords } from '../../src/domain/money.ts'

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
  test('never falls where the price rises', () => {
    fc.assert(
      fc.property(price, price, (a, b) => {
        const [low, high] = compareDecimals(a, b) <= 0 ? [a, b] : [b, a]
        expect(levelOf(toPriceWords(low))).toBeLessThanOrEqual(levelOf(toPriceWords(high)))
      }),
      { numRuns: 2_000 },
    )
  })

  test('is 0 for what costs nothing, and only for that', () => {
    expect(levelOf(toPriceWords('0'))).toBe(0)
    expect(levelOf(toPriceWords('0.000000000000000001'))).toBe(1)
  })

  test('tells usual prices apart', () => {
    const levels = ['0.0001', '0.001', '0.005', '0.01', '0.05', '0.1', '1', '100'].map(text =>
      levelOf(toPriceWords(text)),
    )
    expect(new Set(levels).size).toBe(levels.length)
    expect(levelOf(toPriceWords('999999999999999999'))).toBe(TOP_LEVEL)
  })
})

test('a byte holds status, free quota and level, and gives each back', () => {
  for (let status = 0; status < 3; status++)
    for (const isFree of [false, true])
      for (let level = 0; level <= TOP_LEVEL; level++) {
        const [traits] = Uint8Array.of(toTraits(status, isFree, level))
        expect([statusIn(traits!), hasFreeQuotaIn(traits!), levelIn(traits!)]).toEqual([
          status,
          isFree,
          level,
        ])
      }
})
