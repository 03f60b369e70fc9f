// Every filter and every order of the tables, through every door. A filter that is accepted somewhere and does nothing there fails here.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFile } from 'node:fs/promises'
import { COMMANDS } from '../../src/cli/syntax/commands.ts'
import { optionsOf } from '../../src/cli/syntax/parse-line.ts'
import { type Entry, toService } from '../../src/domain/listing/service.ts'
import { compareDecimals } from '../../src/domain/money/money.ts'
import { type Rates, readRates } from '../../src/domain/money/rates.ts'
import {
  DIRECTIONS,
  directionOf,
  FACET_NAMES,
  FILTER_NAMES,
  FILTERS,
  type FilterName,
  facetOf,
  ORDERS,
  SORT_KEYS,
  type SortKey,
  toApplied,
} from '../../src/domain/queries/filters.ts'
import { parseListQuery } from '../../src/domain/queries/queries.ts'
import { STATUSES } from '../../src/domain/standing/standing.ts'
import { levelOf } from '../../src/domain/standing/trust.ts'
import { protocolsOf, type Seen } from '../../src/domain/terms/terms.ts'
import { compareCodePoints } from '../../src/domain/text/text.ts'
import { createClient } from '../../src/http/client/client.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { type Folder, openFolder } from '../cli/shirube.ts'
import { draft, entry } from '../entries.ts'
import { passesFilters } from '../filters.ts'
import { linksOf, openTestServer, type TestServer } from '../http/directory-server.ts'
import { type Connected, call, connectOverHttp } from '../mcp/connect.ts'
import { temporaryPath } from '../store/temporary-path.ts'

/** One value of each filter that some of the entries pass and others do not. */
const VALUES: Readonly<Record<FilterName, string>> = {
  category: 'weather',
  chain: 'solana',
  status: 'verified',
  level: 'verified',
  maxPricePerRequest: '0.01',
  maxUsdPrice: '0.0115',
  currency: 'EURC',
  freeQuota: 'true',
  protocol: 'mpp',
}

/** One euro is 1.25 dollars; what a point is worth, nobody says. */
const RATES_DOCUMENT = { base: 'USD', date: '2026-11-16', rates: { EUR: 0.8 } }
const RATES = readRates(RATES_DOCUMENT) as Rates

const COUNT = 60
const pick = <T>(values: readonly T[], i: number): T => values[i % values.length]!

const SEEN_BY_MPP: Seen = {
  at: '2026-10-01T00:00:00.000Z',
  price: 'unknown',
  asks: null,
  resources: [
    {
      url: 'https://api.example/v1',
      method: 'GET',
      ways: [
        {
          protocol: 'mpp',
          scheme: 'charge',
          chain: 'eip155:8453',
          asset: '0x1',
          amount: '1',
          payTo: draft().x402Config.paymentAddress,
        },
      ],
    },
  ],
}

/** They differ in everything that can be filtered or ordered by, each in another rhythm, and share a word. */
const ENTRIES: readonly Entry[] = Array.from({ length: COUNT }, (_, i) => ({
  ...entry(
    {
      name: `${pick(['zebra', 'Otter', 'éland', 'yak', 'Bee'], i)} ${i % 7} signpost`,
      category: pick(['weather', 'ai', 'data'], i),
      pricing: {
        currency: pick(['USDC', 'EURC', 'POINTS'], i >> 1),
        pricePerRequest: pick(['0', '0.009', '0.010', '0.5', '12'], i),
        freeQuota: pick([0, 0, 5], i >> 2),
      },
    },
    {
      now: new Date(Date.UTC(2026, 9, 1, 0, i)),
      supportedChains: pick([['base'], ['solana'], ['base', 'solana'], ['polygon']], i >> 1),
      standing: {
        status: pick(STATUSES, i >> 1),
        trustScore: (i * 37) % 101,
        uptimeScore: ((i * 613) % 10_001) / 100,
      },
    },
  ),
  ...pick([{}, { seen: SEEN_BY_MPP }], i >> 3),
  ...pick([{}, { latencyMs: 41 }, { latencyMs: 2_400 }, { latencyMs: 300 }], i >> 1),
}))

let shell: Folder
let server: TestServer
let agent: Connected

beforeAll(async () => {
  const DATABASE_URL = `sqlite:${temporaryPath('directory.db')}`
  {
    await using store = await openStore(DATABASE_URL, { clock: systemClock })
    await store.insert(ENTRIES)
  }
  const rates = temporaryPath('rates.json')
  await writeFile(rates, JSON.stringify(RATES_DOCUMENT))
  server = await openTestServer({ DATABASE_URL, RATE_LIMIT: '0', RATES: rates })
  agent = await connectOverHttp(server.url)
  shell = await openFolder()
})
afterAll(async () => {
  await agent?.[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
  await shell?.[Symbol.asyncDispose]()
})

type Listed = readonly { readonly id: string }[]
const idsOf = (services: Listed): string[] => services.map(({ id }) => id)
const sorted = (ids: readonly string[]): string[] => [...ids].sort()
const addressOf = (path: string, query: Readonly<Record<string, string>>) =>
  `${path}?${new URLSearchParams(query)}`
const cardsIn = (page: string): string[] =>
  [...page.matchAll(/<h3><a href="\/services\/([^"?]*)/g)].map(([, id]) => id!)
