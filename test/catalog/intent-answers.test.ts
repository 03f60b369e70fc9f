// What intent answers exclude, add as weak results and report, over a small catalog.
import { describe, expect, test } from 'bun:test'
import { Catalog } from '../../src/catalog/catalog.ts'
import { type Rates, readRates } from '../../src/domain/money/rates.ts'
import { createSemanticIndex } from '../../src/search/embedding/semantic-index.ts'
import { createSearchIndex } from '../../src/search/search-index.ts'
import { sharedEmbedder } from '../embedder.ts'
import { entry } from '../entries.ts'
import { openSemantic } from './listings.ts'

const on = (network: string) => ({ paymentAddress: `0x${'1'.repeat(40)}`, network })
const service = (name: string, description: string, category: string, network = 'base') =>
  entry({ name, description, category, endpoint: 'https://one.example/v1', x402Config: on(network) })

const ENTRIES = [
  service('OpenWeatherMap Gateway', 'Current weather and forecast for any city.', 'weather'),
  service('SkyCast', 'Weather forecast for the next ten days.', 'weather', 'solana'),
  service('Tenki Now', '全国の天気予報を一時間ごとに返します。', 'weather', 'polygon'),
  service('CryptoWire', 'Crypto news headlines as they break.', 'news'),
  service('World Headlines', 'News headlines from five hundred papers.', 'news', 'solana'),
  service('朝刊ニュース', '国内のニュースの見出しと要約を返します。', 'news'),
  service('Google Maps Proxy', 'Maps and geocoding of addresses.', 'maps'),
  service('Open Atlas', 'Maps of the whole world, tiles and routes.', 'maps', 'polygon'),
  service('地図ひろば', '住所から地図を作ります。', 'maps'),
  service('DeepL Bridge', 'Translation of texts into thirty languages.', 'translation'),
  service('Kotoba Translate', '英語と日本語の翻訳をします。', 'translation', 'solana'),
  service('CoinGecko Relay', 'Coin prices and market caps.', 'crypto'),
  service('CoinDesk Coin Report', 'Reports on every coin.', 'crypto'),
  service('Cure Finder', 'Finds a cure for sick plants.', 'health'),
  service('Currency Desk', 'Exchange rates of every currency.', 'finance'),
  service('Force Lab', 'Computes force and mass.', 'education'),
  service('Postgres Hosting', 'A database on demand.', 'storage'),
  service('Data Shelf', 'Keeps data for you.', 'storage'),
  service('Reminder Bell', 'Sets a reminder and rings at the time you name.', 'utilities'),
]
const catalog = openSemantic(...ENTRIES)

const ask = (q: string, rest = {}) => catalog.searchByIntent({ q, limit: 10, ...rest }).decode()
const namesOf = ({ results }: ReturnType<typeof ask>) => results.map(({ service }) => service.name)
const fittingOf = ({ results }: ReturnType<typeof ask>) =>
  results.filter(({ weak }) => !weak).map(({ service }) => service.name)

test('samples that fit are found behind real services that do not', () => {
  const real = ENTRIES.filter(({ category }) => category !== 'weather')
  const invented = {
    ...service('Receipt Reader', 'Turns pictures of receipts into line items.', 'ocr'),
    sample: true,
  }
  const answer = openSemantic(...real, invented)
    .searchByIntent({ q: 'read text from receipts', limit: 10 })
    .decode()
  expect(fittingOf(answer)).toContain('Receipt Reader')
})

test('samples are not behind merchants of this machine, which are no more real', () => {
  const local = {
    ...service('Rhymes', 'Rhymes of a text.', 'text'),
    endpoint: 'http://127.0.0.1:4021/rhymes',
  }
  const invented = {
    ...service('Receipt Reader', 'Turns pictures of receipts into line items.', 'ocr'),
    sample: true,
  }
  const answer = openSemantic(local, invented)
    .searchByIntent({ q: 'read text from receipts', limit: 10 })
    .decode()
  expect(namesOf(answer)[0]).toBe('Receipt Reader')
})

