// The census of a catalog, against what counting every entry gives.
import { expect, test } from 'bun:test'
import { Catalog } from '../../src/catalog/catalog.ts'
import { MAX_CENSUS_VALUES } from '../../src/domain/census.ts'
import { chainKey } from '../../src/domain/chains/chains.ts'
import type { Entry } from '../../src/domain/listing/service.ts'
import { compareDecimals } from '../../src/domain/money/money.ts'
import type { Change } from '../../src/store/store.ts'
import { entry } from '../entries.ts'

let seq = 0
const put = (made: Entry): Change => ({ seq: ++seq, objectSeq: seq, id: made.id, entry: made })
const DAY = '2026-11-01'

const make = (n: number, parts: Partial<Entry> = {}): Entry => ({
  ...entry(
    {
      description: n % 3 === 0 ? '天気予報をお届けします' : 'The forecast for a city',
      category: n % 4 === 0 ? 'weather' : 'ai',
      pricing: {
        currency: n % 5 === 0 ? 'POINTS' : 'USDC',
        pricePerRequest: n % 7 === 0 ? '0' : `0.${String(n).padStart(3, '0')}`,
        freeQuota: 0,
      },
    },
    {
      standing: {
        status: (['verified', 'unverified', 'inactive'] as const)[n % 3]!,
        uptimeScore: n % 2 === 0 ? 99 : 0,
      },
      supportedChains: n % 2 === 0 ? ['base', 'solana'] : ['base'],
    },
  ),
  sample: n % 10 === 0,
  ...parts,
})

/** The slow way. */
function recount(all: readonly Entry[]) {
  const entries = all.filter(({ sample }) => !sample)
  const of = (test: (each: Entry) => boolean) => entries.filter(test).length
  const prices = entries
    .filter(({ pricing }) => pricing.currency === 'USDC')
    .map(({ pricing }) => pricing.pricePerRequest)
    .sort(compareDecimals)
  const p = (share: number) => prices[Math.ceil((prices.length * share) / 100) - 1]
  return {
    services: entries.length,
    samples: all.length - entries.length,
    alive: of(
      ({ standing, latencyMs }) =>
        standing.status !== 'inactive' && (standing.uptimeScore > 0 || latencyMs !== undefined),
    ),
    verified: of(({ standing }) => standing.status === 'verified'),
    known: prices.length,
    free: prices.filter(price => price === '0').length,
    quantiles: [10, 25, 50, 75, 90].map(p),
    weather: of(({ category }) => category === 'weather'),
    solana: of(({ supportedChains }) => supportedChains.includes('solana')),
    japanese: of(({ description }) => description.startsWith('天気')),
  }
}

function countsOf(catalog: Catalog) {
  const { services, samples, alive, verified, prices, categories, chains, languages } = catalog.census(DAY)
  const of = (counts: typeof chains, id: string) => counts.find(each => each.id === id)?.count ?? 0
  return {
    services,
    samples,
    alive,
    verified,
    known: prices.known,
    free: prices.free,
    quantiles: [prices.p10, prices.p25, prices.p50, prices.p75, prices.p90].map(price => price ?? undefined),
    weather: of(categories, 'weather'),
    solana: of(chains, chainKey('solana')),
    japanese: of(languages, 'ja'),
  }
}

test('a census is correct after every change', () => {
  const catalog = new Catalog()
  const entries = Array.from({ length: 60 }, (_, n) => make(n))
  catalog.apply(entries.map(put))
  // Trailing zeros are no part of a price.
  const plain = (counted: ReturnType<typeof recount>) => ({
    ...counted,
    quantiles: counted.quantiles.map(price => price?.replace(/\.?0+$/, '') || price),
  })
  expect(countsOf(catalog)).toEqual(plain(recount(entries)))

  const changed = entries.map((each, n) =>
    n % 4 === 0 ? { ...make(n + 1, { latencyMs: 40 }), id: each.id } : each,
  )
  catalog.apply(changed.map(put))
  expect(countsOf(catalog)).toEqual(plain(recount(changed)))

  const gone = changed.splice(10, 20)
  const hidden = { at: changed[0]!.createdAt, why: 'It poses as another.' }
  catalog.apply([
    ...gone.map(({ id }): Change => ({ seq: ++seq, objectSeq: seq, id, entry: null })),
    put({ ...changed.shift()!, hidden }),
  ])
  expect(countsOf(catalog)).toEqual(plain(recount(changed)))
})

test('a census of an empty catalog has no price', () => {
  const { services, prices, chains } = new Catalog().census(DAY)
  expect([services, prices.known, prices.p50, chains.length]).toEqual([0, 0, null, 0])
})

test('a census has a limited number of categories', () => {
  const catalog = new Catalog()
  const named = Array.from({ length: MAX_CENSUS_VALUES + 20 }, (_, n) => entry({ category: `made-up-${n}` }))
  catalog.apply([...named, entry({ category: 'made-up-69' })].map(put))
  const { categories } = catalog.census(DAY)
  expect(categories).toHaveLength(MAX_CENSUS_VALUES)
  expect(categories[0]).toEqual({ id: 'made-up-69', count: 2 })
})
