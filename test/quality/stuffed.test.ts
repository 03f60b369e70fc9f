// A market where every service was paid, and beside it one listing for each query whose text is the query itself. Limits on how often
// such a listing is first. A limit may fall; it never rises.
import { describe, expect, test } from 'bun:test'
import { Catalog } from '../../src/catalog/catalog.ts'
import type { Entry } from '../../src/domain/listing/service.ts'
import { createSemanticIndex } from '../../src/search/embedding/semantic-index.ts'
import { createSearchIndex } from '../../src/search/search-index.ts'
import { createSentenceReader } from '../../src/search/sentence/read-intent.ts'
import { sharedEmbedder } from '../embedder.ts'
import { entry, toPaid } from '../entries.ts'
import { type MarketQuery, readMarket } from './market.ts'

/** One of so many queries is asked. */
const EVERY = 6
const STUFFED_SINCE = Date.UTC(2026, 5, 1)

const { entries, queries } = await readMarket()
const asked = queries.filter(({ kind }, i) => kind === 'plain' && i % EVERY === 0)
const readIntent = createSentenceReader()
const wordsOf = (query: string) => readIntent(query).contentTokens.join(' ') || query

const catalog = new Catalog(createSearchIndex({ semantic: createSemanticIndex(sharedEmbedder()) }))
let seq = 0
const put = (entries: readonly Entry[]) =>
  catalog.apply(entries.map(entry => ({ seq: ++seq, objectSeq: seq, id: entry.id, entry })))
const withTrust = (each: Entry, trustScore: number): Entry => ({
  ...each,
  standing: { ...each.standing, ...toPaid(trustScore), status: 'verified', trustScore },
})
put(entries.map((each, i) => withTrust(each, 30 + ((i * 37) % 60))))

/** @param pricePerRequest a free quota is listed beside it, which no probe can see */
const stuffed = (pricePerRequest: string): Entry[] =>
  asked.map(({ query }, i) =>
    entry(
      {
        name: wordsOf(query).slice(0, 100),
        description: `${query}. ${wordsOf(query)}`,
        category: 'other',
        endpoint: `https://stuffed-${i}.example/v1`,
        pricing: { currency: 'USDC', pricePerRequest, freeQuota: 100 },
        x402Config: { paymentAddress: `0x${(2 ** 32 + i).toString(16).padStart(40, '0')}`, network: 'base' },
      },
      { now: new Date(STUFFED_SINCE + i) },
    ),
  )

/** The share of queries where a stuffed listing is first. */
function firstShare(
  listed: readonly Entry[],
  trust: number,
  ask: (query: MarketQuery) => string | undefined,
) {
  put(listed.map(each => withTrust(each, trust)))
  const ids = new Set<string | undefined>(listed.map(({ id }) => id))
  const first = asked.filter(query => ids.has(ask(query))).length
  catalog.apply(listed.map(({ id }) => ({ seq: ++seq, objectSeq: seq, id, entry: null })))
  return first / asked.length
}

const bySentence =
  (en: (query: string) => string, ja: (query: string) => string) =>
  ({ query, lang }: MarketQuery) =>
    catalog.searchByIntent({ q: lang === 'en' ? en(query) : ja(query), limit: 10 }).decode().results[0]
      ?.service.id
const plain = bySentence(
  query => query,
  query => query,
)

describe('a listing made of the query is limited behind paid services', () => {
  const cheapest = stuffed('0.000001')

  test('with the trust that two wallets of its own give it', () => {
    expect(firstShare(cheapest, 20, plain)).toBeLessThanOrEqual(0.65)
    const byKeywords = ({ query }: MarketQuery) =>
      catalog.search({ q: wordsOf(query), limit: 1, offset: 0 }).services.decode()[0]?.id
    expect(firstShare(cheapest, 20, byKeywords)).toBeLessThanOrEqual(0.7)
  })

  test('unpaid, where the sentence wishes for cheap and fast services', () => {
    const cheapAndFast = bySentence(
      query => `cheap and fast ${query}`,
      query => `安くて速い、${query}`,
    )
    expect(firstShare(cheapest, 10, plain)).toBeLessThanOrEqual(0.15)
    expect(firstShare(cheapest, 10, cheapAndFast)).toBeLessThanOrEqual(0.25)
  })

  test('unpaid, where the sentence wishes for a free service and the listing claims a quota', () => {
    const free = bySentence(
      query => `${query} for free`,
      query => `無料で${query}`,
    )
    expect(firstShare(stuffed('0.9'), 10, free)).toBeLessThanOrEqual(0.2)
  })
})
