import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { serviceSchema } from '../../src/domain/listing/service.ts'
import { body, linksOf, openTestServer, type TestServer } from './directory-server.ts'

let server: TestServer
const COUNT = 45
beforeAll(async () => {
  server = await openTestServer()
  for (let i = 0; i < COUNT; i++) {
    const response = await server.register(
      body({
        name: `Service ${String(i).padStart(2, '0')}`,
        category: i % 3 === 0 ? 'weather' : 'Maps',
        pricing: {
          currency: i % 2 === 0 ? 'USDC' : 'JPYC',
          pricePerRequest: `0.${String(i).padStart(3, '0')}`,
        },
        x402Config: { paymentAddress: `0x${'1'.repeat(40)}`, network: i % 5 === 0 ? 'polygon' : 'base' },
      }),
    )
    expect(response.status).toBe(201)
  }
})
afterAll(() => server[Symbol.asyncDispose]())

const names = async (path: string): Promise<string[]> =>
  (await server.json(path)).map((service: { name: string }) => service.name)

describe('a list', () => {
  test('is an array of 20 service objects, newest first, by default', async () => {
    const services = await server.json('/api/services')
    expect(services).toHaveLength(20)
    expect(services[0].name).toBe('Service 44')
    for (const service of services) expect(serviceSchema.strict().safeParse(service).success).toBe(true)
  })

  test('serves a limit above the maximum as 100', async () => {
    expect(await server.json('/api/services?limit=1000')).toHaveLength(COUNT)
    expect(linksOf(await server.get('/api/services?limit=1000')).first).toBe(
      '/api/services?limit=100&offset=0',
    )
  })

  test('is empty for a filter value without matches, with an X-Notice if the value is unknown', async () => {
    const noticeOf = async (query: string) => {
      const response = await server.get(`/api/services?${query}`)
      expect([response.status, await response.json()]).toEqual([200, []])
      return response.headers.get('x-notice')
    }
    expect(await noticeOf('chain=bse')).toBe('The chain "bse" is not known here; did you mean base?')
    expect(await noticeOf('category=wether')).toBe(
      'The category "wether" is not known here; did you mean weather?',
    )
    expect(await noticeOf('chain=qqqqqqqqqqqq')).toBe('The chain "qqqqqqqqqqqq" is not known here.')
    expect(await noticeOf('chain=tezos')).toBeNull()
    // The same at every list and search with filters; x402 calls the chain a network.
    for (const path of [
      '/api/services/search/intent?q=service&chain=bass',
      '/discovery/resources?network=bass',
      '/discovery/search?query=service&network=bass',
    ]) {
      const { headers } = await server.get(path)
      expect(headers.get('x-notice')).toBe('The chain "bass" is not known here; did you mean base?')
      expect((await server.get(path.replace('bass', 'base'))).headers.get('x-notice')).toBeNull()
    }
    // The category, chain and currency of a service are known here, whatever the other filters leave out.
    await using other = await openTestServer()
    const x402Config = { paymentAddress: `0x${'1'.repeat(40)}`, network: 'my-chain' }
    const pricing = { currency: 'MYC', pricePerRequest: '1' }
    expect((await other.register(body({ category: 'my-tools', x402Config, pricing }))).status).toBe(201)
    for (const path of ['services?query=nowhere', 'services?status=inactive'])
      for (const filter of ['category=my-tools', 'chain=my-chain', 'currency=MYC']) {
        const response = await other.get(`/api/${path}&${filter}`)
        expect([response.status, await response.json()]).toEqual([200, []])
        expect([filter, response.headers.get('x-notice')]).toEqual([filter, null])
      }
    // What is found needs no notice.
    expect((await server.get('/api/services?category=maps')).headers.get('x-notice')).toBeNull()
  })

  test.each([
    ['category=WEATHER', 15],
    ['chain=eip155:137', 9],
    ['chain=Polygon', 9],
    ['status=UNVERIFIED', 45],
    ['status=verified', 0],
    ['maxPricePerRequest=0.0100', 11],
    ['maxPricePerRequest=0.010&currency=usdc', 6],
    ['category=never-seen', 0],
    ['chain=never-seen', 0],
  ])('with %s holds %p entries', async (query, count) => {
    const response = await server.get(`/api/services?${query}`)
    expect(response.status).toBe(200)
    expect(response.headers.get('x-total-count')).toBe(String(count))
    expect(await response.json()).toHaveLength(Math.min(20, count))
  })

  test('reads + as a space and percent-encoded UTF-8', async () => {
    expect(await names('/api/services?query=service+07')).toEqual(['Service 07'])
    expect(await names('/api/services?query=%E3%82%B5%E3%83%BC%E3%83%93%E3%82%B9')).toEqual([])
  })
})