test('a compound of the lexicon is one word, without the meanings of its parts', () => {
  const post = new Catalog(createSearchIndex({ semantic: createSemanticIndex(sharedEmbedder()) }))
  const entries = [
    service('Contact Lookup', 'Finds phone numbers, e-mail and postal addresses of contacts.', 'email'),
    service('Area Finder', 'US zip code distance, radius and location.', 'maps', 'solana'),
    service('着信しらべ', '電話番号の持ち主を調べます。', 'communication', 'avalanche'),
    service('便箋', '郵便で手紙を送ります。', 'communication', 'polygon'),
  ]
  post.apply(entries.map((each, i) => ({ seq: i + 1, objectSeq: i + 1, id: each.id, entry: each })))
  const { results } = post.searchByIntent({ q: '郵便番号', limit: 10 }).decode()
  expect(results[0]?.service.name).toBe('Area Finder')
})

describe('excluded services are in no result, and requested ones come first', () => {
  test.each([
    ["weather API that isn't OpenWeatherMap", 'OpenWeatherMap Gateway', 'weather'],
    ['news but not crypto news', 'CryptoWire', 'news'],
    ['maps other than Google Maps', 'Google Maps Proxy', 'maps'],
    ['translation, not DeepL', 'DeepL Bridge', 'translation'],
    ['weather not on Solana', 'SkyCast', 'weather'],
    ['weather -OpenWeatherMap', 'OpenWeatherMap Gateway', 'weather'],
    ['ニュース -crypto', 'CryptoWire', 'news'],
    ['OpenWeatherMap以外の天気API', 'OpenWeatherMap Gateway', 'weather'],
    ['Google以外の地図API', 'Google Maps Proxy', 'maps'],
    ['DeepLではない翻訳サービス', 'DeepL Bridge', 'translation'],
    ['Polygon以外の天気予報', 'Tenki Now', 'weather'],
    ['cryptoを除くニュース', 'CryptoWire', 'news'],
  ])('%s', (query, excluded, category) => {
    const answer = ask(query)
    expect(namesOf(answer)).not.toContain(excluded)
    expect(answer.results[0]?.service.category).toBe(category)
    expect(answer.results[0]?.weak).toBeUndefined()
    expect(answer.constraints.excluded).toHaveLength(1)
  })

  test.each([
    ['weather API like OpenWeatherMap', 'OpenWeatherMap Gateway'],
    ['crypto news', 'CryptoWire'],
    ['maps by Google Maps', 'Google Maps Proxy'],
    ['translation with DeepL', 'DeepL Bridge'],
    ['weather, pay on Solana', 'SkyCast'],
    ['OpenWeatherMapの天気API', 'OpenWeatherMap Gateway'],
    ['Googleの地図API', 'Google Maps Proxy'],
    ['DeepLの翻訳サービス', 'DeepL Bridge'],
    ['Polygonで払える天気予報', 'Tenki Now'],
    ['cryptoのニュース', 'CryptoWire'],
  ])('without the exclusion the service comes first: %s', (query, first) => {
    expect(namesOf(ask(query))[0]).toBe(first)
  })

  test('an excluded service is found again if the exclusion is dropped', () => {
    const answer = ask('maps other than Google Maps', { without: ['excluded'] })
    expect(namesOf(answer)).toContain('Google Maps Proxy')
    expect(answer.constraints.excluded).toBeUndefined()
  })
})

test('several chains are one filter, and the reason for each result names its chain', () => {
  const answer = ask('weather on Solana or Polygon')
  expect(fittingOf(answer).sort()).toEqual(['SkyCast', 'Tenki Now'])
  expect(answer.constraints.chain).toEqual(['solana', 'polygon'])
  expect(answer.results.find(({ service }) => service.name === 'SkyCast')?.reason).toContain('on Solana')
  expect(answer.reason).toContain('on Solana / Polygon')
  expect(fittingOf(ask('天気、SolanaかPolygonで払える')).sort()).toEqual(['SkyCast', 'Tenki Now'])
})

