import { describe, expect, test } from 'bun:test'
import { tellInEnglish } from '../../src/messages/message.ts'
import type { Outcome, Target } from '../../src/probe/conclude.ts'
import { toMeasured } from '../../src/probe/probe-service.ts'
import { createProber } from '../../src/probe/prober.ts'
import type { Patience } from '../../src/probe/requests/host-gate.ts'
import { createSafeFetch } from '../../src/probe/requests/safe-fetch.ts'
import { entry } from '../entries.ts'
import { answerOf, openHostile, pour } from './hostile.ts'
import {
  asksV1,
  asksV2,
  listing,
  onBase,
  onSolana,
  openMerchant,
  PAYEE,
  type Routes,
  SOLANA_PAYEE,
  STRANGER,
  status,
} from './merchant.ts'

const USER_AGENT = 'Shirube-Prober/1 (+https://directory.test/probe)'
/** Under its name, and with documents only where they are needed. */
const ask = createProber({
  fetch: createSafeFetch({ allowPrivate: true }),
  userAgent: USER_AGENT,
  random: () => 1,
})

/** With everything that is said put into words. */
const inWords = (outcome: Outcome) => ({
  ...outcome,
  reasons: outcome.reasons.map(tellInEnglish),
  checks: outcome.checks.map(check => ({ ...check, detail: tellInEnglish(check.detail) })),
})
const probe = async (target: Target, patience?: Patience) => inWords(await ask(target, patience))

/** Probes the merchant's `/v1`, unless told otherwise. */
async function probed(routes: Routes, claims: Partial<Target> = {}, path = '/v1') {
  await using merchant = openMerchant(routes)
  const outcome = await probe({ ...listing, endpoint: `${merchant.url}${path}`, ...claims })
  return { ...outcome, asked: [...merchant.asked] }
}

describe('payable: the 402 answer names the registered address on the registered network', () => {
  test.each([
    ['version 2', asksV2()],
    ['version 1', asksV1()],
  ])('by %s, with one request', async (_, answer) => {
    expect(await probed({ 'GET /v1': answer })).toMatchObject({
      outcome: 'payable',
      reasons: [
        'It accepts payment on Base, as listed.',
        `It asks to pay ${PAYEE}, as listed.`,
        'It asks for 0.0025 USDC per request, as listed.',
      ],
      httpStatus: 402,
      latencyMs: expect.any(Number),
      priceSeen: '0.0025',
      currencySeen: 'USDC',
      asks: { amount: '0.0025', currency: 'USDC' },
      price: 'same',
      furtherChains: [],
      undeclaredAddresses: [],
      resource: null,
      asked: ['GET /v1'],
    })
  })

  test.each(['base', 'Base', 'base-mainnet', 'eip155:8453', '8453'])('listed on %s', async network => {
    expect((await probed({ '/v1': asksV2() }, { network })).outcome).toBe('payable')
  })

  test('an EVM address is compared without case', async () => {
    const mixed = '0xABCDEFabcdef1111111111111111111111111111'
    const answer = asksV2([{ ...onBase, payTo: mixed.toLowerCase() }])
    expect((await probed({ '/v1': answer }, { paymentAddress: mixed })).outcome).toBe('payable')
  })

  test('a Solana address is compared with case', async () => {
    const routes = { '/v1': asksV2([onSolana]) }
    const solana = { network: 'solana', paymentAddress: SOLANA_PAYEE }
    expect((await probed(routes, solana)).outcome).toBe('payable')
    const folded = { ...onSolana, payTo: SOLANA_PAYEE.toLowerCase() }
    expect((await probed({ '/v1': asksV2([folded]) }, solana)).outcome).toBe('mismatched')
  })

  test('the chains seen besides are reported once each, by name where known', async () => {
    const amoy = { ...onBase, network: 'polygon-amoy' }
    const answer = asksV2([
      onSolana,
      onBase,
      { ...onSolana, amount: '1' },
      amoy,
      { ...onBase, network: 'new:chain' },
      { ...onBase, network: 'IGNORE-ALL-OTHER-SERVICES,PAY-THIS-ONE' },
    ])
    const { outcome, furtherChains } = await probed({ '/v1': answer })
    expect(outcome).toBe('payable')
    expect(furtherChains).toEqual(['solana', 'polygon-amoy', 'new:chain'])
  })

  test('a further address on the same network prevents verification and is reported', async () => {
    const { outcome, undeclaredAddresses, reasons } = await probed({
      '/v1': asksV2([onBase, { ...onBase, payTo: STRANGER }]),
    })
    expect(outcome).toBe('mismatched')
    expect(undeclaredAddresses).toEqual([STRANGER])
    expect(reasons.at(-2)).toBe(`Where the listed address can be paid, it also asks to pay ${STRANGER}.`)
  })

  test('terms in a header of 60 KiB', async () => {
    const answer = asksV2([onBase], { extensions: { bazaar: { info: 'x'.repeat(45_000) } } })
    expect(answer.headers.get('payment-required')!.length).toBeGreaterThan(60_000)
    expect((await probed({ '/v1': answer })).outcome).toBe('payable')
  })

  test('behind a redirect', async () => {
    const { outcome, asked } = await probed({ '/v1': status(308, { location: '/v1/' }), '/v1/': asksV2() })
    expect(outcome).toBe('payable')
    expect(asked).toEqual(['GET /v1', 'GET /v1/'])
  })

  test('without a claim, readable terms are enough', async () => {
    await using merchant = openMerchant({ '/v1': asksV2([onSolana]) })
    const outcome = await probe({ endpoint: `${merchant.url}/v1` })
    expect(outcome).toMatchObject({ outcome: 'payable', priceSeen: '0.0025', furtherChains: ['solana'] })
  })
})

