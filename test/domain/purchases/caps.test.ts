import { expect, test } from 'bun:test'
import { fromMicroDollars, toMicroDollars } from '../../../src/domain/money/money.ts'
import { findExceededCap } from '../../../src/domain/purchases/purchases.ts'

test.each<[string, number | undefined]>([
  ['0', 0],
  ['0.002', 2_000],
  ['1', 1_000_000],
  ['0.0000001', 1],
  ['0.0020000001', 2_001],
  ['0.00200000', 2_000],
  ['1000000', 1_000_000_000_000],
  ['1000000.000001', undefined],
])('%s dollars are %p millionths, rounded up', (decimal, micro) => {
  expect(toMicroDollars(decimal)).toBe(micro)
  if (micro !== undefined && micro % 10 === 0) expect(Number(fromMicroDollars(micro))).toBe(Number(decimal))
})

test('the first cap that would be exceeded is reported; reaching a cap exactly is allowed', () => {
  const caps = { perCall: 10, perService: 20, perHost: 30, perDay: 40 }
  expect(findExceededCap(10, { service: 10, host: 20, payee: 20, day: 30 }, caps)).toBeUndefined()
  expect(findExceededCap(11, { service: 0, host: 0, payee: 0, day: 0 }, caps)).toEqual({
    cap: 'call',
    spent: 0,
    max: 10,
  })
  expect(findExceededCap(10, { service: 11, host: 0, payee: 0, day: 0 }, caps)).toMatchObject({
    cap: 'service',
    spent: 11,
  })
  expect(findExceededCap(10, { service: 0, host: 21, payee: 0, day: 0 }, caps)).toMatchObject({ cap: 'host' })
  expect(findExceededCap(10, { service: 0, host: 0, payee: 21, day: 0 }, caps)).toMatchObject({
    cap: 'payee',
  })
  expect(findExceededCap(10, { service: 0, host: 0, payee: 0, day: 31 }, caps)).toMatchObject({ cap: 'day' })
  // What is no number passes nothing.
  expect(findExceededCap(Number.NaN, { service: 0, host: 0, payee: 0, day: 0 }, caps)).toMatchObject({
    cap: 'call',
  })
})
