// Limits, health, metrics, logs, and how the server starts and stops.
import { describe, expect, test } from 'bun:test'
import { readConfig } from '../../src/app/config.ts'
import { Catalog } from '../../src/catalog/catalog.ts'
import { openEventTail } from '../../src/catalog/event-tail.ts'
import { openFollower } from '../../src/catalog/follow.ts'
import { createDirectory } from '../../src/directory/directory.ts'
import { openKeyring } from '../../src/directory/keys.ts'
import { openHttpServer } from '../../src/http/server.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { createLog } from '../../src/runtime/log.ts'
import { openStore } from '../../src/store/open.ts'
import { renderFailure } from '../../src/web/failure-page.ts'
import { entry } from '../entries.ts'
import { ask, body, createSetClock, KEY, openTestServer } from './directory-server.ts'

describe('the rate limit', () => {
  const limited = (settings: Record<string, string> = {}, start = '2026-05-01T10:00:18.000Z') => {
    const clock = createSetClock(start)
    return openTestServer({ RATE_LIMIT: '3', ...settings }, { clock }).then(server => ({ server, clock }))
  }

  test('is shown in standard headers and counts down', async () => {
    const { server } = await limited()
    await using _ = server
    const first = await server.get('/api/services')
    expect(first.headers.get('ratelimit-policy')).toBe('"default";q=3;w=60')
    expect(first.headers.get('ratelimit')).toBe('"default";r=2;t=42')
    expect((await server.get('/nope')).headers.get('ratelimit')).toBe('"default";r=1;t=42')
  })

  test('returns 429 with the time to wait until the next window', async () => {
    const { server, clock } = await limited()
    await using _ = server
    for (let i = 0; i < 3; i++) expect((await server.get('/api/services')).status).toBe(200)
    const refused = await server.get('/api/services')
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('42')
    expect(refused.headers.get('ratelimit')).toBe('"default";r=0;t=42')
    expect(refused.headers.get('access-control-allow-origin')).toBe('*')
    expect((await refused.json()).code).toBe('rate_limited')
    clock.set('2026-05-01T10:01:00.000Z')
    expect((await server.get('/api/services')).status).toBe(200)
  })

  test('does not apply to health and metrics', async () => {
    const { server } = await limited()
    await using _ = server
    for (let i = 0; i < 4; i++) await server.get('/api/services')
    for (const path of ['/healthz', '/readyz', '/metrics']) {
      const response = await server.get(path)
      expect([path, response.status, response.headers.has('ratelimit')]).toEqual([path, 200, false])
    }
  })

  test('counts a valid key separately from its address, and an invalid one with its address', async () => {
    const { server } = await limited()
    await using _ = server
    for (let i = 0; i < 3; i++) {
      await server.get('/api/services', { authorization: `Bearer invented-key-${i}` })
    }
    expect((await server.get('/api/services', { authorization: 'Bearer invented-key-9' })).status).toBe(429)
    expect((await server.get('/api/services', { authorization: `Bearer ${KEY}` })).status).toBe(200)
  })

  test('ignores X-Forwarded-For without a trusted proxy', async () => {
    const { server } = await limited()
    await using _ = server
    for (let i = 0; i < 3; i++) await server.get('/api/services', { 'x-forwarded-for': `192.0.2.${i}` })
    expect((await server.get('/api/services', { 'x-forwarded-for': '192.0.2.9' })).status).toBe(429)
  })

  test('reads X-Forwarded-For from the right, as many hops as there are proxies', async () => {
    const { server } = await limited({ TRUST_PROXY: '2' })
    await using _ = server
    const from = (chain: string) => server.get('/api/services', { 'x-forwarded-for': chain })
    for (let i = 0; i < 3; i++) {
      expect((await from(`203.0.113.${i}, 198.51.100.7:4${i}, 10.0.0.1`)).status).toBe(200)
    }
    expect((await from('203.0.113.9, 198.51.100.7, 10.0.0.1')).status).toBe(429)
    expect((await from('198.51.100.7, 198.51.100.8, 10.0.0.1')).status).toBe(200)
    expect((await from('[2001:db8::1]:443, 10.0.0.1')).status).toBe(200)
    expect((await from('not an address')).status).toBe(200)
  })

  test('is disabled by 0', async () => {
    const { server } = await limited({ RATE_LIMIT: '0' })
    await using _ = server
    const response = await server.get('/api/services')
    expect(response.headers.has('ratelimit')).toBe(false)
    expect(response.headers.has('ratelimit-policy')).toBe(false)
  })

  test('is 6000 per minute by default', async () => {
    await using server = await openTestServer()
    expect((await server.get('/api/services')).headers.get('ratelimit-policy')).toBe('"default";q=6000;w=60')
  })
})

