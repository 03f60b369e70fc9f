import { describe, expect, test } from 'bun:test'
import { createInventedCatalog } from '../../bench/invented-catalog.ts'
import type { SearchDocument } from '../../src/search/index/postings.ts'
import { createSearchIndex } from '../../src/search/search-index.ts'
import { createSentenceReader } from '../../src/search/sentence/intent.ts'

const readIntent = createSentenceReader()

const DOCUMENTS: readonly SearchDocument[] = [
  {
    name: 'Skycast Forecast',
    description: 'Hourly weather forecast for any point on Earth.',
    category: 'weather',
    endpoint: 'https://api.skycast.example/v2',
  },
  {
    name: 'getExchangeRate',
    description: 'Real-time currency conversion with e-mail alerts.',
    category: 'finance',
    endpoint: 'https://rates.example/x',
  },
  {
    name: '天気予報API そらまめ',
    description: '全国の天気予報を1時間ごとに返します。',
    category: 'weather',
    endpoint: 'https://tenki.sora.example/v1',
  },
  {
    name: 'スマートコントラクト監査',
    description: 'サーバーの脆弱性とメールアドレスを調べる。',
    category: 'security',
    endpoint: 'https://audit.example',
  },
  {
    name: 'OpenAI gateway',
    description: 'Chat completions, Base64 images and 0.005 precision.',
    category: 'ai',
    endpoint: 'https://gw.example',
  },
]
const index = createSearchIndex()
for (const [slot, document] of DOCUMENTS.entries()) index.set(slot, document)
const order = (a: number, b: number) => a - b
const any = (query: string, options?: { prefix?: boolean }) =>
  index
    .retrieverOfAny(
      query,
      order,
      options,
    )(10)
    .hits.map(({ slot }) => slot)

describe('keyword search finds an entry', () => {
  test.each([
    ['by a word of its name, whatever the case', 'SKYCAST', [0]],
    ['by another form of the word', 'forecasting', [0]],
    ['by a piece of a camelCase name', 'exchange', [1]],
    ['by the whole of a camelCase name in lower case', 'getexchangerate', [1]],
    ['by the host of its endpoint', 'tenki', [2]],
    ['by the English label of its category', 'security', [3]],
    ['by the Japanese label of its category', 'セキュリティ', [3]],
    ['by both halves of a hyphenated word', 'real time', [1]],
    ['by a hyphenated word written as one', 'email', [1]],
    ['in full-width letters', 'ｏｐｅｎａｉ', [4]],
    ['in half-width kana', 'ｻｰﾊﾞｰ', [3]],
    ['without the final long vowel', 'サーバ', [3]],
    ['by the second half of a katakana compound', 'コントラクト', [3]],
    ['by the first half of a compound that is one word', 'メール', [3]],
    ['by a Japanese verb in another form', '調べます', [3]],
    ['by a number', '0.005', [4]],
    ['by a word with digits in it', 'base64', [4]],
    ['by the beginning of a word that no entry has', 'skyc', [0]],
    ['by an unfinished word that is longer than its stem', 'conversi', [1]],
    ['with one letter missing', 'forcast', [0]],
    ['with two letters swapped', 'skycsat', [0]],
    ['with one letter too many', 'gatewway', [4]],
  ])('%s', (_, query, slots) => {
    expect(any(query)).toEqual(slots)
  })

  test('and nothing for a word without expansions', () => {
    expect(any('zzzzzzzz')).toEqual([])
    expect(any('!!!')).toEqual([])
    expect(index.retrieverOfAny('', order)(10)).toMatchObject({ hits: [], total: 0 })
  })

  test('with the last word as a prefix only on request', () => {
    expect(any('chat comp', { prefix: true })).toEqual([4])
    expect(any('c', { prefix: true })).toEqual([])
    expect(any('天', { prefix: true }).sort()).toEqual([0, 2])
  })
})

describe('keyword search ranks', () => {
  test('entries with more of the words first', () => {
    expect(any('weather chat completions')[0]).toBe(4)
  })
  test('a word in the name above the same word in a description', () => {
    expect(any('forecast')[0]).toBe(0)
  })
  test('ties by the order of the catalog, never by slot', () => {
    const twins = createSearchIndex()
    for (let slot = 0; slot < 200; slot++) twins.set(slot, DOCUMENTS[0]!)
    const { hits, total } = twins.retrieverOfAny('weather', (a, b) => b - a)(3)
    expect(hits.map(({ slot }) => slot)).toEqual([199, 198, 197])
    expect(total).toBe(200)
  })
  test('the best of many as it ranks all of them', () => {
    const { documents, twoWords, frequentWords } = createInventedCatalog(12_000, 5)
    const many = createSearchIndex()
    for (const [slot, document] of documents.entries()) many.set(slot, document)
    const frequent = frequentWords(60).split(' ')
    const pairs = frequent.flatMap((word, i) => [word, `${word} ${frequent[(i * 7 + 1) % 60]}`])
    for (const query of [...pairs, ...Array.from({ length: 60 }, twoWords)]) {
      const all = many.retrieverOfAny(query, order)(documents.length)
      expect(many.retrieverOfAny(query, order)(20)).toMatchObject({
        hits: all.hits.slice(0, 20),
        total: all.hits.length,
      })
    }
  })
})

