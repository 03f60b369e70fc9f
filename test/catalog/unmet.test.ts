// What is reported of searches that found nothing: only words that many callers searched for.
import { describe, expect, test } from 'bun:test'
import { UnmetSearches } from '../../src/catalog/unmet.ts'
import { createSemanticIndex } from '../../src/search/embedding/semantic-index.ts'
import { createSearchIndex } from '../../src/search/search-index.ts'
import { toSearchedWords } from '../../src/search/sentence/searched-words.ts'
import { sharedEmbedder } from '../embedder.ts'

const DAY = '2026-11-01'
const index = createSearchIndex({ semantic: createSemanticIndex(sharedEmbedder()) })
const open = (minCallers = 3) => new UnmetSearches({ minCallers, isWord: word => index.isKnown(word) })
const wordsOf = (query: string) => toSearchedWords(index.readIntent(query))
const askedBy = (unmet: UnmetSearches, query: string, callers: number, day = DAY) => {
  for (let caller = 0; caller < callers; caller++) unmet.add(wordsOf(query), `192.0.2.${caller}`, day)
}
const searchesOf = (unmet: UnmetSearches, day = DAY) => unmet.take(day).flatMap(({ searches }) => searches)

describe('Searches that found nothing', () => {
  test('are reported if enough callers made them, in any word order', () => {
    const unmet = open()
    askedBy(unmet, 'flight prices', 2)
    unmet.add(wordsOf('I need prices of a flight'), '192.0.2.9', DAY)
    askedBy(unmet, '新幹線の時刻表', 4)
    expect(searchesOf(unmet).map(({ words, callers }) => [words, callers])).toEqual([
      ['flight prices', 3],
      [expect.stringContaining('新幹線'), 4],
    ])
  })

  test('of a single caller are never reported, however often they are made', () => {
    const unmet = open()
    for (let i = 0; i < 100; i++) unmet.add(['flight', 'prices'], '192.0.2.1', DAY)
    askedBy(unmet, 'train tickets', 2)
    expect(searchesOf(unmet)).toEqual([])
  })

  test.each([
    ['sk-live-51H8xk2Qe9'],
    ['0x7aA3B0D047d135f43e8699E07783a548819BC25c'],
    ['taro.yamada@mail.example'],
    ['090-1234-5678'],
    ['hunter2 password'],
    ['buy xqzzyv tokens'],
    ['https://evil.example/win'],
    ['weather <script>alert(1)</script>'],
    ['a doctor lawyer dentist plumber gardener'],
    ['x'.repeat(30)],
  ])('are never reported if they contain more than ordinary words: %s', query => {
    const unmet = open()
    askedBy(unmet, query, 10)
    expect(searchesOf(unmet)).toEqual([])
  })

  test('are limited in number, and one caller cannot crowd out others', () => {
    const unmet = open()
    askedBy(unmet, 'flight prices', 3)
    const words = [
      'rain',
      'snow',
      'wind',
      'sun',
      'sea',
      'river',
      'lake',
      'hill',
      'road',
      'city',
      'house',
      'tree',
    ]
    const pairs = words.flatMap(a => words.map(b => [a, b]))
    const combined = pairs.flatMap(pair => words.map(word => [...pair, word]))
    // All of them from one place, and then each from a place of its own.
    for (const each of combined) unmet.add(each, '198.51.100.1', DAY)
    for (const [caller, each] of combined.entries()) unmet.add(each, `198.51.100.${caller}`, DAY)
    unmet.add(['flight', 'prices'], '198.51.100.1', DAY)
    expect(searchesOf(unmet)).toContainEqual({ words: 'flight prices', callers: 3 })
  })

  test('are counted per day, and a finished day is reported once', () => {
    const unmet = open()
    askedBy(unmet, 'flight prices', 3)
    askedBy(unmet, 'train tickets', 2)
    askedBy(unmet, 'train tickets', 2, '2026-11-02')
    expect(unmet.take('2026-11-02')).toEqual([
      { day: DAY, searches: [{ words: 'flight prices', callers: 3 }] },
    ])
    expect(unmet.take('2026-11-02')).toEqual([])
  })

  test('are not counted if the operator turns it off', () => {
    const unmet = open(0)
    askedBy(unmet, 'flight prices', 9)
    expect(unmet.take(DAY)).toEqual([])
  })
})
