// How a service is asked: by the method and with the input that its own documents declare, within six requests.
import { describe, expect, test } from 'bun:test'
import type { Target } from '../../src/probe/conclude.ts'
import { createProbe } from '../../src/probe/probe.ts'
import { createSafeFetch } from '../../src/probe/requests/safe-fetch.ts'
import { ManualClock } from '../store/manual-clock.ts'
import { answerOf, drip, openHostile } from './hostile.ts'
import { asksV2, listing, onBase, openMerchant, PAYEE, type Routes, STRANGER, status } from './merchant.ts'

const fetch = createSafeFetch({ allowPrivate: true, limits: { totalMs: 2_000 } })
const ask = createProbe({ fetch, userAgent: 'test', random: () => 1 })
async function probed(routes: Routes, target: Partial<Target> = {}, path = '/v1') {
  await using merchant = openMerchant(routes)
  const outcome = await ask({ ...listing, endpoint: `${merchant.url}${path}`, ...target })
  const { url } = merchant
  return { ...outcome, url, asked: [...merchant.asked] }
}

const paid = {
  'x-payment-info': {
    protocols: [{ x402: {} }],
    price: { mode: 'fixed', currency: 'USD', amount: '0.0025' },
  },
}
const openApi = (paths: object, more: object = {}) => Response.json({ openapi: '3.1.0', paths, ...more })
describe('POST is tried if GET gives no terms', () => {
  test('documents are read for a page that answers GET and cuts off POST', async () => {
    const header = asksV2().headers.get('payment-required')!
    await using server = await openHostile((socket, request) => {
      if (request.startsWith('POST')) return void socket.destroy()
      if (request.startsWith('GET /openapi.json'))
        return void socket.end(answerOf('200 OK', {}, JSON.stringify({ paths: { '/tides': { get: paid } } })))
      if (request.startsWith('GET /tides'))
        return void socket.end(answerOf('402 Pay', { 'PAYMENT-REQUIRED': header }))
      socket.end(answerOf(request.startsWith('GET / ') ? '200 OK' : '404 No', {}, 'hello'))
    })
    expect((await ask({ ...listing, endpoint: server.url })).outcome).toBe('payable')
  })

  test('a page that answers GET is reachable although POST hangs', async () => {
    await using server = await openHostile((socket, request) => {
      if (request.startsWith('GET')) socket.end(answerOf('200 OK', {}, 'hello'))
    })
    const { outcome, httpStatus } = await ask({ ...listing, endpoint: server.url })
    expect({ outcome, httpStatus }).toEqual({ outcome: 'unpayable', httpStatus: 200 })
  })
})

describe('requests follow the OpenAPI document of the origin', () => {
  test('and later probes use the same request', async () => {
    const schema = {
      type: 'object',
      required: ['q'],
      properties: { q: { type: 'string', example: 'tides' } },
    }
    await using merchant = openMerchant({
      '/openapi.json': openApi({
        '/v1': { post: { requestBody: { content: { 'application/json': { schema } } } } },
      }),
      'GET /v1': status(422),
      'POST /v1': (_, body) => (body.includes('tides') ? asksV2() : status(422)),
    })
    const endpoint = `${merchant.url}/v1`
    const first = await ask({ ...listing, endpoint })
    expect(first).toMatchObject({
      outcome: 'payable',
      firstRequest: { url: endpoint, method: 'POST', body: '{"q":"tides"}' },
    })
    const before = merchant.asked.length
    const second = await ask({ ...listing, endpoint, firstRequest: first.firstRequest })
    expect(second).toMatchObject({ outcome: 'payable', firstRequest: first.firstRequest })
    // What a customer may send besides is asked in turn.
    expect(merchant.asked.slice(before)).toEqual(['POST /v1', 'GET /v1'])
    expect(merchant.bodies[before]).toBe('{"q":"tides"}')
  })

  test('a path with its parameters filled', async () => {
    const { outcome, firstRequest, resources, url } = await probed({
      '/openapi.json': openApi({
        '/v1/price/{coin}': {
          get: { ...paid, parameters: [{ name: 'coin', in: 'path', schema: { enum: ['btc', 'eth'] } }] },
        },
      }),
      'GET /v1/price/btc': asksV2(),
    })
    expect(outcome).toBe('payable')
    expect(firstRequest).toMatchObject({ url: `${url}/v1/price/btc` })
    expect(resources[0]).toMatchObject({ url: `${url}/v1/price/btc`, routeTemplate: '/v1/price/{coin}' })
  })

  test('an endpoint that is registered as a template', async () => {
    const { outcome } = await probed(
      {
        '/openapi.json': openApi({
          '/v1/price/{coin}': { get: { parameters: [{ name: 'coin', in: 'path', example: 'eth' }] } },
        }),
        'GET /v1/price/eth': asksV2(),
      },
      {},
      '/v1/price/{coin}',
    )
    expect(outcome).toBe('payable')
  })
})