describe('a search for all words', () => {
  test('finds entries that have every word, and none if a word is unknown', () => {
    expect(index.matchAll('weather forecast').size).toBe(1)
    expect(index.matchAll('weather forecast').has(0)).toBe(true)
    expect(index.matchAll('weather forecast').has(2)).toBe(false)
    expect(index.matchAll('weather zzzzzzzz').size).toBe(0)
    expect(
      index
        .retrieverOfAll(
          '天気 予報',
          order,
        )(10)
        .hits.map(({ slot }) => slot),
    ).toEqual([2])
    expect(index.retrieverOfAll('...', order)(10)).toMatchObject({ hits: [], total: 0 })
  })
  test('is exact for words of different frequency among many entries', () => {
    const own = createSearchIndex()
    const entry = (description: string): SearchDocument => ({ ...DOCUMENTS[0]!, name: 'x', description })
    for (let slot = 0; slot < 40_000; slot++) {
      const early = slot < 400 ? 'early' : ''
      const late = slot % 80 === 0 ? 'late' : ''
      own.set(slot, entry(`${early} ${late} filler`))
    }
    expect(own.retrieverOfAll('early late', order)(20).total).toBe(5)
    expect(own.matchAll('late early').size).toBe(5)
    expect(own.retrieverOfAny('early late', order)(5)).toMatchObject({
      total: 895,
      hits: [{ slot: 0 }, { slot: 80 }, {}, {}, {}],
    })
  })
  test('counts only entries that pass the filter', () => {
    expect(index.retrieverOfAll('weather', order)(1, slot => slot !== 0).total).toBe(1)
  })
})

describe('intent search', () => {
  test('names the tokens that matched and scores within 0 and 1', () => {
    const [hit] = index.rankIntent(readIntent('I need the weather forecasts of Mars'), 5, order).hits
    expect(hit?.slot).toBe(0)
    expect(hit?.matchedTokens).toEqual(['weather', 'forecasts'])
    expect(hit?.score).toBeGreaterThan(0)
    expect(hit?.score).toBeLessThanOrEqual(1)
  })
  test('finds the same with a filter as without it', () => {
    const { documents, twoWords, frequentWords } = createInventedCatalog(3_000, 5)
    const many = createSearchIndex()
    for (const [slot, document] of documents.entries()) many.set(slot, document)
    const frequent = frequentWords(20).split(' ')
    const groups = frequent.flatMap((word, i) => [
      word,
      `${word} ${frequent[(i * 7 + 1) % 20]}`,
      `${word} ${frequent[(i * 3 + 5) % 20]} ${frequent[(i * 11 + 2) % 20]}`,
    ])
    const filters = [2, 37, 997].map(every => (slot: number) => slot % every === 0)
    for (const query of [...groups, ...Array.from({ length: 20 }, twoWords)]) {
      const intent = readIntent(query)
      const unfiltered = many.rankIntent(intent, 3_000, order).hits
      for (const passes of filters) {
        const tested = many.rankIntent(intent, 20, order, { accept: passes }).hits
        const all = unfiltered.filter(({ slot }) => passes(slot))
        expect(tested.map(({ slot }) => slot)).toEqual(all.slice(0, 20).map(({ slot }) => slot))
        expect(many.rankIntent(intent, 1, order, { accept: passes }).total).toBe(all.length)
      }
    }
  })
  test('finds a Japanese entry by its words', () => {
    const hits = index.rankIntent(readIntent('全国の天気予報を教えてください'), 5, order).hits
    expect(hits[0]).toMatchObject({ slot: 2, matchedTokens: ['全国', '天気', '予報'] })
  })
})

test('a document that was removed is not found, and its slot is reused', () => {
  const own = createSearchIndex()
  own.set(0, DOCUMENTS[0]!)
  own.set(1, DOCUMENTS[1]!)
  own.delete(0, DOCUMENTS[0]!)
  expect(own.retrieverOfAny('weather', order)(5).total).toBe(0)
  own.set(0, DOCUMENTS[4]!)
  expect(own.retrieverOfAny('chat', order)(5).hits).toMatchObject([{ slot: 0 }])
  expect(own.size).toBe(2)
  own.delete(7, DOCUMENTS[0]!)
  expect(own.size).toBe(2)
})
