// A wish changes the order of equally relevant services, by measured values and not by their texts.
import { describe, expect, test } from 'bun:test'
import { Catalog } from '../../src/catalog/catalog.ts'
import { createSearchIndex } from '../../src/search/search-index.ts'
import { entry } from '../entries.ts'

const STANDING = { status: 'verified', trustScore: 60 } as const

const service = (name: string, description: string, price: string, latencyMs?: number) => ({
  ...entry(
    {
      name,
      description,
      endpoint: `https://${name.toLowerCase().replaceAll(' ', '-')}.example/v1`,
      pricing: { pricePerRequest: price, currency: 'USDC', freeQuota: 0 },
      x402Config: { paymentAddress: `0x${name.length.toString(16).padStart(40, '0')}`, network: 'base' },
    },
    { standing: STANDING },
  ),
  ...(latencyMs !== undefined && { latencyMs }),
})

const catalog = new Catalog(createSearchIndex())
catalog.apply(
  [
    service('Slow Cheap', 'Geocoding of any address.', '0.0001', 4_000),
    service('Middle Way Is Here', 'Geocoding of any address.', '0.01', 400),
    service('Quick Dear One', 'Geocoding of any address.', '0.5', 60),
    service('Not Measured Yet Now', 'The fastest geocoding of any address.', '0.02'),
  ].map((each, i) => ({ seq: i + 1, objectSeq: i + 1, id: each.id, entry: each })),
)

const ask = (q: string) => catalog.searchByIntent({ q, limit: 10 }).decode()
const namesOf = (q: string) => ask(q).results.map(({ service }) => service.name)

describe('equally relevant services are ordered by the wish', () => {
  test('fastest geocoding API', () => {
    const fastest = ['Quick Dear One', 'Middle Way Is Here', 'Slow Cheap', 'Not Measured Yet Now']
    expect(namesOf('fastest geocoding API')).toEqual(fastest)
  })
  test.each(['fastest geocoding API', '最速のジオコーディングAPI'])('%s: the wish is applied', query => {
    expect(ask(query).wishes).toEqual(['fast'])
    expect(ask(query).constraints.unapplied).toEqual([])
  })
  test('cheapest geocoding API', () => {
    expect(namesOf('cheapest geocoding API').slice(0, 2)).toEqual(['Slow Cheap', 'Middle Way Is Here'])
  })
})
