import { describe, expect, test } from 'bun:test'
import { Catalog } from '../../src/catalog/catalog.ts'
import { parseListQuery } from '../../src/domain/queries.ts'
import type { Entry } from '../../src/domain/service.ts'
import { entry } from '../entries.ts'

function catalogOf(entries: readonly Entry[]): Catalog {
  const catalog = new Catalog()
  catalog.apply(entries.map((each, i) => ({ seq: i + 1, objectSeq: i + 1, id: each.id, entry: each })))
  return catalog
}

const priced = (category: string, currency: string, pricePerRequest: string, network = 'base', trust = 50) =>
  entry(
    {
      category,
      pricing: { currency, pricePerRequest, freeQuota: 0 },
      x402Config: { paymentAddress: `0x${'1'.repeat(40)}`, network },
    },
    {
      supportedChains: [network],
      standing: { trustScore: trust, status: trust > 60 ? 'verified' : 'unverified' },
    },
  )

const ENTRIES = [
  priced('weather', 'USDC', '0', 'base', 100),
  priced('weather', 'USDC', '0.001', 'eip155:8453', 90),
  priced('weather', 'JPYC', '1', 'polygon', 10),
  priced('ai', 'usd', '0.0011', 'base', 9),
  priced('ai', 'USDC', '2', 'solana', 0),
]

describe('facets', () => {
  test('count every value, the largest first, whatever the spelling', () => {
    const { categories, chains, statuses, currencies } = catalogOf(ENTRIES).facets({})
    expect(categories).toEqual([
      { id: 'weather', count: 3 },
      { id: 'ai', count: 2 },
    ])
    expect(chains[0]).toEqual({ id: 'eip155:8453', count: 3 })
    expect(statuses).toEqual([
      { id: 'unverified', count: 3 },
      { id: 'verified', count: 2 },
    ])
    expect(currencies).toEqual(['usdc', 'jpyc', 'usd'])
  })

  test('say what each value would leave beside the filters that are set, as the list does', () => {
    const catalog = catalogOf(ENTRIES)
    for (const filters of [
      { category: 'weather' },
      { status: 'unverified', maxPricePerRequest: '1' },
      { chain: 'base', currency: 'usdc' },
      { category: 'nowhere' },
    ] as const) {
      const { categories, chains, statuses } = catalog.facets(filters)
      const total = (change: object) => catalog.list(parseListQuery({ ...filters, ...change })).total
      for (const { id, count } of categories) expect(count).toBe(total({ category: id }))
      for (const { id, count } of chains) expect(count).toBe(total({ chain: id }))
      for (const { id, count } of statuses) expect(count).toBe(total({ status: id }))
      expect(categories.every(({ count }) => count !== 0)).toBe(true)
    }
  })
})

describe('distributions', () => {
  test('count trust by tens and dollar prices by steps', () => {
    const { trust, prices, otherCurrencies } = catalogOf(ENTRIES).distributions()
    expect(trust).toEqual([2, 1, 0, 0, 0, 0, 0, 0, 0, 2])
    expect(prices).toEqual([1, 1, 1, 0, 0, 1])
    expect(otherCurrencies).toBe(1)
  })

  test('of nothing are zero', () => {
    const { trust, prices, otherCurrencies } = new Catalog().distributions()
    expect([...trust, ...prices, otherCurrencies].every(count => count === 0)).toBe(true)
  })
})
