// What do standing, sellers and copies cost: both searches through the catalog, beside the index alone on the same queries?
// bun bench/ranking.ts [entries] [queries]
import { Catalog } from '../src/catalog/catalog.ts'
import { createIdSource } from '../src/domain/ids.ts'
import { createEntry, type Entry } from '../src/domain/listing/service.ts'
import { openEmbedder } from '../src/search/embedding/model.ts'
import { createSemanticIndex } from '../src/search/embedding/semantic-index.ts'
import { createSearchIndex } from '../src/search/search-index.ts'
import { createInventedCatalog } from './invented-catalog.ts'

const entries = Number(process.argv[2] ?? 30_000)
const queries = Number(process.argv[3] ?? 1_000)
/** The quickest of so many counts: what others do on the machine is no part of it. */
const TIMES = 3
const WARM_UP = 200
/** One of so many is verified, has customers, has the name of another, or copies its text. */
const [VERIFIED, TRUSTED, NAMESAKE, COPY] = [3, 6, 50, 100]
/** Sellers have so many entries each, but for a large one, which has one of so many of all. */
const OF_ONE_SELLER = 5
const OF_LARGE_SELLER = 20

const { documents, twoWords, sentence } = createInventedCatalog(entries, 1)
const index = createSearchIndex({ semantic: createSemanticIndex(openEmbedder()) })
const catalog = new Catalog(index)
const newId = createIdSource(bytes => bytes.fill(7))
const trust = new Map<number, number>()

function toEntry(i: number): Entry {
  const { name, description, category, endpoint } = documents[i]!
  const other = documents[(i * 7919) % entries]!
  const seller = i % OF_LARGE_SELLER === 3 ? -1 : Math.floor(i / OF_ONE_SELLER)
  const now = new Date(Date.UTC(2026, 0, 1) + i * 1_000)
  const draft = {
    name: i % NAMESAKE === 1 ? other.name : name,
    description: i % COPY === 2 ? other.description : description,
    category,
    endpoint: endpoint.replace(/^https:\/\/[^/]+/, `https://api${i % OF_ONE_SELLER}.seller${seller}.test`),
    pricing: { currency: 'USDC', pricePerRequest: '0.01', freeQuota: 0 },
    x402Config: { paymentAddress: `0x${(seller + 2).toString(16).padStart(40, '0')}`, network: 'base' },
  }
  const created = createEntry(draft, { id: newId(now), now })
  const status = i % VERIFIED === 0 ? ('verified' as const) : ('unverified' as const)
  const trustScore = i % TRUSTED === 0 ? 20 + (i % 40) : i % VERIFIED === 0 ? 10 : 0
  trust.set(i, trustScore)
  return { ...created, standing: { ...created.standing, status, trustScore } }
}

const PAGE = 5_000
for (let first = 0; first < entries; first += PAGE) {
  const page = documents.slice(first, first + PAGE).map((_, i) => toEntry(first + i))
  catalog.apply(
    page.map((entry, i) => ({ seq: first + i + 1, objectSeq: first + i + 1, id: entry.id, entry })),
    { more: first + PAGE < entries },
  )
}

type Timing = { readonly p50: number; readonly p90: number; readonly p99: number }

function time(asked: readonly string[], run: (query: string) => unknown): Timing {
  const micros = new Float64Array(asked.length)
  for (let i = -WARM_UP; i < asked.length; i++) {
    const query = asked[i < 0 ? -i % asked.length : i]!
    let least = Number.POSITIVE_INFINITY
    for (let n = 0; n < TIMES; n++) {
      const began = Bun.nanoseconds()
      run(query)
      least = Math.min(least, (Bun.nanoseconds() - began) / 1000)
    }
    if (i >= 0) micros[i] = least
  }
  micros.sort()
  const at = (share: number) => micros[Math.floor(asked.length * share)]!
  return { p50: at(0.5), p90: at(0.9), p99: at(0.99) }
}

const order = (a: number, b: number) => trust.get(b)! - trust.get(a)! || a - b
const words = Array.from({ length: queries }, twoWords)
const sentences = Array.from({ length: queries }, sentence)

function show(name: string, alone: Timing, through: Timing): void {
  const cells = (['p50', 'p90', 'p99'] as const).map(
    at =>
      `${at} ${through[at].toFixed(0).padStart(6)} µs, ${(through[at] / alone[at]).toFixed(1).padStart(4)} times`,
  )
  console.log(
    `${name.padEnd(12)} ${cells.join('   ')}   p90 is ${(through.p90 / through.p50).toFixed(1)} times p50`,
  )
}

console.log(`${entries} entries; through the catalog, and as a multiple of the index alone:`)
show(
  'keywords',
  time(words, q => index.retrieverOfAny(q, order)(20)),
  time(words, q => catalog.search({ q, limit: 20, offset: 0 })),
)
show(
  'list',
  time(words, q => index.retrieverOfAll(q, order)(20)),
  time(words, query => catalog.list({ query, limit: 20, offset: 0 })),
)
show(
  'sentence',
  time(sentences, q => index.rankIntent(index.readIntent(q), 10, order).total),
  time(sentences, q => catalog.searchByIntent({ q, limit: 10 })),
)