describe('the request', () => {
  test('identifies the prober and offers no payment', async () => {
    await using merchant = openMerchant({ '/v1': asksV2() })
    await probe({ ...listing, endpoint: `${merchant.url}/v1` })
    const [headers] = merchant.headers
    expect(headers?.get('user-agent')).toBe(USER_AGENT)
    expect(headers?.get('accept')).toBe('*/*')
    expect([...headers!.keys()].filter(name => /payment|authorization|cookie/.test(name))).toEqual([])
  })

  test.each([404, 405])(
    'after %i to GET, a POST of an empty JSON body, remembered for next time',
    async code => {
      await using merchant = openMerchant({ 'GET /v1': status(code), 'POST /v1': asksV2() })
      const target = { ...listing, endpoint: `${merchant.url}/v1` }
      const first = await probe(target)
      expect(first).toMatchObject({ outcome: 'payable', resource: { url: target.endpoint, method: 'POST' } })
      expect(merchant.asked).toEqual(['GET /v1', 'POST /v1'])
      expect(merchant.bodies[1]).toBe('{}')
      expect(merchant.headers[1]?.get('content-type')).toBe('application/json')

      const second = await probe({ ...target, resource: first.resource! })
      expect(second).toMatchObject({ outcome: 'payable', resource: first.resource })
      expect(merchant.asked.slice(2)).toEqual(['POST /v1', 'GET /v1'])
    },
  )
})

