import { describe, expect, test } from 'bun:test'
import { openEmbedder } from '../../../src/search/embedding/model.ts'
import { createSemanticIndex } from '../../../src/search/embedding/semantic-index.ts'
import { explainAnswer, explainHit, toAbsent } from '../../../src/search/ranking/reasons.ts'
import { createSearchIndex } from '../../../src/search/search-index.ts'
import { createSentenceReader } from '../../../src/search/sentence/intent.ts'
import { findJapaneseForm } from '../../../src/search/text/languages/japanese/japanese.ts'
import { createService } from '../service.ts'

const readIntent = createSentenceReader()

const SERVICES = [
  createService({
    name: 'Skycast Forecast',
    description: 'Hourly weather forecast for any point on Earth.',
    category: 'weather',
    status: 'verified',
  }),
  createService({
    name: '法令検索',
    description: '日本の法律と条例の全文を検索します。',
    category: 'government',
    pricing: { currency: 'JPYC', pricePerRequest: '0.5', freeQuota: 20 },
    x402Config: { paymentAddress: '0x1', network: 'polygon' },
  }),
  createService({
    name: '手書き文字認識 よみとり名人',
    description: '申込書のスキャン画像をテキスト化します。',
    category: 'ocr',
  }),
  createService({ name: '盗難防止タグ', description: '倉庫の盗難を防止します。', category: 'data' }),
  createService({ name: '文法チェック', description: '文書の文法をチェックします。', category: 'text' }),
  createService({
    name: '暗号資産 損益計算',
    description: '取引所の履歴から損益を出します。',
    category: 'crypto',
  }),
]
const index = createSearchIndex({ semantic: createSemanticIndex(openEmbedder()) })
for (const [slot, service] of SERVICES.entries()) index.set(slot, service)

function ask(query: string) {
  const intent = readIntent(query)
  const hits = index.rankIntent(intent, 5, (a, b) => a - b).hits
  const [hit] = hits
  const reason = hit ? explainHit(intent, hit, SERVICES[hit.slot]!, index.languages) : ''
  return {
    answer: explainAnswer(intent, {
      hits,
      total: hits.filter(({ isWeak }) => !isWeak).length,
      matchedTokens: hits.flatMap(hit => hit.matchedTokens),
      absentTokens: toAbsent(intent, hits, index.isAbsent),
    }),
    reason,
    tokens: hit?.matchedTokens,
  }
}

describe('a reason is in the language of the query', () => {
  test('and names the matched words, the price, the chain and the status', () => {
    expect(ask('hourly weather forecast please').reason).toBe(
      'Matches hourly, weather, forecast; 0.002 USDC on Base; verified.',
    )
    expect(ask('法律の全文検索').reason).toBe(
      '「法律」「全文」「検索」に一致。1回 0.5 JPYC（Polygon）、未検証。',
    )
  })

  test('and shows a match across languages', () => {
    const { reason, tokens } = ask('予報が知りたい')
    expect(tokens).toEqual(['予報'])
    expect(reason).toStartWith('「予報 → forecast」に一致。')
    expect(ask('legislation of Japan').reason).toContain('legislation → ')
  })

  test('and does not name a part of a word as a match', () => {
    const { reason } = ask('read a scanned receipt')
    expect(reason).toStartWith('Matches scanned → スキャン;')
    expect(reason).not.toMatch(/よみ|とり/)
  })

  test('and names a word of many meanings only with its plain translation', () => {
    // To check is 防止 in the sense of stopping something.
    expect(ask('theft, checked daily').reason).toStartWith('Matches theft → 盗難;')
    expect(ask('check the grammar').reason).toContain('check → チェック')
  })

  test('and does not name a verb inside a compound', () => {
    expect(findJapaneseForm('手書きの書類', '書き')).toBeUndefined()
    expect(findJapaneseForm('書きの練習', '書き')).toBe('書き')
  })

  test('and names words that have one equivalent together', () => {
    expect(ask('仮想通貨').reason).toStartWith('「仮想通貨 → 暗号資産」に一致。')
  })

  test('also for the whole answer, with the constraints that were applied', () => {
    expect(ask('weather on Base under 1 cent').answer).toBe(
      '1 service for weather (under 0.01 USD a request, on Base).',
    )
    expect(ask('無料枠ありの法律検索').answer).toBe(
      '「法律」「検索」に合うサービスが1件あります（条件：無料枠あり）。',
    )
    expect(ask('the of').answer).toBe('No word in the query says what to look for.')
    expect(ask('を').answer).toBe('探したいものを表す言葉が見つかりませんでした。')
    expect(ask('ballroom dancing shoes').answer).toBe('Nothing here fits ballroom, dancing, shoes.')
  })
})
