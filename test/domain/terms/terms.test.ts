import { expect, test } from 'bun:test'
import {
  type ResourceTerms,
  type TermsAnswer,
  termsSchema,
  toSeenResources,
} from '../../../src/domain/terms/terms.ts'
import { requirements, resource as someResource } from '../../terms.ts'

const resource = (path: string, ways: number): ResourceTerms =>
  someResource({
    url: `https://weather.example.jp${path}`,
    accepts: Array.from({ length: ways }, () => requirements),
  })

test('the terms contain what was seen, compared with the listing', () => {
  const answer: TermsAnswer = {
    id: 'svc_1',
    seenAt: '2026-11-16T00:00:00.000Z',
    x402Version: 2,
    asListed: { price: 'same', address: true, network: true },
    usdPrice: '0.001',
    usdPriceAt: null,
    payableByDefaultClient: true,
    notes: [],
    noteCodes: [],
    resources: [resource('/v1', 2)],
  }
  expect(termsSchema.parse(answer)).toEqual(answer)
})

test('an entry contains the payment options of the first resources, each complete or not at all, within its bounds', () => {
  const { scheme, chain, asset, amount, payTo } = requirements
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

test('resources that only a document names were not seen', () => {
  const named = { ...resource('/v1', 1), source: 'manifest' as const }
  expect(toSeenResources([resource('/v1', 1), named, { ...named, source: 'openapi' }])).toHaveLength(1)
})
