// If-Match and If-None-Match on what changes something (RFC 9110, 13.1 and 13.2): judged before it is done, never after.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { ask, body, KEY, openTestServer, type TestServer } from './directory-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await openTestServer({ PUBLIC_URL: 'https://directory.example', RATE_LIMIT: '0' })
})
afterAll(() => server[Symbol.asyncDispose]())

type Headers = Record<string, string>

const send = (method: string, path: string, headers: Headers = {}, json?: unknown, key = KEY) =>
  ask(server.url + path, {
    method,
    headers: {
      'accept-encoding': 'identity',
      authorization: `Bearer ${key}`,
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  })

const wallet = privateKeyToAccount(generatePrivateKey())

async function signIn(): Promise<{ id: string; key: string }> {
  const asked = { address: wallet.address, network: 'base' }
  const { message } = await (await send('POST', '/api/auth/challenge', {}, asked)).json()
  const signature = await wallet.signMessage({ message })
  return (await send('POST', '/api/auth/keys', {}, { message, signature, revokeOthers: true })).json()
}

async function register(): Promise<string> {
  const x402Config = { paymentAddress: wallet.address, network: 'base' }
  const { id } = await (await server.register(body({ x402Config }))).json()
  return `/api/services/${id}`
}

const CHANGES: [method: string, below: string, json: unknown][] = [
  ['PATCH', '', { name: 'Changed' }],
  ['DELETE', '', undefined],
  ['POST', '/retire', { message: 'Closed.' }],
  ['POST', '/restore', undefined],
  ['POST', '/claim', undefined],
]

describe.each(CHANGES)('%s %s of a service', (method, below, json) => {
  const change = async (path: string, headers: Headers) =>
    send(method, path + below, headers, json, (await signIn()).key)

  test('returns 412 without effect if If-None-Match names the current tag', async () => {
    const path = await register()
    const detail = await server.get(path, { 'accept-encoding': 'identity' })
    const etag = detail.headers.get('etag')!
    const packed = ['gzip', 'br', 'zstd'].map(coding => etag.replace(/"$/, `-${coding}"`))
    const before = await detail.text()
    const { seq } = await server.json('/readyz')
    for (const tags of ['*', ' * ', etag, `W/${etag}`, ...packed, `"other", ${etag}`]) {
      const answer = await change(path, { 'if-none-match': tags })
      expect([tags, answer.status, (await answer.json()).code]).toEqual([tags, 412, 'precondition_failed'])
    }
    expect(await (await server.get(path)).text()).toBe(before)
    expect((await server.json('/readyz')).seq).toBe(seq)
  })

  test('succeeds if it names another tag', async () => {
    const path = await register()
    const answer = await change(path, { 'if-none-match': '"other", W/"another"' })
    expect(answer.status).toBe(method === 'DELETE' ? 204 : 200)
  })

  test('succeeds whatever the tag of the new state is', async () => {
    const [path, twin] = [await register(), await register()]
    // The tag of the state that the change leads to is told by whoever changes it first.
    const first = await change(path, {})
    const etag = first.headers.get('etag')
    if (etag === null) return
    const gone = await change(twin, { 'if-none-match': etag })
    expect(gone.status).toBe(200)
    const again = await change(path, { 'if-none-match': '"other"', 'if-match': etag })
    expect([again.status, again.headers.get('etag')]).toEqual([200, expect.any(String)])
  })

  test('returns 404 for a missing service, whatever the preconditions', async () => {
    const answer = await change('/api/services/svc_00000000000000000000000000', { 'if-none-match': '*' })
    expect(answer.status).toBe(404)
  })
})

test('a PATCH without changes does not return 304', async () => {
  const path = await register()
  const answer = await send('PATCH', path, { 'if-none-match': '"other"' }, {})
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
})

test('reads before and after a PATCH have the same headers', async () => {
  const path = await register()
  const headersOf = async () => {
    const { headers } = await server.get(path)
    return ['cache-control', 'vary', 'content-type', 'x-notice', 'x-ignored-fields'].map(name =>
      headers.get(name),
    )
  }
  const before = await headersOf()
  expect(before[0]).toBe('no-cache')
  const patched = await send('PATCH', path, {}, { name: 'Changed', extra: 1 })
  expect(patched.headers.get('cache-control')).toBe('no-store')
  expect(await headersOf()).toEqual(before)
})

test('preconditions are ignored on creation', async () => {
  const answer = await server.register(body(), { 'if-none-match': '*' })
  expect(answer.status).toBe(201)
})
