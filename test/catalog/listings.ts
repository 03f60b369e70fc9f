// Listings that compete for a query, and the queries that order them.
import { Catalog } from '../../src/catalog/catalog.ts'
import type { Entry, ServiceDraft } from '../../src/domain/listing/service.ts'
import type { Standing } from '../../src/domain/standing/standing.ts'
import { createSemanticIndex } from '../../src/search/embedding/semantic-index.ts'
import { createSearchIndex } from '../../src/search/search-index.ts'
import { sharedEmbedder } from '../embedder.ts'
import { entry } from '../entries.ts'

export const made: Entry[] = []
/** A listing of a seller of its own unless `parts` says otherwise. The first one made is the oldest. */
export function listing(parts: Partial<ServiceDraft>, standing: Partial<Standing> = {}): Entry {
  const number = made.length
  const listed = entry(
    {
      endpoint: `https://seller-${number}.example/api`,
      x402Config: { paymentAddress: `0x${(number + 1).toString(16).padStart(40, '0')}`, network: 'base' },
      ...parts,
    },
    { now: new Date(Date.UTC(2026, 0, 1) + number * 1_000), standing },
  )
  made.push(listed)
  return listed
}
export const wallet = (digit: string) => ({
  x402Config: { paymentAddress: `0x${digit.repeat(40)}`, network: 'base' },
})
export const KNOWN = { status: 'verified', trustScore: 60 } as const
export const PROVED = { status: 'verified', trustScore: 10 } as const

/** A catalog of these entries, in this order. */
export const open = (...entries: readonly Entry[]): Catalog => fill(new Catalog(), entries)

/** The same, searched by meaning as well. */
export const openSemantic = (...entries: readonly Entry[]): Catalog =>
  fill(new Catalog(createSearchIndex({ semantic: createSemanticIndex(sharedEmbedder()) })), entries)

function fill(catalog: Catalog, entries: readonly Entry[]): Catalog {
  catalog.apply(entries.map((each, i) => ({ seq: i + 1, objectSeq: i + 1, id: each.id, entry: each })))
  return catalog
}

type Texts = readonly [name: string, description: string, category?: string]

/** Listings with these texts, each of a seller of its own. */
export const toEntries = (texts: readonly Texts[]): Entry[] =>
  texts.map(([name, description, category = 'other'], i) =>
    entry({
      name,
      description,
      category,
      endpoint: `https://seller-${i}.example/v1`,
      x402Config: { paymentAddress: `0x${String(i + 10).repeat(20)}`, network: 'base' },
    }),
  )

/** Every place that orders by relevance: the ids that it finds, best first. */
export const PLACES: Readonly<Record<string, (catalog: Catalog, words: string, limit?: number) => string[]>> =
  {
    list: (catalog, query, limit = 20) =>
      catalog
        .list({ query, limit, offset: 0 })
        .services.decode()
        .map(({ id }) => id),
    'keyword search': (catalog, q, limit = 20) =>
      catalog
        .search({ q, limit, offset: 0 })
        .services.decode()
        .map(({ id }) => id),
    'intent search': (catalog, q, limit = 20) =>
      catalog
        .searchByIntent({ q, limit })
        .decode()
        .results.map(({ service }) => service.id),
    'search of x402': (catalog, q, limit = 20) =>
      catalog
        .searchOffers(q, {}, { offset: 0, limit })
        .items.map(({ resource }) => made.find(({ endpoint }) => endpoint === resource)!.id),
  }

export const SKYCAST = {
  name: 'Skycast Forecast',
  description:
    'Hourly and ten-day weather forecast for any point on Earth. Temperature, rain, snow, wind and humidity in one answer.',
  category: 'weather',
}