describe('the pages of a list', () => {
  test('are linked first, prev, next and last, with the parameters kept and encoded', async () => {
    const response = await server.get('/api/services?sortBy=name&category=Maps&limit=10&offset=10')
    const kept = '/api/services?sortBy=name&category=Maps&limit=10'
    expect(linksOf(response)).toEqual({
      first: `${kept}&offset=0`,
      prev: `${kept}&offset=0`,
      next: `${kept}&offset=20`,
      last: `${kept}&offset=20`,
    })
    expect(response.headers.get('x-total-count')).toBe('30')
  })

  test('link back from beyond the end', async () => {
    const response = await server.get('/api/services?limit=20&offset=500')
    expect(await response.json()).toEqual([])
    expect(linksOf(response).prev).toBe('/api/services?limit=20&offset=40')
    expect(linksOf(response)).not.toHaveProperty('next')
  })

  test('keep Japanese words in the links', async () => {
    const response = await server.get(`/api/services?query=${encodeURIComponent('東京 の天気')}`)
    expect(linksOf(response).first).toBe(
      `/api/services?query=${encodeURIComponent('東京 の天気')}&limit=20&offset=0`,
    )
  })

  test('never contain the host of the request', async () => {
    const response = await server.get('/api/services', { host: 'evil.example' })
    expect(response.headers.get('link')).not.toContain('evil')
  })

  test('are absolute URLs below PUBLIC_URL if it is set', async () => {
    await using named = await openTestServer({ PUBLIC_URL: 'https://shirube.example/directory' })
    const base = 'https://shirube.example/directory'
    expect(linksOf(await named.get('/api/services')).first).toBe(`${base}/api/services?limit=20&offset=0`)
    expect(linksOf(await named.get('/api/categories')).first).toBe(`${base}/api/categories`)
    const created = await named.register(body())
    expect(created.headers.get('location')).toBe(`${base}/api/services/${(await created.json()).id}`)
    expect((await named.json('/openapi.json')).servers).toEqual([{ url: base }])
  })
})

