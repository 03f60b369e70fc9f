// Words that look like a constraint and belong to the subject, and the same words as constraints.
import { expect, test } from 'bun:test'
import { createSentenceReader } from '../../../src/search/sentence/intent.ts'

const readIntent = createSentenceReader()

test.each([
  'a wallet that accepts USDC deposits',
  'check whether a contract is verified on Etherscan',
  'sports matches that are currently live',
  'is the domain available for free',
  'movies to watch for free',
  'list verified buyers of a product',
  'monitor which servers are running only at night',
  'payments in USDC per month as a chart',
  'tweets from verified news organizations',
  'condos that are currently up for sale',
  'the fastest way to get a website up and running',
  'looking for free picture books',
  'stay updated on Bitcoin and its price',
  'applications built on the Ethereum blockchain',
  'the supply of stablecoins available on the Polygon blockchain',
  'how to create an account on Ethereum',
  '検証済みコントラクト',
  '検証済みのソースコードを取得',
  '動いている電車の位置',
  '生きているものは何か',
  '芝の上で男女が動いている。',
  '円建ての株価',
  '無料で使える公園の一覧',
  '認証済みアカウントの一覧',
  '停止中の列車',
  'USDC建ての残高',
])('words of the subject are not filters: %s', query => {
  expect(readIntent(query).filter).toEqual({})
})

test.each([
  ['a weather API that accepts USDC', { currency: 'USDC' }],
  ['a contract checker, verified only', { status: 'verified' }],
  ['sports scores from currently live services', { status: 'verified' }],
  ['domain lookup for free', { freeQuota: true }],
  ['movie search API, free of charge', { freeQuota: true }],
  ['verified providers of product data', { status: 'verified' }],
  ['server monitoring, working services only', { status: 'verified' }],
  ['charts, paid in USDC', { currency: 'USDC' }],
  ['tweets, from verified services', { status: 'verified' }],
  ['an OCR API that is up and running', { status: 'verified' }],
  ['picture books for free, please', { freeQuota: true }],
  [
    'bitcoin prices for less than 1 cent per call on Base',
    { maxPricePerRequest: '0.01', currency: 'USD', chain: 'base' },
  ],
  ['a token API available on Polygon', { chain: 'polygon' }],
  ['検証済みのコントラクト監査サービス', { status: 'verified' }],
  ['検証済みのAPIでソースコードを取得', { status: 'verified' }],
  ['動いている電車位置API', { status: 'verified' }],
  ['円建ての翻訳', { currency: 'JPY' }],
  ['無料で使える翻訳', { freeQuota: true }],
  ['認証済みのサービスだけ', { status: 'verified' }],
  ['USDC建てのAPI', { currency: 'USDC' }],
])('the same words about the service are a filter: %s', (query, constraints) => {
  const { unapplied, ...read } = readIntent(query).constraints
  expect(read as object).toEqual(constraints)
})

test.each([
  ['天気を取りたい', ['天気'], '天気を取り消したい', ['天気', '取り消し']],
  ['株価を取ってくる', ['株価'], '株価を取り込む', ['株価', '取り込む']],
  ['為替を調べ、通知する', ['為替', '通知'], '為替を調整し、通知する', ['為替', '調整', '通知']],
  ['住所を調べられるAPI', ['住所'], '住所を直せるAPI', ['住所', '直せる']],
  ['値段を調べてくれるやつ', ['値段'], '値段を下げてくれるやつ', ['値段', '下げ']],
  ['論文を調べるのに使えるもの', ['論文'], '論文を書くのに使えるもの', ['論文', '書く']],
  ['地図を見られるサービス', ['地図'], '地図を作れるサービス', ['地図', '作れる']],
  ['天気がわかるAPI', ['天気'], '天気が変わるAPI', ['天気', '変わる']],
  ['画像を扱えるAPI', ['画像'], '画像を消せるAPI', ['画像', '消せる']],
  ['株価をとりたい', ['株価'], '株価をまとめたい', ['株価', 'まとめ']],
  ['失敗したら通知', ['失敗', '通知'], '失敗した理由', ['失敗', '理由']],
  ['ビットコインで払える翻訳', ['翻訳'], '翻訳の代金を払いたい', ['翻訳', '代金', '払い']],
])(
  'verbs of getting and looking are not part of the subject, other verbs are: %s',
  (sentence, words, opposite, others) => {
    expect(readIntent(sentence).contentTokens).toEqual(words)
    expect(readIntent(opposite).contentTokens).toEqual(others)
  },
)
