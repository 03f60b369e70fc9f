import { describe, expect, test } from 'bun:test'
import { Catalog } from '../../src/catalog/catalog.ts'
import { chainKey } from '../../src/domain/chains/chains.ts'
import { type Entry, toService } from '../../src/domain/listing/service.ts'
import { compareDecimals } from '../../src/domain/money/money.ts'
import {
  type ListQuery,
  parseIntentQuery,
  parseKeywordQuery,
  parseListQuery,
} from '../../src/domain/queries/queries.ts'
import type { Status } from '../../src/domain/standing/standing.ts'
import type { Change } from '../../src/store/store.ts'
import { entry } from '../entries.ts'
import { fc } from '../fast-check.ts'

const STATUSES: Status[] = ['verified', 'unverified', 'inactive']
const NAMES = [
  'alpha',
  'Beta',
  'gamma Weather',
  '天気予報',
  '\u{1f600}',
  '\uff5e',
  'Alpha',
  'émile',
  'weather weather',
]
const NETWORKS = ['base', 'eip155:8453', 'solana', 'my-chain']

/** What a list should answer, worked out the slow way. */
function expected(entries: readonly Entry[], query: ListQuery): string[] {
  const { category, chain, status, currency, maxPricePerRequest: max, sortBy } = query
  const passes = (e: Entry) =>
    (category === undefined || e.category.toLowerCase() === category.toLowerCase()) &&
    (chain === undefined || e.supportedChains.some(c => chainKey(c) === chainKey(chain))) &&
    (status === undefined || e.standing.status === status) &&
    (currency === undefined || e.pricing.currency.toLowerCase() === currency.toLowerCase()) &&
    (max === undefined || compareDecimals(e.pricing.pricePerRequest, max) <= 0)
  const bytes = (e: Entry) => Buffer.from(e.name.toLowerCase())
  const key = (a: Entry, b: Entry): number => {
    if (sortBy === 'price') return compareDecimals(a.pricing.pricePerRequest, b.pricing.pricePerRequest)
    if (sortBy === 'trustScore') return a.standing.trustScore - b.standing.trustScore
    return sortBy === 'name' ? Buffer.compare(bytes(a), bytes(b)) : 0
  }
  const ascending = entries.filter(passes).sort((a, b) => key(a, b) || (a.id < b.id ? -1 : 1))
  const turns = query.sortOrder ?? (sortBy === 'price' || sortBy === 'name' ? 'asc' : 'desc')
  return (turns === 'asc' ? ascending : ascending.reverse()).map(e => e.id)
}

const entryParts = fc.record({
  name: fc.constantFrom(...NAMES),
  category: fc.constantFrom('weather', 'Weather', 'ai', '天気'),
  price: fc.constantFrom('0', '0.01', '0.010', '0.010000000000000001', '5', '999999999999999999', '10'),
  currency: fc.constantFrom('USDC', 'usdc', 'JPYC'),
  networks: fc.uniqueArray(fc.constantFrom(...NETWORKS), { minLength: 1, maxLength: 3 }),
  status: fc.constantFrom(...STATUSES),
  trustScore: fc.integer({ min: 0, max: 100 }),
})
type Parts = typeof entryParts extends fc.Arbitrary<infer T> ? T : never

const build = (parts: Parts): Entry =>
  entry(
    {
      name: parts.name,
      category: parts.category,
      pricing: { currency: parts.currency, pricePerRequest: parts.price, freeQuota: 0 },
      x402Config: { paymentAddress: 'x', network: parts.networks[0]! },
    },
    { standing: { status: parts.status, trustScore: parts.trustScore }, supportedChains: parts.networks },
  )

const operation = fc.record({
  kind: fc.constantFrom('add', 'add', 'replace', 'remove'),
  parts: entryParts,
  pick: fc.nat(),
})

const anyOf = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined })
const listQuery = fc
  .record({
    category: anyOf('weather', 'AI', '天気', 'nothing'),
    chain: anyOf('base', '8453', 'Solana', 'my-chain', 'unknown'),
    status: anyOf(...STATUSES),
    currency: anyOf('usdc', 'JPYC', 'EUR'),
    maxPricePerRequest: anyOf('0', '0.01', '0.010000000000000001', '7', '1000000000'),
    sortBy: anyOf('price', 'trustScore', 'name'),
    sortOrder: anyOf('asc', 'desc'),
    limit: fc.integer({ min: 1, max: 12 }),
    offset: fc.integer({ min: 0, max: 12 }),
  })
  .map(query =>
    parseListQuery(Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))),
  )

