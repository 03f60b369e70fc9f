import { expect, test } from 'bun:test'
import type { ResourceTerms, Way } from '../../src/domain/terms.ts'
import { isSameTerms } from '../../src/probe/same-terms.ts'
import { PAYEE, STRANGER, USDC_ON_BASE } from './merchant.ts'

const way: Way = {
  scheme: 'exact',
  network: 'eip155:8453',
  chain: 'eip155:8453',
  asset: USDC_ON_BASE,
  amount: '2500',
  payTo: PAYEE,
  maxTimeoutSeconds: 60,
  extra: { name: 'USD Coin' },
}
const terms = (...accepts: readonly Way[]): ResourceTerms[] => [
  {
    url: 'https://weather.example.jp/v1',
    method: 'GET',
    accepts: [...accepts],
    extensions: [],
    source: '402',
  },
]
const dearer = { ...way, amount: '2501' }

test('order, spelling of the network and of addresses, time and extra say nothing', () => {
  const again = {
    ...way,
    network: 'base',
    asset: USDC_ON_BASE.toLowerCase(),
    maxTimeoutSeconds: 300,
    extra: {},
  }
  expect(isSameTerms(terms(way, dearer), terms(dearer, again))).toBe(true)
  expect(isSameTerms(terms(way), terms({ ...way, paymentFlow: 'authorization' }))).toBe(true)
})

test.each([
  ['amount', dearer],
  ['payee', { ...way, payTo: STRANGER }],
  ['asset', { ...way, asset: STRANGER }],
  ['chain', { ...way, chain: 'eip155:137' }],
  ['scheme', { ...way, scheme: 'upto' }],
  ['flow', { ...way, paymentFlow: 'upfront' }],
] as const)('another %s is another answer', (_, other) => {
  expect(isSameTerms(terms(way), terms(other))).toBe(false)
  expect(isSameTerms(terms(way), terms(way, other))).toBe(false)
  expect(isSameTerms(terms(way, other), terms(way))).toBe(false)
})

test('none at all are other terms', () => {
  expect(isSameTerms(terms(way), [])).toBe(false)
  expect(isSameTerms([], [])).toBe(true)
})
