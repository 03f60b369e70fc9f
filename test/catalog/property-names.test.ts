// Words that every JavaScript object has as a property are ordinary words, in a request and in a listing.
import { describe, expect, test } from 'bun:test'
import { open, toEntries } from './listings.ts'

const NAMES = Object.getOwnPropertyNames(Object.prototype).flatMap(name => [name, name.toLowerCase()])
const SHAPES = [
  (word: string) => `convert ${word} to pdf`,
  (word: string) => `pdf to ${word}`,
  (word: string) => `${word} を pdf に変換`,
  (word: string) => `weather under 5 ${word}`,
  (word: string) => `${word} on ${word} in ${word}`,
  (word: string) => `not ${word}, cheap ${word}, then send it to ${word}`,
  (word: string) => `${word}は${word}以外で${word}以下`,
]

const catalog = open(
  ...toEntries(
    ['pdf', ...NAMES].map((word, i) => [
      `${word} ${i}`,
      `Converts ${word} to ${NAMES[i] ?? 'pdf'}, and text into ${word}. pdf`,
      /^[a-z]+$/i.test(word) ? word : 'other',
    ]),
  ),
)

describe('a word that is a property of every object', () => {
  test.each(NAMES)('is searched like any other word: %s', name => {
    for (const toSentence of SHAPES) {
      const answer = catalog.searchByIntent({ q: toSentence(name), limit: 5 }).decode()
      expect(answer.tokens.length).toBeGreaterThan(0)
    }
    const { results } = catalog.searchByIntent({ q: `pdf from ${name}`, limit: 5 }).decode()
    expect(results.length).toBeGreaterThan(0)
  })
})