describe('an everyday sentence gets results if anything is near', () => {
  test.each([
    'How hot is it?',
    'do I need an umbrella today',
    'what is going on in the world',
    'how do I get to the station',
    'how do you say cat in French',
    '今日は傘が必要ですか',
    '家賃を支払うようにリマインドする',
    '外は何度ですか',
    '駅までの行き方は',
    '猫はフランス語で何と言いますか',
  ])('%s', query => {
    const { results } = ask(query)
    expect(results.length).toBeGreaterThan(0)
    const weak = results.map(result => result.weak === true)
    expect(weak).toEqual(weak.toSorted())
    const scores = results.map(({ score }) => score)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
  })

  test.each([
    'weather forecast',
    'news headlines',
    'maps of the world',
    'translation of texts',
    'coin prices',
    '天気予報',
    'ニュースの見出し',
    '住所の地図',
    '日本語の翻訳',
    '為替 currency',
  ])('matching services are not marked as weak: %s', query => {
    const { results } = ask(query)
    expect(results[0]?.weak).toBeUndefined()
    const fitting = results.filter(({ weak }) => !weak).length
    if (fitting >= 3) expect(results).toHaveLength(fitting)
  })

  test('a sentence of function words has no results', () => {
    expect(ask('of the and to').results).toEqual([])
  })

  test.each(['qwxyzzy', 'qwxyzzy zxcvbnm', 'cheap qwxyzzy', 'qwxyzzyのAPI'])(
    'a sentence of unknown words has no results: %s',
    query => {
      const { results, total, reason } = ask(query)
      expect(results).toEqual([])
      expect(total).toBe(0)
      expect(reason).toContain('qwxyzzy')
    },
  )

  test('one known word is enough to get results', () => {
    expect(ask('qwxyzzy umbrella').results.length).toBeGreaterThan(0)
  })
})

describe('a typo is corrected before the word is split', () => {
  test.each([
    ['coingeko', 'CoinGecko Relay'],
    ['curency', 'Currency Desk'],
    ['forcast', 'SkyCast'],
    ['databse', 'Postgres Hosting'],
    ['exchnage rates', 'Currency Desk'],
    ['wether', 'OpenWeatherMap Gateway'],
    ['translaton', 'DeepL Bridge'],
    ['geocodng', 'Google Maps Proxy'],
    ['remindr', 'Reminder Bell'],
    ['headlnes', 'World Headlines'],
  ])('%s', (query, first) => {
    expect(namesOf(ask(query)).slice(0, 2)).toContain(first)
    const words = catalog.search({ q: query, limit: 10, offset: 0 }).services.decode()
    expect(words.slice(0, 3).map(({ name }) => name)).toContain(first)
  })

  test.each([
    ['coin', 'CoinDesk Coin Report'],
    ['cure', 'Cure Finder'],
    ['force', 'Force Lab'],
    ['data', 'Data Shelf'],
  ])('a correct word is not corrected: %s', (query, first) => {
    expect(namesOf(ask(query))[0]).toBe(first)
  })
})

describe('a sentence of several steps', () => {
  test.each([
    ['find the weather in Oslo, translate it and show it on maps', ['weather', 'translation', 'maps']],
    ['ニュースを集めて、翻訳して、地図に出す', ['news', 'translation', 'maps']],
  ])('has results for each of them: %s', (query, categories) => {
    const { steps = [] } = ask(query)
    expect(steps.map(({ results }) => results[0]?.service.category)).toEqual(categories)
  })

  test('keeps its constraints in every step', () => {
    const { steps = [], constraints } = ask('fetch the weather, then send the news, paid on Solana')
    expect(constraints.chain).toBe('solana')
    expect(steps.map(({ results }) => results[0]?.service.name)).toEqual(['SkyCast', 'World Headlines'])
    for (const { results } of steps)
      expect(results.every(({ service }) => service.supportedChains.includes('solana'))).toBe(true)
  })

  test('needs two steps: otherwise the answer has none', () => {
    expect(ask('weather and news').steps).toBeUndefined()
  })
})

