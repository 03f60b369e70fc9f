// Floors for the relevance of intent search over a market of more than a thousand services. A floor may rise; it never falls.
import { describe, expect, test } from 'bun:test'
import { Catalog } from '../../src/catalog/catalog.ts'
import { createSemanticIndex } from '../../src/search/embedding/semantic-index.ts'
import { createSearchIndex } from '../../src/search/search-index.ts'
import { sharedEmbedder } from '../embedder.ts'
import { readMarket } from './market.ts'

const FLOORS: Readonly<Record<string, number>> = {
  'plain en': 0.7,
  'plain ja': 0.73,
  'constraint en': 0.65,
  'constraint ja': 0.79,
  'typo en': 0.69,
  'exclusion en': 0.64,
  'exclusion ja': 0.77,
}
const DEPTH = 10

const { entries, queries } = await readMarket()
const catalog = new Catalog(createSearchIndex({ semantic: createSemanticIndex(sharedEmbedder()) }))
catalog.apply(entries.map((each, i) => ({ seq: i + 1, objectSeq: i + 1, id: each.id, entry: each })))

const gain = (grades: readonly number[]): number =>
  grades.slice(0, DEPTH).reduce((sum, grade, i) => sum + (2 ** grade - 1) / Math.log2(i + 2), 0)

const answers = queries.map(asked => {
  const answer = catalog.searchByIntent({ q: asked.query, limit: DEPTH }).decode()
  const grades = answer.results.map(({ service }) => asked.grades.get(service.id) ?? 0)
  const ideal = [...asked.grades.values()].sort((a, b) => b - a)
  return { asked, answer, score: gain(grades) / gain(ideal) }
})

test('the market has more than a thousand services and more than five hundred judged queries', () => {
  expect(entries.length).toBeGreaterThan(1000)
  expect(queries.length).toBeGreaterThan(500)
  expect(new Set(queries.map(({ query }) => query)).size).toBe(queries.length)
  const japanese = queries.filter(({ lang }) => lang === 'ja').length
  expect(japanese / queries.length).toBeGreaterThan(0.4)
})

describe('intent search finds relevant services in a market', () => {
  test.each(Object.entries(FLOORS))('in queries of kind %s at nDCG@10 of at least %p', (kind, floor) => {
    const scores = answers
      .filter(({ asked }) => `${asked.kind} ${asked.lang}` === kind)
      .map(({ score }) => score)
    expect(scores.length).toBeGreaterThan(5)
    expect(scores.reduce((sum, score) => sum + score, 0) / scores.length).toBeGreaterThanOrEqual(floor)
  })

  test('in queries of every kind that is judged', () => {
    const kinds = new Set(queries.map(({ kind, lang }) => `${kind} ${lang}`))
    expect([...kinds].sort()).toEqual(Object.keys(FLOORS).sort())
  })

  test('and always returns results', () => {
    const empty = answers.filter(({ answer }) => answer.results.length === 0 && !answer.nearest)
    expect(empty.map(({ asked }) => asked.query)).toEqual([])
  })
})
