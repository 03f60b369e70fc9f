// What every answer has in common: validators, codings, methods, origins, errors.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { ask, body, openTestServer, type TestServer } from './directory-server.ts'

let server: TestServer
let id: string
beforeAll(async () => {
  server = await openTestServer({}, { sample: true })
  id = (await server.json('/api/services?limit=1'))[0].id
})
afterAll(() => server[Symbol.asyncDispose]())

const reads = () => [
  '/api/services',
  `/api/services/${id}`,
  ...['status', 'history', 'trust', 'provenance', 'backing'].map(what => `/api/services/${id}/${what}`),
  '/api/catalog/search?q=weather',
  '/api/services/search/intent?q=weather',
  '/api/categories',
  '/api/export',
]

const packed = (path: string, headers: Record<string, string>) =>
  ask(server.url + path, { headers, decompress: false })

describe('a validator', () => {
  test('is strong on every read, and weak on the export', async () => {
    for (const path of reads()) {
      const etag = (await server.get(path)).headers.get('etag')
      expect(etag).toMatch(path.startsWith('/api/export') ? /^W\/"[^"]+"$/ : /^"[^"]+"$/)
    }
  })

  test('turns a repeated request into 304 without a body', async () => {
    for (const path of reads()) {
      const etag = (await server.get(path)).headers.get('etag')!
      for (const held of [
        etag,
        `"other", ${etag}`,
        '*',
        etag.startsWith('W/') ? etag.slice(2) : `W/${etag}`,
      ]) {
        const again = await server.get(path, { 'if-none-match': held })
        expect([path, held, again.status, await again.text()]).toEqual([path, held, 304, ''])
        expect(again.headers.get('etag')).toBe(etag)
        expect(again.headers.get('vary')).toContain('Accept-Encoding')
        expect(again.headers.get('cache-control')).toBe('no-cache')
        expect(again.headers.get('access-control-allow-origin')).toBe('*')
      }
      expect((await server.get(path, { 'if-none-match': '"other", W/"third"' })).status).toBe(200)
    }
  })

  test('does not hide a new total: a 304 of a list still carries it', async () => {
    const etag = (await server.get('/api/services')).headers.get('etag')!
    const again = await server.get('/api/services', { 'if-none-match': etag })
    expect(again.headers.get('x-total-count')).toBe('64')
    expect(again.headers.get('link')).toContain('rel="next"')
  })

  test('changes when the response does', async () => {
    await using own = await openTestServer()
    const tags = async () => ({
      list: (await own.get('/api/services')).headers.get('etag'),
      export: (await own.get('/api/export')).headers.get('etag'),
    })
    const before = await tags()
    await own.register(body())
    const after = await tags()
    expect(after.list).not.toBe(before.list)
    expect(after.export).not.toBe(before.export)
  })
})

describe('gzip', () => {
  const packedAs = (path: string, headers: Record<string, string> = {}) =>
    packed(path, { 'accept-encoding': 'gzip', ...headers })

  test('is used for large responses and the export, with its own tag', async () => {
    for (const path of ['/api/services', '/api/categories', '/api/export', '/', '/docs', '/openapi.json']) {
      const plain = await server.get(path)
      const answer = await packedAs(path)
      expect(plain.headers.has('content-encoding')).toBe(false)
      expect([path, answer.headers.get('content-encoding')]).toEqual([path, 'gzip'])
      expect(answer.headers.get('etag')).toBe(plain.headers.get('etag')!.replace(/"$/, '-gzip"'))
      expect(answer.headers.get('vary')).toContain('Accept-Encoding')
      expect(plain.headers.get('vary')).toContain('Accept-Encoding')
      const unpacked = new TextDecoder().decode(gunzipSync(new Uint8Array(await answer.arrayBuffer())))
      const expected = await plain.text()
      const untimed = (text: string) => text.replace(/"exportedAt":"[^"]*"/, '')
      expect(untimed(unpacked)).toBe(untimed(expected))
    }
  })

  test('is validated by its own tag only', async () => {
    const plain = (await server.get('/api/services')).headers.get('etag')!
    const own = (await packedAs('/api/services')).headers.get('etag')!
    expect((await packedAs('/api/services', { 'if-none-match': own })).status).toBe(304)
    expect((await packedAs('/api/services', { 'if-none-match': plain })).status).toBe(200)
  })

  test('is not used for small responses, nor for a page with text that its reader typed', async () => {
    for (const path of [`/api/services/${id}/status`, '/register'])
      expect([path, (await packedAs(path)).headers.has('content-encoding')]).toEqual([path, false])
  })
})

test.each([
  ['gzip', 'gzip'],
  ['GZIP;q=0.5', 'gzip'],
  ['x-gzip', 'gzip'],
  ['gzip, deflate, br, zstd', 'gzip'],
  ['br;q=0.9, gzip;q=1.0', 'gzip'],
  ['*', 'gzip'],
  ['br', null],
  ['gzip;q=0', null],
  ['gzip;q=2', null],
  ['identity', null],
  ['deflate', null],
  ['', null],
  ['gzip;q=0.1, identity;q=0.9', null],
  ['gzip;q=0.5, identity;q=0.5', 'gzip'],
  ['*;q=0', null],
])('a client that accepts %p gets %p', async (accepted, coding) => {
  const { headers } = await packed('/api/services', { 'accept-encoding': accepted })
  expect(headers.get('content-encoding')).toBe(coding)
})

describe('methods', () => {
  test('HEAD works wherever GET does, with the same headers and no body', async () => {
    for (const path of [...reads(), '/healthz', '/readyz', '/metrics', '/openapi.json', '/docs', '/']) {
      const got = await server.get(path)
      const head = await ask(server.url + path, {
        method: 'HEAD',
        headers: { 'accept-encoding': 'identity' },
      })
      expect([path, head.status, await head.text()]).toEqual([path, 200, ''])
      for (const name of ['etag', 'content-type', 'link', 'x-total-count']) {
        expect([path, name, head.headers.get(name)]).toEqual([path, name, got.headers.get(name)])
      }
    }
  })

  test('HEAD returns 404 for an unknown resource', async () => {
    expect((await ask(`${server.url}/api/services/unknown`, { method: 'HEAD' })).status).toBe(404)
  })

  test('other methods get 405 with the allowed ones', async () => {
    for (const [path, method, allow] of [
      ['/api/services', 'DELETE', 'GET, HEAD, POST, OPTIONS'],
      ['/api/services', 'PUT', 'GET, HEAD, POST, OPTIONS'],
      [`/api/services/${id}`, 'POST', 'GET, HEAD, PATCH, DELETE, OPTIONS'],
      ['/api/export', 'PATCH', 'GET, HEAD, OPTIONS'],
      ['/healthz', 'POST', 'GET, HEAD, OPTIONS'],
      ['/', 'POST', 'GET, HEAD, OPTIONS'],
    ] as const) {
      const response = await ask(server.url + path, { method })
      expect([path, response.status, response.headers.get('allow')]).toEqual([path, 405, allow])
      expect((await response.json()).code).toBe('method_not_allowed')
    }
  })

  test('a preflight is answered without a key', async () => {
    const response = await ask(`${server.url}/api/services`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization, content-type, idempotency-key',
      },
    })
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('access-control-allow-methods')).toContain('GET')
    const allowed = response.headers.get('access-control-allow-headers')!.toLowerCase().split(', ')
    for (const name of ['authorization', 'content-type', 'idempotency-key', 'if-none-match']) {
      expect(allowed).toContain(name)
    }
  })

  test('any origin may read responses and the relevant headers', async () => {
    for (const path of [...reads(), '/api/services/unknown']) {
      const { headers } = await server.get(path, { origin: 'https://app.example' })
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('access-control-expose-headers')).toBe(
        'X-Total-Count, Link, ETag, RateLimit, RateLimit-Policy, Retry-After, X-Ignored-Fields, X-Notice, X-Suppressed',
      )
      expect(headers.has('access-control-allow-credentials')).toBe(false)
    }
  })
})

