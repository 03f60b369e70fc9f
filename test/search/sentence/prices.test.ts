// Amounts that are the price of a request, amounts and figures that are not, and conditions that services cannot be filtered by.
import { describe, expect, test } from 'bun:test'
import { createSentenceReader } from '../../../src/search/sentence/intent.ts'

const readIntent = createSentenceReader()
const read = (query: string) => {
  const { unapplied, ...constraints } = readIntent(query).constraints
  return constraints as object
}

test.each([
  ['weather between 0.001 and 0.01 USDC', { maxPricePerRequest: '0.01', currency: 'USDC' }],
  ['OCR from $0.001 to $0.02', { maxPricePerRequest: '0.02', currency: 'USD' }],
  ['translation under 1c', { maxPricePerRequest: '0.01', currency: 'USD' }],
  ['translation for 2c or less', { maxPricePerRequest: '0.02', currency: 'USD' }],
  ['maps, max 0,01 USDC', { maxPricePerRequest: '0.01', currency: 'USDC' }],
  ['stock prices for about 0.005 USDC', { maxPricePerRequest: '0.005', currency: 'USDC' }],
  ['video API under $5', { maxPricePerRequest: '5', currency: 'USD' }],
  ['0.01 USDC くらいの翻訳', { maxPricePerRequest: '0.01', currency: 'USDC' }],
  ['1円程度の天気予報', { maxPricePerRequest: '1', currency: 'JPY' }],
  ['0.001から0.01USDCまでの画像生成', { maxPricePerRequest: '0.01', currency: 'USDC' }],
  ['1円〜3円のOCR', { maxPricePerRequest: '3', currency: 'JPY' }],
  ['1リクエスト500円以下の動画生成', { maxPricePerRequest: '500', currency: 'JPY' }],
])('the price of a request is read: %s', (query, constraints) => {
  expect(read(query)).toEqual(constraints)
})

test.each([
  'stocks with a P/E under 0.5',
  'resize images to max 0.5 megapixels',
  'coffee under $5',
  'gifts under $10',
  'flights between 100 and 300 dollars',
  'alert me when it is below 5c outside',
  'penny stocks under $1',
  'earthquakes below magnitude 0,5',
  '500円のランチ',
  '500円以下のランチ',
  '100円以下のお菓子',
  '家賃10万円くらいの部屋',
  '気温が0.5度以下の日',
  '3000円程度のプレゼント',
])('an amount or metric of the subject is not the price of a request: %s', query => {
  expect(read(query)).toEqual({})
})

describe('a limit in the form of a negation is recognised', () => {
  test.each([
    ['OCR that must not be more than 0.01 USDC', { maxPricePerRequest: '0.01', currency: 'USDC' }],
    ["translation that doesn't cost more than 1 cent", { maxPricePerRequest: '0.01', currency: 'USD' }],
    ['weather, never above $0.02', { maxPricePerRequest: '0.02', currency: 'USD' }],
    ['maps for no more than 0.01 USDC', { maxPricePerRequest: '0.01', currency: 'USDC' }],
    ['news, not more expensive than 1 cent', { maxPricePerRequest: '0.01', currency: 'USD' }],
    ['stock quotes costing no more than half a cent', { maxPricePerRequest: '0.005', currency: 'USD' }],
    ['image tags that should not exceed 0.02 USDC', { maxPricePerRequest: '0.02', currency: 'USDC' }],
    ['0.01ドルを超えない翻訳', { maxPricePerRequest: '0.01', currency: 'USD' }],
    ['OCR, may not go over 2 cents', { maxPricePerRequest: '0.02', currency: 'USD' }],
    ["embeddings that can't be higher than 0.001 USDC", { maxPricePerRequest: '0.001', currency: 'USDC' }],
  ])('%s', (query, constraints) => {
    expect(read(query)).toEqual(constraints)
    expect(readIntent(query).constraints.unapplied).toEqual([])
  })

  test.each([
    'OCR that must be more than 0.01 USDC',
    'translation that costs more than 1 cent',
    'weather, always above $0.02',
    'maps for more than 0.01 USDC',
    'news over 1 cent',
    'stock quotes costing more than half a cent',
    'image tags at least 0.02 USDC',
    '0.01ドル以上の翻訳',
    'OCR, over 2 cents',
    'embeddings higher than 0.001 USDC',
  ])('and the opposite is reported as not applied, and does not affect the order: %s', query => {
    const { constraints, contentTokens } = readIntent(query)
    expect(read(query)).toEqual({})
    expect(constraints.unapplied).toHaveLength(1)
    expect(contentTokens.join(' ')).not.toMatch(/\d|usdc|cent|ドル/)
  })
})

test.each([
  ['hotels in Rome below 80 euros a night', 'hotels rome night'],
  ['gifts under $10', 'gifts'],
  ['一泊8000円以下のホテル', '一泊 ホテル'],
  ['500円以下のランチ', 'ランチ'],
  ['家賃8万円以下の部屋', '家賃 部屋'],
  ['2万円以内の航空券', '航空券'],
])('an amount that is not the price does not count for relevance: %s', (query, content) => {
  expect(readIntent(query).contentTokens.join(' ')).toBe(content)
  expect(readIntent(query).constraints.unapplied).toHaveLength(1)
})

test.each([
  ['an API for hotels in Rome below 2 euros per request', '2'],
  ['a gift service under $1 per call', '1'],
  ['1回80円以下のホテル検索API', '80'],
  ['1回5円以下のランチ検索', '5'],
])('the same amount for a request is its maximum price: %s', (query, highest) => {
  const { constraints } = readIntent(query)
  expect(Number(constraints.maxPricePerRequest)).toBe(Number(highest))
  expect(constraints.unapplied).toEqual([])
})

test('the lower end of a range is reported as not applied', () => {
  expect(readIntent('weather between 0.001 and 0.01 USDC').constraints.unapplied).toEqual([
    { text: 'between 0.001', why: 'a lowest price cannot be asked for, only a highest' },
  ])
  expect(readIntent('1円〜3円のOCR').constraints.unapplied).toHaveLength(1)
})

test.each(['trust funds over 80 years old', '1秒以内の動画を切り出す', '80歳以上の統計'])(
  'metrics of the subject are not such a condition: %s',
  query => {
    expect(readIntent(query).constraints.unapplied).toEqual([])
  },
)

test.each([
  ['cheapest translation', ['cheap']],
  ['low-cost OCR', ['cheap']],
  ['the most reliable weather API', ['reliable']],
  ['fastest image generation', ['fast']],
  ['low-latency stock prices', ['fast']],
  ['なるべく安い翻訳', ['cheap']],
  ['安く使えるOCR', ['cheap']],
  ['信頼できる天気予報', ['reliable']],
  ['一番速い画像生成', ['fast']],
  ['低遅延の株価', ['fast']],
  ['高速で安い翻訳', ['fast', 'cheap']],
  ['はやい検索API', ['fast']],
])('a wish is reported and removed from the subject: %s', (query, wishes) => {
  const { wishes: read, filter, contentTokens } = readIntent(query)
  expect([...read]).toEqual(wishes as never)
  expect(filter).toEqual({})
  expect(contentTokens.length).toBeGreaterThan(0)
})

test.each([
  'fast food restaurants nearby',
  'reliability statistics of hard disks',
  '不安を和らげる音楽',
  '目安を計算する',
])('the same word as the subject is not a wish: %s', query => {
  expect(readIntent(query).wishes).toEqual([])
})