const flagOf = (name: string) => name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)

async function listOnCommandLine(...args: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await shell.run(['list', '--json', '--url', server.url, ...args])
  expect([code, stderr]).toEqual([0, ''])
  return idsOf(JSON.parse(stdout))
}

async function walk(query: Readonly<Record<string, string>>): Promise<string[]> {
  const ids: string[] = []
  for (let next: string | undefined = addressOf('/api/services', { ...query, limit: '7' }); next; ) {
    const page = await server.get(next)
    ids.push(...idsOf(await page.json()))
    next = linksOf(page).next
  }
  return ids
}

describe.each(FILTER_NAMES)('the filter %s', name => {
  const value = VALUES[name]
  const query = { [name]: value }
  const applied = toApplied(parseListQuery(query))
  const passing = sorted(idsOf(ENTRIES.filter(each => passesFilters(applied, each, RATES))))
  const args = [`--${flagOf(name)}`, value]

  test('matches some entries and not others', () => {
    expect(passing.length).toBeGreaterThan(7)
    expect(passing.length).toBeLessThan(COUNT - 7)
  })

  test('narrows the list and its total, alone, in every order and with words', async () => {
    for (const more of [{}, { query: 'signpost' }, ...SORT_KEYS.map(sortBy => ({ sortBy }))]) {
      const answer = await server.get(addressOf('/api/services', { ...query, ...more, limit: '100' }))
      expect(sorted(idsOf(await answer.json()))).toEqual(passing)
      expect(answer.headers.get('x-total-count')).toBe(String(passing.length))
    }
  })

  test('narrows the list together with every other filter', async () => {
    for (const other of FILTER_NAMES) {
      const both = { ...query, [other]: VALUES[other] }
      const filters = toApplied(parseListQuery(both))
      const expected = sorted(idsOf(ENTRIES.filter(each => passesFilters(filters, each, RATES))))
      const answer = await server.get(addressOf('/api/services', { ...both, limit: '100' }))
      expect(sorted(idsOf(await answer.json()))).toEqual(expected)
      expect(answer.headers.get('x-total-count')).toBe(String(expected.length))
    }
  })

  test('is kept from page to page', async () => {
    for (const more of [{}, ...SORT_KEYS.map(sortBy => ({ sortBy }))])
      expect(sorted(await walk({ ...query, ...more }))).toEqual(passing)
  })

  test('narrows what a sentence finds', async () => {
    const { results } = await server.json(
      addressOf('/api/services/search/intent', { q: 'signpost', ...query, limit: '100' }),
    )
    expect(sorted(idsOf(results.map(({ service }: { service: { id: string } }) => service)))).toEqual(passing)
  })

  test('is taken by the client, by agents and on the command line', async () => {
    const page = await createClient({ url: server.url }).list(parseListQuery({ ...query, limit: 100 }))
    expect(sorted(idsOf(page.services.decode()))).toEqual(passing)

    const argument = parseListQuery(query)[name]
    const listed = await call(agent, 'search_services', { [name]: argument, limit: 100 })
    expect(sorted(idsOf(listed.content.services))).toEqual(passing)
    const found = await call(agent, 'find_service', { q: 'signpost', [name]: argument, limit: 100 })
    expect(sorted(found.content.results.map((each: { service: { id: string } }) => each.service.id))).toEqual(
      passing,
    )
    expect(sorted(await listOnCommandLine(...args, '--limit', '100'))).toEqual(passing)
    for (const command of ['list', 'search'])
      expect(await optionsOf(COMMANDS.find(each => each.name === command)!)).toHaveProperty(flagOf(name))
  })

  test('is on the page: as a control, as a removable chip, and in the results', async () => {
    // A page of a question has fewer.
    for (const [q, most] of [
      ['', 20],
      ['signpost', 10],
    ] as const) {
      for (const lang of ['en', 'ja']) {
        const page = await (await server.get(addressOf('/', { q, lang, ...query }))).text()
        expect(page).toContain(`name="${name}"`)
        expect(page).toMatch(/<div class="chips">.*?aria-label/s)
        expect(cardsIn(page)).toHaveLength(Math.min(most, passing.length))
        expect(passing).toEqual(expect.arrayContaining(cardsIn(page)))
        const taken = [...page.matchAll(/<li><a href="([^"]*)" aria-label/g)].map(([, href]) => href!)
        expect(taken.some(href => !href.includes(`${name}=`))).toBe(true)
      }
    }
  })

  test('is described', async () => {
    const { paths } = await server.json('/openapi.json')
    for (const path of ['/api/services', '/api/services/search/intent']) {
      const parameters: { name: string; description?: string }[] = paths[path].get.parameters
      expect(parameters.find(each => each.name === name)?.description).toBeString()
    }
    expect(await (await server.get('/llms.txt')).text()).toContain(`\`${name}\``)
  })

  test('rejects an invalid value', async () => {
    const refused = await server.get(addressOf('/api/services', { [name]: ' \u0000' }))
    expect(refused.status).toBe(400)
    expect((await refused.json()).errors[0].path).toBe(name)
  })
})