test('a resource that the OpenAPI document knows by another method alone counts by that one', async () => {
  const routes = {
    'GET /v1': asksV2(),
    'POST /v1': asksV2([{ ...onBase, amount: '9000' }]),
    '/openapi.json': openApi({ '/v1': { post: paid } }),
  }
  const { outcome, firstRequest, requests } = await probed(routes, { hasNoTerms: true })
  expect({ outcome, method: firstRequest.method }).toEqual({ outcome: 'mismatched', method: 'POST' })
  expect(requests).toHaveLength(6)
  const both = { ...routes, '/openapi.json': openApi({ '/v1': { get: paid, post: paid } }) }
  expect((await probed(both, { hasNoTerms: true })).outcome).toBe('payable')
})

describe('further resources in documents', () => {
  const routes = {
    'GET /v1': asksV2(),
    '/openapi.json': openApi({
      '/v1/tides': {
        get: { ...paid, description: 'Tides', parameters: [{ name: 'port', in: 'query', example: 'Kobe' }] },
      },
      '/v1/free': { get: {} },
      '/v2/other': { get: paid },
    }),
    '/.well-known/x402.json': Response.json({
      x402Version: 2,
      items: [
        {
          resource: { url: '/v1/waves', description: 'Waves' },
          method: 'POST',
          accepts: [onBase],
          price: '$0.01',
        },
        { resource: 'https://elsewhere.test/v1/x', accepts: [onBase] },
      ],
    }),
  }

  test('is published with method, price and schema when a service is new', async () => {
    const { resources, hasReadDocuments, url, requests } = await probed(routes, { hasNoTerms: true })
    expect(resources).toMatchObject([
      { url: `${url}/v1`, method: 'GET', source: '402' },
      {
        url: `${url}/v1/tides`,
        method: 'GET',
        description: 'Tides',
        declaredPrice: { amount: '0.0025', currency: 'USD' },
        input: { properties: { port: { example: 'Kobe' } } },
        accepts: [],
        source: 'openapi',
      },
      {
        url: `${url}/v1/waves`,
        method: 'POST',
        declaredPrice: { amount: '0.01', currency: 'USD' },
        accepts: [{ amount: '2500', payTo: PAYEE, price: '0.0025' }],
        source: 'manifest',
      },
    ])
    expect(hasReadDocuments).toBe(true)
    expect(requests).toHaveLength(5)
  })

  test('is not requested again with each probe', async () => {
    const { asked, hasReadDocuments } = await probed(routes)
    expect({ asked, hasReadDocuments }).toEqual({ asked: ['GET /v1'], hasReadDocuments: false })
  })

  test('is read once for the services of one origin, for a few minutes', async () => {
    const clock = new ManualClock()
    const probe = createProbe({ fetch, userAgent: 'test', clock, random: () => 1 })
    await using merchant = openMerchant({ '/a': asksV2(), '/b': asksV2(), '/openapi.json': openApi({}) })
    const documents = () => merchant.asked.filter(each => /openapi|well-known/.test(each)).length
    await probe({ ...listing, endpoint: `${merchant.url}/a`, hasNoTerms: true })
    await probe({ ...listing, endpoint: `${merchant.url}/b`, hasNoTerms: true })
    expect(documents()).toBe(3)
    clock.advance(11 * 60_000)
    await probe({ ...listing, endpoint: `${merchant.url}/b`, hasNoTerms: true })
    expect(documents()).toBe(6)
  })
})

describe('a redirect', () => {
  test('counts as a request', async () => {
    const routes = Object.fromEntries(
      Array.from({ length: 9 }, (_, i) => [`/v1/${i}`, status(302, { location: `/v1/${i + 1}` })]),
    )
    const { asked } = await probed({ ...routes, '/v1': status(302, { location: '/v1/0' }) })
    expect(asked.length).toBeLessThanOrEqual(6)
  })
})