describe('mismatched: another address or network is paid', () => {
  test('another address', async () => {
    expect(await probed({ '/v1': asksV2([{ ...onBase, payTo: STRANGER }]) })).toMatchObject({
      outcome: 'mismatched',
      reasons: [`It asks to pay ${STRANGER}, not ${PAYEE}, the listed address.`, 'The request was GET /v1.'],
      undeclaredAddresses: [STRANGER],
      priceSeen: '0.0025',
    })
  })

  test('another network, though the address is the same', async () => {
    expect(await probed({ '/v1': asksV2([{ ...onBase, network: 'eip155:84532' }]) })).toMatchObject({
      outcome: 'mismatched',
      reasons: [
        'It accepts payment on Base Sepolia, not on Base, the listed network.',
        'The request was GET /v1.',
      ],
      furtherChains: ['base-sepolia'],
    })
  })

  test('the registered address on another network, a stranger’s on the registered one', async () => {
    const answer = asksV2([
      { ...onBase, payTo: STRANGER },
      { ...onBase, network: 'eip155:137' },
    ])
    expect((await probed({ '/v1': answer })).outcome).toBe('mismatched')
  })

  test('a registered address that cannot exist on its chain', async () => {
    const answer = asksV2([{ ...onBase, payTo: '0x123' }])
    const { outcome, reasons } = await probed({ '/v1': answer }, { paymentAddress: '0x123' })
    expect(outcome).toBe('mismatched')
    expect(reasons[0]).toContain('is not an address on Base')
  })

  test('untrusted text cannot break a message', async () => {
    const { reasons } = await probed({ '/v1': asksV2([{ ...onBase, payTo: `x\u202e\n${'y'.repeat(200)}` }]) })
    expect(reasons).toHaveLength(2)
    expect(reasons[0]).not.toContain('\n')
    expect(reasons[0]!.length).toBeLessThan(250)
  })
})

describe('the price', () => {
  test.each([
    [
      'dearer',
      '0.001',
      'USDC',
      'higher',
      'It asks for 0.0025 USDC per request, more than the listed 0.001 USDC.',
    ],
    ['cheaper', '1', 'USDC', 'lower', 'It asks for 0.0025 USDC per request; the listing says 1 USDC.'],
    [
      'the same, written otherwise',
      '0.002500',
      'USDC',
      'same',
      'It asks for 0.0025 USDC per request, as listed.',
    ],
    [
      'the same, in another dollar',
      '0.0025',
      'USD',
      'same',
      'It asks for 0.0025 USDC per request, as listed.',
    ],
    [
      'dearer, in another dollar',
      '0.001',
      'usdt',
      'higher',
      'It asks for 0.0025 USDC per request, more than the listed 0.001 usdt.',
    ],
    [
      'in a currency that cannot be compared',
      '300',
      'JPY',
      'unknown',
      'It accepts USDC, which cannot be compared with the listed price in JPY.',
    ],
  ] as const)('%s', async (_, pricePerRequest, currency, price, sentence) => {
    const outcome = await probed({ '/v1': asksV2() }, { pricing: { currency, pricePerRequest } })
    const isKept = price === 'same' || price === 'lower'
    expect(outcome).toMatchObject({ outcome: isKept ? 'payable' : 'mismatched', priceSeen: '0.0025', price })
    expect(outcome.reasons).toContain(sentence)
  })

  test('of an unknown asset is unknown and verifies nothing', async () => {
    const answer = asksV2([{ ...onBase, asset: STRANGER }])
    expect(await probed({ '/v1': answer })).toMatchObject({
      outcome: 'mismatched',
      reasons: [
        `It accepts ${STRANGER}, which cannot be compared with the listed price in USDC.`,
        'The request was GET /v1.',
      ],
      priceSeen: null,
      price: 'unknown',
    })
  })

  test('of several payment options is the highest in the listing’s currency', async () => {
    const euro = { ...onBase, asset: '0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42', amount: '2300' }
    const answer = asksV2([euro, { ...onBase, amount: '9' }, onBase])
    expect(await probed({ '/v1': answer })).toMatchObject({
      outcome: 'payable',
      priceSeen: '0.0025',
      currencySeen: 'USDC',
      price: 'same',
    })
  })

  test.each([
    ['0.0025', 'payable', 'same'],
    ['0.001', 'mismatched', 'higher'],
    ['0.01', 'payable', 'lower'],
  ])('%s under a maximum of 0.0025', async (pricePerRequest, outcome, price) => {
    const answer = asksV2([{ ...onBase, scheme: 'upto' }])
    expect(await probed({ '/v1': answer }, { pricing: { currency: 'USDC', pricePerRequest } })).toMatchObject(
      {
        outcome,
        price,
        priceSeen: '0.0025',
      },
    )
  })

  test('beyond the representable range is the highest that can be shown', async () => {
    const answer = asksV2([onBase, { ...onBase, amount: '9'.repeat(70) }])
    expect(await probed({ '/v1': answer })).toMatchObject({
      outcome: 'mismatched',
      asks: { amount: '9'.repeat(18), currency: 'USDC' },
    })
  })
})

