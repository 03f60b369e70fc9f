import { describe, expect, test } from 'bun:test'
import { createInventedCatalog } from '../../bench/invented-catalog.ts'
import { Catalog } from '../../src/catalog/catalog.ts'
import { readSnapshot } from '../../src/catalog/snapshot/file.ts'
import type { Entry } from '../../src/domain/listing/service.ts'
import { type Rates, readRates } from '../../src/domain/money/rates.ts'
import type { Page } from '../../src/domain/queries/answers.ts'
import { parseListQuery } from '../../src/domain/queries/queries.ts'
import { openEmbedder } from '../../src/search/embedding/model.ts'
import { createSemanticIndex } from '../../src/search/embedding/semantic-index.ts'
import { createSearchIndex } from '../../src/search/search-index.ts'
import type { Change } from '../../src/store/store.ts'
import { entry } from '../entries.ts'
import { temporaryPath } from '../store/temporary-path.ts'
import { writeSnapshotFile } from './write-snapshot.ts'

const embedder = openEmbedder()
const createCatalog = () => new Catalog(createSearchIndex({ semantic: createSemanticIndex(embedder) }))

const ENTRIES = 3_000
const NETWORKS = [['base'], ['solana'], ['base', 'eip155:137'], ['my-chain']]
const invented = createInventedCatalog(2 * ENTRIES, 7)
let seq = 0

function build(number: number, id?: string): Entry {
  const made = entry(
    {
      ...invented.documents[number]!,
      pricing: {
        currency: number % 5 ? 'USDC' : 'JPYC',
        pricePerRequest: `0.0${number % 97}`,
        freeQuota: number % 3,
      },
      x402Config: { paymentAddress: `0x${(number % 50).toString(16).padStart(40, '0')}`, network: 'base' },
    },
    {
      now: new Date(Date.UTC(2026, 0, 1) + number),
      standing: {
        status: (['verified', 'unverified', 'inactive'] as const)[number % 3]!,
        trustScore: number % 101,
      },
      supportedChains: NETWORKS[number % NETWORKS.length]!,
    },
  )
  const owned = {
    ...made,
    owner: number % 3 ? `key_${number % 7}` : null,
    ...(number % 7 === 0 && {
      proof: {
        at: made.createdAt,
        by: number % 2 ? ('dns' as const) : ('well_known' as const),
        names: number % 3 ? ('id' as const) : ('wallet' as const),
      },
    }),
    ...(number % 11 === 0 && {
      delivery: { purchases: 4, delivered: number % 4, failedInARow: number % 3, last: null, told: [] },
    }),
    ...(number % 13 === 0 && { hidden: { at: made.createdAt, why: `Why ${number}.` } }),
  }
  return id === undefined ? owned : { ...owned, id }
}

const everyId = new Set<string>()
const toChange = (made: Entry): Change => {
  everyId.add(made.id)
  return { seq: ++seq, objectSeq: seq, id: made.id, entry: made }
}
const removed: string[] = []
const toRemoval = (id: string): Change => {
  const endpoint = `https://gone-${id.replace('_', '-')}.example/v1`
  removed.push(endpoint)
  return { seq: ++seq, objectSeq: seq, id, entry: null, endpoint }
}

/** Adds, changes and removes, so that no part is as a first load leaves it. */
function churn(known: string[], from: number): Change[] {
  const changes: Change[] = []
  for (let number = from; number < from + ENTRIES / 3; number++) {
    const made = build(number)
    changes.push(toChange(made))
    known.push(made.id)
    if (number % 4 === 0) changes.push(toChange(build(number + 1, known[(number * 31) % known.length]!)))
    if (number % 5 === 0) changes.push(toRemoval(known.splice((number * 17) % known.length, 1)[0]!))
  }
  return changes
}

const queries = {
  list: [
    '',
    'sortBy=price&category=weather&chain=base&maxPricePerRequest=0.05',
    'sortBy=trustScore&status=verified',
    'sortBy=name&sortOrder=desc&offset=200',
    'chain=my-chain&currency=JPYC',
  ],
  words: [
    ...Array.from({ length: 40 }, () => invented.twoWords()),
    'wether forcast',
    '天気 予報',
    'the and for with',
  ],
  sentences: [
    ...Array.from({ length: 25 }, () => invented.sentence()),
    'cheap verified weather on Base',
    '翻訳の安いAPI',
  ],
}

