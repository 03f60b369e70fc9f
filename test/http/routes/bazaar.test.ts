// The catalog read by the client that x402 applications use, and by hand where that client cannot ask.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { HTTPFacilitatorClient } from '@x402/core/http'
import { isValidServiceName, sanitizeTags, withBazaar } from '@x402/extensions/bazaar'
import { openTestServer, type TestServer } from '../directory-server.ts'

const WALLET = '0x7aA3B0D047d135f43e8699E07783a548819BC25c'
const SOLANA_WALLET = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin'
const BASE_USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'

const draft = (name: string, parts: object = {}) => ({
  name,
  description: `${name}, by the request.`,
  endpoint: `https://${name.toLowerCase().replaceAll(' ', '-')}.example/v1`,
  category: 'weather',
  pricing: { currency: 'USDC', pricePerRequest: '0.0025' },
  x402Config: { paymentAddress: `0x${'1'.repeat(40)}`, network: 'base' },
  ...parts,
})

const DRAFTS = [
  draft('Tokyo Forecast'),
  draft('Harbour Tides', { x402Config: { paymentAddress: WALLET, network: 'Base' } }),
  draft('Solana Prices', {
    category: 'crypto',
    x402Config: { paymentAddress: SOLANA_WALLET, network: 'solana' },
  }),
  draft('Stellar Rates', {
    pricing: { currency: 'USD', pricePerRequest: '0.01' },
    x402Config: {
      paymentAddress: 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ',
      network: 'stellar',
    },
  }),
  draft('Yen Invoices', {
    pricing: { currency: 'JPYC', pricePerRequest: '3' },
    x402Config: { paymentAddress: WALLET, network: 'polygon' },
  }),
  draft('Unknown Money', { pricing: { currency: 'SAND', pricePerRequest: '1' } }),
  draft('Dust', { pricing: { currency: 'USDC', pricePerRequest: '0.0000001' } }),
]
const LISTED = ['Yen Invoices', 'Stellar Rates', 'Solana Prices', 'Harbour Tides', 'Tokyo Forecast']