describe('the answer reports how the sentence was read', () => {
  test.each([
    ['cheap translation', ['cheap'], 'preferably cheap'],
    ['reliable weather forecast', ['reliable'], 'preferably reliable'],
    ['安い翻訳', ['cheap'], '安さを優先'],
    ['信頼できる天気予報', ['reliable'], '信頼性を優先'],
  ] as const)('wishes: %s', (query, wishes, said) => {
    const answer = ask(query)
    expect(answer.wishes).toEqual([...wishes])
    expect(answer.reason).toContain(said)
  })

  test('a word that no service has is named', () => {
    expect(ask('deepfake weather forecast').reason).toEndWith('. No service here mentions deepfake.')
    // Most services here are in English, and may have its translation.
    expect(ask('ディープフェイクの天気予報').absentTokens).toBeUndefined()
    expect(ask('deepfake weather forecast').absentTokens).toEqual(['deepfake'])
    expect(ask('weather forecast').reason).not.toContain('No service')
    expect(ask('weather forecast').absentTokens).toBeUndefined()
  })

  describe('a name that only services for something else have', () => {
    const trains = service('Metro Times', 'Train times of Tokyo and New York.', 'travel')
    const local = service('Osaka Skies', 'Weather forecast of Osaka.', 'weather')
    const abroad = openSemantic(...ENTRIES, trains, local)
    const notesOf = (q: string) => abroad.searchByIntent({ q, limit: 10 }).decode().constraints.unapplied

    test.each([
      ['weather forecast for Tokyo', 'tokyo', 'no service that fits the other words mentions it'],
      ['weather in New York', 'new york', 'no service that fits the other words mentions it'],
      ['東京の天気予報', '東京', 'ほかの言葉に合うサービスに、この名前の記載がありません'],
      ['明日の東京の天気予報を安く', '東京', 'ほかの言葉に合うサービスに、この名前の記載がありません'],
    ])('is said to be ignored: %s', (q, text, why) => {
      expect(notesOf(q)).toEqual([{ text, why }])
    })
    test.each([
      'weather forecast for Osaka',
      '大阪の天気予報',
      'train times of Tokyo',
      'Tokyo',
      '東京',
      'weather forecast for tomorrow',
      '明日の天気予報',
      'weather forecast for Lisbon',
    ])('but not one that a service for it has, a name alone, a day, or what no service has: %s', q => {
      expect(notesOf(q)).toEqual([])
    })
  })

  test.each(['liquidation alerts for margin news', '鉱山の採掘量のニュース'])(
    'that nothing fits where results share a word by chance: %s',
    query => {
      const { results, total } = ask(query)
      expect(results).not.toBeEmpty()
      expect(results.filter(({ weak }) => !weak)).toEqual([])
      expect(total).toBe(0)
    },
  )

  test.each([
    'weather forecast for any city',
    'deepfake weather forecast',
    'news headlines papers',
    '天気予報を一時間ごと',
    'sea weather',
    'how high will the sea be at the harbour of my town when the moon is full and the weather bad',
  ])('nothing about missing words if a result has half of them, or the sentence is long: %s', query => {
    expect(ask(query).reason).not.toMatch(/No result has|しか一致/)
  })

  test('words with a similar embedding only are not named as matches', () => {
    for (const { matchedTokens } of ask('polygon').results) expect(matchedTokens).toEqual([])
    for (const { matchedTokens } of ask('login').results) expect(matchedTokens).toEqual([])
    expect(ask('天気').results[0]?.matchedTokens).toEqual(['天気'])
  })
})

describe('a limit in a currency without an exchange rate applies only to prices in that currency, and the answer says so', () => {
  test.each([
    [
      'translation under 3 yen',
      'other currencies',
      'no exchange rate for JPY is set here, so only prices in JPY are compared',
    ],
    [
      '3円以下の翻訳',
      'ほかの通貨',
      'JPY の為替レートが設定されていないため、JPY 建ての料金だけを比べています',
    ],
  ])('%s', (query, text, why) => {
    expect(ask(query).constraints.unapplied).toEqual([{ text, why }])
  })
  test.each(['translation under 1 cent', '0.01 USDC以下の翻訳'])('%s needs no rate', query => {
    expect(ask(query).constraints.unapplied).toEqual([])
  })
  test('with a rate, the limit applies to all prices', () => {
    const rated = new Catalog(createSearchIndex())
    const rates = readRates({ base: 'USD', date: '2026-11-16', rates: { JPY: 150 } }) as Rates
    for (const _ of rated.revalue(rates));
    rated.apply(ENTRIES.map((each, i) => ({ seq: i + 1, objectSeq: i + 1, id: each.id, entry: each })))
    const { constraints, total } = rated.searchByIntent({ q: '3円以下の翻訳', limit: 10 }).decode()
    expect(constraints.unapplied).toEqual([])
    expect(total).toBeGreaterThan(0)
  })
})
