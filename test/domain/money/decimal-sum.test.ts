import { expect, test } from 'bun:test'
import { addDecimals, subtractDecimals } from '../../../src/domain/money/money.ts'
import { fc } from '../../fast-check.ts'

const decimal = fc.stringMatching(/^(0|[1-9]\d{0,30})(\.\d{0,17}[1-9])?$/)

test('sums are exact', () => {
  expect(addDecimals('0.1', '0.2')).toBe('0.3')
  expect(addDecimals('999999999999999999999', '0.000000000000000001')).toBe(
    '999999999999999999999.000000000000000001',
  )
  expect(addDecimals('1.50', '0.5')).toBe('2')
})

test('what is added can be subtracted again', () => {
  fc.assert(
    fc.property(decimal, decimal, (a, b) => {
      expect(subtractDecimals(addDecimals(a, b), b)).toBe(a)
    }),
  )
})

test('a sum never becomes negative', () => {
  expect(() => subtractDecimals('0.1', '0.10001')).toThrow(RangeError)
})
