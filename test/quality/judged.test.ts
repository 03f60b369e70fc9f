// Floors for the relevance of intent search on the judged queries. A floor may rise; it never falls.
import { describe, expect, test } from 'bun:test'
import { openJudgedCatalog, readJudged } from './judged-catalog.ts'

const FLOORS: Readonly<Record<string, number>> = {
  keyword: 0.935,
  question: 0.865,
  task: 0.765,
  cross: 0.885,
  typo: 0.865,
  constraint: 0.96,
  named: 0.85,
  nothing: 0.88,
  mixed: 0.955,
}

const { ask } = await openJudgedCatalog()
const judged = await readJudged()
const answers = judged.map(entry => ({ entry, answer: ask(entry) }))

describe('intent search finds relevant services', () => {
  test.each(Object.entries(FLOORS))('in queries of kind %s at nDCG@10 of at least %p', (kind, floor) => {
    const scores = answers.filter(({ entry }) => entry.kind === kind).map(({ answer }) => answer.score)
    expect(scores.length).toBeGreaterThan(0)
    expect(scores.reduce((sum, score) => sum + score, 0) / scores.length).toBeGreaterThanOrEqual(floor)
  })

  test('as well in Japanese as in English', () => {
    const mean = (lang: string) => {
      const scores = answers.filter(({ entry }) => entry.lang === lang).map(({ answer }) => answer.score)
      return scores.reduce((sum, score) => sum + score, 0) / scores.length
    }
    expect(Math.abs(mean('ja') - mean('en'))).toBeLessThan(0.06)
  })

  test('in queries of every kind that is judged', () => {
    expect([...new Set(judged.map(({ kind }) => kind))].sort()).toEqual(Object.keys(FLOORS).sort())
  })
})

describe('intent search reads the constraints', () => {
  test('of every judged query, and no others', () => {
    const wrong = answers.flatMap(({ entry, answer }) => {
      const { unapplied, ...read } = answer.intent.constraints
      const isRight = Bun.deepEquals(read, entry.constraints ?? {}) && unapplied.length === 0
      return isRight ? [] : [{ query: entry.query, read, unapplied }]
    })
    expect(wrong).toEqual([])
  })
})

test('every score lies between 0 and 1, best first, and every matched token is a token', () => {
  for (const { answer } of answers) {
    const scores = answer.hits.map(({ score }) => score)
    expect(scores).toEqual([...scores].sort((a, b) => b - a))
    for (const { score, matchedTokens } of answer.hits) {
      expect(score).toBeGreaterThan(0)
      expect(score).toBeLessThanOrEqual(1)
      expect(matchedTokens.every(token => answer.intent.tokens.includes(token))).toBe(true)
    }
  }
})
