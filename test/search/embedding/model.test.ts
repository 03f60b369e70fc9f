import { describe, expect, test } from 'bun:test'
import { copyFileSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { openEmbedder } from '../../../src/search/embedding/model.ts'
import { createSemanticIndex } from '../../../src/search/embedding/semantic-index.ts'
import {
  createEmbeddingVocabulary,
  MAX_TOKENS,
  toEmbeddingRows,
  toEmbeddingWords,
} from '../../../src/search/embedding/tokens.ts'
import { temporaryPath } from '../../store/temporary-path.ts'

const MODEL = fileURLToPath(new URL('../../../data/embedding.bin', import.meta.url))
const embedder = openEmbedder()
const lengthOf = (vector: Float32Array) => Math.hypot(...vector)
const words = (text: string) => [...toEmbeddingWords(text)]

describe('golden vectors', () => {
  // The weights and the cuts belong together. Where these fail after an update of the runtime, its word segmentation
  // has changed: the model must be trained again on the new cuts.
  const GOLDEN: Record<string, number[]> = {
    天気: [0, 0.0218, 0, 0.1524, -0.0218, 0.0218, 0.0871, 0.0218],
    'weather forecast for tomorrow': [0.059, 0.008, 0.0302, 0.0929, -0.0632, 0.0818, 0.068, 0.0683],
    東京の天気予報を教えてください: [0.034, -0.0278, 0.0265, 0.0266, -0.0315, 0.0766, 0.0569, -0.0182],
    'convert USD to JPY': [-0.0725, -0.1268, 0.0461, 0.0573, -0.0164, -0.0012, 0.0239, 0.0055],
    OCRで請求書を読み取るAPI: [-0.1167, 0.0174, -0.0184, -0.0796, 0.073, -0.1196, -0.0233, 0.0426],
    getExchangeRate: [0.0363, -0.0498, 0.16, -0.052, -0.0913, -0.1383, -0.0466, -0.0181],
    zzyzzx: [-0.0004, -0.0257, -0.0924, 0.1195, -0.1171, 0.0899, 0.014, 0.0134],
  }
  for (const [text, start] of Object.entries(GOLDEN)) {
    test(text, () => {
      const vector = embedder.embed(text)
      start.forEach((x, d) => {
        expect(vector[d]).toBeCloseTo(x, 3)
      })
    })
  }

  test('the tokens of a text', () => {
    expect(words('東京の天気予報を教えてください')).toEqual(
      '東京 の 天気 予報 を 教え て くだ さい'.split(' '),
    )
    expect(words('サーバーのログをリアルタイムで監視したい')).toEqual(
      'サーバ の ログ を リアルタイム で 監視 した い'.split(' '),
    )
    expect(words('getExchangeRates forUSD')).toEqual(['get', 'exchang', 'rate', 'for', 'usd'])
  })
})

describe('a text', () => {
  test('becomes a unit vector', () => {
    for (const text of ['weather forecast', '為替レートを調べる', 'OCR で請求書を読む', 'qwxzkj', '🌧️ rain']) {
      expect(lengthOf(embedder.embed(text))).toBeCloseTo(1, 5)
    }
  })

  test('without a known token becomes zeros', () => {
    for (const text of ['', '   ', '!?…', '🌧️', '1234567890123']) {
      expect(embedder.embed(text).every(x => x === 0)).toBe(true)
      expect(embedder.similarity(text, 'weather')).toBe(0)
    }
  })

  test('has the same vector in other widths, cases and inflections', () => {
    for (const [a, b] of [
      ['ＯＣＲ', 'ocr'],
      ['getExchangeRate', 'get exchange rates'],
      ['サーバー', 'サーバ'],
      ['ﾃﾞｰﾀ', 'データ'],
      ['translating', 'translates'],
    ] as const) {
      expect(embedder.similarity(a, b)).toBeCloseTo(1, 5)
    }
  })

  test('may be malformed or long, at a bounded cost', () => {
    for (const text of [
      '\ud800',
      'a'.repeat(500),
      '漢'.repeat(500),
      'שלום עולם',
      `${'x'.repeat(29)} `.repeat(200),
    ]) {
      const length = lengthOf(embedder.embed(text))
      expect(length === 0 || Math.abs(length - 1) < 1e-5).toBe(true)
    }
    const vocabulary = createEmbeddingVocabulary('a\nb\n')
    const many = Array.from({ length: 1_000 }, (_, i) => `rare${i}word`).join(' ')
    expect(toEmbeddingRows(many, vocabulary).length).toBe(MAX_TOKENS)
  })
})

describe('across languages', () => {
  const TRANSLATIONS = [
    ['天気', 'weather'],
    ['為替レート', 'exchange rate'],
    ['翻訳', 'translation'],
    ['画像を生成する', 'generate images'],
    ['株価を教えてください', 'stock price'],
    ['メールを送る', 'send email'],
  ] as const
  for (const [japanese, english] of TRANSLATIONS) {
    test(`${japanese} is nearer to "${english}" than to anything else here`, () => {
      const others = TRANSLATIONS.map(pair => pair[1]).filter(other => other !== english)
      const similarity = embedder.similarity(japanese, english)
      expect(similarity).toBeGreaterThan(0.6)
      for (const other of others) expect(embedder.similarity(japanese, other)).toBeLessThan(similarity - 0.2)
    })
  }
})

describe('kinds', () => {
  /** What belongs to a kind, its kind, and the kind of the one below it, which is the other way round there. */
  test.each([
    ['スキー', 'スノースポーツ', '球技'],
    ['tennis', '球技', 'スノースポーツ'],
    ['りんご', '果物', '野菜'],
    ['にんじん', '野菜', '果物'],
    ['すし', '和食', '飲み物'],
    ['コーヒー', '飲み物', '和食'],
    ['電車', '公共交通機関', '宿泊'],
    ['ホテル', '宿泊', '公共交通機関'],
    ['guitar', 'musical instruments', 'vegetables'],
    ['carrot', 'vegetables', 'musical instruments'],
    ['地震', 'natural disasters', 'musical instruments'],
    ['violin', 'musical instruments', 'natural disasters'],
    ['influenza', '感染症', '通貨'],
    ['ドル', '通貨', '感染症'],
    ['チワワ', 'ペット', '楽器'],
    ['ギター', '楽器', 'ペット'],
    ['論文', 'academic', 'blockchain'],
    ['イーサリアム', 'blockchain', 'academic'],
    ['ビットコイン', '暗号資産', '天気'],
    ['雨', '天気', '暗号資産'],
  ])('%s is nearer to %s than to %s', (word, kind, other) => {
    expect(embedder.similarity(word, kind)).toBeGreaterThan(0.3)
    expect(embedder.similarity(word, other)).toBeLessThan(embedder.similarity(word, kind) - 0.2)
  })
})

test.each([
  ['イーサリアム', 'ethereum'],
  ['暗号資産', 'cryptocurrency'],
  ['ステーキング', 'staking'],
  ['スマートコントラクト', 'smart contract'],
  ['ガス代', 'gas fee'],
  ['取引所', 'exchange'],
  ['読み上げ', 'text to speech'],
  ['LLM', 'language model'],
  ['NFT', 'digital collectible'],
  ['ウォレット', 'wallet'],
])('%s and %s, words of the field, mean the same', (word, other) => {
  expect(embedder.similarity(word, other)).toBeGreaterThan(0.5)
})

test('the vocabulary finds each of its words, inside other texts too, and nothing else', () => {
  const list = ['weather', '天気', 'we', '天', 'forecast']
  const vocabulary = createEmbeddingVocabulary(list.map(word => `${word}\n`).join(''))
  for (const [index, word] of list.entries()) {
    expect(vocabulary.find(word)).toBe(index)
    expect(vocabulary.find(`x${word}y`, 1, 1 + word.length)).toBe(index)
    expect(vocabulary.wordAt(index)).toBe(word)
  }
  for (const word of ['', 'weathe', 'weathers', '気', '天気\n']) expect(vocabulary.find(word)).toBe(-1)
})

test('weights and words together stay under twelve megabytes', () => {
  const sizeOf = (name: string) =>
    statSync(fileURLToPath(new URL(`../../../data/${name}`, import.meta.url))).size
  expect(sizeOf('embedding.bin') + sizeOf('embedding.txt')).toBeLessThan(12_000_000)
})

test('a file that is not an embedding is refused', () => {
  expect(() => openEmbedder(fileURLToPath(import.meta.url))).toThrow('not an embedding')
})

test('a file that was cut short is refused', () => {
  const path = temporaryPath('short.bin')
  writeFileSync(path, readFileSync(MODEL).subarray(0, 5_000_000))
  expect(() => openEmbedder(path)).toThrow('not an embedding')
})

describe('a model that was opened', () => {
  test('takes no memory before something is embedded', () => {
    const opened = openEmbedder()
    createSemanticIndex(opened)
    expect(opened.bytes).toBe(0)
    opened.embed('weather')
    expect(opened.bytes).toBeGreaterThan(10_000_000)
  })

  test('stays the same when an update replaces its files', () => {
    const path = temporaryPath('model.bin')
    const words = path.replace(/bin$/, 'txt')
    copyFileSync(MODEL, path)
    copyFileSync(MODEL.replace(/bin$/, 'txt'), words)
    const opened = openEmbedder(path)
    for (const file of [path, words]) {
      rmSync(file)
      writeFileSync(file, 'of the next version')
    }
    expect(opened.embed('weather forecast')).toEqual(embedder.embed('weather forecast'))
    expect(opened.stamp).toBe(embedder.stamp)
  })
})
