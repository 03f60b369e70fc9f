import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { hasFreeQuotaIn, levelIn, levelOf, statusIn, TOP_LEVEL, toTraits } from '../../src/catalog/traits.ts'
import { compareDecimals, toPriceWords } from '../../src/domain/money.ts'

/** Amounts of all sizes, often beside a power of two, where levels meet. */
const price = fc.oneof(
  fc
    .tuple(fc.nat(999_999_999), fc.nat(999_999_999))
    .map(([whole, fraction]) => `${whole}.${String(fraction).padStart(9, '0')}`),
  fc
    .tuple(fc.integer({ min: -24, max: 12 }), fc.integer({ min: -2, max: 2 }))
    .map(([exponent, beside]) => (2 ** exponent + beside / 1e18 + 1e-17).toFixed(18)),
  fc.nat(1_000_000).map(units => (units / 1e18).toFixed(18)),
)

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
