import { describe, expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { openEmbedder } from '../../../src/search/embedding/model.ts'
import { MAX_TOKENS, toEmbeddingRows, toEmbeddingWords } from '../../../src/search/embedding/tokens.ts'
import { createEmbeddingVocabulary } from '../../../src/search/embedding/vocabulary.ts'

const embedder = openEmbedder()
const lengthOf = (vector: Float32Array) => Math.hypot(...vector)
const words = (text: string) => [...toEmbeddingWords(text)]

describe('golden vectors', () => {
  // The weights and the cuts belong together. Where these fail after an update of the runtime, its word segmentation
  // has changed: the model must be trained again on the new cuts.
  const GOLDEN: Record<string, number[]> = {
    天気: [0.0265, 0.0265, 0.0265, 0.0265, 0, 0.0265, 0.1854, 0.0265],
    'weather forecast for tomorrow': [0, 0.0109, 0.0822, 0.0238, 0.0105, 0.0235, 0.1387, 0.0156],
    東京の天気予報を教えてください: [0.0069, -0.0173, 0.0962, 0.0219, 0.0014, 0.0574, 0.0708, -0.0186],
    'convert USD to JPY': [0.0011, -0.0889, 0.054, 0.0399, -0.0763, -0.1034, 0.0121, -0.0212],
    OCRで請求書を読み取るAPI: [-0.0451, -0.0002, 0.0169, -0.1547, 0.0233, -0.1723, -0.0019, 0.0679],
    getExchangeRate: [0.0473, -0.0057, 0.2108, -0.0829, -0.1244, -0.1761, -0.0369, 0.0163],
    zzyzzx: [0.0305, -0.067, -0.0299, 0.108, -0.1304, 0.1127, -0.0054, -0.0436],
  }
  for (const [text, start] of Object.entries(GOLDEN)) {
    test(text, () => {
      const vector = embedder.embed(text)
      start.forEach((x, d) => {
        expect(vector[d]).toBeCloseTo(x, 3)
      })
    })
  }

  test('the cuts that they rest on', () => {
    expect(words('東京の天気予報を教えてください')).toEqual([
      '東京',
      'の',
      '天気',
      '予報',
      'を',
      '教え',
      'て',
      'くだ',
      'さい',
    ])
    expect(words('サーバーのログをリアルタイムで監視したい')).toEqual([
      'サーバ',
      'の',
      'ログ',
      'を',
      'リアルタイム',
      'で',
      '監視',
      'した',
      'い',
    ])
    expect(words('getExchangeRates forUSD')).toEqual(['get', 'exchang', 'rate', 'for', 'usd'])
  })
})

describe('a text', () => {
  test('becomes a vector of length one', () => {
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

  test('means the same in other widths, cases and inflections', () => {
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

  test('survives what is not well formed, at a bounded cost', () => {
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

describe('the vocabulary', () => {
  test('finds each of its words, inside other texts too, and nothing else', () => {
    const list = ['weather', '天気', 'we', '天', 'forecast']
    const vocabulary = createEmbeddingVocabulary(list.map(word => `${word}\n`).join(''))
    for (const [index, word] of list.entries()) {
      expect(vocabulary.find(word)).toBe(index)
      expect(vocabulary.find(`x${word}y`, 1, 1 + word.length)).toBe(index)
      expect(vocabulary.wordAt(index)).toBe(word)
    }
    for (const word of ['', 'weathe', 'weathers', '気', '天気\n']) expect(vocabulary.find(word)).toBe(-1)
  })
})

test('weights and words together stay under twelve megabytes', () => {
  const sizeOf = (name: string) =>
    statSync(fileURLToPath(new URL(`../../../data/${name}`, import.meta.url))).size
  expect(sizeOf('embedding.bin') + sizeOf('embedding.txt')).toBeLessThan(12_000_000)
})

test('a file that is not an embedding is refused', () => {
  expect(() => openEmbedder(fileURLToPath(import.meta.url))).toThrow('not an embedding')
})
