import { expect, test } from 'bun:test'
import { createInventedCatalog } from '../../../bench/invented-catalog.ts'
import { Evaluator } from '../../../src/search/index/evaluate.ts'
import { createLexicon, DocumentTerms, Postings } from '../../../src/search/index/postings.ts'
import { createQueryTerms } from '../../../src/search/index/query-terms.ts'
import { createAnalyzer } from '../../../src/search/text/analyzer.ts'

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
const queryTerms = createQueryTerms(lexicon, postings, () => ENTRIES, analyzer, new Evaluator())

const many = (count: number, make: (i: number) => string) => Array.from({ length: count }, (_, i) => make(i))

/** All terms together have at most as many postings as there are entries, and those of the two rarest in addition. */
test.each([
  ['the most frequent words, as many as fit', frequentWords(80)],
  ['eight of the most frequent words', frequentWords(8)],
  ['one frequent word over and over', `${frequentWords(1)} `.repeat(200)],
  ['sixty words of as many entries', many(30, twoWords).join(' ')],
  ['words that are in no entry', many(60, i => `ba${i}zq`).join(' ')],
  ['words with one letter wrong', many(60, () => twoWords().slice(1, 7)).join(' ')],
  ['beginnings of many words', 'ba be bi bo da de di do fa fi ga go ka ke'],
  ['numbers', many(160, String).join(' ')],
  ['Japanese without a space', '天気予報翻訳画像生成価格為替検索地図経路音声認識'.repeat(25)],
])('a keyword query reads at most three postings per entry: %s', (_, query) => {
  for (const prefix of [false, true]) {
    const terms = queryTerms.ofKeywords(query.slice(0, 500), prefix)
    expect(terms.reduce((sum, { count }) => sum + count, 0)).toBeLessThanOrEqual(3 * ENTRIES)
  }
})