describe('a misleading parameter', () => {
  /** The values of each parameter that every call with that parameter refuses. */
  const REFUSED: Record<string, readonly string[]> = {
    limit: ['0', '-1', '1.5', 'many', '1e2', '%205', '%2B5', '５', '5&limit=6'],
    offset: ['-1', '1.5', 'x', '1e2'],
    status: ['excellent'],
    sortBy: ['age'],
    sortOrder: ['up'],
    maxPricePerRequest: ['cheap', '1e-3', '-1', '1.', '.1', '0.0000000000000000001'],
    query: ['a'.repeat(501), '%E3%82', '%ZZ'],
    toString: [''],
    constructor: [''],
    __proto__x: ['1'],
    ['__proto__']: ['', '1'],
  }
  const LISTS = Object.entries(REFUSED).flatMap(([name, values]) =>
    values.map(value => [`/api/services?${name}=${value}`, name]),
  )
  const SEARCHES = ['/api/catalog/search', '/api/services/search/intent'].flatMap(path => [
    ...['', '?q=', '?q=%20%20', `?q=${'a'.repeat(501)}`, '?q=a&q=b'].map(query => [path + query, 'q']),
    ...REFUSED.limit!.map(limit => [`${path}?q=a&limit=${limit}`, 'limit']),
    [`${path}?q=a&sortBy=price`, 'sortBy'],
  ])
  test.each([
    ...LISTS,
    ...SEARCHES,
    ['/api/catalog/search?q=a&offset=9981', 'offset'],
    ['/api/services/search/intent?q=a&without=price', 'without.0'],
    ['/api/services/search/intent?q=a&sentence=b', 'sentence'],
    ...['limits=3', 'days=400', 'before=yesterday'].map(query => [
      `/api/services/x/history?${query}`,
      query.split('=')[0]!,
    ]),
  ])('is refused: %s', async (asked, path) => {
    const response = await server.get(asked!)
    expect(response.status).toBe(400)
    const problem = await response.json()
    expect(problem.code).toBe('invalid_request')
    expect(problem.errors.map((error: { path: string }) => error.path)).toEqual([path])
  })

  test.each([
    '/api/services?category=&chain=&query=&status=&maxPricePerRequest=&currency=&sortBy=&sortOrder=&limit=&offset=',
    '/api/services?limit=99999999999999999999999',
    '/api/catalog/search?q=api&limit=5000',
    '/api/catalog/search?q=api&limit=20&offset=9980',
    ...['/api/catalog/search', '/api/services/search/intent'].map(
      path => `${path}?q=${encodeURIComponent('😀'.repeat(500))}`,
    ),
  ])('is none of those in %s', async asked => expect((await server.get(asked)).status).toBe(200))

  test('is rejected as unknown on lists, searches and changes, and ignored by other calls', async () => {
    const [{ id }] = await server.json('/api/services?limit=1')
    const status = async (path: string) => (await server.get(path)).status
    const strict = ['services?', 'catalog/search?q=a&', 'services/search/intent?q=a&', 'changes?since=0&']
    for (const path of strict) expect([path, await status(`/api/${path}odd=1`)]).toEqual([path, 400])
    const lenient = ['export', 'categories', `services/${id}`, `services/${id}/status`]
    for (const path of lenient) expect([path, await status(`/api/${path}?odd=1`)]).toEqual([path, 200])
    const { detail } = await server.json('/api/services?limt=1')
    expect(detail).toBe('limt: is not a parameter here (did you mean limit?).')
  })

  test('is rejected with the nearest known name', async () => {
    const problemOf = async (name: string) => (await server.json(`/api/services?${name}=1`)).errors[0]
    expect(await problemOf('maxPrice')).toEqual({
      path: 'maxPrice',
      message: 'is not a parameter here (did you mean maxPricePerRequest?)',
      code: 'parameter_unknown',
      values: { nearest: 'maxPricePerRequest' },
    })
    for (const [name, nearest] of [
      ['catgory', 'category'],
      ['max_price', 'maxPricePerRequest'],
      ['q', 'query'],
      ['sort', 'sortBy'],
    ] as const)
      expect((await problemOf(name)).message).toContain(`did you mean ${nearest}?`)
    for (const name of ['fields', 'network', 'sentence', 'type', 'x', 'foo'])
      expect((await problemOf(name)).message).toMatch(
        /^is not a parameter here \(the nearest is [a-zA-Z]+\); there are: query, /,
      )
    const { errors } = await server.json('/api/services?status=alive')
    expect(errors[0].message).toContain('verified, unverified, inactive')
  })

  test('is reported together with every other one', async () => {
    const { errors } = await server.json('/api/services?limt=1&sortBy=age&offset=x&chain=a&chain=b')
    expect(errors.map((error: { path: string }) => error.path).sort()).toEqual(
      'chain limt offset sortBy'.split(' '),
    )
  })
})

test('categories are an array with labels in two languages and their counts', async () => {
  const response = await server.get('/api/categories')
  const categories = await response.json()
  expect(categories).toContainEqual({ id: 'weather', labels: { en: 'Weather', ja: '天気' }, count: 15 })
  expect(categories).toContainEqual({
    id: expect.stringMatching(/^maps$/i),
    labels: { en: 'Maps', ja: '地図' },
    count: 30,
  })
  expect(response.headers.get('x-total-count')).toBe(String(categories.length))
  expect(linksOf(response)).toEqual({ first: '/api/categories', last: '/api/categories' })
})