describe('The catalog in the format of x402', () => {
  let server: TestServer
  let client: ReturnType<typeof withBazaar<HTTPFacilitatorClient>>['extensions']['bazaar']
  beforeAll(async () => {
    server = await openTestServer()
    for (const each of DRAFTS) expect((await server.register(each)).status).toBe(201)
    client = withBazaar(new HTTPFacilitatorClient({ url: server.url })).extensions.bazaar
  })
  afterAll(() => server[Symbol.asyncDispose]())

  const names = (items: readonly unknown[]) =>
    (items as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name)

  test('is listed by the client of x402, newest first, without services of unknown price', async () => {
    const { x402Version, items, pagination } = await client.listResources()
    expect(x402Version).toBe(2)
    expect(names(items)).toEqual(LISTED)
    expect(pagination).toEqual({ limit: 20, offset: 0, total: 5 })
  })

  test('has each service with its amount in atomic units of a known asset', async () => {
    const { items } = await client.listResources({ payTo: WALLET, network: 'eip155:8453' })
    const [service] = await server.json('/api/services?query=harbour')
    expect(items).toEqual([
      {
        resource: 'https://harbour-tides.example/v1',
        type: 'http',
        x402Version: 2,
        accepts: [
          {
            scheme: 'exact',
            network: 'eip155:8453',
            amount: '2500',
            asset: BASE_USDC,
            payTo: WALLET,
            maxTimeoutSeconds: 60,
            extra: {},
          },
        ],
        lastUpdated: service.updatedAt,
        description: 'Harbour Tides, by the request.',
        serviceName: 'Harbour Tides',
        tags: ['weather'],
        metadata: { name: 'Harbour Tides', category: 'weather', supportedChains: ['Base'], terms: 'listing' },
        extensions: {
          shirube: {
            id: service.id,
            status: 'unverified',
            pricing: { currency: 'USDC', pricePerRequest: '0.0025', freeQuota: 0 },
            backing: {
              level: 'listed',
              claimed: false,
              domain: false,
              stranger: false,
              namesake: false,
              sample: false,
            },
          },
        },
        quality: { trustScore: 0, uptimeScore: 0, totalCalls: 0, totalRevenue: 0 },
        health: { status: 'unknown', lastChecked: service.createdAt },
        // biome-ignore lint/suspicious/noExplicitAny: the type of the client knows fewer fields
      } as any,
    ])
  })

  test('knows the decimals of each asset', async () => {
    const amounts = async (network: string) =>
      (await client.listResources({ network })).items.map(({ accepts }) => accepts[0]!.amount)
    expect(await amounts('stellar:pubnet')).toEqual(['100000'])
    expect(await amounts('eip155:137')).toEqual(['3000000000000000000'])
    expect(await amounts('solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp')).toEqual(['2500'])
  })

  test('pages without gaps or repeats, and says how many there are', async () => {
    const seen: string[] = []
    for (let offset = 0; ; offset += 2) {
      const { items, pagination } = await client.listResources({ limit: 2, offset })
      expect(pagination).toEqual({ limit: 2, offset, total: 5 })
      if (items.length === 0) break
      seen.push(...names(items))
    }
    expect(seen).toEqual(LISTED)
  })

  const filtered: [object, string[]][] = [
    [{ type: 'http' }, LISTED],
    [{ type: 'mcp' }, []],
    [{ scheme: 'exact' }, LISTED],
    [{ scheme: 'upto' }, []],
    [{ network: 'base' }, ['Harbour Tides', 'Tokyo Forecast']],
    [{ network: 'eip155:8453' }, ['Harbour Tides', 'Tokyo Forecast']],
    [{ network: 'eip155:999999999' }, []],
    [{ payTo: WALLET.toLowerCase() }, ['Yen Invoices', 'Harbour Tides']],
    [{ payTo: `0x${'9'.repeat(40)}` }, []],
    [{ payTo: SOLANA_WALLET }, ['Solana Prices']],
    [{ payTo: SOLANA_WALLET.toLowerCase() }, []],
    [{ extensions: 'shirube' }, LISTED],
    [{ extensions: 'bazaar' }, []],
    [{ payTo: WALLET, network: 'polygon', scheme: 'exact', type: 'http' }, ['Yen Invoices']],
  ]
  test.each(filtered)('is filtered by %j', async (filters, expected) => {
    const { items, pagination } = await client.listResources(filters)
    expect(names(items)).toEqual(expected)
    expect(pagination.total).toBe(expected.length)
  })

  test('is filtered by asset and by price in dollars', async () => {
    const list = async (query: string) => names((await server.json(`/discovery/resources?${query}`)).items)
    expect(await list(`asset=${BASE_USDC.toLowerCase()}`)).toEqual(['Harbour Tides', 'Tokyo Forecast'])
    expect(await list('maxUsdPrice=0.005')).toEqual(['Solana Prices', 'Harbour Tides', 'Tokyo Forecast'])
    expect(await list('maxUsdPrice=0.0024999')).toEqual([])
  })

  test('names filters that had no effect, and nothing otherwise', async () => {
    const told = await server.json('/discovery/resources?curatedOnly=true&metadata[provider]=x&network=base')
    expect(told.unappliedFilters).toEqual(['curatedOnly', 'metadata[provider]'])
    expect(told.items).toHaveLength(2)
    expect(await server.json('/discovery/resources?network=base')).not.toHaveProperty('unappliedFilters')
  })

  test.each([
    ...'resources?limit=0 resources?limit=x resources?offset=-1 resources?payTo='.split(' '),
    ...'resources?payTo=a%20b resources?network=%00 resources?maxUsdPrice=cheap'.split(' '),
    ...'resources?network=base&network=solana search search?query=%20'.split(' '),
    ...'search?query=weather&cursor=x'.split(' '),
  ])('refuses %s with problem details and the sentence in error', async path => {
    const response = await server.get(`/discovery/${path}`)
    expect(response.status).toBe(400)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    const problem = await response.json()
    expect(problem).toMatchObject({ status: 400, code: 'invalid_request', error: problem.detail })
    expect(problem.error).toEqual(expect.stringMatching(/^.+\.$/))
  })

  test('is searched by the client of x402, best first, with the same filters', async () => {
    const { resources, partialResults, pagination } = await client.search({ query: 'harbour tides' })
    expect(names(resources)[0]).toBe('Harbour Tides')
    expect([partialResults, pagination?.cursor]).toEqual([false, null])
    const onSolana = await client.search({ query: 'prices by the request', network: 'solana' })
    expect(names(onSolana.resources)).toEqual(['Solana Prices'])
    expect((await client.search({ query: 'tides', payTo: `0x${'9'.repeat(40)}` })).resources).toEqual([])
  })

  test('is paged by the cursor of the search', async () => {
    const all = names((await client.search({ query: 'request' })).resources)
    expect(all.length).toBeGreaterThan(2)
    const seen: string[] = []
    for (let cursor: string | undefined; ; ) {
      const page = await client.search({ query: 'request', limit: 2, ...(cursor && { cursor }) })
      seen.push(...names(page.resources))
      if (!page.pagination?.cursor) break
      cursor = page.pagination.cursor
    }
    expect(seen).toEqual(all)
  })

  test('has names and tags that the format allows, and the whole name beside them', async () => {
    await server.register(draft('東京の天気', { endpoint: 'https://tenki.example/', category: '天気' }))
    const { items } = await client.listResources({ limit: 1 })
    expect(items[0]).toMatchObject({ tags: [], metadata: { name: '東京の天気' } })
    for (const { serviceName, tags } of (await client.listResources()).items) {
      if (serviceName !== undefined) expect(isValidServiceName(serviceName)).toBe(true)
      expect(sanitizeTags(tags)?.length ?? 0).toBe(tags!.length)
    }
  })

  test('is where the manifest of this origin says', async () => {
    const manifest = await server.json('/.well-known/x402')
    expect(manifest).toMatchObject({ x402Version: 2, name: 'Shirube', resources: [] })
    for (const path of Object.values(manifest.discovery)) {
      const { status } = await server.get(`${path}?query=tides&payTo=${WALLET}`)
      expect(status).toBe(200)
    }
  })
})