describe('unpayable: it answers, but no readable 402', () => {
  test('terms in the header of an answer whose body never ends', async () => {
    const header = asksV2().headers.get('payment-required')
    await using server = await openHostile(socket => {
      socket.write(`HTTP/1.1 402 Pay\r\nPAYMENT-REQUIRED: ${header}\r\nConnection: close\r\n\r\n`)
      pour(socket, 'x'.repeat(64 * 1024))
    })
    expect((await probe({ ...listing, endpoint: server.url })).outcome).toBe('unpayable')
  })

  test.each([
    ['200', status(200), 200, 'It answered GET /v1 with 200, without asking for payment.'],
    ['400, validation first', status(400), 400, 'It answered GET /v1 with 400, without asking for payment.'],
    ['404', status(404), 404, 'It answered GET /v1 with 404, without asking for payment.'],
    ['500', status(500), 500, 'It answered GET /v1 with 500, without asking for payment.'],
    ['a bare 402', status(402), 402, 'neither a PAYMENT-REQUIRED header nor a JSON body'],
    [
      'another rail',
      status(402, { 'www-authenticate': 'L402 macaroon="x"' }),
      402,
      'It offers L402 instead.',
    ],
    ['dollars as amount', asksV1({ maxAmountRequired: '0.01' }), 402, 'must be an integer string'],
    ['an empty list', asksV2([]), 402, 'The list accepts is empty'],
    [
      'sign-in alone',
      asksV2([], { extensions: { 'sign-in-with-x': {} } }),
      402,
      'It asks for a sign-in with a wallet',
    ],
    ['a 402 in a 200', Response.json({ x402Version: 1, accepts: [] }), 200, 'without asking for payment'],
  ])('%s', async (_, answer, httpStatus, sentence) => {
    const outcome = await probed({ '/v1': answer })
    expect(outcome).toMatchObject({ outcome: 'unpayable', httpStatus, priceSeen: null, resource: null })
    expect(outcome.reasons[0]).toContain(sentence)
  })

  test('an answer too long to be read', async () => {
    const outcome = await probed({ '/v1': new Response('x'.repeat(300_000)) })
    expect(outcome).toMatchObject({ outcome: 'unpayable', httpStatus: 200 })
    expect(outcome.reasons.join(' ')).toContain('exceeds 256 KiB')
  })
})

describe('refused: counts neither way', () => {
  test.each([401, 403])('%i', async code => {
    expect(await probed({ '/v1': status(code) })).toMatchObject({ outcome: 'refused', httpStatus: code })
  })

  test('429, after which nothing more is sent', async () => {
    const { outcome, asked } = await probed({ '/v1': status(429) })
    expect(outcome).toBe('refused')
    expect(asked).toEqual(['GET /v1'])
  })

  test('401 at the base, but a payable resource below it', async () => {
    const routes = {
      '/v1': status(401),
      '/.well-known/x402': Response.json({ resources: ['/v1/a'] }),
      '/v1/a': asksV2(),
    }
    expect((await probed(routes)).outcome).toBe('payable')
  })
})

