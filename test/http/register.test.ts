import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../src/app/config.ts'
import { openOperator } from '../../src/app/operator.ts'
import { serviceSchema } from '../../src/domain/listing/service.ts'
import { type Answer, ask, body, KEY, openTestServer, type TestServer } from './directory-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await openTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const problemsOf = async (response: Answer): Promise<string[]> => {
  expect(response.status).toBe(400)
  return (await response.json()).errors.map((error: { path: string }) => error.path)
}

describe('a registration', () => {
  test('returns 201 with exactly the service object and its location', async () => {
    const response = await server.register(body())
    expect(response.status).toBe(201)
    expect(response.headers.get('content-type')).toBe('application/json')
    const service = await response.json()
    expect(serviceSchema.strict().safeParse(service).success).toBe(true)
    expect(service).toMatchObject({ ...body(), status: 'unverified', supportedChains: ['base'] })
    expect(service.id).toMatch(/^svc_[0-9a-z]{26}$/)
    expect(service.updatedAt).toBe(service.createdAt)
    expect(response.headers.get('location')).toBe(`/api/services/${service.id}`)
    expect(response.headers.has('x-ignored-fields')).toBe(false)
    expect(response.headers.has('x-notice')).toBe(false)
  })

  test('is visible at once in detail, status, list, both searches, categories and export', async () => {
    const { id, createdAt } = await (
      await server.register(body({ name: 'Quokka Radar', category: 'marsupials' }))
    ).json()
    const holds = (services: { id: string }[]) => services.some(service => service.id === id)
    expect((await server.get(`/api/services/${id}`)).status).toBe(200)
    expect(await server.json(`/api/services/${id}/status`)).toEqual({
      id,
      trustScore: expect.any(Number),
      status: 'unverified',
      uptimeScore: 0,
      lastChecked: createdAt,
      txCount: 0,
      totalRevenue: 0,
    })
    expect(holds(await server.json('/api/services?limit=1'))).toBe(true)
    expect(holds(await server.json('/api/catalog/search?q=quokka'))).toBe(true)
    const intent = await server.json('/api/services/search/intent?q=quokka')
    expect(intent.results[0].service.id).toBe(id)
    expect(holds((await server.json('/api/export')).endpoints)).toBe(true)
    expect(await server.json('/api/categories')).toContainEqual({
      id: 'marsupials',
      labels: { en: 'Marsupials', ja: 'Marsupials' },
      count: 1,
    })
  })

  test('names the fields it did not use, so that an object that was read can be posted back', async () => {
    const first = await (await server.register(body())).json()
    const response = await server.register({ ...first, pricing: { ...first.pricing, discount: 5 }, 値段: 1 })
    expect(response.status).toBe(201)
    const second = await response.json()
    expect(second.id).not.toBe(first.id)
    expect(decodeURIComponent(response.headers.get('x-ignored-fields')!).split(', ').sort()).toEqual(
      [
        'createdAt',
        'id',
        'pricing.discount',
        'status',
        'supportedChains',
        'trustScore',
        'updatedAt',
        '値段',
      ].sort(),
    )
  })

  test('names no more ignored fields than a header can carry', async () => {
    const many = Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`field ${i},\r\n`, i]))
    const response = await server.register(body(many))
    expect(response.status).toBe(201)
    const header = response.headers.get('x-ignored-fields')!
    expect(header.length).toBeLessThan(1100)
    expect(header).toEndWith(', ...')
  })

  test('treats __proto__ and constructor as unknown fields', async () => {
    const text = JSON.stringify(body()).replace('{', '{"__proto__":{"name":"x"},"constructor":1,')
    const response = await server.register(text)
    expect(response.status).toBe(201)
    expect(response.headers.get('x-ignored-fields')).toBe('__proto__, constructor')
    expect((await response.json()).name).toBe('Tokyo Weather')
  })

  test('is accepted with a notice when the address cannot exist on its chain', async () => {
    const response = await server.register(
      body({ x402Config: { paymentAddress: 'ウォレット', network: 'base' } }),
    )
    expect(response.status).toBe(201)
    expect(decodeURIComponent(response.headers.get('x-notice')!)).toContain('ウォレット')
    expect((await response.json()).x402Config.paymentAddress).toBe('ウォレット')
  })

  test('gets a notice for a network, a category or a currency that looks mistyped, and none for others', async () => {
    const noticeOn = async (change: object): Promise<string> => {
      const endpoint = `https://${crypto.randomUUID()}.example/`
      const response = await server.register(body({ endpoint, ...change }))
      expect(response.status).toBe(201)
      return decodeURIComponent(response.headers.get('x-notice') ?? '')
    }
    const on = (network: string) => ({ x402Config: { paymentAddress: `0x${'1'.repeat(40)}`, network } })
    for (const network of ['bse', 'basee', 'Bsae-Sepolia'])
      expect(await noticeOn(on(network))).toMatch(
        /^x402Config\.network: ".+" is not a known network \(did you mean base(-sepolia)?\?\)/,
      )
    for (const network of ['base', 'EIP155:8453', 'eip155:31337', 'intranet'])
      expect(await noticeOn(on(network))).toBe('')
    expect(await noticeOn({ category: 'wether' })).toBe(
      'category: no other service has "wether" (did you mean weather?).',
    )
    expect(await noticeOn({ category: '天気' })).toBe(
      'category: no other service has "天気" (did you mean weather?).',
    )
    for (const category of ['location', 'Weather', 'wether', 'ar', 'com'])
      expect(await noticeOn({ category })).toBe('')
    const pricing = { pricePerRequest: '0.1', freeQuota: 0 }
    for (const [currency, meant] of [
      ['USDX', 'USDC'],
      ['円', 'JPYC'],
    ])
      expect(await noticeOn({ pricing: { ...pricing, currency } })).toStartWith(
        `pricing.currency: "${currency}" is not a known currency (did you mean ${meant}?)`,
      )
    for (const currency of ['USD', 'usdc', 'JPY', 'ETH', 'FLOWERS'])
      expect(await noticeOn({ pricing: { ...pricing, currency } })).toBe('')
  })

  test('gets a notice for an endpoint that the same key has listed already', async () => {
    const endpoint = 'https://twice.example/v1'
    const { id } = await (await server.register(body({ endpoint }))).json()
    const once = { 'Idempotency-Key': crypto.randomUUID() }
    const again = await server.register(body({ endpoint }), once)
    const notice = `endpoint: your ${id} has the same endpoint; if this is the same product, change that one instead.`
    expect(decodeURIComponent(again.headers.get('x-notice')!)).toBe(notice)
    const retried = await server.register(body({ endpoint }), once)
    expect((await retried.json()).id).toBe((await again.json()).id)
    const next = await server.register(body({ endpoint: 'https://twice.example/v2' }))
    expect(next.headers.has('x-notice')).toBe(false)
  })

  test('is rejected for such an address if STRICT_ADDRESSES is on', async () => {
    await using strict = await openTestServer({ STRICT_ADDRESSES: 'on' })
    const response = await strict.register(body({ x402Config: { paymentAddress: '0x12', network: 'base' } }))
    expect(await problemsOf(response)).toEqual(['x402Config.paymentAddress'])
  })

  test('may name a private endpoint only when ALLOW_PRIVATE_ENDPOINTS is on', async () => {
    const endpoints = ['http://localhost:3000', 'http://10.0.0.1', 'http://[::1]/', 'http://169.254.169.254/']
    await using open = await openTestServer({ ALLOW_PRIVATE_ENDPOINTS: 'on' })
    for (const endpoint of endpoints) {
      expect(await problemsOf(await server.register(body({ endpoint })))).toEqual(['endpoint'])
      expect((await open.register(body({ endpoint }))).status).toBe(201)
    }
  })

  test('trims text and unifies line ends, and keeps everything else as it was sent', async () => {
    const service = await (
      await server.register(
        body({
          name: '  標  ',
          description: ' one\r\ntwo\rthree ',
          endpoint: 'HTTPS://Weather.Example.com:443/v1/../?b=2&a=1',
          pricing: { currency: 'usdc', pricePerRequest: '000.100', freeQuota: 3 },
          x402Config: {
            paymentAddress: '0x1111111111111111111111111111111111111111',
            network: 'eip155:8453',
          },
        }),
      )
    ).json()
    expect(service.name).toBe('標')
    expect(service.description).toBe('one\ntwo\nthree')
    expect(service.endpoint).toBe('HTTPS://Weather.Example.com:443/v1/../?b=2&a=1')
    expect(service.pricing).toEqual({ currency: 'usdc', pricePerRequest: '000.100', freeQuota: 3 })
    expect(service.supportedChains).toEqual(['eip155:8453'])
  })

  test('may repeat an endpoint', async () => {
    const ids = await Promise.all([1, 2].map(async () => (await (await server.register(body())).json()).id))
    expect(ids[0]).not.toBe(ids[1])
  })
})