describe('health', () => {
  test('reports alive, and ready with the state of the catalog', async () => {
    await using server = await openTestServer({}, { sample: true })
    expect((await server.get('/healthz')).status).toBe(200)
    const ready = await server.get('/readyz')
    expect(ready.status).toBe(200)
    expect(await ready.json()).toEqual({
      state: 'ready',
      reason: null,
      seq: 64,
      services: 64,
      loaded: 1,
      lagMs: expect.any(Number),
      storeErrors: 0,
      probing: null,
    })
  })

  test('reports alive but not ready while the catalog loads; reads get 503 meanwhile', async () => {
    const gate = Promise.withResolvers<void>()
    await using parts = new AsyncDisposableStack()
    const clock = systemClock
    const store = parts.use(await openStore('sqlite::memory:', { clock }))
    await store.insert([entry()])
    const keys = openKeyring({ keys: store.keys, clock, extraKeys: [KEY] })
    const catalog = new Catalog()
    const follower = parts.use(
      openFollower({
        store: {
          changes: (since, limit) => gate.promise.then(() => store.changes(since, limit)),
          watch: onCommit => store.watch(onCommit),
          lastSeq: () => store.lastSeq(),
          get timelines() {
            return store.timelines
          },
        },
        catalog,
        clock,
      }),
    )
    const policy = { allowPrivateEndpoints: false, strictAddresses: false }
    const tail = parts.use(openEventTail({ store, catalog, clock }))
    const directory = createDirectory({ store, catalog, follower, tail, keys, clock, draftPolicy: policy })
    const log = parts.use(createLog({ level: 'silent' }))
    const settings = readConfig({ PORT: '0' })
    const { urls } = parts.use(openHttpServer({ directory, keys, log, clock, settings, pages: [] }))
    const get = (path: string) => ask(urls[0] + path)

    expect((await get('/healthz')).status).toBe(200)
    const waiting = await get('/readyz')
    expect([waiting.status, waiting.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await waiting.json()).toMatchObject({ state: 'starting', loaded: 0 })
    for (const path of [
      ...'/api/services /api/services/x /api/services/x/status /api/catalog/search?q=a'.split(' '),
      ...'/api/services/search/intent?q=a /api/categories /api/export'.split(' '),
    ]) {
      const response = await get(path)
      expect([path, response.status, response.headers.get('retry-after')]).toEqual([path, 503, '1'])
      expect((await response.json()).code).toBe('not_ready')
    }
    gate.resolve()
    await follower.caughtUp
    expect((await get('/readyz')).status).toBe(200)
    expect((await get('/api/services')).status).toBe(200)
  })
})

describe('metrics', () => {
  test('contain the constant start time of the process', async () => {
    await using server = await openTestServer()
    const read = async () => {
      const text = await (await server.get('/metrics')).text()
      return Number(/^process_start_time_seconds (\S+)$/m.exec(text)?.[1])
    }
    const began = await read()
    expect(began).toBeGreaterThan(Date.now() / 1000 - 86_400)
    expect(began).toBeLessThanOrEqual(Date.now() / 1000)
    expect(await read()).toBe(began)
  })

  test('contain requests and durations by route, the catalog, the store and the process', async () => {
    await using server = await openTestServer({}, { sample: true })
    const [{ id }] = await server.json('/api/services?limit=1')
    await server.get(`/api/services/${id}`)
    await server.get('/api/services/unknown')
    await server.get('/somewhere/else')
    const response = await server.get('/metrics')
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    const text = await response.text()
    for (const line of [
      'shirube_http_requests_total{route="/api/services/:id",method="GET",status="200"} 1',
      'shirube_http_requests_total{route="/api/services/:id",method="GET",status="404"} 1',
      'shirube_http_requests_total{route="unknown",method="GET",status="404"} 1',
      'shirube_http_request_duration_seconds_bucket{route="/api/services/:id",le="+Inf"} 2',
      'shirube_http_request_duration_seconds_count{route="/api/services/:id"} 2',
      'shirube_http_requests_in_flight 1',
      'shirube_catalog_services 64',
      'shirube_catalog_seq 64',
      'shirube_store_errors_total 0',
    ]) {
      expect(text.split('\n')).toContain(line)
    }
    expect(text).toMatch(/^shirube_follower_lag_seconds \d/m)
    expect(text).toMatch(/^shirube_catalog_bytes \d{5,}$/m)
    expect(text).toMatch(/^process_resident_memory_bytes \d{6,}$/m)
    expect(text).toMatch(/^shirube_build_info\{version="[\d.]+",bun="[\d.]+"\} 1$/m)
  })

  test('are well formed: every line is a comment or a sample', async () => {
    await using server = await openTestServer()
    const text = await (await server.get('/metrics')).text()
    expect(text).toEndWith('\n')
    for (const line of text.trimEnd().split('\n')) {
      expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{[^}]*\})? -?[\d.e+-]+)$/)
    }
  })

  test('are served to the machine itself, and not through a proxy on it', async () => {
    await using server = await openTestServer()
    expect((await server.get('/metrics')).status).toBe(200)
    for (const header of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via']) {
      expect((await server.get('/metrics', { [header]: '192.0.2.1' })).status).toBe(403)
    }
  })

  test('are not served to pages of other sites, also by a name that points to this machine', async () => {
    await using server = await openTestServer()
    const { port } = new URL(server.url)
    expect((await server.get('/metrics')).headers.get('access-control-allow-origin')).toBeNull()
    expect((await server.get('/api/services')).headers.get('access-control-allow-origin')).toBe('*')
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`, 'localhost'])
      expect((await server.get('/metrics', { host })).status).toBe(200)
    for (const host of [`rebound.example:${port}`, `localhost.example:${port}`, `127.0.0.1.example:${port}`])
      expect((await server.get('/metrics', { host })).status).toBe(403)
  })

  test('can be opened or switched off', async () => {
    await using open = await openTestServer({ METRICS: 'open' })
    expect((await open.get('/metrics', { via: '1.1 proxy' })).status).toBe(200)
    await using off = await openTestServer({ METRICS: 'off' })
    expect((await off.get('/metrics')).status).toBe(404)
  })
})

describe('the log', () => {
  test('has one line per request, without key, query or body', async () => {
    let text = ''
    const server = await openTestServer(
      { LOG_LEVEL: 'info' },
      {
        log: lines => {
          text += lines
        },
      },
    )
    await server.get('/api/services?query=secret-word')
    await server.register(body({ name: 'Secret name' }), { 'x-request-id': 'mine' })
    await server.get('/nope?token=secret-token')
    await server.get('/api/services/%22%0A%3C')
    await server[Symbol.asyncDispose]()
    const lines = text
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line))
      .filter(line => line.message === 'request')
    expect(lines).toHaveLength(4)
    expect(lines[0]).toEqual({
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      level: 'info',
      message: 'request',
      requestId: expect.any(String),
      method: 'GET',
      route: '/api/services',
      path: '/api/services',
      status: 200,
      ms: expect.any(Number),
      bytes: 2,
      caller: 'address',
    })
    expect(lines[1]).toMatchObject({ requestId: 'mine', method: 'POST', status: 201, caller: 'key' })
    expect(lines[2]).toMatchObject({ route: 'unknown', path: '/nope', status: 404 })
    expect(lines[3]).toMatchObject({
      route: '/api/services/:id',
      path: '/api/services/%22%0A%3C',
      status: 404,
    })
    expect(text).not.toMatch(/secret/i)
    expect(text).not.toContain(KEY)
  })
})

/** A server with a page of the test, and what it logs. */
async function openWithPage(page: Omit<Page, 'contentType'>) {
  const [clock, parts] = [systemClock, new AsyncDisposableStack()]
  const logged: string[] = []
  const { app } = parts.use(await openTestServer())
  const store = parts.use(await openStore('sqlite::memory:', { clock }))
  const log = createLog({ level: 'error', write: lines => logged.push(lines) })
  const server = openHttpServer({
    directory: app.directory,
    keys: openKeyring({ keys: store.keys, clock, extraKeys: [] }),
    log,
    clock,
    settings: readConfig({ PORT: '0' }),
    pages: [{ contentType: 'text/html', ...page }],
    renderFailure: async (request, error) => renderFailure(request, error),
  })
  return { url: `${server.urls[0]}`, server, parts, log, logged }
}
type Page = Parameters<typeof openHttpServer>[0]['pages'][number]

test('an internal error is answered with 500 without its message, and logged with its stack and request id', async () => {
  const failing = {
    path: '/broken',
    render: () => {
      throw new Error('the password is swordfish')
    },
  }
  const { url, server, parts, log, logged } = await openWithPage(failing)
  await using _ = parts
  parts.use(server)
  const headers = { 'x-request-id': 'trace-500' }
  const shown = await (await ask(`${url}/broken`, { headers: { ...headers, accept: 'text/html' } })).text()
  expect(shown).toContain('<code>trace-500</code>')
  expect(shown).not.toContain('swordfish')
  const response = await ask(`${url}/broken`, { headers })
  expect(response.status).toBe(500)
  const answer = await response.text()
  expect(answer).not.toContain('swordfish')
  expect(JSON.parse(answer).code).toBe('internal')
  log.flush()
  const line = JSON.parse(logged.join('').split('\n')[0]!)
  expect(line).toMatchObject({
    level: 'error',
    requestId: 'trace-500',
    error: { message: 'the password is swordfish' },
  })
  expect(line.error.stack).toContain('operating.test.ts')
})

describe('the server', () => {
  test('listens on both loopback addresses, on one port', async () => {
    await using server = await openTestServer()
    const ports = new Set(server.app.urls.map(url => new URL(url).port))
    expect(ports.size).toBe(1)
    expect(server.app.urls[0]).toStartWith('http://127.0.0.1:')
    for (const url of server.app.urls) expect((await ask(`${url}/healthz`)).status).toBe(200)
  })

  test('reports a port in use', async () => {
    await using server = await openTestServer()
    await expect(openTestServer({ PORT: new URL(server.url).port })).rejects.toThrow(/in use/i)
  })

  test('finishes open requests before it stops', async () => {
    const entered = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<void>()
    const slow = {
      path: '/slow',
      render: async () => {
        entered.resolve()
        await gate.promise
        return { text: 'finished' }
      },
    }
    const { url, server, parts } = await openWithPage(slow)
    await using _ = parts
    const answer = ask(`${url}/slow`).then(response => response.text())
    await entered.promise
    const stopped = server[Symbol.asyncDispose]()
    await expect(ask(`${url}/healthz`)).rejects.toThrow()
    gate.resolve()
    expect(await answer).toBe('finished')
    await stopped
  })
})
