// Names in another script, readings, and technical terms in the other language.
import { describe, expect, test } from 'bun:test'
import { entry } from '../entries.ts'
import { openSemantic } from './listings.ts'

const service = (name: string, description: string, category = 'other') =>
  entry({ name, description, category, endpoint: 'https://one.example/v1' })

const ENTRIES = [
  service('CoinGecko Relay', 'Prices of coins.'),
  service('Notion Sync', 'Reads and writes pages.'),
  service('Instagram Feed', 'Posts of public profiles.'),
  service('Figma Export', 'Exports frames as pictures.'),
  service('Blockscout Proxy', 'Explorer of accounts.'),
  service('イベント通知', 'インスタンスのバリエーションを管理します。'),
  service('ねこ図鑑', '猫の種類を調べます。'),
  service('カーシェア', '車を借りられます。'),
  service('ことば', '翻訳をします。'),
  service('空もよう', '天気の予報を返します。'),
  service('Ether Stats', 'Statistics of Ethereum.'),
  service('Sol Stats', 'Statistics of Solana.'),
  service('Scribe', 'Transcription of calls.'),
  service('Narrator', 'Text to speech in many voices.'),
  service('Parrot', 'Answers of a large language model.'),
  service('Mint Desk', 'Exchange of every cryptocurrency.'),
]
const catalog = openSemantic(...ENTRIES)
const first = (q: string) => catalog.searchByIntent({ q, limit: 5 }).decode().results[0]?.service.name

test.each([
  ['コインゲッコー', 'CoinGecko Relay'],
  ['ノーション', 'Notion Sync'],
  ['インスタグラムの投稿', 'Instagram Feed'],
  ['ブロックスカウトを使いたい', 'Blockscout Proxy'],
  ['ねこ', 'ねこ図鑑'],
  ['くるまを借りたい', 'カーシェア'],
  ['ほんやく', 'ことば'],
  ['イーサリアムの統計', 'Ether Stats'],
  ['ソラナの統計', 'Sol Stats'],
  ['文字起こし', 'Scribe'],
  ['読み上げ', 'Narrator'],
  ['LLM', 'Parrot'],
  ['暗号資産', 'Mint Desk'],
])('a name or a word is found in another script or language: %s', (query, name) => {
  expect(first(query)).toBe(name)
})

describe('words that only share letters do not match', () => {
  const words = (q: string) =>
    catalog
      .search({ q, limit: 5, offset: 0 })
      .services.decode()
      .map(({ name }) => name)
  test.each([
    ['オーション', 'Notion Sync'],
    ['モーション', 'Notion Sync'],
    ['インスタント', 'Instagram Feed'],
    ['インスタレーション', 'Instagram Feed'],
    ['フィギュア', 'Figma Export'],
    ['ブロックチェーン', 'Blockscout Proxy'],
    ['かねこ', 'ねこ図鑑'],
    ['くるみ', 'カーシェア'],
    ['てんきん', '空もよう'],
    ['コインランドリー', 'CoinGecko Relay'],
  ])('%s', (query, name) => {
    expect(words(query)).not.toContain(name)
  })
})

test('an excluded name is excluded in katakana too', () => {
  const { results, constraints } = catalog.searchByIntent({ q: 'ノーション以外のページ', limit: 16 }).decode()
  expect(constraints.excluded).toEqual(['ノーション'])
  expect(results.map(({ service }) => service.name)).not.toContain('Notion Sync')
})