describe('an invalid body', () => {
  test('is answered with every problem at once', async () => {
    const response = await server.register({
      name: '',
      description: 7,
      endpoint: 'ftp://x',
      category: '-x',
      pricing: { currency: '', pricePerRequest: 0.1, freeQuota: -1 },
      x402Config: { paymentAddress: 'a b' },
    })
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect((await problemsOf(response)).sort()).toEqual(
      [
        'category',
        'description',
        'endpoint',
        'name',
        'pricing.currency',
        'pricing.freeQuota',
        'pricing.pricePerRequest',
        'x402Config.network',
        'x402Config.paymentAddress',
      ].sort(),
    )
  })

  test.each([
    ['nothing', ''],
    ['no JSON', '{"name":'],
    ['an array', '[]'],
    ['a text', '"x"'],
    ['null', 'null'],
    ['broken UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['60 levels of arrays', `{"a":${'['.repeat(60)}${']'.repeat(60)}}`],
    ['30,000 levels of arrays', '['.repeat(30_000) + ']'.repeat(30_000)],
  ])('that is %s is refused as a whole', async (_, sent) => {
    expect(await problemsOf(await server.register(sent))).toEqual(['body'])
  })

  test('may contain brackets in its texts', async () => {
    const description = `${'[{'.repeat(100)}\\"`
    const response = await server.register(body({ description }))
    expect(response.status).toBe(201)
    expect((await response.json()).description).toBe(description)
  })

  test.each([
    ['a lone surrogate', { name: 'a\ud800' }, 'name'],
    ['a control character', { name: 'a\u0007' }, 'name'],
    ['a newline in a name', { name: 'a\nb' }, 'name'],
    ['a bidirectional override', { description: 'a\u202eb' }, 'description'],
    ['a bidirectional isolate', { description: 'a\u2066b' }, 'description'],
    ['nothing but white space', { description: ' \u3000\n' }, 'description'],
    ['256 characters of name', { name: '標'.repeat(256) }, 'name'],
    ['2001 characters of description', { description: 'a'.repeat(2001) }, 'description'],
    ['user info in the endpoint', { endpoint: 'https://me:secret@a.example' }, 'endpoint'],
    ['a relative endpoint', { endpoint: '/v1' }, 'endpoint'],
    ['an endpoint of 2049 characters', { endpoint: `https://a.example/${'a'.repeat(2031)}` }, 'endpoint'],
    ['a category of 65 characters', { category: 'a'.repeat(65) }, 'category'],
    [
      'a price with 19 digits',
      { pricing: { currency: 'USDC', pricePerRequest: '1'.repeat(19) } },
      'pricing.pricePerRequest',
    ],
    [
      'a price in scientific notation',
      { pricing: { currency: 'USDC', pricePerRequest: '1e3' } },
      'pricing.pricePerRequest',
    ],
    [
      'half a free request',
      { pricing: { currency: 'USDC', pricePerRequest: '1', freeQuota: 0.5 } },
      'pricing.freeQuota',
    ],
    [
      'an address of 129 characters',
      { x402Config: { paymentAddress: 'a'.repeat(129), network: 'x' } },
      'x402Config.paymentAddress',
    ],
  ])('with %s is refused', async (_, changes, path) => {
    expect(await problemsOf(await server.register(body(changes)))).toEqual([path])
  })

  test('with text of the maximum length, in code points, is valid', async () => {
    const response = await server.register(body({ name: '𠮷'.repeat(255), description: '😀'.repeat(2000) }))
    expect(response.status).toBe(201)
  })
})

describe('the validation of a registration', () => {
  const large = JSON.stringify(body({ description: 'a'.repeat(70_000) }))

  test('checks the key first, whatever else is wrong', async () => {
    const response = await server.register(large, { authorization: '', 'content-type': 'text/plain' })
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Bearer')
    expect((await response.json()).code).toBe('unauthorized')
  })

  test('then checks the type, the size and the content', async () => {
    const wrongType = await server.register(large, { 'content-type': 'text/plain' })
    expect([wrongType.status, (await wrongType.json()).code]).toEqual([415, 'unsupported_media_type'])
    const tooLarge = await server.register(large.slice(1))
    expect([tooLarge.status, (await tooLarge.json()).code]).toEqual([413, 'body_too_large'])
    expect((await server.register('{')).status).toBe(400)
  })

  test('counts the bytes of a body without a declared length', async () => {
    const bytes = new TextEncoder().encode(large)
    const response = await ask(`${server.url}/api/services`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}` },
      body: new ReadableStream({
        start(controller) {
          for (let at = 0; at < bytes.length; at += 10_000) controller.enqueue(bytes.slice(at, at + 10_000))
          controller.close()
        },
      }),
    })
    expect(response.status).toBe(413)
  })

  test('accepts a body of exactly 64 KiB', async () => {
    const text = JSON.stringify(body())
    expect((await server.register(text + ' '.repeat(65_536 - text.length))).status).toBe(201)
    expect((await server.register(text + ' '.repeat(65_537 - text.length))).status).toBe(413)
  })

  test.each([
    'application/json',
    'Application/JSON; charset=UTF-8',
    'application/vnd.x402+json',
    'application/json;charset="utf-8"',
  ])('reads %s as JSON', async type => {
    expect((await server.register(body(), { 'content-type': type })).status).toBe(201)
  })

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonx',
    'application/json; charset=shift_jis',
    'json',
  ])('does not read %s as JSON', async type => {
    expect((await server.register(body(), { 'content-type': type })).status).toBe(415)
  })

  test.each([
    'Basic dXNlcjpwYXNz',
    'Bearer',
    `Bearer ${KEY} x`,
    KEY,
    `Bearer ${KEY}x`,
    'Bearer caf\u00e9-au-lait',
  ])('does not take %p for a key', async authorization => {
    expect((await server.register(body(), { authorization })).status).toBe(401)
  })

  test('rejects parameters, which would have no effect', async () => {
    const response = await ask(`${server.url}/api/services?dryRun=true`, {
      method: 'POST',
      headers: { authorization: `bearer ${KEY}` },
      body: JSON.stringify(body()),
    })
    expect(await problemsOf(response)).toEqual(['dryRun'])
  })

  test('keeps the connection usable after it rejects a body unread', async () => {
    const { hostname, port } = new URL(server.url)
    const socket = connect(Number(port), hostname)
    let received = ''
    const done = new Promise<void>(resolve => {
      socket.on('data', chunk => {
        received += chunk
        if (received.includes('"state":"alive"')) resolve()
      })
    })
    socket.write(
      `POST /api/services HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\n\r\n${'a'.repeat(200_000)}`,
    )
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
    await done
    socket.destroy()
    expect(received).toStartWith('HTTP/1.1 401')
  })
})

describe('keys of the store', () => {
  test('can register until they are revoked or expired', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'shirube-'))
    await using cleanup = new AsyncDisposableStack()
    cleanup.defer(() => rm(folder, { recursive: true }))
    const settings = { DATABASE_URL: `sqlite:${folder}/keys.db` }
    await using own = await openTestServer(settings)
    await using operator = await openOperator(readConfig(settings))
    const create = async (scopes: ('register' | 'admin')[], expiresAt: Date | null = null) =>
      operator.keys.create({ name: 'test', scopes, expiresAt })
    const ask = async (key: string) => (await own.register(body(), { authorization: `Bearer ${key}` })).status

    const good = await create(['register'])
    const expired = await create(['register'], new Date('2020-01-01T00:00:00Z'))
    const revoked = await create(['register'])
    await operator.keys.revoke(revoked.record.id)
    expect(await ask(good.key)).toBe(201)
    expect(await ask(expired.key)).toBe(401)
    expect(await ask(revoked.key)).toBe(401)
  })
})

describe('an Idempotency-Key', () => {
  const once = (value: string, sent: object = body()) => server.register(sent, { 'idempotency-key': value })

  test('makes a retry return the same response', async () => {
    const first = await once('retry-1')
    const second = await once('retry-1')
    expect([first.status, second.status]).toEqual([201, 201])
    expect(await second.text()).toBe(await first.text())
  })

  test('makes concurrent identical requests one registration', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => once('twins')))
    expect(new Set(await Promise.all(answers.map(async answer => (await answer.json()).id))).size).toBe(1)
  })

  test('is rejected with another body', async () => {
    await once('reused')
    const response = await once('reused', body({ name: 'Another' }))
    expect(response.status).toBe(409)
    expect((await response.json()).code).toBe('idempotency_conflict')
  })

  test('must be 1 to 255 visible characters', async () => {
    expect((await once('k'.repeat(255))).status).toBe(201)
    expect(await problemsOf(await once('k'.repeat(256)))).toEqual(['Idempotency-Key'])
    expect(await problemsOf(await once('a b'))).toEqual(['Idempotency-Key'])
  })
})
