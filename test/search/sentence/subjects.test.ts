// Words that look like a condition of the service and belong to the subject, and the same as conditions.
import { describe, expect, test } from 'bun:test'
import { createSentenceReader } from '../../../src/search/sentence/read-intent.ts'

const readIntent = createSentenceReader()

describe('words of the subject filter nothing', () => {
  test.each([
    'a wallet that accepts USDC deposits',
    'check whether a contract is verified on Etherscan',
    'sports matches that are currently live',
    'is the domain available for free',
    'movies to watch for free',
    'list verified buyers of a product',
    'monitor which servers are running only at night',
    'payments in USDC per month as a chart',
    '検証済みコントラクト',
    '検証済みのソースコードを取得',
    '動いている電車の位置',
    '円建ての株価',
    '無料で使える公園の一覧',
    '認証済みアカウントの一覧',
    '停止中の列車',
    'USDC建ての残高',
  ])('%s', query => {
    expect(readIntent(query).filter).toEqual({})
  })
})

describe('the same said of the service filters', () => {
  test.each([
    ['a weather API that accepts USDC', { currency: 'USDC' }],
    ['a contract checker, verified only', { status: 'verified' }],
    ['sports scores from currently live services', { status: 'verified' }],
    ['domain lookup for free', { freeQuota: true }],
    ['movie search API, free of charge', { freeQuota: true }],
    ['verified providers of product data', { status: 'verified' }],
    ['server monitoring, working services only', { status: 'verified' }],
    ['charts, paid in USDC', { currency: 'USDC' }],
    ['検証済みのコントラクト監査サービス', { status: 'verified' }],
    ['検証済みのAPIでソースコードを取得', { status: 'verified' }],
    ['動いている電車位置API', { status: 'verified' }],
    ['円建ての翻訳', { currency: 'JPY' }],
    ['無料で使える翻訳', { freeQuota: true }],
    ['認証済みのサービスだけ', { status: 'verified' }],
    ['停止中のサービス', { status: 'inactive' }],
    ['USDC建てのAPI', { currency: 'USDC' }],
  ])('%s', (query, constraints) => {
    const { unapplied, ...read } = readIntent(query).constraints
    expect(read as object).toEqual(constraints)
  })
})
