// What an intent answer reports: the total, the wishes that it followed, and the words that each result matched.
import { expect, test } from 'bun:test'
import { entry } from '../entries.ts'
import { openSemantic } from './listings.ts'

const KINDS = [
  ['Weather forecast by the hour for any place.', 'weather'],
  ['翻訳をします。英語と日本語に対応。', 'translation'],
  ['Prices of shares and of fintech companies.', 'finance'],
  ['Keeps logs of servers for a year.', 'developer-tools'],
] as const
/** Twelve sellers of each. */
const entries = KINDS.flatMap(([description, category], kind) =>
  Array.from({ length: 12 }, (_, i) =>
    entry({
      name: `${'Alder Birch Cedar Dogwood Elm Fir Ginkgo Holly Ivy Juniper Kapok Larch'.split(' ')[i]} ${kind}`,
      description: `${description} ${i}`,
      category,
      endpoint: `https://seller-${kind}-${i}.example/v1`,
      pricing: { currency: 'USDC', pricePerRequest: `0.0${i + 10}`, freeQuota: 0 },
      x402Config: { paymentAddress: `0x${String(kind * 12 + i + 10).repeat(20)}`, network: 'base' },
    }),
  ),
)
const catalog = openSemantic(...entries)
const ask = (q: string, limit = 5) => catalog.searchByIntent({ q, limit }).decode()

test.each([
  ['weather forecast', 12],
  ['forecast for any place', 12],
  ['prices of shares', 12],
  ['logs of servers', 12],
  ['weather forecast under 0.015 USDC', 5],
  ['翻訳', 12],
  ['英語の翻訳', 12],
  ['0.015 USDC以下の翻訳', 6],
  ['翻訳、Baseで払える', 12],
  ['logs of servers on Base', 12],
])('the total counts all matching services, whatever the limit: %s: %p', (query, total) => {
  for (const limit of [1, 5]) {
    const answer = ask(query, limit)
    expect(answer.results).toHaveLength(limit)
    expect(answer.total).toBe(total)
    expect(answer.reason).toContain(String(total))
  }
})

test.each([
  ['cheap weather forecast', ['cheap'], 'weather forecast'],
  ['the cheapest weather forecast', ['cheap'], 'weather forecast'],
  ['affordable server logs', ['cheap'], 'server logs'],
  ['reliable server logs', ['reliable'], 'reliability of server logs'],
  ['trustworthy weather forecast', ['reliable'], 'weather forecast for trust funds'],
  ['cheap and reliable share prices', ['cheap', 'reliable'], 'share prices and reliability'],
  ['安い翻訳', ['cheap'], '翻訳の目安'],
  ['なるべく安く翻訳したい', ['cheap'], '安全に翻訳したい'],
  ['信頼できる翻訳', ['reliable'], '信頼区間の翻訳'],
  ['評判のよい翻訳', ['reliable'], '評判の翻訳'],
] as const)(
  'a wish, and nothing else, is reported in the answer and in its reason: %s',
  (query, wishes, opposite) => {
    const answer = ask(query)
    expect(answer.wishes).toEqual([...wishes])
    expect(answer.reason).toMatch(/preferably|優先/)
    expect(ask(opposite).wishes ?? []).toEqual([])
    expect(ask(opposite).reason).not.toMatch(/preferably|優先/)
  },
)

test.each([
  ['polygon', []],
  ['login', []],
  ['shark', []],
  ['layer', []],
  ['weathering steel', ['weathering']],
  ['forecast', ['forecast']],
  ['shares', ['shares']],
  ['天気', ['天気']],
  ['translation', ['translation']],
  ['予報', ['予報']],
])(
  'only words that a result has, or words of the same meaning, are named as matched: %s',
  (query, matched) => {
    for (const { matchedTokens } of ask(query).results.slice(0, 1))
      expect([...matchedTokens]).toEqual([...matched])
  },
)
