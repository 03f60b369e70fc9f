import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { openEmbedder, toCosine } from '../../../src/search/embedding/model.ts'
import { EmbeddingReader } from '../../../src/search/embedding/token-reader.ts'
import { HASHED_ROWS, toEmbeddingRows } from '../../../src/search/embedding/tokens.ts'
import { createEmbeddingVocabulary } from '../../../src/search/embedding/vocabulary.ts'

const fileOf = (name: string) => fileURLToPath(new URL(`../../../data/${name}`, import.meta.url))
const vocabulary = createEmbeddingVocabulary(readFileSync(fileOf('embedding.txt'), 'utf8'))
const reader = new EmbeddingReader(vocabulary, HASHED_ROWS + vocabulary.size)
const embedder = openEmbedder()

const TEXTS = [
  '',
  'Weather forecast for any city, hour by hour.',
  'getWeatherNow PDFReader APIs iPhone15Pro ABC1def eSIM OCR ocr Ocr',
  'e-mail 1234 12345 x1y2 qwxzkj zzyzzx QWXZKJ',
  "don't re-send http://a.example/v1?q=1",
  'ＯＣＲで請求書を読み取るAPI。ｶﾅも読める',
  'naïve café Straße Ωμέγα погода',
  '東京の天気予報を教えてください weather 東京',
  `${'a'.repeat(31)} ${'b'.repeat(30)} ${'c'.repeat(500)}`,
  Array.from({ length: 300 }, (_, i) => `rare${i}word`).join(' '),
  '\ud800 漢'.repeat(60),
]

describe('the reader of texts', () => {
  test('reads the rows that the model is trained on, at the first and at every further sight', () => {
    const sample = readFileSync(fileOf('sample.ndjson'), 'utf8').trim().split('\n')
    const descriptions = sample.map(line => JSON.parse(line) as { name: string; description: string })
    const texts = [...TEXTS, ...descriptions.map(({ name, description }) => `${name} . ${description}`)]
    for (const text of [...texts, ...texts]) {
      reader.read(text)
      expect([...reader.rows.subarray(0, reader.count)]).toEqual(toEmbeddingRows(text, vocabulary))
    }
  })

  test('goes on reading rightly after it had to forget', () => {
    for (let i = 0; i < 70_000; i++) reader.read(`w${i.toString(36)}`)
    for (const text of TEXTS) {
      reader.read(text)
      expect([...reader.rows.subarray(0, reader.count)]).toEqual(toEmbeddingRows(text, vocabulary))
    }
  })
})

describe('single words', () => {
  const asked = ['天気', 'weather', '翻訳', 'invoices', 'zzyzzx']
  const text = 'Translate texts, read an invoice by OCR, or get the weather. 株価'

  test('meet the nearest of the words of a text, by the cosine of their vectors', () => {
    embedder.rows.ask(asked.map(word => embedder.readWord(word)!))
    embedder.embed(text)
    const known = embedder.knownRows(40).slice()
    embedder.rows.meet(rows => {
      rows.set(known)
      return known.length
    })
    const words = [...known].map(row => embedder.wordOf(row))
    expect(words).toContain('weather')
    for (const [i, word] of asked.entries()) {
      const cosines = [...known].map(row =>
        toCosine(embedder.embed(word), embedder.embed(embedder.wordOf(row))),
      )
      const best = Math.max(...cosines)
      expect(embedder.rows.nearest(i)).toBeCloseTo(best, 2)
      expect(cosines[words.indexOf(embedder.wordOf(embedder.rows.met))]).toBeCloseTo(best, 2)
    }
  })

  test('across languages too', () => {
    const met = asked.map((_, i) => {
      embedder.rows.nearest(i)
      return embedder.wordOf(embedder.rows.met)
    })
    expect(met.slice(0, 4)).toEqual(['weather', 'weather', 'translat', 'invoic'])
  })

  test('say how much they say', () => {
    expect(embedder.readWord('cryptocurrency')!.length).toBeGreaterThan(embedder.readWord('the')!.length * 2)
    expect(embedder.readWord('weather')!.isKnown).toBe(true)
    expect(embedder.readWord('zzyzzx')!.isKnown).toBe(false)
    expect(embedder.readWord('🌧️')).toBeUndefined()
  })

  test('meet nothing in a text without words', () => {
    embedder.rows.ask([embedder.readWord('weather')!])
    embedder.rows.meet(() => 0)
    expect(embedder.rows.nearest(0)).toBe(0)
  })
})
