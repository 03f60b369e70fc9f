import { describe, expect, test } from 'bun:test'
import type { AppliedFilters } from '../../../src/domain/queries/filters.ts'
import { createSentenceReader, relaxations } from '../../../src/search/sentence/intent.ts'
import { entry } from '../../entries.ts'
import { passesFilters } from '../../filters.ts'

const readIntent = createSentenceReader()

const read = (query: string) => {
  const { unapplied, ...constraints } = readIntent(query).constraints
  return constraints
}
const USD = (maxPricePerRequest: string) => ({ maxPricePerRequest, currency: 'USD' })
const JPY = (maxPricePerRequest: string) => ({ maxPricePerRequest, currency: 'JPY' })
const USDC = (maxPricePerRequest: string) => ({ maxPricePerRequest, currency: 'USDC' })

describe('a price is read', () => {
  test.each([
    ['weather under 0.01 USDC', USDC('0.01')],
    ['weather below 0.01 usdc per request', USDC('0.01')],
    ['weather for less than 1 cent', USD('0.01')],
    ['weather under $0.005 per call', USD('0.005')],
    ['weather for at most 2 cents a call', USD('0.02')],
    ['weather, half a cent or less', USD('0.005')],
    ['weather under a tenth of a cent', USD('0.001')],
    ['weather up to 5 yen', JPY('5')],
    ['weather, max 0.002 USDT', { maxPricePerRequest: '0.002', currency: 'USDT' }],
    ['weather under €0.01', { maxPricePerRequest: '0.01', currency: 'EUR' }],
    ['weather under 0.02 dollars', USD('0.02')],
    ['weather <= $0.01', USD('0.01')],
    ['weather no more than USDC 0.003', USDC('0.003')],
    ['weather under 0.01', { maxPricePerRequest: '0.01' }],
    ['天気 0.005ドル以下', USD('0.005')],
    ['1円未満で使える天気予報', JPY('1')],
    ['1回あたり3円以内の翻訳', JPY('3')],
    ['0.01USDCまでの画像生成', USDC('0.01')],
    ['1セント以下のOCR', USD('0.01')],
    ['0.5円より安い天気', JPY('0.5')],
    ['０．００５ドル以下の翻訳', USD('0.005')],
    ['JPYC 2以下の翻訳', { maxPricePerRequest: '2', currency: 'JPYC' }],
  ])('%s', (query, constraints) => {
    expect(read(query)).toEqual(constraints)
  })

  test('as a strict limit if the words are strict', () => {
    expect(readIntent('1円未満の天気').filter.maxPricePerRequest).toEqual({ amount: '1', below: true })
    expect(readIntent('1円以下の天気').filter.maxPricePerRequest).toEqual({ amount: '1', below: false })
    expect(readIntent('weather under 1 cent').filter.maxPricePerRequest).toEqual({
      amount: '0.01',
      below: true,
    })
    expect(readIntent('weather for 1 cent or less').filter.maxPricePerRequest).toEqual({
      amount: '0.01',
      below: false,
    })
  })

  test('with every currency that the word for the money covers', () => {
    expect(readIntent('weather under 1 dollar').filter.currency).toContain('usdc')
    expect(readIntent('10円以下の天気').filter.currency).toEqual(['jpy', 'jpyc', 'gyen'])
    expect(readIntent('weather under 1 USDC').filter.currency).toEqual(['usdc'])
  })
})

test.each([
  ['translation on Base', 'base'],
  ['translation on the Polygon network', 'polygon'],
  ['image generation on Solana with a free tier', 'solana'],
  ['OCR on base-sepolia', 'base-sepolia'],
  ['OCR on Base Sepolia', 'base-sepolia'],
  ['OCR via eip155:137', 'polygon'],
  ['weather that runs on Arbitrum', 'arbitrum'],
  ['weather, pay with Solana', 'solana'],
  ['maps on BNB Chain under 0.01 USDC', 'bnb'],
  ['maps on the Story network', 'story'],
  ['maps on NEAR', 'near'],
  ['Solanaで使えるOCR', 'solana'],
  ['Base上で動く翻訳', 'base'],
  ['ポリゴンで払える株価', 'polygon'],
  ['Polygonネットワーク上の翻訳', 'polygon'],
  ['イーサリアム対応の翻訳', 'ethereum'],
  ['Baseチェーンで使える天気', 'base'],
  ['検証済み、Baseの画像生成', 'base'],
  ['天気予報、Baseで', 'base'],
])('a chain is read if the context is about paying: %s', (query, chain) => {
  expect(read(query).chain).toBe(chain)
})

