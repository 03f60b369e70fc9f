import { describe, expect, test } from 'bun:test'
import { Catalog } from '../../src/catalog/catalog.ts'
import { Columns } from '../../src/catalog/columns.ts'
import { countFacets } from '../../src/catalog/facets.ts'
import { SlotTable } from '../../src/catalog/records.ts'
import { SortedIndexes } from '../../src/catalog/sorted-indexes.ts'
import type { Entry } from '../../src/domain/listing/service.ts'
import { parseListQuery } from '../../src/domain/queries/queries.ts'
import { entry } from '../entries.ts'
import { open } from './listings.ts'

function catalogOf(entries: readonly Entry[]): Catalog {
  const catalog = open(...entries)
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
    const {
      category: categories,
      chain: chains,
      status: statuses,
      currency: currencies,
    } = catalogOf(ENTRIES).facets({})
    expect(categories).toEqual([
      { id: 'weather', count: 3 },
      { id: 'ai', count: 2 },
    ])
    expect(chains[0]).toEqual({ id: 'eip155:8453', count: 3 })
    expect(statuses).toEqual([
      { id: 'unverified', count: 3 },
      { id: 'verified', count: 2 },
    ])
    expect(currencies).toEqual([
      { id: 'usdc', count: 3 },
      { id: 'jpyc', count: 1 },
      { id: 'usd', count: 1 },
    ])
  })

  test('count what each value would leave with the other filters, as the list does', () => {
    const catalog = catalogOf(ENTRIES)
    for (const filters of [
      { category: 'weather' },
      { status: 'unverified', maxPricePerRequest: '1' },
      { chain: 'base', currency: 'usdc' },
      { category: 'nowhere' },
    ] as const) {
      const {
        category: categories,
        chain: chains,
        status: statuses,
        currency: currencies,
      } = catalog.facets(filters)
      const total = (change: object) => catalog.list(parseListQuery({ ...filters, ...change })).total
      for (const { id, count } of categories) expect(count).toBe(total({ category: id }))
      for (const { id, count } of chains) expect(count).toBe(total({ chain: id }))
      for (const { id, count } of statuses) expect(count).toBe(total({ status: id }))
      for (const { id, count } of currencies) expect(count).toBe(total({ currency: id }))
      expect([...categories, ...currencies].every(({ count }) => count !== 0)).toBe(true)
    }
  })

  test('offer only currencies of present entries, however many there were before', () => {
    const catalog = new Catalog()
    const invented = Array.from({ length: 60 }, (_, i) => priced('ai', `AA${i}`, '1'))
    const real = [...ENTRIES, priced('ai', 'EURC', '1')]
    let seq = 0
    const apply = (id: string, each: Entry | null) =>
      catalog.apply([{ seq: ++seq, objectSeq: seq, id, entry: each }])
    const ids = () => catalog.facets({}).currency.map(({ id }) => id)
    for (const each of [...invented, ...real]) apply(each.id, each)
    expect(ids().slice(0, 4)).toEqual(['usdc', 'eurc', 'jpyc', 'usd'])
    expect(ids()).toHaveLength(64)
    for (const [i, each] of invented.entries())
      apply(each.id, i % 2 === 0 ? null : { ...each, pricing: { ...each.pricing, currency: 'USDC' } })
    expect(catalog.facets({}).currency).toEqual([
      { id: 'usdc', count: 33 },
      { id: 'eurc', count: 1 },
      { id: 'jpyc', count: 1 },
      { id: 'usd', count: 1 },
    ])
    // The slots of what was removed go to others.
    const later = Array.from({ length: 40 }, () => priced('ai', 'JPYC', '1'))
    for (const each of later) apply(each.id, each)
    expect(catalog.facets({}).currency[0]).toEqual({ id: 'jpyc', count: 41 })
    for (const each of later) apply(each.id, null)
    for (const each of real) apply(each.id, null)
    expect(catalog.facets({}).currency).toEqual([{ id: 'usdc', count: 30 }])
  })

  test('offer currencies without counts if a filter has too many entries to count', () => {
    const [columns, ids] = [new Columns(), new SlotTable()]
    const orders = new SortedIndexes(columns, ids)
    for (const each of ENTRIES) {
      const slot = ids.add(each.id)
      orders.write(slot, each)
    }
    for (const _ of orders.insertPending());
    const { currency: currencies } = countFacets(
      { columns, sortedIndexes: orders },
      { status: 'unverified' },
      2,
    )
    expect(currencies).toEqual([
      { id: 'jpyc', count: undefined },
      { id: 'usd', count: undefined },
      { id: 'usdc', count: undefined },
    ])
  })
})
