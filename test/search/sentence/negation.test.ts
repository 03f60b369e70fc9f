// Sentences that exclude something, sentences whose negation cannot be applied, and the same without the negation.
import { expect, test } from 'bun:test'
import { createSentenceReader } from '../../../src/search/sentence/intent.ts'

const readIntent = createSentenceReader()
const read = (query: string) => {
  const { contentTokens, subject, constraints } = readIntent(query)
  return { content: contentTokens.join(' '), subject: subject.toLowerCase(), constraints }
}

test.each([
  ["weather API that isn't OpenWeatherMap", 'openweathermap', 'weather'],
  ['news but not crypto news', 'crypto', 'news'],
  ['maps other than Google Maps', 'google', 'maps'],
  ['translation, not DeepL', 'deepl', 'translation'],
  ['any stock quotes except Bloomberg', 'bloomberg', 'stock quotes'],
  ['image generation excluding Midjourney', 'midjourney', 'image generation'],
  ['send an sms, not via Twilio', 'twilio', 'send sms'],
  ['translation not Google on Base or Solana', 'google', 'translation'],
  ['Google以外の地図API', 'google', '地図'],
  ['暗号資産以外のニュース', '暗号資産', 'ニュース'],
  ['DeepLではない翻訳サービス', 'deepl', '翻訳'],
  ['ツイッターを除くSNS分析', 'ツイッター', 'sns 分析'],
  ['翻訳API、DeepLじゃないやつ', 'deepl', '翻訳'],
  ['ニュース、価格予想は除く', '価格予想', 'ニュース'],
  ['Googleを避けて地図', 'google', '地図'],
  ['政治は外してニュース', '政治', 'ニュース'],
  ["I don't want translation, I want language detection", 'translation', 'language detection'],
  ['We do not need Google, only open maps', 'google', 'open maps'],
  ['exchange rates but not for crypto, just fiat', 'crypto', 'exchange rates fiat'],
  ['hotel search but not expedia.com', 'expedia', 'hotel search'],
  ['web scraping with scripts, nothing from Google', 'google', 'web scraping scripts'],
  ['chat models, nothing by OpenAI please', 'openai', 'chat models'],
  ['仮想通貨じゃなくて法定通貨の為替レート', '仮想通貨', '法定 通貨 為替 レート'],
])('an exclusion is removed from the subject and reported: %s', (query, excluded, content) => {
  const { constraints, ...rest } = read(query)
  expect(constraints.excluded).toEqual([excluded])
  expect(rest.content).toBe(content)
  expect(rest.subject).not.toContain(excluded)
})

test.each([
  'markdown to html, not the other way round',
  'tell me whether a page is not Google indexed',
  'why do Reuters headlines not load',
  'effects on farming, including but not limited to crops',
  'remove characters that are not alphanumeric',
  'providers with 5 -star reviews',
  '背景を除去する画像編集',
  '手抜きレシピ',
  'detect calls I do not want',
  'weather, nothing else',
  'verify that a phone number is a mobile and not a landline',
  "things I don't want to forget: reminders",
  'このサイト詐欺じゃない?',
  'これ偽物じゃないよね',
  'ボットじゃないの？',
])('the same without the negation excludes nothing: %s', query => {
  const { constraints } = readIntent(query)
  expect(constraints.excluded).toBeUndefined()
  expect(constraints.unapplied).toEqual([])
})