/** Everything that can be read, as text. */
function answersOf(catalog: Catalog): unknown {
  const page = ({ total, services }: Page) => [total, services.hash, Buffer.from(services.bytes).toString()]
  return {
    seq: catalog.seq,
    size: catalog.size,
    lists: queries.list.map(text =>
      page(catalog.list(parseListQuery(Object.fromEntries(new URLSearchParams(text))))),
    ),
    searches: queries.words.map(q => page(catalog.search({ q, limit: 20, offset: 0, prefix: false }))),
    beginnings: queries.words.map(q =>
      page(catalog.search({ q: q.slice(0, -1), limit: 5, offset: 0, prefix: true })),
    ),
    intents: queries.sentences.map(q => catalog.searchByIntent({ q, limit: 10 }).decode()),
    changes: Buffer.from(catalog.changes(seq / 2, 100).page.bytes).toString(),
    categories: catalog.categories(),
    facets: [catalog.facets({ chain: 'base' }), catalog.facets({})],
    distributions: catalog.distributions(),
    census: catalog.census('2026-11-01'),
    offers: catalog.offers({ limit: 10, offset: 0, payTo: `0x${'7'.padStart(40, '0')}` }),
    all: [...catalog.freeze()].map(({ bytes }) => Bun.hash(bytes)),
    deliveries: [...everyId].map(id => catalog.poorDelivery(id)),
    hidden: [...everyId].map(id => catalog.hidden(id)),
    resolutions: [
      ...[...catalog.freeze()].slice(0, 500).map(service => service.decode().endpoint),
      ...removed.slice(0, 100),
    ].map(endpoint => catalog.resolve({ url: `${endpoint}/x` }, new Date(Date.UTC(2026, 5)))),
    backings: [...catalog.freeze()].map(service => catalog.backing(service.decode().id)),
  }
}

const ratesOf = (yen: number) => readRates({ base: 'USD', date: '2026-11-16', rates: { JPY: yen } }) as Rates

describe('a snapshot of a catalog', () => {
  test('is read at the current exchange rates, not those at which it was written', async () => {
    const original = createCatalog()
    for (const _ of original.revalue(ratesOf(160)));
    original.apply(churn([], 0))
    const path = temporaryPath('rates.catalog')
    await writeSnapshotFile(path, { of: 'rates' }, snapshot => original.serialize(snapshot))

    const copy = createCatalog()
    for (const _ of copy.revalue(ratesOf(0.5)));
    await readSnapshot(
      path,
      () => true,
      snapshot => copy.serialize(snapshot),
    )
    copy.apply([])
    const names = (catalog: Catalog) =>
      catalog
        .list(parseListQuery({ sortBy: 'usdPrice', maxUsdPrice: '0.1', limit: '100' }))
        .services.decode()
        .map(({ id }) => id)
    expect(names(copy)).not.toEqual(names(original))
    for (const _ of original.revalue(ratesOf(0.5)));
    expect(names(copy)).toEqual(names(original))
  })

  test('answers like the original catalog, and continues like it', async () => {
    const known: string[] = []
    const original = createCatalog()
    original.apply(churn(known, 0))
    original.apply(churn(known, ENTRIES / 3))

    const path = temporaryPath('whole.catalog')
    expect(await writeSnapshotFile(path, { of: 'this' }, snapshot => original.serialize(snapshot))).toBe(true)
    const copy = createCatalog()
    const label = await readSnapshot(
      path,
      () => true,
      snapshot => copy.serialize(snapshot),
    )
    expect(label).toEqual({ of: 'this' })
    copy.apply([])
    expect(answersOf(copy)).toEqual(answersOf(original))

    for (const changes of [churn(known, ENTRIES), known.splice(0, known.length / 2).map(toRemoval)]) {
      original.apply(changes)
      copy.apply(changes)
      expect(answersOf(copy)).toEqual(answersOf(original))
    }
  })

  test('is filtered by its own entries, whatever was queried before it was read', async () => {
    const original = createCatalog()
    original.apply(Array.from({ length: 50 }, (_, number) => toChange(build(number))))
    const path = temporaryPath('asked.catalog')
    await writeSnapshotFile(path, {}, snapshot => original.serialize(snapshot))
    const copy = createCatalog()
    const ask = (catalog: Catalog) => catalog.searchByIntent({ q: 'with a free tier', limit: 10 }).decode()
    // As often as it takes to keep which entries pass.
    for (const _ of [1, 2, 3]) expect(ask(copy).results).toEqual([])
    await readSnapshot(
      path,
      () => true,
      snapshot => copy.serialize(snapshot),
    )
    copy.apply([])
    expect(ask(copy).results).toHaveLength(10)
    expect(ask(copy)).toEqual(ask(original))
  })

  test('includes the embeddings that are still to be stored', async () => {
    const original = createCatalog()
    const made = build(1)
    original.apply([toChange(made)])
    const path = temporaryPath('embeddings.catalog')
    await writeSnapshotFile(path, {}, snapshot => original.serialize(snapshot))
    const copy = createCatalog()
    await readSnapshot(
      path,
      () => true,
      snapshot => copy.serialize(snapshot),
    )
    expect(copy.takeEmbeddings(10)).toEqual(original.takeEmbeddings(10))
    expect(original.takeEmbeddings(10)).toEqual([])
  })
})