test.each(FACET_NAMES)('the values of %s are counted as the list counts them', async name => {
  const counts = server.app.directory.requireCatalog().facets({})[name]
  const values = new Set(
    ENTRIES.flatMap(each =>
      facetOf(name).of(toService(each), { level: levelOf(each), protocols: protocolsOf(each.seen) }),
    ),
  )
  expect(sorted(idsOf(counts))).toEqual(sorted([...values]))
  for (const { id, count } of counts) {
    const filters = { [name]: FILTERS[name].apply(id as never) }
    expect(count).toBe(ENTRIES.filter(each => passesFilters(filters, each, RATES)).length)
  }
})

const compareKeys = (order: SortKey, a: Entry, b: Entry): number => {
  const { key } = ORDERS[order]
  const [left, right] = [key.of(a, RATES), key.of(b, RATES)]
  if (left === undefined || right === undefined)
    return Number(left === undefined) - Number(right === undefined)
  if (key.kind === 'number') return Number(left) - Number(right)
  return key.kind === 'decimal'
    ? compareDecimals(String(left), String(right))
    : compareCodePoints(String(left), String(right))
}

test('the page orders by price as it does by the converted price', async () => {
  const cardsBy = async (sortBy: string) =>
    cardsIn(await (await server.get(addressOf('/', { sortBy }))).text())
  expect(await cardsBy('price')).toEqual(await cardsBy('usdPrice'))
})

describe.each(SORT_KEYS)('the order %s', sortBy => {
  const ascending = idsOf(
    ENTRIES.toSorted((a, b) => compareKeys(sortBy, a, b) || compareCodePoints(a.id, b.id)),
  )
  /** What has no key comes last in both directions. */
  const isLast = ({ id }: Entry) =>
    ORDERS[sortBy].key.of(ENTRIES.find(each => each.id === id)!, RATES) === undefined
  const inDirection = (sortOrder: string) => {
    if (sortOrder === 'asc') return ascending
    const backwards = ascending.toReversed().map(id => ENTRIES.find(each => each.id === id)!)
    return idsOf([...backwards.filter(each => !isLast(each)), ...backwards.filter(isLast)])
  }
  const usual = inDirection(directionOf(sortBy))

  test('is that of the list in both directions, by offset and by links', async () => {
    for (const sortOrder of DIRECTIONS) {
      const listed = await server.json(addressOf('/api/services', { sortBy, sortOrder, limit: '100' }))
      expect(idsOf(listed)).toEqual(inDirection(sortOrder))
      const later = await server.json(
        addressOf('/api/services', { sortBy, sortOrder, limit: '9', offset: '31' }),
      )
      expect(idsOf(later)).toEqual(inDirection(sortOrder).slice(31, 40))
      expect(await walk({ sortBy, sortOrder })).toEqual(inDirection(sortOrder))
    }
    expect(idsOf(await server.json(addressOf('/api/services', { sortBy, limit: '100' })))).toEqual(usual)
  })

  test('is taken by the client, by agents and on the command line', async () => {
    const page = await createClient({ url: server.url }).list(parseListQuery({ sortBy, limit: 100 }))
    expect(idsOf(page.services.decode())).toEqual(usual)
    const listed = await call(agent, 'search_services', { sortBy, limit: 100 })
    expect(idsOf(listed.content.services)).toEqual(usual)
    expect(await listOnCommandLine('--sort-by', sortBy, '--limit', '100')).toEqual(usual)
  })

  // Pages offer the converted price instead: prices of different currencies are in no order.
  test.if(sortBy !== 'price')(
    'is offered on the page, for all services and for the hits of a question',
    async () => {
      for (const lang of ['en', 'ja']) {
        const page = await (await server.get(addressOf('/', { sortBy, lang }))).text()
        expect(cardsIn(page)).toEqual(usual.slice(0, 20))
        const asked = await (await server.get(addressOf('/', { q: 'signpost', sortBy, lang }))).text()
        expect(asked).toContain(`<option value="${sortBy}" selected>`)
        const shown = cardsIn(asked).map(id => ENTRIES.find(each => each.id === id)!)
        const turn = directionOf(sortBy) === 'asc' ? 1 : -1
        expect(shown).toHaveLength(10)
        expect(shown).toEqual(shown.toSorted((a, b) => turn * compareKeys(sortBy, a, b)))
        const best = ENTRIES.toSorted((a, b) => turn * compareKeys(sortBy, a, b))[0]!
        expect(compareKeys(sortBy, shown[0]!, best)).toBe(0)
      }
    },
  )

  test('is described', async () => {
    const { paths } = await server.json('/openapi.json')
    const parameters: { name: string; schema: { enum?: string[] } }[] = paths['/api/services'].get.parameters
    expect(parameters.find(({ name }) => name === 'sortBy')?.schema.enum).toContain(sortBy)
  })
})