describe('status, free quota, category and currency are read', () => {
  test.each([
    ['stock prices, verified only', { status: 'verified' }],
    ['verified translation', { status: 'verified' }],
    ['only verified providers of weather', { status: 'verified' }],
    ['weather that actually works', { status: 'verified' }],
    ['検証済みの翻訳', { status: 'verified' }],
    ['動いている天気APIだけ', { status: 'verified' }],
    ['稼働中の翻訳サービス', { status: 'verified' }],
    ['speech to text with a free tier', { freeQuota: true }],
    ['OCR with free quota', { freeQuota: true }],
    ['translation for free', { freeQuota: true }],
    ['無料枠ありのOCR', { freeQuota: true }],
    ['weather by MPP', { protocol: 'mpp' }],
    ['OCR that accepts MPP', { protocol: 'mpp' }],
    ['weather, payable via the Machine Payments Protocol', { protocol: 'mpp' }],
    ['MPP services for translation', { protocol: 'mpp' }],
    ['run SQL with MPP databases', {}],
    ['MPPで払える天気予報', { protocol: 'mpp' }],
    ['MPP対応の翻訳', { protocol: 'mpp' }],
    ['無料プランのある翻訳', { freeQuota: true }],
    ['無料で使える翻訳', { freeQuota: true }],
    ['anything in the security category', { category: 'security' }],
    ['category: weather', { category: 'weather' }],
    ['in the developer tools category', { category: 'developer-tools' }],
    ['天気カテゴリの予報', { category: 'weather' }],
    ['カテゴリは金融で', { category: 'finance' }],
    ['email paid in EURC', { currency: 'EURC' }],
    ['translation payable in yen', { currency: 'JPY' }],
    ['JPYCで払える翻訳', { currency: 'JPYC' }],
    ['円建ての翻訳', { currency: 'JPY' }],
    ['USDC決済の翻訳', { currency: 'USDC' }],
  ] as const)('%s', (query, constraints) => {
    expect(read(query)).toEqual(constraints)
  })

  test('all in one sentence', () => {
    expect(read('cheap verified OCR on Base under half a cent')).toEqual({
      ...USD('0.005'),
      chain: 'base',
      status: 'verified',
    })
    expect(read('0.01ドル未満、検証済み、無料枠あり、Baseの画像切り抜き')).toEqual({
      ...USD('0.01'),
      chain: 'base',
      status: 'verified',
      freeQuota: true,
    })
  })
})

test.each([
  'Base64 encoder',
  'Solana price feed',
  'Solana token prices',
  'Polygon area calculator',
  'free text search',
  'royalty-free background music',
  'Base gas tracker',
  'near me restaurants',
  'Optimism and sentiment analysis',
  'flow charts from text',
  'verified contract source code',
  'verify verified email addresses',
  'ethereum gas price estimate',
  'Bitcoin news',
  'news on Bitcoin',
  'convert USD to EUR',
  'penny stocks',
  'recipes under 500 calories',
  'books for kids under 5',
  'hotels under $200',
  'latency under 100 ms',
  'category theory lessons',
  'product category classifier',
  'price of 1 BTC in dollars',
  'Solanaの価格',
  'Baseのガス代',
  'Base64に変換したい',
  'イーサリアムの手数料の予測',
  'ポリゴンの面積を計算',
  '円をドルに換算',
  'ベースギターの楽譜',
  '動いている物体を検出',
  'ホテル 10000円以下',
])('words that only look like a constraint are not filters: %s', query => {
  expect(read(query)).toEqual({})
})

test.each([
  ['hotels under $200', 'under $200', 'hardly the price of one request'],
  ['weather for more than 1 USDC', 'more than 1 USDC', 'lowest price'],
  ['news on Bitcoin', 'on Bitcoin', 'subject'],
  ['weather on Base and maps on Solana', 'on Solana', 'only one of a kind'],
  ['anything in the quantum category', 'in the quantum category', 'not a known category'],
  ['10円以上の翻訳', '10円以上の', '下限'],
  ['images for at least 2 USDC', 'at least 2 USDC', 'lowest price'],
  ['1ドル以上の地図', '1ドル以上の', '下限'],
])('a constraint that cannot be applied is reported with its reason: %s', (query, text, why) => {
  const { unapplied } = readIntent(query).constraints
  expect(unapplied).toHaveLength(1)
  expect(unapplied[0]?.text).toBe(text)
  expect(unapplied[0]?.why).toContain(why)
})

