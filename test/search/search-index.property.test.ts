import { expect, test } from 'bun:test'
import type { SlotTest } from '../../src/memory/sorted-slots.ts'
import { COORDINATION } from '../../src/search/index/evaluate.ts'
import { createLexicon, DocumentTerms, type SearchDocument } from '../../src/search/index/postings.ts'
import { toIdf } from '../../src/search/index/query-terms.ts'
import { createSearchIndex, type SearchIndex } from '../../src/search/search-index.ts'
import { createSentenceReader } from '../../src/search/sentence/intent.ts'
import { createAnalyzer } from '../../src/search/text/analyzer.ts'
import { fc } from '../fast-check.ts'

const readSentence = createSentenceReader()
/** Expansions of words are not part of the model. */
const readIntent = (sentence: string) => ({ ...readSentence(sentence), equivalents: new Map() })

const analyzer = createAnalyzer()
const WORDS =
  `weather forecast tokyo rain price token wallet image speech market stock news map route hotel flight
translation grammar text video sound crypto chain gas oracle random dice lottery 天気 予報 翻訳 画像 価格 為替`.split(
    /\s+/,
  )
const CATEGORIES = ['weather', 'finance', 'image', 'custom-thing']

/** Small, quick and repeatable. */
function createDice(seed: number): (sides: number) => number {
  let state = seed >>> 0 || 1
  return sides => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

/** Early words are drawn far more often, as in any language: some are in most entries, some in hardly any. */
function createDocument(dice: (sides: number) => number): SearchDocument {
  const word = () => WORDS[Math.min(dice(WORDS.length), dice(WORDS.length), dice(WORDS.length))]!
  const words = (count: number) => Array.from({ length: count }, word).join(' ')
  return {
    name: words(1 + dice(3)),
    description: words(1 + dice(12)),
    category: CATEGORIES[dice(CATEGORIES.length)]!,
    endpoint: `https://${WORDS[dice(20)]}.example/v1`,
  }
}

/** The plain way: every entry is scored, then all are sorted. */
class Exhaustive {
  readonly #lexicon = createLexicon()
  readonly #terms = new DocumentTerms(this.#lexicon, analyzer)
  readonly entries = new Map<number, Map<string, number>>()

  set(slot: number, document: SearchDocument): void {
    const { terms, impacts } = this.#terms.read(document)
    this.entries.set(slot, new Map(Array.from(terms, (term, i) => [this.#lexicon.termAt(term), impacts[i]!])))
  }

  search(words: readonly string[], accept: (slot: number) => boolean) {
    const terms = [...new Set(words.map(analyzer.toTerm))]
    const weights = terms.map(term =>
      toIdf(this.entries.size, [...this.entries.values()].filter(impacts => impacts.has(term)).length),
    )
    return [...this.entries]
      .map(([slot, impacts]) => {
        const found = terms.map(term => impacts.get(term) ?? 0)
        return {
          slot,
          coverage: found.filter(impact => impact > 0).length,
          score: found.reduce((sum, impact, i) => sum + impact * weights[i]!, 0),
        }
      })
      .filter(({ slot, coverage }) => coverage > 0 && accept(slot))
  }
}

type Scored = { slot: number; coverage: number; score: number }

const SLOTS = 700
const order = (a: number, b: number) => ((a * 7919) % 1009) - ((b * 7919) % 1009)
const all = () => true
const even = (slot: number) => slot % 2 === 0

function fill(index: SearchIndex, model: Exhaustive, dice: (sides: number) => number): void {
  const documents = new Map<number, SearchDocument>()
  for (let i = 0; i < 900; i++) {
    const slot = i < SLOTS / 2 ? i : dice(SLOTS)
    if (i > SLOTS / 2 && dice(3) === 0) {
      const document = documents.get(slot)
      if (document) index.delete(slot, document)
      documents.delete(slot)
      model.entries.delete(slot)
    } else {
      const document = createDocument(dice)
      index.set(slot, document, { before: documents.get(slot) })
      documents.set(slot, document)
      model.set(slot, document)
    }
  }
}

test('the index returns the results of an exhaustive evaluation after any additions, replacements and removals', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1 }), seed => {
      const dice = createDice(seed)
      const index = createSearchIndex()
      const model = new Exhaustive()
      fill(index, model, dice)
      const known = WORDS.filter(word => model.search([word], all).length > 0)
      for (let i = 0; i < 12; i++) {
        const words = Array.from({ length: 1 + dice(5) }, () => known[dice(known.length)]!)
        compare(index, model, words, 1 + dice(30), [all, even][dice(2)]!)
      }
      expect(index.size).toBe(model.entries.size)
    }),
    { numRuns: 10 },
  )
})

function compare(
  index: SearchIndex,
  model: Exhaustive,
  words: readonly string[],
  count: number,
  accept: SlotTest,
): void {
  const given = accept === all ? undefined : accept
  const query = words.join(' ')
  const scored = model.search(words, accept)
  const best = (hits: readonly Scored[], coverage: boolean) =>
    [...hits]
      .sort((a, b) => (coverage ? b.coverage - a.coverage : 0) || b.score - a.score || order(a.slot, b.slot))
      .slice(0, count)

  const found = model.search(words, all)
  const any = index.retrieverOfAny(query, order)(count)
  expect(any.total).toBe(found.length)
  expect(any.hits).toEqual(
    best(found, true).map(({ slot, score, coverage }) => ({ slot, key: coverage * COORDINATION + score })),
  )

  const complete = scored.filter(({ coverage }) => coverage === new Set(words.map(analyzer.toTerm)).size)
  const both = index.retrieverOfAll(query, order)(count, given)
  expect(both.total).toBe(complete.length)
  expect(both.hits).toEqual(best(complete, false).map(({ slot, score }) => ({ slot, key: score })))

  if (given === undefined) {
    const members = index.matchAll(query)
    expect(members.size).toBe(complete.length)
    expect(complete.every(({ slot }) => members.has(slot))).toBe(true)
  }
  const ranked = index.rankIntent(readIntent(query), count, order, { accept: given }).hits
  expect(ranked.map(({ slot }) => slot)).toEqual(best(scored, false).map(({ slot }) => slot))
}

test('the same catalog gives the same answer for any order of insertion and any earlier content', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1 }), seed => {
      const dice = createDice(seed)
      const documents = Array.from({ length: 300 }, () => createDocument(dice))
      const forth = createSearchIndex()
      for (const [slot, document] of documents.entries()) forth.set(slot, document)
      const back = createSearchIndex()
      const others = documents.map(() => createDocument(dice))
      for (const [slot, document] of others.entries()) back.set(slot, document)
      for (let slot = 0; slot < 300; slot += 3) back.delete(slot, others[slot]!)
      for (const [slot, document] of [...documents.entries()].reverse())
        back.set(slot, document, { before: slot % 3 === 0 ? undefined : others[slot] })
      for (const query of [
        'weather tokyo',
        'forcast 天気',
        'wea',
        'price 翻訳 rain',
        'nothinglikeit',
        'weahter',
      ]) {
        const [backHits, forthHits] = [back, forth].map(index => {
          const { hits, total, relevanceOf } = index.retrieverOfAny(query, order)(20)
          return { total, hits: hits.map(({ slot, key }) => ({ slot, key, relevance: relevanceOf(key) })) }
        })
        expect(backHits).toEqual(forthHits)
        expect(back.rankIntent(readIntent(query), 20, order).hits).toEqual(
          forth.rankIntent(readIntent(query), 20, order).hits,
        )
      }
    }),
    { numRuns: 10 },
  )
})
