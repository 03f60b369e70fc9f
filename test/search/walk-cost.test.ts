import { describe, expect, test } from 'bun:test'
import { createInventedCatalog } from '../../bench/invented-catalog.ts'
import { DocumentTerms } from '../../src/search/document-terms.ts'
import { toKeywordTerms } from '../../src/search/keyword-terms.ts'
import { createLexicon } from '../../src/search/lexicon.ts'
import { Postings } from '../../src/search/postings.ts'
import { createQueryTerms } from '../../src/search/query-terms.ts'
import { TopHits } from '../../src/search/top-hits.ts'
import { walkKeywords } from '../../src/search/walk-keywords.ts'
import { Scratch, type WalkTerm } from '../../src/search/walk-term.ts'

const ENTRIES = 20_000
const { documents, twoWords, frequentWords } = createInventedCatalog(ENTRIES, 3)
const lexicon = createLexicon()
const postings = new Postings()
const terms = new DocumentTerms(lexicon)
for (const [slot, document] of documents.entries()) {
  terms.read(document)
  for (const term of terms.numbers.subarray(0, terms.count)) postings.put(term, slot, terms.impact(term))
}
const queryTerms = createQueryTerms(lexicon, postings, () => ENTRIES)
const scratch = new Scratch()

/** What a walk reads of one term: impacts of postings, and words of 32 slots. */
function watch(term: WalkTerm, onRead: () => void): WalkTerm {
  const watched = <T extends object>(array: T): T =>
    new Proxy(array, {
      get(target, key) {
        if (typeof key === 'string' && /^\d/.test(key)) onRead()
        return Reflect.get(target, key)
      },
    })
  const { frequent } = term
  if (frequent === undefined) return { ...term, impacts: watched(term.impacts) }
  const bits = watched(frequent.bits)
  const strong = watched(frequent.strong)
  const seen = new Proxy(frequent, {
    get(target, key) {
      if (key === 'bits') return bits
      if (key === 'strong') return strong
      const value = Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { ...term, impacts: watched(term.impacts), frequent: seen }
}

/** How many postings and words of slots a keyword query reads. */
function readsOf(query: string): number {
  let reads = 0
  const watched = toKeywordTerms(queryTerms, query, false).map(term => watch(term, () => reads++))
  const top = new TopHits(20, (a, b) => a - b)
  walkKeywords({ terms: watched, words: postings.words, scratch, top, counts: false })
  return reads
}

const ORDINARY = 60
const ordinary =
  Array.from({ length: ORDINARY }, () => readsOf(twoWords())).reduce((a, b) => a + b) / ORDINARY

describe('keywords made to be costly read at most ten times what two ordinary words read', () => {
  test.each([
    ['the most frequent words, as many as fit', frequentWords(80).slice(0, 500)],
    ['eight of the most frequent words', frequentWords(8)],
    ['one frequent word over and over', `${frequentWords(1)} `.repeat(200).slice(0, 500)],
    ['sixty words of as many entries', Array.from({ length: 30 }, twoWords).join(' ').slice(0, 500)],
    ['words that are in no entry', Array.from({ length: 60 }, (_, i) => `ba${i}zq`).join(' ')],
  ])('%s', (_, query) => {
    expect(readsOf(query)).toBeLessThan(10 * ordinary)
  })
})