describe('hostile documents', () => {
  const bomb = (count: number) => ({
    schemas: Object.fromEntries(
      Array.from({ length: count }, (_, i) => [
        `S${i}`,
        {
          type: 'object',
          required: ['a', 'b'],
          properties: {
            a: { $ref: `#/components/schemas/S${i + 1}` },
            b: { $ref: `#/components/schemas/S${i + 1}` },
          },
        },
      ]),
    ),
  })
  const withSchema = (schema: object, components: object = {}) =>
    openApi(
      { '/v1': { post: { requestBody: { content: { 'application/json': { schema } } } } } },
      { components },
    )

  test.each([
    ['a schema that doubles with every reference', withSchema({ $ref: '#/components/schemas/S0' }, bomb(40))],
    [
      'a schema that is itself',
      withSchema({ $ref: '#/components/schemas/S' }, { schemas: { S: { $ref: '#/components/schemas/S' } } }),
    ],
    [
      'a schema that contains itself',
      withSchema(
        { $ref: '#/components/schemas/S' },
        {
          schemas: {
            S: { type: 'object', required: ['s'], properties: { s: { $ref: '#/components/schemas/S' } } },
          },
        },
      ),
    ],
    ['a pattern that backtracks', withSchema({ type: 'string', pattern: `^(a+)+$`, minLength: 900 })],
    [
      'a million of everything',
      withSchema({ type: 'array', minItems: 1e9, items: { type: 'string', minLength: 1e9 } }),
    ],
    [
      'ten thousand paths',
      openApi(Object.fromEntries(Array.from({ length: 8_000 }, (_, i) => [`/v1/${i}`, { get: paid }]))),
    ],
    [
      'a large schema in every place of every operation',
      openApi(
        Object.fromEntries(
          Array.from({ length: 64 }, (_, i) => [
            `/v1/${i}`,
            {
              get: {
                ...paid,
                parameters: Array(32).fill({
                  name: 'q',
                  in: 'query',
                  schema: { $ref: '#/components/schemas/S0' },
                }),
              },
            },
          ]),
        ),
        { components: bomb(40) },
      ),
    ],
    [
      'three hundred parameters',
      openApi({
        '/v1': { get: { parameters: Array(300).fill({ name: 'q', in: 'query', required: true }) } },
      }),
    ],
    ['more than a megabyte', new Response('x'.repeat(1_100_000))],
  ])('%s: ends soon, with few requests and little kept', async (_, document) => {
    const { outcome, asked, resources } = await probed(
      { '/openapi.json': document, 'POST /v1': status(422) },
      { hasNoTerms: true },
    )
    expect(outcome).toBe('unpayable')
    expect(asked.length).toBeLessThanOrEqual(6)
    expect(JSON.stringify(resources).length).toBeLessThan(150_000)
  })

  test('point to no other host, port, scheme or folder', async () => {
    await using victim = openMerchant({})
    const places = [
      victim.url,
      `${victim.url}/v1/x`,
      'http://169.254.169.254/latest/meta-data',
      'file:///etc/passwd',
      '//127.0.0.1/v1/x',
      '/v1/../admin',
      '/v1/%2e%2e/admin',
      '/admin',
      'http://user:pass@127.0.0.1/v1',
    ]
    const { asked, resources } = await probed(
      {
        '/.well-known/x402': Response.json({ resources: places }),
        '/openapi.json': openApi(
          Object.fromEntries(['/v1/../admin', '/admin'].map(path => [path, { post: paid }])),
          { servers: [{ url: victim.url }, { url: 'http://169.254.169.254' }] },
        ),
      },
      { hasNoTerms: true },
    )
    expect(victim.asked).toEqual([])
    expect(asked.filter(each => each.includes('admin'))).toEqual([])
    expect(resources).toEqual([])
  })

  test('cannot inject into the path of another resource', async () => {
    const { asked } = await probed({
      '/openapi.json': openApi({
        '/v1/{id}': {
          post: { ...paid, parameters: [{ name: 'id', in: 'path', example: '../../admin/delete?all=1' }] },
        },
      }),
    })
    expect(asked.some(each => /^POST \/admin/.test(each))).toBe(false)
    expect(asked).toContain('POST /v1/..%2F..%2Fadmin%2Fdelete%3Fall%3D1')
  })

  test('that never end are abandoned', async () => {
    await using server = await openHostile((socket, request) => {
      if (!request.includes('openapi') && !request.includes('well-known'))
        return void socket.end(answerOf('404 No', {}))
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{"paths":{')
      drip(socket, n => `"/${n}":{},`)
    })
    const { outcome, requests } = await ask({ ...listing, endpoint: server.url })
    expect(outcome).toBe('unpayable')
    expect(requests.length).toBeLessThanOrEqual(6)
  })

  test('that name the address of a stranger do not change the outcome', async () => {
    const { outcome, undeclaredAddresses } = await probed(
      {
        '/v1': asksV2(),
        '/.well-known/x402': Response.json({
          resources: [{ url: '/v1/a', accepts: [{ ...onBase, payTo: STRANGER }] }],
        }),
      },
      { hasNoTerms: true },
    )
    expect({ outcome, undeclaredAddresses }).toEqual({ outcome: 'payable', undeclaredAddresses: [] })
  })
})
