// The cost of ranking by standing: counted, not timed.
import { expect, test } from 'bun:test'
import { Catalog } from '../../src/catalog/catalog.ts'
import { createSearchIndex, type SearchIndex } from '../../src/search/search-index.ts'
import { entry } from '../entries.ts'

/** An index that tells how many hits it was asked for. */
function openCounted(): { readonly index: SearchIndex; readonly asked: number[] } {
  const asked: number[] = []
  const index = createSearchIndex()
  const { intentRanker } = index
  return {
    asked,
    index: Object.assign(index, {
      intentRanker: (...given: Parameters<typeof intentRanker>) => {
        const { rank, fits } = intentRanker(...given)
        const counted = (count: number) => {
          asked.push(count)
          return rank(count)
        }
        return { fits, rank: counted }
      },
    }),
  }
}

const wallet = (i: number) => `0x${(i + 1).toString(16).padStart(40, '0')}`
const listing = (i: number, name: string, description: string) =>
  entry(
    {
      name,
      description,
      endpoint: `https://seller-${i}.test/v1`,
      category: 'other',
      x402Config: { paymentAddress: wallet(i), network: 'base' },
    },
    { now: new Date(Date.UTC(2026, 0, 1) + i * 1_000) },
  )
const OWN = 'Tide tables of every harbour in the northern seas'

function open(...entries: readonly ReturnType<typeof listing>[]) {
  const { index, asked } = openCounted()
  const catalog = new Catalog(index)
  catalog.apply(entries.map((each, i) => ({ seq: i + 1, objectSeq: i + 1, id: each.id, entry: each })))
  return { asked, find: (q: string, limit = 3) => catalog.searchByIntent({ q, limit }).decode().results }
}

test('a namesake that does not match the sentence does not make the whole window be ranked', () => {
  const { asked, find } = open(
    listing(0, 'Neptune', 'Currency conversion between dollars and euros'),
    listing(1, 'Neptune', OWN),
  )
  expect(find('tide tables of a harbour').map(({ service }) => service.description)).toEqual([OWN])
  expect(asked).toEqual([3])
})

test('a namesake with a weaker right to the name does not make the whole window be ranked', () => {
  const { asked, find } = open(listing(0, 'Neptune', OWN), listing(1, 'Neptune', 'A harbour of poems'))
  expect(find('tide tables of a harbour', 1)[0]?.service.description).toBe(OWN)
  expect(asked).toEqual([1])
})

test('a matching namesake with a stronger right to the name makes the whole window be ranked', () => {
  const others = Array.from({ length: 4 }, (_, i) =>
    listing(i + 2, `Harbour ${i}`, `Tide tables of the harbour at port ${'abcd'[i]} alone`),
  )
  const original = listing(0, 'Neptune', 'Poems, songs, tales and pictures of sailors for one harbour museum')
  const { asked, find } = open(original, listing(1, 'Neptune', OWN), ...others)
  expect(find('tide tables of every harbour').length).toBe(3)
  expect(asked).toEqual([3, 100])
})
