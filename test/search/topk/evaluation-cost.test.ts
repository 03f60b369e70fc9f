import { describe, expect, test } from 'bun:test'
import { createInventedCatalog } from '../../../bench/invented-catalog.ts'
import { type BitmapRows, MAX_CONJUNCT_ROWS } from '../../../src/search/index/bitmap-rows.ts'
import { DocumentTerms } from '../../../src/search/index/document-terms.ts'
import { createLexicon } from '../../../src/search/index/lexicon.ts'
import { Postings } from '../../../src/search/index/postings.ts'
import { createAnalyzer } from '../../../src/search/text/analyzer.ts'
import { evaluate } from '../../../src/search/topk/evaluate.ts'
import { COORDINATION, Scratch, type TermPostings } from '../../../src/search/topk/evaluation.ts'
import { toKeywordTerms } from '../../../src/search/topk/keyword-terms.ts'
import { createQueryTerms } from '../../../src/search/topk/query-terms.ts'
import { TopK } from '../../../src/search/topk/top-k.ts'

const ENTRIES = 20_000
const { documents, twoWords, frequentWords } = createInventedCatalog(ENTRIES, 3)
const lexicon = createLexicon()
const postings = new Postings()
const analyzer = createAnalyzer()
const documentTerms = new DocumentTerms(lexicon, analyzer)
for (const [slot, document] of documents.entries()) {
  const { terms, impacts } = documentTerms.read(document)
  for (const [i, term] of terms.entries()) postings.put(term, slot, impacts[i]!)
}
const queryTerms = createQueryTerms(lexicon, postings, () => ENTRIES, analyzer)

/** Every element of memory that is read or written, whatever for. */
let touches = 0
const watched = <T extends object>(array: T): T =>
  new Proxy(array, {
    get(target, key) {
      if (typeof key === 'string' && /^\d/.test(key)) touches++
      const value = Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
    set(target, key, value) {
      touches++
      return Reflect.set(target, key, value)
    },
  })

// Replacements of an unknown word are merged from here.
postings.slots = watched(postings.slots)
postings.impacts = watched(postings.impacts)
const scratch = new Scratch()
scratch.reserve(postings.bitmapWords)
for (const part of ['sums', 'touched', 'seen'] as const)
  Object.assign(scratch, { [part]: watched(scratch[part]) })
Object.assign(scratch.batch, {
  slots: watched(scratch.batch.slots),
  keys: watched(scratch.batch.keys),
  bounds: watched(scratch.batch.bounds),
})

/** Four words of each set are looked at together. */
const STEP = 4
const watchRows = (rows: BitmapRows): BitmapRows =>
  new Proxy(rows, {
    get(target, key) {
      if (key === 'matchAny')
        return (...[conjuncts, from, to]: Parameters<BitmapRows['matchAny']>) => {
          touches += (MAX_CONJUNCT_ROWS * conjuncts.length * (to - from)) / STEP
          return watched(target.matchAny(conjuncts, from, to) as Int32Array)
        }
      if (key === 'countAny')
        return (rows: readonly number[]) => {
          touches += (rows.length * postings.bitmapWords) / STEP
          return target.countAny(rows)
        }
      return Reflect.get(target, key)
    },
  })

function watch(term: TermPostings): TermPostings {
  const { bitmap } = term
  if (bitmap === undefined) return term
  const rows = watchRows(bitmap.rows)
  const parts = new Map(
    (['bits', 'strong', 'blockMax', 'ranks'] as const).map(part => [
      part as PropertyKey,
      watched(bitmap[part]),
    ]),
  )
  const champions: typeof bitmap.champions = (...given) => {
    const found = bitmap.champions(...given)
    const { size, floor } = found
    return { size, floor, slots: watched(found.slots), impacts: watched(found.impacts) } as typeof found
  }
  const seen = new Proxy(bitmap, {
    get(target, key) {
      if (key === 'champions') return champions
      if (key === 'rows') return rows
      const value = parts.get(key) ?? Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { ...term, bitmap: seen }
}

/** How many postings, words of slots and sums a keyword query touches. */
function touchesOf(query: string, prefix = false): number {
  touches = 0
  const cursors = toKeywordTerms(queryTerms, query, prefix, ENTRIES).map(watch)
  const top = new TopK(20, (a, b) => a - b)
  evaluate(
    { terms: cursors, bitmapWords: postings.bitmapWords, base: COORDINATION, scratch, top },
    { counts: true },
  )
  return touches
}

/** Twenty services of 600 bytes that are copied for an answer, four bytes at a time. */
const PAGE = 3_000
const ORDINARY = 60
const ordinary =
  PAGE + Array.from({ length: ORDINARY }, () => touchesOf(twoWords())).reduce((a, b) => a + b) / ORDINARY

const many = (count: number, make: (i: number) => string) => Array.from({ length: count }, (_, i) => make(i))
const HOSTILE: [string, string][] = [
  ['the most frequent words, as many as fit', frequentWords(80)],
  ['eight of the most frequent words', frequentWords(8)],
  ['one frequent word over and over', `${frequentWords(1)} `.repeat(200)],
  ['sixty words of as many entries', many(30, twoWords).join(' ')],
  ['ten words of as many entries', many(5, twoWords).join(' ')],
  ['words that are in no entry', many(60, i => `ba${i}zq`).join(' ')],
  ['words with one letter wrong', many(60, () => twoWords().slice(1, 7)).join(' ')],
  ['beginnings of many words', 'ba be bi bo da de di do fa fi ga go ka ke'],
  ['numbers', many(160, String).join(' ')],
  ['one letter', 'a'.repeat(500)],
  ['Japanese without a space', '天気予報翻訳画像生成価格為替検索地図経路音声認識'.repeat(25)],
]

describe('expensive keyword queries read at most ten times the postings of two ordinary words', () => {
  test.each(HOSTILE)('%s', (_, query) => {
    expect(touchesOf(query.slice(0, 500))).toBeLessThan(10 * ordinary - PAGE)
  })
  test.each(HOSTILE)('%s, the last word as a prefix', (_, query) => {
    expect(touchesOf(query.slice(0, 500), true)).toBeLessThan(10 * ordinary - PAGE)
  })
})
