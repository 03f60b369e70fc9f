import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { openEmbedder, toCosine } from '../../../src/search/embedding/model.ts'
import {
  createEmbeddingVocabulary,
  TokenReader,
  toEmbeddingRows,
} from '../../../src/search/embedding/tokens.ts'

const fileOf = (name: string) => fileURLToPath(new URL(`../../../data/${name}`, import.meta.url))
const vocabulary = createEmbeddingVocabulary(readFileSync(fileOf('embedding.txt'), 'utf8'))
const reader = new TokenReader(vocabulary)
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

describe('the token reader', () => {
  test('reads the rows that the model was trained on, with and without the cache', () => {
    const sample = readFileSync(fileOf('sample.ndjson'), 'utf8').trim().split('\n')
    const descriptions = sample.map(line => JSON.parse(line) as { name: string; description: string })
    const texts = [...TEXTS, ...descriptions.map(({ name, description }) => `${name} . ${description}`)]
    for (const text of [...texts, ...texts])
      expect(reader.read(text)).toEqual(toEmbeddingRows(text, vocabulary))
  })

  test('reads correctly after the cache was cleared', () => {
    for (let i = 0; i < 70_000; i++) reader.read(`w${i.toString(36)}`)
    for (const text of TEXTS) expect(reader.read(text)).toEqual(toEmbeddingRows(text, vocabulary))
  })
})

describe('single words', () => {
  const words = ['天気', 'weather', '翻訳', 'invoices', 'zzyzzx']
  const { rows } = embedder.embedWithRows(
    'Translate texts, read an invoice by OCR, or get the weather. 株価',
    40,
  )
  const nearestTo = (word: string) => embedder.nearestRow(embedder.embedWord(word)!, rows)!

  test('are nearest to the word of a text whose vector has the highest cosine', () => {
    expect([...rows].map(embedder.wordOf)).toContain('weather')
    for (const word of words) {
      const cosines = [...rows].map(row =>
        toCosine(embedder.embed(word), embedder.embed(embedder.wordOf(row))),
      )
      const best = Math.max(...cosines)
      const { row, cosine } = nearestTo(word)
      expect(cosine).toBeCloseTo(best, 2)
      expect(cosines[rows.indexOf(row)]).toBeCloseTo(best, 2)
    }
  })

  test('are nearest to their translation across languages', () => {
    const nearest = words.slice(0, 4).map(word => embedder.wordOf(nearestTo(word).row))
    expect(nearest).toEqual(['weather', 'weather', 'translat', 'invoic'])
  })

  test('have a learned weight', () => {
    expect(embedder.embedWord('cryptocurrency')!.length).toBeGreaterThan(
      embedder.embedWord('the')!.length * 2,
    )
    expect(embedder.embedWord('weather')!.isKnown).toBe(true)
    expect(embedder.embedWord('zzyzzx')!.isKnown).toBe(false)
    expect(embedder.embedWord('🌧️')).toBeUndefined()
  })

  test('have no neighbour in a text without words', () => {
    expect(embedder.nearestRow(embedder.embedWord('weather')!, new Uint32Array(0))).toBeUndefined()
  })
})
