import { expect, test } from 'bun:test'
import {
  type SeenTerms,
  type TermsAnswer,
  termsSchema,
  toSeenResources,
  type Way,
} from '../../src/domain/terms.ts'

const way: Way = {
  scheme: 'exact',
  network: 'base',
  chain: 'eip155:8453',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  assetName: 'USDC',
  amount: '2500',
  price: '0.0025',
  currency: 'USD',
  payTo: '0x1111111111111111111111111111111111111111',
  extra: { name: 'USD Coin', version: '2' },
}
const resource = (path: string, ways: number): SeenTerms['resources'][number] => ({
  url: `https://weather.example.jp${path}`,
  method: 'GET',
  accepts: Array.from({ length: ways }, () => way),
  extensions: [],
  source: '402',
})

test('the answer holds what was seen, beside the listing', () => {
  const answer: TermsAnswer = {
    id: 'svc_1',
    seenAt: '2026-11-16T00:00:00.000Z',
    x402Version: 2,
    asListed: { price: 'same', address: true, network: true },
    resources: [resource('/v1', 2)],
  }
  expect(termsSchema.parse(answer)).toEqual(answer)
})

test('an entry carries the ways of the first resources, each whole or not at all, within its bounds', () => {
  const { scheme, chain, asset, amount, payTo } = way
  expect(toSeenResources([resource('/v1', 1)])).toEqual([
    {
      url: 'https://weather.example.jp/v1',
      method: 'GET',
      ways: [{ scheme, chain, asset, amount, payTo }],
    },
  ])
  const many = toSeenResources(Array.from({ length: 100 }, (_, i) => resource(`/v${i}`, 1)))
  expect(many.length).toBeLessThanOrEqual(32)
  expect(JSON.stringify(many).length).toBeLessThanOrEqual(8_300)
  expect(toSeenResources([resource('/v1', 2), resource('/v2', 101), resource('/v3', 1)])).toHaveLength(1)
})