/** Runs operations against the catalog and a plain map side by side. */
function play(operations: readonly { kind: string; parts: Parts; pick: number }[], pageSize: number) {
  const catalog = new Catalog()
  const model = new Map<string, Entry>()
  const changes: Change[] = operations.map(({ kind, parts, pick }, i) => {
    const seq = i + 1
    const known = [...model.keys()]
    const id = kind === 'add' || known.length === 0 ? undefined : known[pick % known.length]!
    if (id !== undefined && kind === 'remove') {
      model.delete(id)
      return { seq, objectSeq: seq, id, entry: null }
    }
    const made = build(parts)
    const written = id === undefined ? made : { ...made, id }
    model.set(written.id, written)
    return { seq, objectSeq: seq, id: written.id, entry: written }
  })
  for (let i = 0; i < changes.length; i += pageSize)
    catalog.apply(changes.slice(i, i + pageSize), { more: i + pageSize < changes.length })
  return { catalog, entries: [...model.values()] }
}

describe('a list', () => {
  test('equals filtering and sorting all entries, after any history', () => {
    const history = fc.array(operation, { minLength: 1, maxLength: 60 })
    fc.assert(
      fc.property(
        history,
        fc.array(listQuery, { minLength: 5, maxLength: 10 }),
        fc.integer({ min: 1, max: 60 }),
        (steps, queries, size) => {
          const { catalog, entries } = play(steps, size)
          for (const query of queries) {
            const page = catalog.list(query)
            const ids = expected(entries, query)
            expect(page.services.decode().map(service => service.id)).toEqual(
              ids.slice(query.offset, query.offset + query.limit),
            )
            expect(page.total).toBe(ids.length)
          }
        },
      ),
      { numRuns: 100 },
    )
  })

  test('is the same when thousands are loaded at once or one by one', () => {
    const parts = fc.sample(entryParts, { numRuns: 3000, seed: 7 })
    const changes = parts.map((part, i): Change => {
      const made = build(part)
      return { seq: i + 1, objectSeq: i + 1, id: made.id, entry: made }
    })
    const bulk = new Catalog()
    bulk.apply(changes)
    const single = new Catalog()
    for (const change of changes) single.apply([change])
    for (const sortBy of ['price', 'trustScore', 'name', undefined] as const) {
      for (const category of ['weather', undefined]) {
        const query = parseListQuery({
          limit: 100,
          offset: 200,
          ...(sortBy && { sortBy }),
          ...(category && { category }),
        })
        expect(bulk.list(query).services.decode()).toEqual(single.list(query).services.decode())
      }
    }
  })
})

