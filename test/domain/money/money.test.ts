import { expect, test } from 'bun:test'
import { compareDecimals } from '../../../src/domain/money/money.ts'
import { fc } from '../../fast-check.ts'

const digits = (min: number, max: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: min, maxLength: max }).map(list => list.join(''))
const decimal = fc
  .tuple(digits(1, 18), digits(0, 18))
  .map(([whole, fraction]) => (fraction === '' ? whole : `${whole}.${fraction}`))

const exact = (text: string): bigint => {
  const [whole = '', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(18, '0'))
}

test('decimals compare exactly, all 36 digits of them', () => {
  fc.assert(
    fc.property(decimal, decimal, (a, b) => {
      const difference = exact(a) - exact(b)
      expect(Math.sign(compareDecimals(a, b))).toBe(difference < 0n ? -1 : difference > 0n ? 1 : 0)
    }),
  )
})

test('neighbouring values that are equal as floats are distinguished', () => {
  expect(compareDecimals('0.100000000000000001', '0.1')).toBeGreaterThan(0)
  expect(compareDecimals('999999999999999999', '999999999999999998')).toBeGreaterThan(0)
  expect(compareDecimals('1', '1.000')).toBe(0)
  expect(compareDecimals('007', '7')).toBe(0)
})
