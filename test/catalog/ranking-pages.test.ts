// Pages of results that are ordered by relevance.
import { describe, expect, test } from 'bun:test'
import type { Catalog } from '../../src/catalog/catalog.ts'
import { KNOWN, listing, open, PLACES, SKYCAST, wallet } from './listings.ts'

describe('pages ordered by relevance', () => {
  const entries = Array.from({ length: 260 }, (_, i) =>
    listing(
      {
        name: `Forecast ${i % 40}`,
        description: `weather forecast ${'and more '.repeat(i % 17)}number ${i % 90}`,
        ...(i % 3 === 0 && wallet(String(i % 9))),
      },
      i % 7 === 0
        ? { status: 'verified', trustScore: i % 100 }
        : i % 11 === 0
          ? { status: 'inactive', trustScore: 20 }
          : {},
    ),
  )
  const catalog = open(...entries)
  const idsOf = ({ services }: ReturnType<Catalog['list']>) => services.decode().map(({ id }) => id)
  const page = {
    list: (offset: number, limit: number) => catalog.list({ query: 'weather forecast', limit, offset }),
    search: (offset: number, limit: number) => catalog.search({ q: 'weather forecast', limit, offset }),
  }

  test.each(['list', 'search'] as const)('of the %s contain every result exactly once', place => {
    const pages: string[] = []
    for (let offset = 0; offset < entries.length; offset += 17) {
      const { total } = page[place](offset, 17)
      expect(total).toBe(entries.length)
      pages.push(...idsOf(page[place](offset, 17)))
    }
    expect(new Set(pages)).toEqual(new Set(entries.map(({ id }) => id)))
    expect(pages).toHaveLength(entries.length)
    expect(pages.slice(0, 100)).toEqual(idsOf(page[place](0, 100)))
  })

  test('of the list in ascending order are the reverse', () => {
    const turned = [0, 100, 200].flatMap(offset =>
      idsOf(catalog.list({ query: 'weather forecast', sortOrder: 'asc', limit: 100, offset })),
    )
    const forth = [0, 100, 200].flatMap(offset => idsOf(page.list(offset, 100)))
    expect(turned).toEqual(forth.toReversed())
  })

  test('are the same however the catalog was filled', () => {
    const other = open(...entries.toReversed())
    expect(idsOf(other.search({ q: 'weather forecast', limit: 100, offset: 60 }))).toEqual(
      idsOf(page.search(60, 100)),
    )
  })

  test('rank a verified service above a thousand others that match better', () => {
    const many = Array.from({ length: 1_000 }, (_, i) =>
      listing({ name: `weather forecast ${i}`, description: `weather forecast ${i}` }),
    )
    const known = listing(
      { name: 'Meteo', description: `${SKYCAST.description} ${SKYCAST.description}` },
      KNOWN,
    )
    const crowded = open(...many, known)
    for (const [place, ask] of Object.entries(PLACES))
      expect({ place, first: ask(crowded, 'weather forecast')[0] }).toEqual({ place, first: known.id })
    expect(crowded.search({ q: 'weather forecast', limit: 20, offset: 0 }).total).toBe(1_001)
  })
})