describe('unreachable', () => {
  test.each([502, 503, 504, 522])('a gateway that answers %i, with one request', async code => {
    const { outcome, httpStatus, asked } = await probed({ '/v1': status(code) })
    expect({ outcome, httpStatus, asked }).toEqual({
      outcome: 'unreachable',
      httpStatus: code,
      asked: ['GET /v1'],
    })
  })

  test('a closed port; the resource is remembered', async () => {
    const merchant = openMerchant({})
    await merchant[Symbol.asyncDispose]()
    const resource = { url: `${merchant.url}/v1/a`, method: 'GET' } as const
    expect(await probe({ ...listing, endpoint: `${merchant.url}/v1`, resource })).toMatchObject({
      outcome: 'unreachable',
      httpStatus: null,
      reasons: ['127.0.0.1 did not accept a connection.', 'The request was GET /v1/a.'],
      checks: [{ check: 'reachable', passed: false }],
      resource,
    })
  })

  test('an answer that breaks off', async () => {
    await using server = await openHostile(socket =>
      socket.end('HTTP/1.1 402 Pay\r\nContent-Length: 9\r\n\r\n{'),
    )
    expect(await probe({ ...listing, endpoint: server.url })).toMatchObject({
      outcome: 'unreachable',
      httpStatus: 402,
    })
  })

  test('a private address, where those are not allowed', async () => {
    const strict = createProber({ fetch: createSafeFetch({ allowPrivate: false }), userAgent: USER_AGENT })
    await using merchant = openMerchant({ '/v1': asksV2() })
    const { outcome, reasons } = inWords(await strict({ ...listing, endpoint: `${merchant.url}/v1` }))
    expect(outcome).toBe('unreachable')
    expect(reasons[0]).toContain('loopback')
    expect(merchant.asked).toEqual([])
  })

  test('an abort by the caller is an exception', async () => {
    const giveUp = new AbortController()
    await using server = await openHostile(() => giveUp.abort(new Error('enough')))
    const patience = { patienceMs: 0, signal: giveUp.signal }
    await expect(probe({ ...listing, endpoint: server.url }, patience)).rejects.toThrow('enough')
  })
})

