import { expect, test } from 'bun:test'
import { createSentenceReader } from '../../../src/search/sentence/intent.ts'

const readIntent = createSentenceReader()

test.each([
  ['I am looking for an API that gives the weather forecast in Tokyo, please', 'api weather forecast tokyo'],
  ['Can you help me translate a PDF to Japanese?', 'translate pdf japanese'],
  ['weather', 'weather'],
  ['Weather WEATHER weather', 'weather'],
  ['OpenAI-compatible chat completions', 'openai compatible chat completions'],
  ["What's the user's balance?", 'balance'],
  ['convert 1,000 USD to EUR at 0.5', 'convert 1000 usd eur 0.5'],
  ['Base64 encoder for x402', 'base64 encoder x402'],
  ['ＦＵＬＬ　ｗｉｄｔｈ', 'full width'],
  ['café über Straße', 'café über straße'],
  ['the of and', ''],
  ['Additionally, kindly provide assistance regarding taxes, specifically VAT', 'taxes vat'],
  ["I'm interested in a poem titled If. Finally, I'm curious about its author", 'poem author'],
  ['👋 🌍', ''],
  ['Привет мир', 'привет мир'],
])('the tokens of an English request are its content words: %s', (query, tokens) => {
  expect(readIntent(query).tokens.join(' ')).toBe(tokens)
})

test.each([
  ['天気予報のAPIを探しています', '天気 予報 api'],
  ['東京の天気を教えてください', '東京 天気'],
  ['画像から文字を読み取りたいです', '画像 文字 読み取り'],
  ['仮想通貨の価格を取得したい', '仮想 通貨 価格 取得'],
  ['PDFを日本語に翻訳できるサービス', 'pdf 日本語 翻訳 サービス'],
  ['住所から緯度経度を調べたい', '住所 緯度 経度'],
  ['スマートコントラクトを監査してほしい', 'スマート コントラクト 監査'],
  ['株価をリアルタイムで知りたいのですが', '株価 リアルタイム'],
  ['音声をテキストに変換してくれるAPIはないでしょうか', '音声 テキスト 変換 api'],
  ['メールアドレスが有効かどうかを確認する', 'メールアドレス 有効 確認'],
  ['ＯＣＲで領収書を読みたい', 'ocr 領収書 読'],
  ['どのように使えばいいですか', ''],
  ['翻訳をお願いします', '翻訳'],
  ['ﾃｷｽﾄを要約していただけますか？', 'テキスト 要約'],
])('the tokens of a Japanese request have no particle, ending or filler: %s', (query, tokens) => {
  expect(readIntent(query).tokens.join(' ')).toBe(tokens)
})

test('the language of the answer is that of the query', () => {
  expect(readIntent('weather in Tokyo').language.code).toBe('en')
  expect(readIntent('Tokyoのweather').language.code).toBe('ja')
  expect(readIntent('天気').language.code).toBe('ja')
})

test.each([
  ['one letter 500 times', 'a'.repeat(500)],
  ['unbalanced surrogates', '\ud800\udc00\ud800 weather \udc00'],
  ['right to left', 'ما هو الطقس؟ \u202e'],
  ['nothing but combining marks', '\u0301'.repeat(300)],
  ['hundreds of emoji', '👩‍👩‍👧‍👦'.repeat(60)],
])('a hostile query is read like any other: %s', (_, query) => {
  const { tokens } = readIntent(query)
  expect(tokens.length).toBeLessThanOrEqual(64)
  expect(tokens.every(token => token.length > 0 && token.isWellFormed())).toBe(true)
})