describe('an error', () => {
  test('is a problem document with a stable code', async () => {
    const response = await server.get('/api/services/unknown')
    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect(await response.json()).toEqual({
      type: '/docs#error-not_found',
      title: 'Not found',
      status: 404,
      detail: expect.stringContaining('unknown'),
      code: 'not_found',
      detailCode: { code: 'service_unknown', values: { id: 'unknown' } },
    })
  })

  test('has the same form for an unknown path', async () => {
    for (const path of ['/nope', '/api', '/api/services/', `/api/services/${id}/nope`, '/API/services']) {
      const response = await server.get(path)
      expect([path, response.status]).toEqual([path, 404])
      expect((await response.json()).code).toBe('not_found')
    }
    expect((await ask(`${server.url}/nope`, { method: 'POST', body: 'x' })).status).toBe(404)
  })

  test('links to its explanation in the reference', async () => {
    const { type } = await server.json('/nope')
    const [path, anchor] = type.split('#')
    expect(await (await server.get(path)).text()).toContain(`id="${anchor}"`)
  })
})

describe('every response', () => {
  test('forbids sniffing and states its freshness', async () => {
    for (const path of [...reads(), '/nope']) {
      const { headers } = await server.get(path)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('cache-control')).toBe(path === '/nope' ? 'no-store' : 'no-cache')
    }
  })

  test('contains the request id, the one that was sent if it is valid', async () => {
    const first = (await server.get('/healthz')).headers.get('x-request-id')
    const second = (await server.get('/healthz')).headers.get('x-request-id')
    expect(first).not.toBe(second)
    const given = await server.get('/healthz', { 'x-request-id': 'trace-4711' })
    expect(given.headers.get('x-request-id')).toBe('trace-4711')
    const strange = await server.get('/healthz', { 'x-request-id': `"'<script>${'a'.repeat(200)}` })
    expect(strange.headers.get('x-request-id')).not.toContain('script')
  })

  test('is JSON in UTF-8', async () => {
    const response = await server.get('/api/categories')
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(new TextDecoder('utf-8', { fatal: true }).decode(await response.bytes())).toContain('天気')
  })

  test('is not confused by a request without a path in its URL or with a foreign one', async () => {
    const { hostname, port } = new URL(server.url)
    const ask = (text: string) =>
      new Promise<string>(resolve => {
        const socket = connect(Number(port), hostname, () => socket.write(text))
        socket.on('data', chunk => {
          resolve(chunk.toString())
          socket.destroy()
        })
      })
    const foreign = await ask(
      'GET http://evil.example/api/services?limit=1 HTTP/1.1\r\nHost: evil.example\r\n\r\n',
    )
    expect(foreign).toStartWith('HTTP/1.1 200')
    expect(foreign).not.toContain('evil')
    expect(await ask('OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n')).toMatch(/^HTTP\/1.1 (204|404|400)/)
  })
})
