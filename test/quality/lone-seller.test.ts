// If all services have the same seller and the same standing, none is demoted: the answers equal those of a catalog of many sellers.
import { expect, test } from 'bun:test'
import { Catalog } from '../../src/catalog/catalog.ts'
import type { Entry } from '../../src/domain/listing/service.ts'
import { createSemanticIndex } from '../../src/search/embedding/semantic-index.ts'
import { createSearchIndex } from '../../src/search/search-index.ts'
import { sharedEmbedder } from '../embedder.ts'
import { readJudged } from './judged-catalog.ts'
import { readStandingSample } from './standing-sample.ts'

const sample = await readStandingSample(new Date(Date.UTC(2026, 0, 1)))
const judged = await readJudged()

function open(walletOf: (i: number) => number) {
  const catalog = new Catalog(createSearchIndex({ semantic: createSemanticIndex(sharedEmbedder()) }))
  const paid = (entry: Entry, i: number): Entry => ({
    ...entry,
    standing: { ...entry.standing, status: 'unverified', trustScore: 0 },
    x402Config: {
      ...entry.x402Config,
      paymentAddress: `0x${(walletOf(i) + 1).toString(16).padStart(40, '0')}`,
    },
  })
  catalog.apply(sample.map(paid).map((entry, i) => ({ seq: i + 1, objectSeq: i + 1, id: entry.id, entry })))
  return (q: string) =>
    catalog
      .searchByIntent({ q, limit: 10 })
      .decode()
      .results.map(({ service }) => service.id)
}

test('a catalog of one seller gives the same answers as a catalog of many sellers', () => {
  const [many, one] = [open(i => i), open(() => 0)]
  const different = judged
    .filter((_, i) => i % 3 === 0)
    .filter(({ query }) => many(query).join() !== one(query).join())
  expect(different.map(({ query }) => query)).toEqual([])
})
