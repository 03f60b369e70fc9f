// Prices of several currencies in one order, through every interface that sorts or bounds by dollars; what no rate tells comes last.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { type Folder, openFolder } from '../cli/shirube.ts'
import { entry } from '../entries.ts'
import { openTestServer, type TestServer } from '../http/directory-server.ts'
import { type Connected, call, connectOverHttp } from '../mcp/connect.ts'

const PAYEE = '0x1111111111111111111111111111111111111111'
const RATES = { base: 'USD', date: '2026-11-16', rates: { JPY: 160, EUR: 0.8, GBP: 0.75 } }
/** By what a request costs in dollars; of the last two no rate tells it. */
const PRICES: readonly (readonly [name: string, price: string, currency: string])[] = [
  ['Quokka yen', '0.1', 'JPYC'],
  ['Quokka dollar', '0.002', 'USDC'],
  ['Quokka listed in dollars', '0.0021', 'USD'],
  ['Quokka euro', '0.002', 'EURC'],
  ['Quokka pound', '0.0021', 'GBP'],
  ['Quokka many yen', '1.6', 'JPY'],
  ['Quokka franc', '0.000001', 'CHF'],
  ['Quokka points', '0.001', 'POINTS'],
]
const NAMES = PRICES.map(([name]) => name)
const KNOWN = NAMES.slice(0, 6)
const UP_TO_A_QUARTER_CENT = NAMES.slice(0, 4)

let folder: Folder
let server: TestServer
let client: Connected
beforeAll(async () => {
  folder = await openFolder()
  const url = `sqlite:${join(folder.path, 'directory.db')}`
  {
    await using store = await openStore(url, { clock: systemClock })
    await store.insert(
      PRICES.map(([name, pricePerRequest, currency]) =>
        entry({
          name,
          description: 'quokka',
          pricing: { currency, pricePerRequest, freeQuota: 0 },
          // Where its asset is, so that it can be offered to clients of x402.
          x402Config: { paymentAddress: PAYEE, network: currency === 'JPYC' ? 'polygon' : 'base' },
        }),
      ).sort((a, b) => (a.name < b.name ? -1 : 1)),
    )
  }
  const rates = await folder.file('rates.json', JSON.stringify(RATES))
  server = await openTestServer({ DATABASE_URL: url, RATES: rates })
  client = await connectOverHttp(server.url)
})
afterAll(async () => {
  await client.close()
  await server[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

type Named = { readonly name: string }
const namesOf = (services: readonly Named[]) => services.map(({ name }) => name)
const onPage = async (path: string) => {
  const text = await (await server.get(path)).text()
  return [
    ...text.matchAll(/<h3><a href="\/services\/[^"]*"[^>]*>(?:<mark>)?([^<]*(?:<\/?mark>[^<]*)*)<\/a>/g),
  ].map(([, name]) => name!.replace(/<\/?mark>/g, ''))
}

type Order = 'asc' | 'desc'
const DOORS: readonly (readonly [string, (order: Order) => Promise<readonly string[]>])[] = [
  ['the list', async order => namesOf(await server.json(`/api/services?sortBy=usdPrice&sortOrder=${order}`))],
  [
    'the list of words',
    async order =>
      namesOf(await server.json(`/api/services?query=quokka&sortBy=usdPrice&sortOrder=${order}`)),
  ],
  [
    'pages of two',
    async order => {
      const all: string[] = []
      let next: string | undefined = `/api/services?sortBy=usdPrice&sortOrder=${order}&limit=2&cursor=`
      while (next !== undefined) {
        const answer = await server.get(next)
        all.push(...namesOf(await answer.json()))
        next = /<([^>]*)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
      }
      return all
    },
  ],
  [
    'the MCP tool',
    async sortOrder =>
      namesOf((await call(client, 'search_services', { sortBy: 'usdPrice', sortOrder })).content.services),
  ],
  [
    'the command line',
    async order => {
      const args = ['list', '--sort-by', 'usdPrice', '--sort-order', order, '--url', server.url, '--json']
      return namesOf(JSON.parse((await folder.run(args)).stdout))
    },
  ],
  ['the page', order => onPage(`/?sortBy=usdPrice&sortOrder=${order}`)],
  ['the page of a sentence', order => onPage(`/?q=quokka&sortBy=usdPrice&sortOrder=${order}`)],
  ['the page in Japanese', order => onPage(`/?q=quokka&sortBy=usdPrice&sortOrder=${order}&lang=ja`)],
]

describe('sortBy=usdPrice', () => {
  test.each(DOORS)('%s has the cheapest first, and services without a rate last', async (_, read) => {
    const names = await read('asc')
    expect(names.slice(0, KNOWN.length)).toEqual(KNOWN)
    expect(names.slice(KNOWN.length).toSorted()).toEqual(NAMES.slice(KNOWN.length))
  })

  test.each(DOORS)(
    '%s reversed has the most expensive first, and services without a rate last',
    async (_, read) => {
      const names = await read('desc')
      expect(names.slice(0, KNOWN.length)).toEqual(KNOWN.toReversed())
      expect(names.slice(KNOWN.length).toSorted()).toEqual(NAMES.slice(KNOWN.length))
    },
  )

  test.each(['/api/catalog/search', '/api/services/search/intent'])('%s ranks, and says so', async path => {
    const answer = await server.get(`${path}?q=quokka&sortBy=usdPrice`)
    expect(answer.status).toBe(400)
    expect((await answer.json()).errors).toMatchObject([{ path: 'sortBy' }])
  })
})

describe('maxUsdPrice', () => {
  const most = 'maxUsdPrice=0.0025'
  test.each<readonly [string, () => Promise<readonly string[]>]>([
    ['the list', async () => namesOf(await server.json(`/api/services?${most}`))],
    [
      'the intent search',
      async () => {
        const { results, total } = await server.json(`/api/services/search/intent?q=quokka&${most}`)
        expect(total).toBe(results.length)
        return results.map(({ service }: { service: Named }) => service.name)
      },
    ],
    [
      'the MCP tool for sentences',
      async () =>
        (await call(client, 'find_service', { q: 'quokka', maxUsdPrice: '0.0025' })).content.results.map(
          ({ service }: { service: Named }) => service.name,
        ),
    ],
    [
      'the MCP tool for words',
      async () =>
        namesOf((await call(client, 'search_services', { maxUsdPrice: '0.0025' })).content.services),
    ],
    [
      'the command line',
      async () => {
        const args = ['list', '--max-usd-price', '0.0025', '--url', server.url, '--json']
        return namesOf(JSON.parse((await folder.run(args)).stdout))
      },
    ],
    ['the page', () => onPage(`/?${most}`)],
    ['the page of a sentence', () => onPage(`/?q=quokka&${most}`)],
    ...['resources', 'search?query=quokka'].map(
      place =>
        [
          `/discovery/${place}`,
          async () => {
            const joint = place.includes('?') ? '&' : '?'
            const { items, resources } = await server.json(`/discovery/${place}${joint}${most}`)
            return (items ?? resources).map((item: { metadata: { name: string } }) => item.metadata.name)
          },
        ] as const,
    ),
  ])('%s leaves out what costs more, or cannot be compared', async (_, read) => {
    expect((await read()).toSorted()).toEqual(UP_TO_A_QUARTER_CENT.toSorted())
  })
})
