// The cost of ranking by standing: counted, not timed.
import { expect, test } from 'bun:test'
import { Catalog } from '../../src/catalog/catalog.ts'
import { createSearchIndex, type SearchIndex } from '../../src/search/search-index.ts'
import { entry } from '../entries.ts'

/** An index that tells how many hits it was asked for. */
function openCounted(): { readonly index: SearchIndex; readonly asked: number[] } {
  const asked: number[] = []
  const index = createSearchIndex()
  const { rankIntent } = index
  return {
    asked,
    index: Object.assign(index, {
      rankIntent: (...given: Parameters<typeof rankIntent>) => {
        asked.push(given[1])
        return rankIntent(...given)
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

test.each<[string, ReturnType<typeof listing>, ReturnType<typeof listing>]>([
  ['namesakes', listing(0, 'Neptune', OWN), listing(1, 'Neptune', 'A harbour of poems')],
  ['entries with one text', listing(0, 'Neptune', OWN), listing(1, 'Triton', OWN)],
])('a sentence is ranked once, whatever is found: %s', (_, one, other) => {
  const { asked, find } = open(one, other)
  expect(find('tide tables of a harbour')[0]?.service.name).toBe('Neptune')
  expect(asked).toHaveLength(1)
})

test('a sentence with several steps is ranked once as a whole and once for each', () => {
  const { asked, find } = open(listing(0, 'Neptune', OWN))
  find('find tide tables of a harbour, translate them and send them by email')
  expect(asked).toHaveLength(4)
})
