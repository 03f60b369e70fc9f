// Chains as the subject of a sentence, and the same chains as a filter.
import { expect, test } from 'bun:test'
import { createSentenceReader } from '../../../src/search/sentence/intent.ts'

const readIntent = createSentenceReader()
const chainOf = (query: string) => readIntent(query).constraints.chain

test.each([
  ['gas fees on the Ethereum blockchain', 'ethereum'],
  ['NFT floor prices on Solana', 'solana'],
  ['token swaps on Base', 'base'],
  ['wallet balances on Polygon', 'polygon'],
  ['track whale transactions on Arbitrum', 'arbitrum'],
  ['XRPLネットワークの監視', 'xrpl'],
  ['イーサリアム上のトランザクション履歴', 'イーサリアム'],
  ['Solana上のNFTの最低価格', 'solana'],
  ['Base上のトークンの残高', 'base'],
  ['Polygonネットワークのガス代', 'polygon'],
  ['Base限定のガス代', 'base'],
  ['ソラナだけのNFT検索', 'ソラナ'],
])('a chain that is the subject is not a filter and stays in the subject: %s', (query, token) => {
  const { constraints, contentTokens, filter } = readIntent(query)
  expect(constraints.chain).toBeUndefined()
  expect(filter).toEqual({})
  expect(contentTokens).toContain(token)
})

test.each([
  ['gas fees, paid on Ethereum', 'ethereum'],
  ['NFT floor prices, payable on Solana', 'solana'],
  ['token swaps, settled on Base', 'base'],
  ['weather on Polygon', 'polygon'],
  ['whale news, pay on Arbitrum', 'arbitrum'],
  ['XRPLで払える監視サービス', 'xrpl'],
  ['イーサリアム上で払える翻訳', 'ethereum'],
  ['Solanaで決済できるNFTの最低価格', 'solana'],
  ['Baseで支払えるトークンの残高', 'base'],
  ['Polygonネットワーク上の翻訳', 'polygon'],
  ['Polygon限定で画像認識', 'polygon'],
  ['ソラナのみ、翻訳', 'solana'],
])('the same chain is a filter if the sentence is about paying: %s', (query, chain) => {
  expect(chainOf(query)).toBe(chain)
})

test.each([
  ['translation on Base or Solana', ['base', 'solana'], 'translation'],
  ['OCR on Base, Solana or Polygon', ['base', 'solana', 'polygon'], 'ocr'],
  ['weather that runs on Base and Arbitrum', ['base', 'arbitrum'], 'weather'],
  ['maps, pay with Base/Solana', ['base', 'solana'], 'maps'],
  ['BaseかSolanaで使える翻訳', ['base', 'solana'], '翻訳'],
  ['BaseまたはPolygonで払えるOCR', ['base', 'polygon'], 'ocr'],
  ['Base、Solana対応の天気', ['base', 'solana'], '天気'],
  ['ソラナやポリゴンで使える地図', ['solana', 'polygon'], '地図'],
  ['Base・Solana・Polygon上の翻訳', ['base', 'solana', 'polygon'], '翻訳'],
  ['on Base or Polygon: maps', ['base', 'polygon'], 'maps'],
  ['Base or Solanaで払える株価', ['base', 'solana'], '株価'],
])('several chains are one filter: %s', (query, chains, content) => {
  const { constraints, contentTokens } = readIntent(query)
  expect(constraints.chain).toEqual(chains)
  expect(constraints.unapplied).toEqual([])
  expect(contentTokens.join(' ')).toBe(content)
})

test.each([
  ['weather not on Solana', ['solana'], 'weather'],
  ['translation on anything but Base', ['base'], 'translation'],
  ['OCR, but not on Polygon', ['polygon'], 'ocr'],
  ['maps on any chain except Ethereum', ['ethereum'], 'maps'],
  ['stock prices that do not run on Solana', ['solana'], 'stock prices'],
  ['Base以外の翻訳', ['base'], '翻訳'],
  ['Solana以外で払えるOCR', ['solana'], 'ocr'],
  ['Polygonを除く天気予報', ['polygon'], '天気 予報'],
  ['ソラナ以外のチェーンで使える地図', ['solana'], '地図'],
  ['イーサリアムではない株価', ['ethereum'], '株価'],
])('an excluded chain is neither a filter nor a search word: %s', (query, chains, content) => {
  const { constraints, contentTokens } = readIntent(query)
  expect(constraints.excluded).toEqual(chains)
  expect(constraints.chain).toBeUndefined()
  expect(contentTokens.join(' ')).toBe(content)
})

test.each([
  ['Baseで0.01ドル以下の天気API', { chain: 'base', maxPricePerRequest: '0.01', currency: 'USD' }, '天気'],
  ['Solanaで検証済みの翻訳', { chain: 'solana', status: 'verified' }, '翻訳'],
  ['Polygonで1円以下のOCR', { chain: 'polygon', maxPricePerRequest: '1', currency: 'JPY' }, 'ocr'],
  ['Baseで無料枠のある株価API', { chain: 'base', freeQuota: true }, '株価'],
  ['ソラナに対応した決済サービス', { chain: 'solana' }, '決済'],
] as const)('a chain is read without spaces between the words: %s', (query, constraints, content) => {
  const { unapplied, ...read } = readIntent(query).constraints
  expect(read as object).toEqual(constraints)
  expect(unapplied).toEqual([])
  expect(readIntent(query).contentTokens.join(' ')).toBe(content)
})
