import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { serviceSchema } from '../../src/domain/listing/service.ts'
import { draft } from '../entries.ts'
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

  test('names the fields it did not use, so that an object that was read can be posted back', async () => {
    const first = await (await server.register(body())).json()
    const response = await server.register({ ...first, pricing: { ...first.pricing, discount: 5 }, 値段: 1 })
    expect(response.status).toBe(201)
    const second = await response.json()
    expect(second.id).not.toBe(first.id)
    expect(decodeURIComponent(response.headers.get('x-ignored-fields')!).split(', ').sort()).toEqual(
      'createdAt id pricing.discount status supportedChains trustScore updatedAt 値段'.split(' ').sort(),
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

  test('gets a notice for a network that looks mistyped, and none for others', async () => {
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
  })

  test('is rejected for such an address if STRICT_ADDRESSES is on', async () => {
    await using strict = await openTestServer({ STRICT_ADDRESSES: 'on' })
    const response = await strict.register(body({ x402Config: { paymentAddress: '0x12', network: 'base' } }))
    expect(await problemsOf(response)).toEqual(['x402Config.paymentAddress'])
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
})

/** A valid body with one value at a path. */
function bodyWith(path: string, value: unknown): object {
  const [field, part] = path.split('.') as ['pricing' | 'x402Config', string?]
  return body({ [field]: part === undefined ? value : { ...draft()[field], [part]: value } })
}

const PRIVATE_ENDPOINTS = [
  ...['http://localhost:3000', 'http://api.localhost', 'http://127.0.0.1', 'http://2130706433/'],
  ...['http://0x7f.1/', 'http://017700000001/', 'http://10.0.0.8', 'http://192.168.1.1'],
  ...['http://172.16.0.1', 'http://169.254.169.254/latest', 'http://[::1]/', 'http://[fe80::1]/'],
  ...['http://[fd00::1]/', 'http://[::ffff:127.0.0.1]/'],
]
const UNSHOWABLE = [
  ...['', ' \u3000\n', '\u200b\u200d', 'a\u0000b', 'a\u0007', 'a\u007fb', '\u0085a', 'a\u202eb', 'a\u2066b'],
  ...['a\u2067', 'a\ud800', 'a\udc00\ud800', 7, null],
]

/** Stored exactly as they were sent. Lengths are in code points. */
const KEPT: Record<string, readonly unknown[]> = {
  name: ['𠮷'.repeat(255)],
  description: ['a\n\tb', '😀'.repeat(2000), `${'[{'.repeat(100)}\\"`],
  category: ['ai', 'Image Generation', '天気', 'data/feeds:live & more'],
  'pricing.pricePerRequest': ['0', '0.0001', '000.10', '999999999999999999.999999999999999999', '25'],
  'pricing.currency': ['USDC', 'usdc', '円', 'JPYC', 'US Dollar', 'x'.repeat(32)],
  'x402Config.network': [
    ...['base', 'Base Sepolia', 'eip155:8453', 'my-own-chain', 'ソラナ'],
    'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  ],
  endpoint: [
    ...['https://api.example.com', 'HTTP://Api.Example.com:8080/V1?x=1#y', 'https://日本語.example/道'],
    ...['https://93.184.216.34/v1', `https://api.example/${'a'.repeat(2048 - 20)}`],
  ],
}
const REFUSED: Record<string, readonly unknown[]> = {
  name: [...UNSHOWABLE, 'a\nb', 'a\tb', '標'.repeat(256)],
  description: [...UNSHOWABLE, '気'.repeat(2001)],
  category: ['', '-x', '!', 'a\nb', 'x'.repeat(65)],
  'pricing.pricePerRequest': [
    ...['', '-1', '+1', '1.', '.5', '1e3', ' 1', '1,5', '0x1', 'free', '１', 1, null],
    ...['1'.repeat(19), `0.${'1'.repeat(19)}`],
  ],
  'pricing.freeQuota': [-1, 0.5, '3', Number.MAX_VALUE, true],
  'pricing.currency': ['', ' ', 'US\nD', 'x'.repeat(33), ' USDC', 'a\u202eb'],
  'x402Config.paymentAddress': ['', 'a b', 'x'.repeat(129), '0x1\u0000', 1],
  'x402Config.network': ['', 'a  b', 'x'.repeat(65), '\t'],
  endpoint: [
    ...['api.example.com', '/v1', 'ftp://api.example.com', 'javascript:alert(1)', 'https:/api.example.com'],
    ...['https://', 'https://user@api.example.com', 'https://user:secret@api.example.com'],
    ...[' https://api.example.com', 'https://api.exa mple.com', 'https://api.example.com/\u0000'],
    ...['http://[::zz]/', `https://api.example/${'a'.repeat(2048)}`, ...PRIVATE_ENDPOINTS],
  ],
}
const casesOf = (table: Record<string, readonly unknown[]>) =>
  Object.entries(table).flatMap(([path, values]) => values.map(value => [path, value] as const))

describe('a value', () => {
  test.each(casesOf(KEPT))('of %s is kept as it was sent: %j', async (path, value) => {
    const response = await server.register(bodyWith(path, value))
    expect(response.status).toBe(201)
    const [field, part] = path.split('.') as [string, string?]
    const read = (await response.json())[field]
    expect(part === undefined ? read : read[part]).toEqual(value)
  })

  test.each(casesOf(REFUSED))('of %s is refused: %j', async (path, value) => {
    expect(await problemsOf(await server.register(bodyWith(path, value)))).toEqual([path])
  })

  test('may be a private endpoint if ALLOW_PRIVATE_ENDPOINTS is on', async () => {
    await using open = await openTestServer({ ALLOW_PRIVATE_ENDPOINTS: 'on' })
    for (const endpoint of PRIVATE_ENDPOINTS)
      expect([endpoint, (await open.register(body({ endpoint }))).status]).toEqual([endpoint, 201])
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
})

describe('an Idempotency-Key', () => {
  const once = (value: string, sent: object = body()) => server.register(sent, { 'idempotency-key': value })

  test('must be 1 to 255 visible characters', async () => {
    expect((await once('k'.repeat(255))).status).toBe(201)
    expect(await problemsOf(await once('k'.repeat(256)))).toEqual(['Idempotency-Key'])
    expect(await problemsOf(await once('a b'))).toEqual(['Idempotency-Key'])
  })
})
