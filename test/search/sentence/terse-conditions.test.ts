// Terse constraints as developers of agents write them: a budget, a key with a value, a list of names to exclude; and similar sentences
// without a constraint.
import { describe, expect, test } from 'bun:test'
import { createSentenceReader } from '../../../src/search/sentence/intent.ts'

const readIntent = createSentenceReader()
const read = (query: string) => {
  const { constraints, contentTokens, wishes } = readIntent(query)
  const { unapplied, ...applied } = constraints
  return { applied: applied as object, content: contentTokens.join(' '), wishes }
}

describe('a budget is the maximum price', () => {
  test.each([
    ["face matching, we can't pay more than 2 cents", '0.02', 'USD', 'face matching'],
    ["I don't want to spend over $0.03 on transcription", '0.03', 'USD', 'transcription'],
    ['speech synthesis, my budget is 0.05 USDC', '0.05', 'USDC', 'speech synthesis'],
    ['price limit $0.004, postal codes', '0.004', 'USD', 'postal codes'],
    ['tax rates capped at 0.01 usdc', '0.01', 'USDC', 'tax rates'],
    ['$0.02/req or cheaper: plagiarism check', '0.02', 'USD', 'plagiarism check'],
    ['horoscopes at $0.002 per call', '0.002', 'USD', 'horoscopes'],
    ['barcodes for $0.01', '0.01', 'USD', 'barcodes'],
    ['barcodes for 2 cents', '0.02', 'USD', 'barcodes'],
    ['予算3円で字幕', '3', 'JPY', '字幕'],
    ['画像検索 上限0.02ドル', '0.02', 'USD', '画像 検索'],
    ['高くても5円の地図', '5', 'JPY', '地図'],
    ['半セント以下のニュース', '0.005', 'USD', 'ニュース'],
  ])('%s', (query, maxPricePerRequest, currency, content) => {
    expect(read(query)).toMatchObject({ applied: { maxPricePerRequest, currency }, content })
  })

  test.each([
    ['recipes; price<0.02', { maxPricePerRequest: '0.02' }],
    ['recipes, max_price=0.02', { maxPricePerRequest: '0.02' }],
    ['recipes, budget 0.02 per request', { maxPricePerRequest: '0.02' }],
  ])('without a currency: %s', (query, applied) => {
    expect(read(query)).toMatchObject({ applied, content: 'recipes' })
  })
})

test.each([
  'a marketing plan with a budget of $5000',
  '12 donuts at $1 each',
  'swap my tokens for 0.05 USDC',
  'alert me when the coin trades for $0.05',
  'lemonade for 50 cents',
  'the diagram for a C major chord',
  'more than 2 cents a call',
  '予算10万円の旅行',
  '上限のない翻訳',
])('the amount of something else is not the maximum price: %s', query => {
  expect(read(query).applied).toEqual({})
})

test.each([
  ['captchas, chain: solana', 'solana'],
  ['captchas, network=polygon', 'polygon'],
  ['captchas, Base only', 'base'],
  ['captchas (only Arbitrum)', 'arbitrum'],
  ['captchas, only on base', 'base'],
])('a chain is read after a key, or as a phrase of its own: %s', (query, chain) => {
  expect(read(query)).toMatchObject({ applied: { chain }, content: 'captchas' })
})

test.each([
  'supply chain: risks',
  'social network: followers',
  'open interest on hyperliquid',
  'perps on Arbitrum',
  'order book on Solana',
])('a chain as the subject, and a word that is not a chain, is not a filter: %s', query => {
  expect(read(query).applied).toEqual({})
})

describe('every name of a list is excluded', () => {
  test.each([
    ['embeddings except OpenAI, Cohere and Mistral', ['openai', 'cohere', 'mistral'], 'embeddings'],
    ['embeddings other than openai or cohere', ['openai', 'cohere'], 'embeddings'],
    ['speech synthesis excluding elevenlabs and google', ['elevenlabs', 'google'], 'speech synthesis'],
    ['charts, not Bloomberg and Reuters', ['bloomberg', 'reuters'], 'charts'],
    ['GoogleとBing以外の検索', ['google', 'bing'], '検索'],
    ['埋め込み、OpenAIやCohereは除く', ['openai', 'cohere'], '埋め 込み'],
    ['地図 Mapbox・Google以外', ['mapbox', 'google'], '地図'],
  ])('%s', (query, excluded, content) => {
    expect(read(query)).toMatchObject({ applied: { excluded }, content })
  })

  test.each([
    ['ocr, not Google, Slack notifications too', ['google']],
    ['OCRとGoogle以外の検索', ['google']],
    ['ニュースとGoogle以外の検索', ['google']],
  ])('and nothing else: %s', (query, excluded) => {
    expect(read(query)).toMatchObject({ applied: { excluded } })
  })
})

describe('a known provider is recognised in lower case too', () => {
  test.each([
    ["speech synthesis that isn't google", 'google', 'speech synthesis'],
    ['embeddings (no openai)', 'openai', 'embeddings'],
    ['embeddings - no openai please', 'openai', 'embeddings'],
    ['routes but please no google maps', 'google maps', 'routes'],
    ['never use coingecko, coin prices', 'coingecko', 'coin prices'],
    ["don't use twilio, send an sms", 'twilio', 'send sms'],
    ['avoid bing: image search', 'bing', 'image search'],
    ['scraping without apify', 'apify', 'scraping'],
    ['字幕 OpenAI以外', 'openai', '字幕'],
    ['Web検索 Google以外', 'google', 'web 検索'],
    ['Google抜きで地図', 'google', '地図'],
    ['Twilioは使いたくない。SMSを送る', 'twilio', 'sms 送る'],
    ['DeepLはNG、翻訳', 'deepl', '翻訳'],
    ['DeepL不可の翻訳', 'deepl', '翻訳'],
    ['Googleなしで経路', 'google', '経路'],
    ['malware scan that does not use VirusTotal', 'virustotal', 'malware scan'],
    ['VirusTotalを使わずマルウェア検査', 'virustotal', 'マルウェア 検査'],
  ])('%s', (query, excluded, content) => {
    expect(read(query)).toMatchObject({ applied: { excluded: [excluded] }, content })
  })

  test.each([
    'a page that google has not indexed',
    'find No Time To Die at 7 pm',
    'scraping without javascript',
    'why does twilio not send',
  ])('the same without an exclusion excludes nothing: %s', query => {
    expect(readIntent(query).constraints.excluded).toBeUndefined()
  })
})

describe('wishes are read in other words', () => {
  test.each([
    ['無料で字幕', 'free', '字幕'],
    ['タダで音声合成', 'free', '音声 合成'],
    ['コスパのいい字幕', 'cheap', '字幕'],
    ['高くない字幕', 'cheap', '字幕'],
    ['レイテンシの低い字幕', 'fast', '字幕'],
    ['応答の速い字幕', 'fast', '字幕'],
  ])('%s', (query, wish, content) => {
    expect(read(query)).toMatchObject({ wishes: [wish], content })
  })

  test.each(['無料で遊べる公園', '標高が高くない山', '応答を生成する', '条約が無料で提供する職業紹介'])(
    'the same words as the subject are not a wish: %s',
    query => {
      expect(read(query).wishes).toEqual([])
    },
  )
})
