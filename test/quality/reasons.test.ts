// Every word in a reason stands in the service, or is followed by the word of the service that it was matched by.
import { expect, test } from 'bun:test'
import { Catalog } from '../../src/catalog/catalog.ts'
import { createSemanticIndex } from '../../src/search/embedding/semantic-index.ts'
import { createSearchIndex } from '../../src/search/search-index.ts'
import { JAPANESE_LEXICON } from '../../src/search/text/languages/japanese/lexicon.ts'
import { sharedEmbedder } from '../embedder.ts'
import { readJudged } from './judged-catalog.ts'
import { readMarket } from './market.ts'
import { readStandingSample } from './standing-sample.ts'

const { entries } = await readMarket()
const judged = (await readJudged()).map(({ query }) => query)
const sample = await readStandingSample(new Date(Date.UTC(2026, 0, 1)))
const catalog = new Catalog(createSearchIndex({ semantic: createSemanticIndex(sharedEmbedder()) }))
catalog.apply(
  [...entries, ...sample].map((entry, i) => ({ seq: i + 1, objectSeq: i + 1, id: entry.id, entry })),
)

/** A sentence as it is, and with one letter or character missing in different places. */
const variantsOf = (query: string): string[] => [
  query,
  ...[3, 5, 7].map(part => {
    const at = Math.floor(query.length / part)
    return query.slice(0, at) + query.slice(at + 1)
  }),
]

/** Sentences of words that the lexicon expands, each with words of some service. */
function madeOfWords(): string[] {
  const texts = [...entries, ...sample].map(({ description }) => description)
  const wordsAt = (i: number) =>
    texts[(i * 7) % texts.length]!.split(/[\s、。,.]+/).filter(word => word.length > 1)
  return JAPANESE_LEXICON.flatMap(({ words, readings }, i) =>
    [...words, ...readings].slice(0, 4).flatMap((word, k) => {
      const others = wordsAt(4 * i + k)
      return [word, `${word} ${others[k % others.length] ?? ''} ${others.at(-1) ?? ''}`]
    }),
  )
}

/** The words that a reason names, each with the word of the service that it was matched by, if that is another. */
const wordsOf = (reason: string): string[][] => {
  const english = /^Matches (.*?); /.exec(reason)?.[1]?.split(', ') ?? []
  const japanese = [...(/^((?:「[^」]*」)+)に一致/.exec(reason)?.[1]?.matchAll(/「([^」]*)」/g) ?? [])]
  return [...english, ...japanese.map(match => match[1]!)].map(named => named.split(' → '))
}

const fold = (text: string): string => text.normalize('NFKC').toLowerCase()

test.each([
  { of: 'people ask, with and without typing errors', queries: judged.flatMap(variantsOf), least: 1_000 },
  { of: 'are made of words of the lexicon and of services', queries: madeOfWords(), least: 3_000 },
])(
  'reasons name only words that the service has, for sentences that $of',
  ({ queries, least }) => {
    const untrue: string[] = []
    let named = 0
    for (const q of queries)
      for (const { service, reason } of catalog.searchByIntent({ q, limit: 3 }).decode().results) {
        const { name, description, category, endpoint } = service
        const text = fold([name, description, category, endpoint].join(' '))
        for (const words of wordsOf(reason)) {
          named++
          if (!text.includes(words.at(-1)!)) untrue.push(`${q}: ${words.join(' → ')} (${name})`)
        }
      }
    expect(queries.length).toBeGreaterThan(least)
    expect(named).toBeGreaterThan(queries.length)
    expect(untrue).toEqual([])
  },
  300_000,
)
