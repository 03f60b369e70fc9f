// Every word in a reason stands in the service, or is followed by the word of the service that it was matched by.
import { expect, test } from 'bun:test'
import { Catalog } from '../../src/catalog/catalog.ts'
import { KNOWN_CATEGORIES } from '../../src/domain/listing/categories.ts'
import { createSemanticIndex } from '../../src/search/embedding/semantic-index.ts'
import { createSearchIndex } from '../../src/search/search-index.ts'
import { sharedEmbedder } from '../embedder.ts'
import { readJudged } from './judged-catalog.ts'
import { readMarket } from './market.ts'
import { readStandingSample } from './standing-sample.ts'

const { entries } = await readMarket()
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

/** The words that a reason names, each as the service has it. */
const wordsOf = (reason: string): string[] => {
  const english = /^Matches (.*?); /.exec(reason)?.[1]?.split(', ') ?? []
  const japanese = [...(/^((?:「[^」]*」)+)に一致/.exec(reason)?.[1]?.matchAll(/「([^」]*)」/g) ?? [])]
  return [...english, ...japanese.map(match => match[1]!)].map(named => named.split(' → ').at(-1)!)
}

test('reasons name only words that the service has', async () => {
  const untrue: string[] = []
  let named = 0
  for (const { query } of await readJudged())
    for (const q of variantsOf(query))
      for (const { service, reason } of catalog.searchByIntent({ q, limit: 5 }).decode().results) {
        const { name, description, category, endpoint } = service
        const labels = Object.values(KNOWN_CATEGORIES[category] ?? {})
        const text = [name, description, category, ...labels, endpoint]
          .join(' ')
          .normalize('NFKC')
          .toLowerCase()
        for (const word of wordsOf(reason)) {
          named++
          if (!word.split(' ').every(each => text.includes(each))) untrue.push(`${q}: ${word} (${name})`)
        }
      }
  expect(named).toBeGreaterThan(3_000)
  expect(untrue).toEqual([])
}, 120_000)