test.each([
  ['hotels API under $0.05', 'maxPricePerRequest'],
  ['weather for at most 1 USDC per request', 'maxPricePerRequest'],
  ['news, paid on Bitcoin', 'chain'],
  ['weather with a free tier', 'freeQuota'],
  ['weather and maps on Solana', 'chain'],
  ['anything in the security category', 'category'],
  ['10円以下の翻訳', 'maxPricePerRequest'],
  ['images for no more than 0.2 USDC', 'maxPricePerRequest'],
  ['稼働中の天気サービス', 'status'],
  ['天気カテゴリの予報', 'category'],
])(
  'the same constraint in a form that can be applied is applied, and nothing is reported: %s: %s',
  (query, name) => {
    const { constraints } = readIntent(query)
    expect(constraints).toHaveProperty(name)
    expect(constraints.unapplied).toEqual([])
  },
)

test.each([
  ['cheap translation', ['cheap']],
  ['the cheapest and most reliable OCR', ['cheap', 'reliable']],
  ['安くて信頼できる翻訳', ['cheap', 'reliable']],
  ['free weather forecast', ['free']],
  ['free text search', []],
  ['stable diffusion', []],
] as const)('wishes change the order and do not filter: %s', (query, wishes) => {
  const intent = readIntent(query)
  expect(intent.wishes).toEqual([...wishes])
  expect(intent.filter).toEqual({})
})

describe('the words of a constraint', () => {
  test('stay in the tokens, but do not count for relevance', () => {
    const intent = readIntent('verified OCR on Base under 0.01 USDC')
    expect(intent.tokens).toEqual(['verified', 'ocr', 'base', '0.01', 'usdc'])
    expect(intent.contentTokens).toEqual(['ocr'])
    expect(intent.constraintTokens).toEqual(['verified', 'base', '0.01', 'usdc'])
    expect(intent.subject.trim()).toBe('OCR')
  })
  test('stay in the tokens in Japanese too', () => {
    const intent = readIntent('Solanaで使える検証済みの翻訳サービスを探しています')
    expect(intent.tokens).toEqual(['solana', '検証', '済み', '翻訳', 'サービス'])
    expect(intent.contentTokens).toEqual(['翻訳'])
  })
  test('leave no content word in a sentence without a subject', () => {
    expect(readIntent('services on Optimism').contentTokens).toEqual([])
    expect(readIntent('検証済みのサービス').contentTokens).toEqual([])
    expect(readIntent('api').contentTokens).toEqual(['api'])
  })
})

test('a relaxed intent lacks one constraint and names it', () => {
  const intent = readIntent('verified OCR on Base under 0.01 USDC')
  expect(
    relaxations(intent).map(({ relaxed, intent: { filter } }) => [relaxed, Object.keys(filter).sort()]),
  ).toEqual([
    ['maxPricePerRequest', ['chain', 'currency', 'status']],
    ['status', ['chain', 'currency', 'maxPricePerRequest']],
    ['currency', ['chain', 'maxPricePerRequest', 'status']],
    ['chain', ['currency', 'maxPricePerRequest', 'status']],
  ])
})

describe('a filter lets a service through', () => {
  const service = entry(
    { category: 'Weather', pricing: { currency: 'USDC', pricePerRequest: '0.010', freeQuota: 0 } },
    { standing: { status: 'verified' }, supportedChains: ['eip155:8453', 'solana'] },
  )
  test.each<[AppliedFilters, boolean]>([
    [{}, true],
    [{ maxPricePerRequest: { amount: '0.01', below: false } }, true],
    [{ maxPricePerRequest: { amount: '0.01', below: true } }, false],
    [{ currency: ['usd', 'usdc'] }, true],
    [{ currency: ['jpyc'] }, false],
    [{ chain: 'base' }, true],
    [{ chain: 'Solana' }, true],
    [{ chain: 'polygon' }, false],
    [{ status: 'unverified' }, false],
    [{ category: 'weather' }, true],
    [{ freeQuota: 'quota' }, false],
    [{ freeQuota: 'any' }, false],
  ])('%j: %p', (filter, passes) => {
    expect(passesFilters(filter, service)).toBe(passes)
  })
  test('that costs nothing, if the filter accepts services free of charge', () => {
    const gift = { ...service, pricing: { ...service.pricing, pricePerRequest: '0' } }
    expect(passesFilters({ freeQuota: 'any' }, gift)).toBe(true)
    expect(passesFilters({ freeQuota: 'quota' }, gift)).toBe(false)
  })
})