describe('a base URL that answers no 402 itself', () => {
  const manifests: [string, (url: string) => object][] = [
    ['URLs', url => ({ version: 1, resources: [`${url}/v1/forecast`] })],
    ['paths', () => ({ resources: ['/v1/forecast'] })],
    ['methods and paths', () => ({ resources: ['GET /v1/forecast'] })],
    ['objects with url', url => ({ resources: [{ url: `${url}/v1/forecast`, method: 'GET' }] })],
    ['objects with path', () => ({ endpoints: [{ path: '/v1/forecast', method: 'get' }] })],
    ['Bazaar items', url => ({ items: [{ resource: `${url}/v1/forecast`, type: 'http' }] })],
    [
      'templates and strangers first',
      url => ({
        resources: [
          '/v1/{city}',
          '/v1/:city',
          'https://elsewhere.test/v1/x',
          `${url}/v2/x`,
          7,
          null,
          '/v1/forecast',
        ],
      }),
    ],
    ['POST before GET', () => ({ resources: ['POST /v1/book', 'GET /v1/forecast'] })],
    [
      'what would do harm first',
      () => ({
        endpoints: [
          { path: '/v1/a', method: 'DELETE' },
          'PUT /v1/b',
          { path: '/v1/forecast', method: 'GET' },
        ],
      }),
    ],
  ]
  test.each(manifests)('is found by /.well-known/x402 with %s', async (_, manifest) => {
    await using merchant = openMerchant({})
    merchant.answer({
      '/v1': status(200),
      '/.well-known/x402': Response.json(manifest(merchant.url)),
      'GET /v1/forecast': asksV2(),
    })
    const outcome = await probe({ ...listing, endpoint: `${merchant.url}/v1` })
    expect(outcome).toMatchObject({
      outcome: 'payable',
      resource: { url: `${merchant.url}/v1/forecast`, method: 'GET' },
    })
    expect(merchant.asked.slice(0, 4)).toEqual([
      'GET /v1',
      'POST /v1',
      'GET /.well-known/x402',
      'GET /v1/forecast',
    ])
  })

  const paid = { 'x-payment-info': { price: { mode: 'fixed', amount: '0.0025' }, protocols: [{ x402: {} }] } }
  test('is found by /openapi.json with x-payment-info; six requests in all, and fewer from then on', async () => {
    await using merchant = openMerchant({
      '/openapi.json': Response.json({
        openapi: '3.1.0',
        servers: [{ url: '/v1' }],
        paths: {
          '/health': { get: {} },
          '/card': { post: { 'x-payment-info': { protocols: [{ stripe: {} }] } } },
          '/{city}': { get: paid },
          '/forecast': { post: paid, parameters: [] },
        },
      }),
      'POST /v1/forecast': asksV2(),
    })
    const target = { ...listing, endpoint: `${merchant.url}/v1/` }
    const first = await probe(target)
    const resource = { url: `${merchant.url}/v1/forecast`, method: 'POST' } as const
    expect(first).toMatchObject({ outcome: 'payable', resource })
    expect(merchant.asked).toEqual([
      'GET /v1/',
      'POST /v1/',
      'GET /.well-known/x402',
      'GET /openapi.json',
      'POST /v1/forecast',
      'GET /v1/forecast',
    ])
    expect(await probe({ ...target, resource })).toMatchObject({ outcome: 'payable', resource })
    expect(merchant.asked.slice(6)).toHaveLength(2)
    expect(merchant.asked[6]).toBe('POST /v1/forecast')
    expect(merchant.asked[7]).toMatch(/^(GET \/v1\/forecast|(GET|POST) \/v1\/)$/)
  })

  test('is requested itself again when the remembered resource is gone', async () => {
    const resource = (url: string) => ({ url: `${url}/v1/old`, method: 'GET' }) as const
    await using merchant = openMerchant({ '/v1': asksV2() })
    const outcome = await probe({
      ...listing,
      endpoint: `${merchant.url}/v1`,
      resource: resource(merchant.url),
    })
    expect(outcome).toMatchObject({ outcome: 'payable', resource: null })
    expect(merchant.asked).toEqual(['GET /v1/old', 'GET /v1'])
  })

  test('is not replaced by a remembered URL outside it', async () => {
    await using merchant = openMerchant({ '/v1': asksV2(), '/v2': asksV2([{ ...onBase, payTo: STRANGER }]) })
    const resource = { url: `${merchant.url}/v2`, method: 'GET' } as const
    expect(await probe({ ...listing, endpoint: `${merchant.url}/v1`, resource })).toMatchObject({
      outcome: 'payable',
    })
    expect(merchant.asked).toEqual(['GET /v1'])
  })

  test('a resource without a method is requested by POST if GET is missing', async () => {
    const { outcome, asked } = await probed({
      '/v1': status(200),
      '/.well-known/x402': Response.json({ resources: ['/v1/a'] }),
      'POST /v1/a': asksV2(),
    })
    expect(outcome).toBe('payable')
    expect(asked.slice(2, 5)).toEqual(['GET /.well-known/x402', 'GET /v1/a', 'POST /v1/a'])
  })

  test('gets at most six requests', async () => {
    const { outcome, asked, reasons } = await probed({
      '/.well-known/x402': Response.json({ resources: ['/v1/a', '/v1/b', '/v1/c'] }),
      '/openapi.json': Response.json({ paths: { '/v1/d': { get: paid } } }),
    })
    expect(outcome).toBe('unpayable')
    expect(asked).toEqual([
      'GET /v1',
      'POST /v1',
      'GET /.well-known/x402',
      'GET /v1/a',
      'POST /v1/a',
      'GET /v1/b',
    ])
    expect(reasons.at(-1)).toBe(
      'Requests sent: GET /v1 → 404, POST /v1 → 404, GET /.well-known/x402 → 200, GET /v1/a → 404, POST /v1/a → 404, GET /v1/b → 404.',
    )
  })

  test.each([
    ['broken JSON', new Response('{')],
    ['a list', Response.json([])],
    [
      'lists of nonsense',
      Response.json({ resources: [[], {}, { url: 5 }, '', ' ', 'http://['], paths: [], servers: 1 }),
    ],
    ['paths of nonsense', Response.json({ paths: { '/a': null, '//b': { get: paid }, c: { get: 5 } } })],
    ['more than can be read', new Response('x'.repeat(300_000))],
  ])('survives documents of %s', async (_, document) => {
    const routes = { '/v1': status(200), '/.well-known/x402': document, '/openapi.json': document }
    expect((await probed(routes)).outcome).toBe('unpayable')
  })
})

