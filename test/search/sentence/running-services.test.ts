// Sentences that ask for services that answer now, and sentences in which something else is online.
import { expect, test } from 'bun:test'
import { createSentenceReader } from '../../../src/search/sentence/intent.ts'

const readIntent = createSentenceReader()

test.each([
  ['currently online OCR services only', 'ocr'],
  ['OCR services that are up right now', 'ocr'],
  ['translation API currently up', 'translation'],
  ['weather API which is still reachable', 'weather'],
  ['price feeds from providers that are operational', 'price feeds'],
  ['crypto prices, must be up', 'crypto prices'],
  ['image generation endpoints live at the moment', 'image generation'],
  ['現在オンラインのOCRサービスだけ', 'ocr'],
  ['いまオンラインの翻訳API', '翻訳'],
  ['天気、オンラインのものだけ', '天気'],
  ['落ちていないOCRのサービス', 'ocr'],
  ['停止していないAPIだけで翻訳', '翻訳'],
])('the request for a service that answers now is a constraint: %s', (query, content) => {
  const { filter, contentTokens } = readIntent(query)
  expect(filter).toEqual({ status: 'verified' })
  expect(contentTokens.join(' ')).toBe(content)
})

test.each([
  'users that are currently online',
  'monitor websites that are currently up',
  'sports currently live',
  'live sports scores API',
  'streamers who are live now',
  'look up a phone number',
  'what is up in the news today',
  'オンラインの本人確認サービス',
  'オンライン英会話',
  'オンライン会議の録音',
  '落ちない洗剤の口コミ',
])('anything else that is online belongs to the subject: %s', query => {
  expect(readIntent(query).filter).toEqual({})
})
