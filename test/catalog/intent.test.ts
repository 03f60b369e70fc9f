import { beforeAll, describe, expect, test } from 'bun:test'
import { Catalog } from '../../src/catalog/catalog.ts'
import { type Entry, toService } from '../../src/domain/listing/service.ts'
import { openEmbedder } from '../../src/search/embedding/model.ts'
import { createSemanticIndex } from '../../src/search/embedding/semantic-index.ts'
import { createSearchIndex } from '../../src/search/search-index.ts'
import { createSentenceReader } from '../../src/search/sentence/intent.ts'
import { entry } from '../entries.ts'
import { passesFilters } from '../filters.ts'
import { readStandingSample } from '../quality/standing-sample.ts'

const readIntent = createSentenceReader()

const catalog = new Catalog(createSearchIndex({ semantic: createSemanticIndex(openEmbedder()) }))
const ask = (q: string, limit = 10) => catalog.searchByIntent({ q, limit }).decode()

let entries: readonly Entry[]

beforeAll(async () => {
  entries = await readStandingSample(new Date('2026-11-01T00:00:00Z'))
  catalog.apply(entries.map((entry, i) => ({ seq: i + 1, objectSeq: i + 1, id: entry.id, entry })))
})

describe('an intent', () => {
  test('is filtered by the present state of entries, however often it was asked before', () => {
    const own = new Catalog()
    let seq = 0
    const put = (...given: Entry[]) =>
      own.apply(given.map(each => ({ seq: ++seq, objectSeq: seq, id: each.id, entry: each })))
    const found = () =>
      own
        .searchByIntent({ q: 'weather with a free tier', limit: 10 })
        .decode()
        .results.map(({ service }) => service.id)
    const priced = (freeQuota: number) =>
      entry({ pricing: { currency: 'USDC', pricePerRequest: '0.01', freeQuota } })
    const [free, paid] = [priced(10), priced(0)]
    // Of fewer entries each is looked at, whatever is known of the filter.
    put(
      ...Array.from({ length: 6_100 }, () =>
        entry({ name: 'Filler', description: 'Nothing else', category: 'other' }),
      ),
    )
    put(free, paid)
    for (const _ of [1, 2, 3, 4]) expect(found()).toEqual([free.id])
    put({ ...free, pricing: paid.pricing }, { ...paid, pricing: free.pricing })
    expect(found()).toEqual([paid.id])
    const another = priced(10)
    put(another)
    expect(found().sort()).toEqual([paid.id, another.id].sort())
  })

  test('applies the constraints of the sentence and reports them', () => {
    const { constraints, results, tokens, matchedTokens, reason } = ask(
      'cheap verified OCR on Base under half a cent',
    )
    expect(constraints).toMatchObject({
      chain: 'base',
      status: 'verified',
      maxPricePerRequest: '0.005',
      unapplied: [],
    })
    expect(results.length).toBeGreaterThan(0)
    for (const { service } of results) {
      expect(service.status).toBe('verified')
      expect(service.supportedChains.some(chain => ['base', 'eip155:8453'].includes(chain))).toBe(true)
      expect(Number(service.pricing.pricePerRequest)).toBeLessThan(0.005)
    }
    expect(tokens).toContain('ocr')
    expect(matchedTokens).toEqual(expect.arrayContaining(['ocr', 'verified']))
    expect(reason).not.toBe('')
  })

  test('in Japanese finds a service described in English, with a reason in Japanese', () => {
    const { results, matchedTokens } = ask('仕事の応募書類から文字を読み取りたい')
    expect(results.some(({ service }) => service.category === 'ocr')).toBe(true)
    const weather = ask('明日の天気予報')
    const english = weather.results.find(({ service }) => service.name === 'Skycast Forecast')
    expect(english?.reason).toMatch(/[ぁ-んァ-ン一-龠]/)
    expect(english?.matchedTokens.length).toBeGreaterThan(0)
    expect(weather.matchedTokens.every(token => weather.tokens.includes(token))).toBe(true)
    expect(matchedTokens.length).toBeGreaterThan(0)
  })

  test('whose filters leave nothing returns the results of relaxing one of them', () => {
    const { results, nearest, constraints } = ask('OCR on Arbitrum')
    expect(results).toEqual([])
    expect(constraints.chain).toBe('arbitrum')
    expect(nearest?.relaxed).toBe('chain')
    expect(nearest?.results[0]?.service.category).toBe('ocr')
    for (const { service, reason, matchedTokens } of nearest!.results) {
      expect(service.supportedChains).not.toContain('arbitrum')
      expect(reason).not.toContain('Arbitrum')
      expect(matchedTokens).not.toContain('arbitrum')
    }
  })

  test('for a chain without entries returns the results without the chain', () => {
    const { results, nearest } = ask('OCR on Bitcoin')
    expect(results).toEqual([])
    expect(nearest?.relaxed).toBe('chain')
  })

  test('has the same first results for any limit', () => {
    for (const sentence of [
      'weather forecast',
      '画像を生成したい',
      'translate text on Base',
      'verified only',
    ]) {
      const ids = ask(sentence, 14).results.map(({ service }) => service.id)
      expect(ids.length).toBeGreaterThan(0)
      for (const limit of [1, 3, 10]) {
        expect(ask(sentence, limit).results.map(({ service }) => service.id)).toEqual(ids.slice(0, limit))
      }
    }
  })

  test('can be changed by filters, and by dropping constraints', () => {
    const sentence = 'verified OCR on Base'
    const plain = catalog.searchByIntent({ q: sentence, limit: 10 }).decode()
    const wider = catalog.searchByIntent({ q: sentence, limit: 10, without: ['chain', 'status'] }).decode()
    expect(plain.constraints).toMatchObject({ chain: 'base', status: 'verified' })
    expect(wider.constraints).toEqual({ unapplied: [] })
    const fitting = ({ results }: typeof plain) => results.filter(({ weak }) => !weak).length
    expect(fitting(wider)).toBeGreaterThan(fitting(plain))
    const polygon = catalog.searchByIntent({ q: sentence, limit: 10, chain: 'polygon' }).decode()
    expect(
      polygon.results.every(({ service }) =>
        service.supportedChains.some(chain => ['polygon', 'eip155:137'].includes(chain)),
      ),
    ).toBe(true)
  })

  test('of constraints alone is ordered by trust, with score 1', () => {
    const { results } = ask('verified only, on Base', 50)
    expect(results.length).toBeGreaterThan(3)
    expect(results.every(({ score }) => score === 1)).toBe(true)
    const shown = results.map(({ service }) => service)
    const byTrust = (a: (typeof shown)[number], b: (typeof shown)[number]) =>
      b.trustScore - a.trustScore || (a.id < b.id ? -1 : 1)
    expect(shown).toEqual(shown.toSorted(byTrust))
    const { filter } = readIntent('verified only, on Base')
    const passing = entries.filter(each => passesFilters(filter, each)).map(toService)
    expect(shown).toEqual(passing.sort(byTrust))
  })

  test('is filtered by the columns as by the rule over whole services', () => {
    const sentences = [
      'translation under 0.01 USDC',
      '1円未満のサービス',
      '3円以下の翻訳',
      'weather with a free tier',
      'image generation for free',
      'Solanaで使える検証済みのサービス',
      'paid in EURC',
      'anything in the finance category under $0.02 on Polygon',
    ]
    for (const sentence of sentences) {
      const { filter } = readIntent(sentence)
      expect(Object.keys(filter).length).toBeGreaterThan(0)
      const passing = entries.filter(each => passesFilters(filter, each)).map(({ id }) => id)
      for (const { service } of ask(sentence, 100).results) expect(passing).toContain(service.id)
    }
    const free = ask('動いている無料のサービス', 100)
    expect(free.results.length + (free.nearest?.results.length ?? 0)).toBeGreaterThan(0)
  })

  test('that nothing matches returns weak results and says so', () => {
    const { results, reason } = ask('kitchen sink plumber near me')
    expect(results.every(({ weak }) => weak)).toBe(true)
    expect(reason).toBe(
      'Nothing here fits kitchen, sink, plumber, near. The results are only distantly related.',
    )
    expect(results[0]?.reason).toStartWith('Distantly related; ')
  })

  test('has scores between 0 and 1, best first', () => {
    for (const q of ['weather forecast', '翻訳', 'speech to text', 'price of bitcoin']) {
      const scores = ask(q).results.map(({ score }) => score)
      expect(scores).toEqual(scores.toSorted((a, b) => b - a))
      expect(scores.every(score => score > 0 && score <= 1)).toBe(true)
    }
  })
})