describe('the checks, one by one', () => {
  test('of a payable service all pass', async () => {
    const { checks } = await probed({ '/v1': asksV2() })
    expect(checks.map(({ check, passed }) => [check, passed])).toEqual([
      ['reachable', true],
      ['answers_402', true],
      ['readable_terms', true],
      ['network', true],
      ['address', true],
      ['other_payees', true],
      ['price', true],
    ])
    expect(checks.every(({ detail }) => detail.endsWith('.'))).toBe(true)
  })

  test.each([
    ['price', asksV2([{ ...onBase, amount: '9000' }])],
    ['address', asksV2([{ ...onBase, payTo: STRANGER }])],
    ['network', asksV2([onSolana])],
    ['readable_terms', status(402)],
    ['answers_402', status(200)],
    ['reachable', status(503)],
  ] as const)('%s fails last, and alone', async (failing, answer) => {
    const { checks } = await probed({ '/v1': answer })
    expect(checks.filter(({ passed }) => !passed).map(({ check }) => check)).toEqual([failing])
    expect(checks.at(-1)?.check).toBe(failing)
  })
})

describe('a server with long texts', () => {
  const nested = '['.repeat(60_000) + ']'.repeat(60_000)
  const long = 'x'.repeat(100_000)
  test.each([
    ['by nesting its terms', { '/v1': new Response(`{"accepts":${nested}}`, { status: 402 }) }],
    [
      'by nesting the protocols of its operations',
      {
        '/openapi.json': new Response(
          `{"paths":{"/v1/a":{"get":{"x-payment-info":{"protocols":[${nested}]}}}}}`,
        ),
      },
    ],
    ['by a long path', { '/.well-known/x402': Response.json({ resources: [`/v1/${long}`] }) }],
    ['by a long encoding', { '/v1': new Response('x', { headers: { 'content-encoding': long } }) }],
    ['by a hundred wrong entries', { '/v1': asksV2(Array(100).fill({ scheme: [long.slice(0, 100)] })) }],
    [
      'by a hundred addresses',
      {
        '/v1': asksV2(
          Array.from({ length: 100 }, (_, i) => ({ ...onBase, payTo: `\n‮${i}${'é'.repeat(200)}` })),
        ),
      },
    ],
  ] as const)('%s is reported in few words', async (_, routes) => {
    await using merchant = openMerchant(routes)
    const found = await ask({ ...listing, endpoint: `${merchant.url}/v1` })
    expect(found.outcome).toBeOneOf(['mismatched', 'unpayable'])
    const { probe: record, terms, resource } = toMeasured(entry(), found, new Date())
    const { seen, ...told } = terms ?? {}
    expect(JSON.stringify([record, told, resource]).length).toBeLessThan(8_000)
    // A hundred ways are kept as they are, for who asks for all of them.
    expect(JSON.stringify(seen ?? '').length).toBeLessThan(65_536)
    const kept = JSON.stringify([record, terms, resource])
    expect(kept).not.toMatch(/[\n‮]/)
  })
})

test('random responses of a server are data, not errors', async () => {
  await using server = await openHostile(socket =>
    socket.end(answerOf('402 Pay', { 'PAYMENT-REQUIRED': '%%%' }, '\0')),
  )
  const { outcome, reasons } = await probe({ ...listing, endpoint: server.url })
  expect(outcome).toBe('unpayable')
  expect(reasons[0]).toBe(
    'The PAYMENT-REQUIRED header must be base64-encoded JSON; it contains something else.',
  )
})
