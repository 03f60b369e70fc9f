import { describe, expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { openEmbedder } from '../../src/search/embedder.ts'
import { MAX_TOKENS, toEmbeddingRows, toEmbeddingWords } from '../../src/search/embedding-tokens.ts'
import { createEmbeddingVocabulary } from '../../src/search/embedding-vocabulary.ts'

const embedder = openEmbedder()
const lengthOf = (vector: Float32Array) => Math.hypot(...vector)
const words = (text: string) => [...toEmbeddingWords(text)]

describe('golden vectors', () => {
  // The weights and the cuts belong together. Where these fail after an update of the runtime, its word segmentation
  // has changed: the model must be trained again on the new cuts.
  const GOLDEN: Record<string, number[]> = {
    天気: [-0.0232, 0.0232, 0.0, 0.0232, 0.0232, 0.0696, -0.1623, 0.0464],
    'weather forecast for tomorrow': [0.0186, -0.0077, -0.0776, 0.0107, -0.0513, 0.036, -0.1369, 0.0117],
    東京の天気予報を教えてください: [-0.004, -0.0132, -0.06, 0.0184, -0.0286, 0.0951, -0.0676, -0.0035],
    'convert USD to JPY': [0.0341, -0.1067, -0.0998, 0.0258, 0.0196, -0.077, 0.0084, 0.0225],
    OCRで請求書を読み取るAPI: [0.0417, -0.0052, -0.0263, -0.1563, -0.0271, -0.1591, -0.0219, 0.0754],
    getExchangeRate: [-0.046, 0.0161, -0.1925, -0.0744, 0.1342, -0.1785, 0.0384, -0.0136],
    zzyzzx: [0.0066, -0.0564, 0.0649, 0.0652, 0.1592, 0.0592, 0.0389, -0.0092],
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

  test('is written into the array given, whatever it held', () => {
    const out = new Float32Array(embedder.dimensions).fill(9)
    expect(embedder.embed('stock prices', out) === out).toBe(true)
    expect([...out]).toEqual([...embedder.embed('stock prices')])
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
    statSync(fileURLToPath(new URL(`../../data/${name}`, import.meta.url))).size
  expect(sizeOf('embedding.bin') + sizeOf('embedding.txt')).toBeLessThan(12_000_000)
})

test('a file that is not an embedding is refused', () => {
  expect(() => openEmbedder(fileURLToPath(import.meta.url))).toThrow('not an embedding')
})