test.each([
  ['weather forecast without login', 'without login', 'weather forecast'],
  ['OCR with no registration required', 'with no registration required', 'ocr'],
  ['speech to text without an account', 'without an account', 'speech text'],
  ['a web search that does not require an API key', 'that does not require an API key', 'web search'],
  ['stock charts, no ads', 'no ads', 'stock charts'],
  ['twitter scraper w/o login', 'w/o login', 'twitter scraper'],
  ["I don't need an account, just OCR", "I don't need an account", 'ocr'],
  ['ログイン不要の天気予報', 'ログイン不要の', '天気 予報'],
  ['登録なしで使えるOCR', '登録なしで', 'ocr'],
  ['APIキーがいらない翻訳', 'APIキーがいらない', '翻訳'],
  ['広告なしの動画変換', '広告なしの', '動画 変換'],
  ['会員登録せずに使える地図', '会員登録せずに', '地図'],
])(
  'what a service should work without is removed from the subject and reported as not applied: %s',
  (query, text, content) => {
    const { constraints, content: read_ } = read(query)
    expect(constraints.unapplied.map(({ text }) => text)).toEqual([text])
    expect(constraints.excluded).toBeUndefined()
    expect(read_).toBe(content)
  },
)

test.each([
  ['hotel booking but not booking.com', 'booking.com', 'hotel booking'],
  ['news, not the news', 'news', 'news'],
  ['翻訳以外の翻訳', '翻訳', '翻訳'],
])(
  'an exclusion that has only words of the subject is reported as not applied: %s',
  (query, text, content) => {
    const { constraints, content: subject } = read(query)
    expect(constraints.unapplied.map(each => each.text)).toEqual([text])
    expect(constraints.excluded).toBeUndefined()
    expect(subject).toBe(content)
  },
)

test('the top-level domain of a host is not a search word', () => {
  expect(readIntent('who owns example.com').tokens).toEqual(['owns', 'example'])
  expect(readIntent('example.co.jpの所有者').tokens).toEqual(['example', '所有者'])
  expect(readIntent('a web framework in ASP.NET').tokens).toContain('net')
})

test.each([['a web search that requires an API key', 'key']])(
  'what is requested stays in the subject: %s',
  (query, token) => {
    const { constraints, contentTokens } = readIntent(query)
    expect(contentTokens).toContain(token)
    expect(constraints.unapplied).toEqual([])
  },
)

test.each([
  'not only weather but also tides',
  'is it going to rain or not',
  'I do not know what to eat',
  'detect whether a photo is not safe for work',
  'why is my order not here yet',
  'no-code form builder',
  "what's the weather like, isn't it cold",
  'ないしょの話を書いて',
  '間違いのない翻訳',
  'それ以外に何かある？',
])('a negation that is not an exclusion excludes nothing: %s', query => {
  const { excluded } = readIntent(query).constraints
  expect(excluded).toBeUndefined()
})

test.each([
  'translation that is not verified',
  'anything not in the security category',
  'weather that is not free of charge',
  '検証済みではない翻訳',
  '検証済み以外の翻訳',
  '天気カテゴリ以外の予報',
  'translation not paid in USDC',
  'USDC払いではない翻訳',
  'weather without a free tier',
  '無料枠なしの天気',
])('a negated condition is never applied as a positive one: %s', query => {
  const { filter, constraints } = readIntent(query)
  expect(filter).toEqual({})
  expect(constraints.unapplied).toHaveLength(1)
})

test.each([
  'Google以外でも構いません、翻訳がしたい',
  'Base以外でも払える翻訳',
  'Solanaじゃなくてもいいので天気',
  'Baseだけでなく、ほかのチェーンの翻訳',
  '検証済みのものでなくてもよい地図',
  "OCR, it doesn't have to be verified",
  'translation, need not be on Base',
  "a map that isn't necessarily on Solana",
  'weather, whether or not it is on Base',
  'besides Python, what languages can you run',
  'DeepLでなくても構いません、翻訳',
  '英語じゃないと困る翻訳',
  'I need my funds verified by a notary',
  'find columns that are NOT NULL in a table',
  'npx -y install of a package',
])('what only sounds like a condition is none: %s', sentence => {
  const { constraints, filter, excluded } = readIntent(sentence)
  expect(constraints.excluded).toBeUndefined()
  expect(filter).toEqual({})
  expect(excluded.words).toEqual([])
})
