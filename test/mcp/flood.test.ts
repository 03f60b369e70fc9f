// One caller cannot take the server by what it sends to /mcp: not by many messages, nor by large answers.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createMcpEndpoint } from '../../src/mcp/endpoint.ts'
import { ask, body, costOfFirst, openTestServer, type TestServer } from '../http/directory-server.ts'

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const find = (id: number, more: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'find_service', arguments: { q: `tides at port ${id}`, ...more } },
})
const post = ({ url }: TestServer, message: unknown, from = '203.0.113.1') =>
  ask(`${url}/mcp`, {
    method: 'POST',
    headers: { ...HEADERS, 'x-forwarded-for': from },
    body: JSON.stringify(message),
  })

describe('Messages', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await openTestServer({ TRUST_PROXY: '1' })
    for (let i = 0; i < 60; i++)
      await server.register(body({ name: `Tides ${i}`, description: 'tides at a port. '.repeat(110) }))
  })
  afterAll(() => server[Symbol.asyncDispose]())

  test('count by what they cost', async () => {
    let callers = 0
    const costOf = async (more: object) =>
      costOfFirst(await post(server, find(4, more), `203.0.114.${++callers}`))
    const cost = await costOf({})
    expect(cost).toBeGreaterThanOrEqual(10)
    // An agent may send a number as a text.
    for (const more of [{ limit: 100 }, { limit: '100' }, { q: 'tides '.repeat(2_000) }])
      expect(await costOf(more)).toBeGreaterThan(cost * 1.5)
  })

  test('are refused if they are larger than any call', async () => {
    const wrong = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 1]))
    const params = (count: number) => ({
      protocolVersion: '2025-06-18',
      capabilities: { experimental: wrong(count) },
      clientInfo: { name: 'x', version: '1' },
    })
    const initialize = (count: number) =>
      post(server, { jsonrpc: '2.0', id: 1, method: 'initialize', params: params(count) })
    // The library answers each wrong value with 250 bytes.
    expect((await (await initialize(1_000)).text()).length).toBeLessThan(300_000)
    expect((await initialize(5_000)).status).toBe(413)
  })

  test('let other requests through in between', async () => {
    let isRunning = true
    const running = Promise.all(
      Array.from({ length: 100 }, (_, i) => post(server, find(i), `203.0.113.${10 + (i % 10)}`)),
    ).then(() => {
      isRunning = false
    })
    let answered = 0
    for (; isRunning; answered++) await (await server.get('/healthz')).bytes()
    await running
    expect(answered).toBeGreaterThan(10)
  })

  test('wait in a bounded number for each caller', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => post(server, find(1), '203.0.113.40')))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter(status => status === 200).length).toBeGreaterThanOrEqual(8)
    expect(statuses).toContain(429)
    expect((await post(server, find(1), '203.0.113.40')).status).toBe(200)
  })

  test('that have not arrived hold no place', async () => {
    const { hostname, port } = new URL(server.url)
    const from = '203.0.113.41'
    const half = `POST /mcp HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${from}\r\nContent-Length: 99\r\n\r\n{`
    const halves = await Promise.all(
      Array.from({ length: 20 }, () =>
        Bun.connect({
          hostname,
          port: Number(port),
          socket: { open: socket => void socket.write(half), data() {} },
        }),
      ),
    )
    await server.get('/healthz')
    expect((await post(server, find(1), from)).status).toBe(200)
    for (const socket of halves) socket.end()
  })

  test.each([
    [{ name: { toString: 1, valueOf: 1 } }],
    [{ name: [['find_service']] }],
    [{ name: '__proto__' }],
    [{ name: 'find_service', arguments: { limit: { valueOf: 1 } } }],
    [{ name: 'find_service', arguments: null }],
  ])('that are no call of a tool are not a fault of the server: %j', async params => {
    const answer = await post(server, { jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    expect(answer.status).toBeLessThan(500)
  })

  test('of a client that has left are not answered', async () => {
    let searches = 0
    const { directory } = server.app
    const counting = new Proxy(directory, {
      get(target, name) {
        if (name === 'searchByIntent') searches++
        return Reflect.get(target, name)
      },
    })
    await using endpoint = createMcpEndpoint(counting, { title: 'x' })
    const leaving = new AbortController()
    const request = new Request('http://x.test/mcp', {
      method: 'POST',
      headers: HEADERS,
      signal: leaving.signal,
    })
    const turn = async () => leaving.abort()
    await endpoint
      .answer(request, { body: find(1), key: undefined, from: 'x', charge: () => {}, turn })
      .catch(() => {})
    expect(searches).toBe(0)
  })
})
