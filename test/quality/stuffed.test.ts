// A market where every service has ten established payers, and beside it one listing for each query whose text is the query itself and
// that came later. Limits on how often such a listing is first, and on honest newcomers that are not found. A limit may fall; it never
// rises. docs/trust.md tells them.
import { describe, expect, test } from 'bun:test'
import { Catalog } from '../../src/catalog/catalog.ts'
import type { Entry } from '../../src/domain/listing/service.ts'
import type { Status } from '../../src/domain/standing/standing.ts'
import { countPayers } from '../../src/domain/standing/trust.ts'
import { createSemanticIndex } from '../../src/search/embedding/semantic-index.ts'
import { createSearchIndex } from '../../src/search/search-index.ts'
import { createSentenceReader } from '../../src/search/sentence/intent.ts'
import { sharedEmbedder } from '../embedder.ts'
import { entry } from '../entries.ts'
import { readNewcomers } from './attacked-catalog.ts'
import { type MarketQuery, readMarket } from './market.ts'

/** One of so many queries is asked. */
const EVERY = 6
const STUFFED_SINCE = Date.UTC(2026, 5, 1)
/** The services had their first established payers in the four months before. */
const MARKET_SINCE = Date.UTC(2026, 0, 1)
const MARKET_DAYS = 120

const { entries, queries } = await readMarket()
const asked = queries.filter(({ kind }, i) => kind === 'plain' && i % EVERY === 0)
const readIntent = createSentenceReader()
const wordsOf = (query: string) => readIntent(query).contentTokens.join(' ') || query

const catalog = new Catalog(createSearchIndex({ semantic: createSemanticIndex(sharedEmbedder()) }))
let seq = 0
const put = (entries: readonly Entry[]) =>
  catalog.apply(entries.map(entry => ({ seq: ++seq, objectSeq: seq, id: entry.id, entry })))
const remove = (entries: readonly Entry[]) =>
  catalog.apply(entries.map(({ id }) => ({ seq: ++seq, objectSeq: seq, id, entry: null })))
type Paid = { readonly unrelated: number; readonly established?: number; readonly sinceMs?: number }
function paidBy(
  { delivery: _, ...each }: Entry,
  { unrelated, established = 0, sinceMs = STUFFED_SINCE }: Paid,
): Entry {
  const others = { settlements: unrelated, payers: unrelated, inRing: 0, tooSmall: 0, recent: unrelated }
  const since = new Date(sinceMs).toISOString()
  const payers = countPayers({ ...others, credited: 'claim', unrelated, established, since, largestShare: 0 })
  return { ...each, standing: { ...each.standing, status: 'verified', ...(payers && { payers }) } }
}
const openMarket = (payers: number): void =>
  put(
    entries.map((each, i) =>
      paidBy(each, {
        unrelated: payers,
        established: payers,
        sinceMs: MARKET_SINCE + ((i * 37) % MARKET_DAYS) * 86_400_000,
      }),
    ),
  )
