// History, trust and check as they go over the wire.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHurriedClock } from '../hurried-clock.ts'
import { asksV2, type Merchant, openMerchant, PAYEE } from '../probe/merchant.ts'
import {
  type Answer,
  ask,
  body,
  KEY,
  openTestServer,
  registerVerified,
  type TestServer,
} from './directory-server.ts'

let server: TestServer
let merchant: Merchant
let id: string
beforeAll(async () => {
  server = await openTestServer(
    { PROBE: 'on', ALLOW_PRIVATE_ENDPOINTS: 'on' },
    { clock: createHurriedClock() },
  )
  merchant = openMerchant({ '/v1': asksV2() })
  const endpoint = `${merchant.url}/v1`
  const x402Config = { paymentAddress: PAYEE, network: 'base' }
  id = await registerVerified(server, body({ endpoint, x402Config }))
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await merchant[Symbol.asyncDispose]()
})

const check = (sent: string, headers: Record<string, string> = {}): Promise<Answer> =>
  ask(`${server.url}/api/check`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, ...headers },
    body: sent,
  })

describe('history and trust', () => {
  test.each(['history', 'trust', 'provenance', 'backing'])(
    '%s is named by an ETag and not sent twice',
    async what => {
      const first = await server.get(`/api/services/${id}/${what}`)
      expect(first.status).toBe(200)
      const etag = first.headers.get('etag')!
      const again = await server.get(`/api/services/${id}/${what}`, { 'if-none-match': etag })
      expect(again.status).toBe(304)
    },
  )

  test('a filter without effect is rejected', async () => {
    const response = await server.get(`/api/services/${id}/history?limits=3&days=400&before=yesterday`)
    expect(response.status).toBe(400)
    const { errors } = await response.json()
    expect(errors.map(({ path }: { path: string }) => path).sort()).toEqual(['before', 'days', 'limits'])
  })

  test('the history begins with the registration and contains the proof', async () => {
    const { items, next } = await server.json(`/api/services/${id}/history`)
    expect(next).toBeNull()
    expect(items.map(({ kind, type }: { kind: string; type?: string }) => type ?? kind)).toEqual([
      'status',
      'probe',
      'registered',
    ])
  })
})

describe('a check', () => {
  test('needs a key before anything else', async () => {
    for (const authorization of ['', 'Bearer unknown-key']) {
      const response = await check('{', { authorization, 'content-type': 'text/plain' })
      expect(response.status).toBe(401)
      expect(response.headers.get('www-authenticate')).toBe('Bearer')
    }
    expect((await check('{}', { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await check(`{"endpoint":"${'x'.repeat(70_000)}"}`)).status).toBe(413)
    expect((await check('{}')).status).toBe(400)
    expect((await ask(`${server.url}/api/check`)).headers.get('allow')).toBe('POST, OPTIONS')
  })

  test('returns the findings, names unused fields, and is not cacheable', async () => {
    const response = await check(JSON.stringify({ ...body(), endpoint: `${merchant.url}/v1`, mood: 1 }))
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('x-ignored-fields')).toContain('mood')
    expect(await response.json()).toMatchObject({ outcome: 'payable', httpStatus: 402 })
    expect((await server.json('/api/services')).length).toBe(1)
  })

  test('returns 429 with the seconds to wait if requested too often', async () => {
    let response: Answer
    do response = await check(JSON.stringify({ endpoint: 'no url' }))
    while (response.status === 200)
    expect(response.status).toBe(429)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await response.json()).toMatchObject({ code: 'rate_limited' })
  })
})
