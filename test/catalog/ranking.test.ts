// What words cannot buy, at every place that orders by relevance.
import { describe, expect, test } from 'bun:test'
import { Catalog } from '../../src/catalog/catalog.ts'
import type { Entry, ServiceDraft } from '../../src/domain/service.ts'
import type { Standing } from '../../src/domain/standing.ts'
import { createSearchIndex } from '../../src/search/search-index.ts'
import { entry } from '../entries.ts'

const made: Entry[] = []
/** Each of a seller of its own, unless told otherwise; the one that is made first is the oldest. */
function listing(parts: Partial<ServiceDraft>, standing: Partial<Standing> = {}): Entry {
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
const wallet = (digit: string) => ({
  x402Config: { paymentAddress: `0x${digit.repeat(40)}`, network: 'base' },
})
const KNOWN = { status: 'verified', trustScore: 60 } as const
const PROVED = { status: 'verified', trustScore: 10 } as const

function open(...entries: readonly Entry[]): Catalog {
  const catalog = new Catalog()
  catalog.apply(entries.map((each, i) => ({ seq: i + 1, objectSeq: i + 1, id: each.id, entry: each })))
  return catalog
}

const PLACES: Readonly<Record<string, (catalog: Catalog, words: string, limit?: number) => string[]>> = {
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

const SKYCAST = {
  name: 'Skycast Forecast',
  description:
    'Hourly and ten-day weather forecast for any point on Earth. Temperature, rain, snow, wind and humidity in one answer.',
  category: 'weather',
}
const LOOKALIKE = {
  name: 'Skyсast Fоrecast',
  description:
    'Hоurly and ten-day weаther forecast for any pоint on Earth. Tempеrature, rain, snоw, wind and humidity in onе answer.',
  category: 'weather',
}
const SWAPPED = {
  ...SKYCAST,
  description:
    'Houlry and ten-day weahter foreacst for any ponit on Earth. Temperatrue, rian, snow, wnid and humidiyt in one anwser. weather forecast',
}

for (const [place, ask] of Object.entries(PLACES))
  describe(`In the ${place}`, () => {
    test('repeating words does not lead a verified service', () => {
      const stuffed = listing({ name: 'Gateway', description: 'weather forecast '.repeat(117).trim() })
      const named = listing({ name: 'weather forecast', description: 'weather forecast' })
      const known = listing(SKYCAST, KNOWN)
      expect(ask(open(stuffed, named, known), 'weather forecast')[0]).toBe(known.id)
    })

    test('of two with like text the verified one with the higher trust is first, and the inactive one last', () => {
      const text = (i: number) => ({ name: `Forecast ${i}`, description: `Weather forecast number ${i}` })
      const inactive = listing(text(1), { status: 'inactive', trustScore: 10 })
      const newcomer = listing(text(2))
      const low = listing(text(3), { status: 'verified', trustScore: 40 })
      const high = listing(text(4), { status: 'verified', trustScore: 41 })
      const found = ask(open(inactive, newcomer, low, high), 'weather forecast')
      expect(found.filter(id => id !== inactive.id)).toEqual([high.id, low.id, newcomer.id])
      // What is inactive is no offer in the search of x402.
      expect([-1, 3]).toContain(found.indexOf(inactive.id))
    })

    test.each([
      ['one wallet', (i: number) => ({ ...wallet('a'), endpoint: `https://w${i}-${made.length}.example/` })],
      ['one domain', (i: number) => ({ endpoint: `https://w${i}-${made.length}.one-seller.co.jp/` })],
    ])('a hundred entries of %s leave all but two places to others', (_, of) => {
      const flood = Array.from({ length: 97 }, (_, i) =>
        listing({
          name: `Weather forecast ${i}`,
          description: `weather forecast ${i} ${'x'.repeat(i)}`,
          ...of(i),
        }),
      )
      const others = ['Lisbon', 'Oslo', 'Cairo'].map(city =>
        listing({
          name: city,
          description: `Among much else that one may want to know of ${city}: a weather forecast`,
        }),
      )
      const found = ask(open(...flood, ...others), 'weather forecast', 10)
      expect(new Set(found.slice(0, 5))).toEqual(
        new Set([...found.slice(0, 2), ...others.map(({ id }) => id)]),
      )
    })

    test('a copy that its own new wallet has claimed stays behind the older original', () => {
      const original = listing(SKYCAST, { status: 'verified', trustScore: 5 })
      const copy = listing(SKYCAST, { status: 'verified', trustScore: 9 })
      const claimed = { ...copy, owner: `eip155:${copy.x402Config.paymentAddress}` }
      expect(ask(open(original, claimed), 'weather forecast')).toEqual([original.id, claimed.id])
    })

    test.each([
      ['at its endpoint', () => ({}), null],
      ['at other paths of it', (i: number) => `/${i}`, 'key_1'],
    ] as const)(
      'strangers who list a verified service once more %s, with better words, do not bury it',
      (_, path, owner) => {
        const shared = { ...wallet('d'), endpoint: `https://bury-${made.length}.example/v1` }
        const text = 'Among much else that one may want to know: a weather forecast'
        const honest = { ...listing({ ...shared, name: 'Ōtori', description: text }, PROVED), owner }
        const stuffed = [1, 2].map(i => {
          const place = path(i)
          return {
            ...listing(
              {
                ...shared,
                endpoint: shared.endpoint + (typeof place === 'string' ? place : ''),
                name: `Weather forecast ${i}`,
                description: `The weather forecast of ${i} towns`,
              },
              PROVED,
            ),
            owner: owner === null ? null : `eip155:0x${'9'.repeat(40)}`,
          }
        })
        const others = ['Lisbon', 'Oslo'].map(city => listing({ name: city, description: text }))
        const found = ask(open(honest, ...stuffed, ...others), 'weather forecast')
        expect(found.indexOf(honest.id)).toBeLessThan(2)
        expect(found.indexOf(honest.id)).toBeGreaterThanOrEqual(0)
      },
    )

    test('customers of one platform are different sellers', () => {
      const entries = ['a', 'b', 'c'].map(name =>
        listing({
          name: `Forecast ${name}`,
          description: `weather forecast of ${name}`,
          endpoint: `https://${name}-${made.length}.vercel.app/`,
        }),
      )
      const other = listing({
        name: 'Other',
        description: 'Tells, if need be, about a forecast of the weather, too',
      })
      expect(ask(open(...entries, other), 'weather forecast').at(-1)).toBe(other.id)
    })

    test('strangers who list the wallet and the domain of a verified service do not push it back', () => {
      const own = [1, 2].map(i =>
        listing(
          {
            name: `Own ${i}`,
            description: `A weather forecast by us, number ${i}`,
            endpoint: `https://own.example/${made.length}`,
            ...wallet('b'),
          },
          PROVED,
        ),
      )
      const strangers = Array.from({ length: 6 }, (_, i) =>
        listing({
          name: `weather forecast ${i}`,
          description: `weather forecast ${i}`,
          ...(i % 2 ? wallet('b') : { endpoint: `https://x${made.length}.own.example/` }),
        }),
      )
      const found = ask(open(...strangers, ...own), 'weather forecast')
      expect(new Set(found.slice(0, 2))).toEqual(new Set(own.map(({ id }) => id)))
    })

    test.each([
      ['a copy', SKYCAST],
      ['look-alike letters', LOOKALIKE],
      [
        'a padded copy',
        { ...SKYCAST, description: `${SKYCAST.description} weather forecast amber bridge candle dune ember` },
      ],
      ['swapped letters', SWAPPED],
    ])('%s stands behind the older one, though neither is verified', (_, copied) => {
      const original = listing(SKYCAST)
      const copy = listing(copied)
      const found = ask(open(copy, original), 'weather forecast')
      expect(found[0]).toBe(original.id)
    })

    test('a copy that is older stands behind the verified one', () => {
      const copy = listing({ ...SKYCAST, description: `${SKYCAST.description} weather forecast` })
      const original = listing(SKYCAST, PROVED)
      expect(ask(open(copy, original), 'weather forecast')).toEqual([original.id, copy.id])
    })

    test('who copies a newcomer and is verified stands first, and does not bury it', () => {
      const newcomer = listing(SKYCAST)
      const thief = listing(SKYCAST, PROVED)
      const others = Array.from({ length: 5 }, (_, i) =>
        listing({
          name: `Tide tables ${i}`,
          description: `Tide tables for harbour ${i}; weather is told, too, but no forecast`,
        }),
      )
      expect(ask(open(newcomer, thief, ...others), 'weather forecast rain snow').slice(0, 2)).toEqual([
        thief.id,
        newcomer.id,
      ])
    })

    test('a name that is the query itself is no more than a match of its words', () => {
      const body = { description: 'Tells what one needs to know before leaving the house' }
      const older = listing({ name: 'Forecast for weather', ...body, ...wallet('c') })
      const exact = listing({ name: 'weather for forecast', ...body, ...wallet('c') })
      expect(ask(open(exact, older), 'weather for forecast')[0]).toBe(older.id)
    })
  })

test('In a sentence a hit that is held back says so, and scores fall', () => {
  const original = listing(SKYCAST, KNOWN)
  const copies = [1, 2, 3].map(() => listing(SKYCAST))
  const further = [1, 2, 3].map(i =>
    listing({ name: `Sea ${i}`, description: `Sea weather forecast, number ${i}`, ...wallet('d') }),
  )
  const catalog = open(original, ...copies, ...further)
  const { results } = catalog.searchByIntent({ q: 'weather forecast', limit: 10 }).decode()
  const reasonOf = new Map(results.map(({ service, reason }) => [service.id, reason]))
  expect(reasonOf.get(original.id)).not.toContain('behind')
  for (const { id } of copies)
    expect(reasonOf.get(id)).toContain('ranked lower, as another service has its name or text')
  expect(
    [...reasonOf.values()].filter(reason => reason.includes('as a further entry of one seller')),
  ).toHaveLength(1)
  const scores = results.map(({ score }) => score)
  expect(scores).toEqual(scores.toSorted((a, b) => b - a))
  expect(
    catalog.searchByIntent({ q: '天気 weather forecast', limit: 10 }).decode().results.at(-1)!.reason,
  ).toContain('後ろに表示')
})

describe('Pages of what is ordered by relevance', () => {
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
  const walk = {
    list: (cursor: string) => catalog.list({ query: 'weather forecast', limit: 17, offset: 0, cursor }),
    search: (cursor: string) => catalog.search({ q: 'weather forecast', limit: 17, offset: 0, cursor }),
  }

  test.each(['list', 'search'] as const)('of the %s never overlap, and hold every hit once', place => {
    const pages: string[] = []
    for (let offset = 0; offset < entries.length; offset += 17) {
      const { total } = page[place](offset, 17)
      expect(total).toBe(entries.length)
      pages.push(...idsOf(page[place](offset, 17)))
    }
    expect(new Set(pages)).toEqual(new Set(entries.map(({ id }) => id)))
    expect(pages).toHaveLength(entries.length)
    expect(pages.slice(0, 100)).toEqual(idsOf(page[place](0, 100)))
    const walked: string[] = []
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const next: ReturnType<Catalog['list']> = walk[place](cursor)
      walked.push(...idsOf(next))
      cursor = next.next
    }
    expect(walked).toEqual(pages)
  })

  test('of the list turned round are the same from the other end', () => {
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

  test('show a verified service first that a thousand others have more words than', () => {
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

describe('The third occurrence of a word in a field', () => {
  const index = createSearchIndex()
  const set = (slot: number, parts: { name?: string; description?: string }) =>
    index.set(slot, {
      name: 'x',
      description: 'y',
      category: 'other',
      endpoint: 'https://x.example/',
      ...parts,
    })
  const filler = 'one two three four five six seven eight nine ten eleven twelve'
  set(0, { description: `rain rain ${filler} last` })
  set(1, { description: `rain rain ${filler} rain` })
  set(2, { name: 'rain', description: 'rain rain' })
  set(3, { name: 'rain rain', description: 'rain rain rain rain rain rain rain rain' })
  const keys = new Map(
    index
      .retrieverOfAny(
        'rain',
        (a, b) => a - b,
      )(10)
      .hits.map(({ slot, key }) => [slot, key]),
  )

  test('adds nothing', () => expect(keys.get(1)).toBe(keys.get(0)!))
  test('is not made up for by a short field', () => {
    const short = createSearchIndex()
    for (const [slot, description] of ['rain', 'rain a b', 'rain a b c d'].entries())
      short.set(slot, { name: 'x', description, category: 'other', endpoint: 'https://x.example/' })
    const found = short
      .retrieverOfAny(
        'rain',
        (a, b) => a - b,
      )(10)
      .hits.map(({ key }) => key)
    expect(new Set(found).size).toBe(1)
  })
})

test('A word that only newcomers have, misspelt, still leads to what is verified', () => {
  const hostile = listing({ name: 'wether forcast', description: 'wether forcast' })
  const known = listing(SKYCAST, KNOWN)
  expect(PLACES['intent search']!(open(hostile, known), 'wether forcast')[0]).toBe(known.id)
})