openMarket(10)

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
function firstShare(listed: readonly Entry[], payers: Paid, ask: (query: MarketQuery) => string | undefined) {
  put(listed.map(each => paidBy(each, payers)))
  const ids = new Set<string | undefined>(listed.map(({ id }) => id))
  const first = asked.filter(query => ids.has(ask(query))).length
  remove(listed)
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

  const byKeywords = ({ query }: MarketQuery) =>
    catalog.search({ q: wordsOf(query), limit: 1, offset: 0 }).services.decode()[0]?.id

  test.each([
    { unrelated: 0, established: 0, sentences: 0.13 },
    { unrelated: 10, established: 0, sentences: 0.13 },
    { unrelated: 100, established: 0, sentences: 0.19 },
    { unrelated: 40_000, established: 0, sentences: 0.19 },
    { unrelated: 10, established: 10, sentences: 0.19 },
    { unrelated: 15_000, established: 15_000, sentences: 0.19 },
  ])('with $unrelated payers of its own, $established of them established', ({ sentences, ...payers }) => {
    expect(firstShare(cheapest, payers, plain)).toBeLessThanOrEqual(sentences)
    expect(firstShare(cheapest, payers, byKeywords)).toBeLessThanOrEqual(0.25)
  })

  test('with any number of established payers, where the services have three', () => {
    openMarket(3)
    const payers = { unrelated: 15_000, established: 15_000 }
    expect(firstShare(cheapest, payers, plain)).toBeLessThanOrEqual(0.19)
    expect(firstShare(cheapest, payers, byKeywords)).toBeLessThanOrEqual(0.25)
    openMarket(10)
  })

  test('unpaid, where the sentence wishes for cheap and fast services', () => {
    const cheapAndFast = bySentence(
      query => `cheap and fast ${query}`,
      query => `安くて速い、${query}`,
    )
    expect(firstShare(cheapest, { unrelated: 0 }, plain)).toBeLessThanOrEqual(0.15)
    expect(firstShare(cheapest, { unrelated: 0 }, cheapAndFast)).toBeLessThanOrEqual(0.25)
  })

  test('unpaid, where the sentence wishes for a free service and the listing claims a quota', () => {
    const free = bySentence(
      query => `${query} for free`,
      query => `無料で${query}`,
    )
    expect(firstShare(stuffed('0.9'), { unrelated: 0 }, free)).toBeLessThanOrEqual(0.2)
  })
})

describe('an honest newcomer is found for what it alone does, whatever its shape', async () => {
  const newcomers = await readNewcomers()
  const unpaid = { unrelated: 0 }
  type Shape = {
    shape: string
    status: Status
    payers: Paid
    isNamed?: boolean
    notFirst: number
    notFound?: number
  }
  test.each<Shape>([
    { shape: 'registered, not probed', status: 'unverified', payers: unpaid, notFirst: 7 },
    {
      shape: 'of a list, named by its host',
      status: 'unverified',
      payers: unpaid,
      isNamed: false,
      notFirst: 7,
      notFound: 2,
    },
    { shape: 'verified, unpaid', status: 'verified', payers: unpaid, notFirst: 3 },
    { shape: 'paid by new wallets', status: 'verified', payers: { unrelated: 4 }, notFirst: 3 },
    {
      shape: 'paid by established wallets',
      status: 'verified',
      payers: { unrelated: 4, established: 4 },
      notFirst: 1,
    },
  ])('$shape', ({ status, payers, isNamed = true, notFirst, notFound = 0 }) => {
    const own = newcomers.map((each, i) => {
      const host = `newcomer-${i}.example`
      const made = entry(
        {
          name: isNamed ? each.name : host,
          description: each.description,
          category: 'other',
          endpoint: `https://${host}/v1`,
          x402Config: {
            paymentAddress: `0x${(2 ** 33 + i).toString(16).padStart(40, '0')}`,
            network: 'base',
          },
        },
        { now: new Date(STUFFED_SINCE) },
      )
      const paid = paidBy(made, payers)
      return { ...each, entry: { ...paid, standing: { ...paid.standing, status } } }
    })
    put(own.map(each => each.entry))
    const places = own.map(({ query, words, entry: { id } }) => ({
      sentence: catalog
        .searchByIntent({ q: query, limit: 10 })
        .decode()
        .results.findIndex(each => each.service.id === id),
      words: catalog
        .search({ q: words, limit: 10, offset: 0 })
        .services.decode()
        .findIndex(each => each.id === id),
    }))
    remove(own.map(each => each.entry))
    expect(places.filter(({ sentence, words }) => sentence < 0 || words < 0).length).toBeLessThanOrEqual(
      notFound,
    )
    expect(places.filter(({ sentence }) => sentence > 0).length).toBeLessThanOrEqual(notFirst)
    expect(places.filter(({ words }) => words > 0).length).toBeLessThanOrEqual(Math.ceil(notFirst / 6))
  })
})
