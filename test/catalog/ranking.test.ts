// Resistance to keyword spam in every search that orders by relevance.
import { describe, expect, test } from 'bun:test'
import { KNOWN, listing, made, open, PLACES, PROVED, SKYCAST, wallet } from './listings.ts'

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
    test('repeated words do not outrank a verified service', () => {
      const stuffed = listing({ name: 'Gateway', description: 'weather forecast '.repeat(117).trim() })
      const named = listing({ name: 'weather forecast', description: 'weather forecast' })
      const known = listing(SKYCAST, KNOWN)
      expect(ask(open(stuffed, named, known), 'weather forecast')[0]).toBe(known.id)
    })

    test('among similar texts the verified one with the highest trust is first, and the inactive one last', () => {
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

    test('a copy claimed by its own new wallet ranks below the older original', () => {
      const original = listing(SKYCAST, { status: 'verified', trustScore: 5 })
      const copy = listing(SKYCAST, { status: 'verified', trustScore: 9 })
      const claimed = { ...copy, owner: `eip155:${copy.x402Config.paymentAddress}` }
      expect(ask(open(original, claimed), 'weather forecast')).toEqual([original.id, claimed.id])
    })

    test.each([
      ['at its endpoint', () => ({}), null],
      ['at other paths of it', (i: number) => `/${i}`, 'key_1'],
    ] as const)(
      'strangers who list a verified service again %s, with better words, do not demote it',
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

    test('strangers who list the wallet and the domain of a verified service do not demote it', () => {
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
    ])('%s ranks below the older original if neither is verified', (_, copied) => {
      const original = listing(SKYCAST)
      const copy = listing(copied)
      const found = ask(open(copy, original), 'weather forecast')
      expect(found[0]).toBe(original.id)
    })

    test('an older copy ranks below the verified one', () => {
      const copy = listing({ ...SKYCAST, description: `${SKYCAST.description} weather forecast` })
      const original = listing(SKYCAST, PROVED)
      expect(ask(open(copy, original), 'weather forecast')).toEqual([original.id, copy.id])
    })

    test('a verified copy ranks above an unverified original, which stays second', () => {
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

    test('a name that equals the query counts as a match of its words', () => {
      const body = { description: 'Tells what one needs to know before leaving the house' }
      const older = listing({ name: 'Forecast for weather', ...body, ...wallet('c') })
      const exact = listing({ name: 'weather for forecast', ...body, ...wallet('c') })
      expect(ask(open(exact, older), 'weather for forecast')[0]).toBe(older.id)
    })
  })

test('in intent search the reason of a demoted result says so, and scores are descending', () => {
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
    expect(reasonOf.get(id)).toContain('ranked lower because another service has the same name or text')
  expect(
    [...reasonOf.values()].filter(reason =>
      /because a service of [\w.-]+ with the same wallet or domain is listed above/.test(reason),
    ),
  ).toHaveLength(1)
  const scores = results.map(({ score }) => score)
  expect(scores).toEqual(scores.toSorted((a, b) => b - a))
  expect(
    catalog.searchByIntent({ q: '天気 weather forecast', limit: 10 }).decode().results.at(-1)!.reason,
  ).toContain('後ろに表示')
})

test('a misspelt word that only newcomers have still finds verified services', () => {
  const hostile = listing({ name: 'wether forcast', description: 'wether forcast' })
  const known = listing(SKYCAST, KNOWN)
  expect(PLACES['intent search']!(open(hostile, known), 'wether forcast')[0]).toBe(known.id)
})