describe('the catalog', () => {
  const change = (made: Entry, seq: number): Change => ({ seq, objectSeq: seq, id: made.id, entry: made })

  test('returns the service and its status as registered', () => {
    const catalog = new Catalog()
    const made = entry(
      { name: '天気 "quoted" \u{1f600}' },
      { standing: { txCount: 3, totalRevenue: '0.006' } },
    )
    catalog.apply([change(made, 1)])
    expect(catalog.service(made.id)?.decode()).toEqual(toService(made))
    expect(catalog.status(made.id)?.decode()).toEqual({
      id: made.id,
      trustScore: 0,
      status: 'unverified',
      uptimeScore: 0,
      lastChecked: made.createdAt,
      txCount: 3,
      totalRevenue: 0.006,
    })
  })

  test('finds an entry by its new words after a change, and no longer by the old ones', () => {
    const catalog = new Catalog()
    const made = entry({ name: 'Umbrella forecast' })
    catalog.apply([change(made, 1)])
    catalog.apply([change({ ...made, name: 'Parasol rental' }, 2)])
    const found = (q: string) => catalog.search({ q, limit: 10, offset: 0 }).services.decode().length
    expect([found('umbrella'), found('parasol')]).toEqual([0, 1])
  })

  test('lists entries that have all words of the query, in the requested order', () => {
    const catalog = new Catalog()
    const made = [
      entry({ name: 'Cheap rain radar', pricing: { currency: 'USDC', pricePerRequest: '2', freeQuota: 0 } }),
      entry({ name: 'Rain alarm', pricing: { currency: 'USDC', pricePerRequest: '1', freeQuota: 0 } }),
      entry({ name: 'Radar rain maps', pricing: { currency: 'USDC', pricePerRequest: '0.5', freeQuota: 0 } }),
    ]
    catalog.apply(made.map((each, i) => change(each, i + 1)))
    const names = (input: object) =>
      catalog
        .list(parseListQuery({ query: 'rain radar', ...input }))
        .services.decode()
        .map(s => s.name)
    expect(names({ sortBy: 'price' })).toEqual(['Radar rain maps', 'Cheap rain radar'])
    expect(names({ sortBy: 'price', sortOrder: 'desc' })).toEqual(['Cheap rain radar', 'Radar rain maps'])
    expect(names({ maxPricePerRequest: '1' })).toEqual(['Radar rain maps'])
    expect(names({ sortOrder: 'asc' })).toEqual(names({}).toReversed())
  })

  test('resolves the wait for a write when it is visible, after the last page', async () => {
    const catalog = new Catalog()
    const [first, second] = [entry(), entry()]
    let visible = false
    const reached = catalog.whenReached(2).then(() => {
      visible = true
    })
    catalog.apply([change(first, 1)], { more: true })
    await Promise.resolve()
    expect([visible, catalog.seq]).toEqual([false, 0])
    catalog.apply([change(second, 2)])
    await reached
    expect(catalog.seq).toBe(2)
  })

  test('is not changed, once frozen, by writes while it is read', () => {
    const catalog = new Catalog()
    const made = Array.from({ length: 5 }, (_, i) => entry({ name: `n${i}` }))
    catalog.apply(made.map((each, i) => change(each, i + 1)))
    const names: string[] = []
    for (const service of catalog.freeze()) {
      if (names.length === 0) {
        catalog.apply([
          { seq: 6, objectSeq: 6, id: made[3]!.id, entry: null },
          change(entry({ name: 'late' }), 7),
        ])
        catalog.apply([change({ ...made[4]!, name: 'renamed' }, 8)])
      }
      names.push(service.decode().name)
    }
    expect(names).toEqual(['n0', 'n1', 'n2', 'n3', 'n4'])
  })

  test('counts categories without regard to case, known ones first', () => {
    const catalog = new Catalog()
    const made = ['AI', 'ai', 'zzz', 'Custom Thing'].map(category => entry({ category }))
    catalog.apply(made.map((each, i) => change(each, i + 1)))
    const categories = catalog.categories()
    expect(categories[0]).toEqual({ id: 'ai', labels: { en: 'AI', ja: 'AI' }, count: 2 })
    expect(categories.slice(-2)).toEqual([
      { id: 'custom thing', labels: { en: 'Custom Thing', ja: 'Custom Thing' }, count: 1 },
      { id: 'zzz', labels: { en: 'Zzz', ja: 'Zzz' }, count: 1 },
    ])
    catalog.apply([{ seq: 9, objectSeq: 9, id: made[2]!.id, entry: null }])
    expect(catalog.categories().some(({ id }) => id === 'zzz')).toBe(false)
  })

  test('counts its bytes', () => {
    const catalog = new Catalog()
    const before = catalog.bytes
    catalog.apply(Array.from({ length: 20_000 }, (_, i) => change(entry({ name: `service ${i}` }), i + 1)))
    expect(catalog.bytes - before).toBeGreaterThan(20_000 * 500)
  })
})

test('a returned answer does not change with later queries and writes', () => {
  const catalog = new Catalog()
  const change = (number: number, description: string): Change => {
    const written = entry({ name: `Weather ${number}`, description })
    return { seq: number, objectSeq: number, id: written.id, entry: written }
  }
  catalog.apply(Array.from({ length: 50 }, (_, i) => change(i + 1, `forecast ${i}`)))
  const ask = () => [
    catalog.list(parseListQuery({ limit: '20' })).services,
    catalog.search(parseKeywordQuery({ q: 'weather' })).services,
    catalog.searchByIntent(parseIntentQuery({ q: 'weather forecast' })),
    catalog.changes(0, 30),
  ]
  const first = ask()
  const before = first.map(answer => JSON.stringify(answer.decode()))
  catalog.list(parseListQuery({ limit: '100', sortBy: 'name' }))
  catalog.apply([change(51, 'another')])
  ask()
  expect(first.map(answer => JSON.stringify(answer.decode()))).toEqual(before)
})
