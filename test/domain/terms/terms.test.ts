import { expect, test } from 'bun:test'
import { type ResourceTerms, toSeenResources } from '../../../src/domain/terms/terms.ts'
import { requirements, resource as someResource } from '../../terms.ts'

const resource = (path: string, ways: number): ResourceTerms =>
  someResource({
    url: `https://weather.example.jp${path}`,
    accepts: Array.from({ length: ways }, () => requirements),
  })

test('an entry contains the payment options of the first resources, each complete or not at all, within its bounds', () => {
  const { scheme, chain, asset, amount, payTo } = requirements
  expect(toSeenResources([resource('/v1', 1)])).toEqual([
    { url: 'https://weather.example.jp/v1', method: 'GET', ways: [{ scheme, chain, asset, amount, payTo }] },
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
