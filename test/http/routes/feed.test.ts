import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { changesSchema, feedEventSchema } from '../../../src/domain/feed.ts'
import { ask, body, costOfFirst, KEY, openTestServer, type TestServer } from '../directory-server.ts'

const newService = async (server: TestServer, parts: object = {}) =>
  (await (await server.register(body(parts))).json()) as { id: string; name: string }

const numberOf = (cursor: string): number => Number(/^\d+/.exec(cursor)![0])

describe('Changes', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await openTestServer({}, { sample: true })
  })
  afterAll(() => server[Symbol.asyncDispose]())

  const changes = (query: string) => server.json(`/api/changes${query}`)

  test('contain the whole catalog from the beginning, in contiguous pages', async () => {
    const seen: { id: string; seq: number; service: object }[] = []
    for (let since = '0', isMore = true; isMore; ) {
      const page = changesSchema.strict().parse(await changes(`?since=${since}&limit=7`))
      expect(page.changes.length).toBeLessThanOrEqual(7)
      seen.push(...(page.changes as typeof seen))
      since = page.next
      isMore = !page.caughtUp
    }
    const listed = await server.json('/api/services?sortOrder=asc&limit=100')
    expect(seen.map(({ service }) => service)).toEqual(listed)
    expect(seen.map(({ seq }) => seq)).toEqual(seen.map(({ seq }) => seq).toSorted((a, b) => a - b))
  })

  test.each([
    ['?since=-1', 'since'],
    ['?since=x', 'since'],
    ['?limit=0', 'limit'],
    ['?wait=10', 'wait'],
    ['?sinc=1', 'sinc'],
    ['?since=1&since=2', 'since'],
  ])('%s is refused', async (query, path) => {
    const answer = await server.get(`/api/changes${query}`)
    expect(answer.status).toBe(400)
    expect((await answer.json()).errors[0].path).toBe(path)
  })
})

type Stream = AsyncDisposable & {
  readonly response: Response
  /** The next event as it came. */
  next(): Promise<{ id: string; event: string; data: string }>
}

async function listen(server: TestServer, query = '', headers: Record<string, string> = {}): Promise<Stream> {
  const leaving = new AbortController()
  const response = await ask(`${server.url}/api/events${query}`, { headers, signal: leaving.signal })
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  return {
    response,
    async next() {
      for (;;) {
        const end = text.indexOf('\n\n')
        if (end >= 0) {
          const fields = text
            .slice(0, end)
            .split('\n')
            .map(line => line.split(/: ?(.*)/s) as [string, string])
          text = text.slice(end + 2)
          if (fields.some(([name]) => name === 'event'))
            return Object.fromEntries(fields) as { id: string; event: string; data: string }
          continue
        }
        const { value, done } = await reader.read()
        if (done) throw new Error('the stream ended')
        text += value
      }
    },
    async [Symbol.asyncDispose]() {
      leaving.abort()
      await reader.cancel().catch(() => {})
    },
  }
}

describe('Events', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await openTestServer()
  })
  afterAll(() => server[Symbol.asyncDispose]())

  test('are sent to every listener, with the registered service', async () => {
    await using first = await listen(server)
    await using second = await listen(server)
    expect(first.response.headers.get('content-type')).toBe('text/event-stream')
    const service = await newService(server, { name: 'News' })
    for (const stream of [first, second]) {
      const { id, event, data } = await stream.next()
      const told = feedEventSchema.strict().parse(JSON.parse(data))
      expect(event).toBe('service.registered')
      expect(told).toMatchObject({ type: 'service.registered', serviceId: service.id, after: service })
      expect(id).toBe(told.cursor)
      expect(numberOf(id)).toBe(told.number)
      // Who was told can look it up.
      expect((await server.get(`/api/services/${service.id}`)).status).toBe(200)
    }
  })

  test('are repeated from any number on, and then continue live', async () => {
    const services = [await newService(server), await newService(server), await newService(server)]
    await using all = await listen(server, '?after=0')
    const numbers: string[] = []
    for (let told = await all.next(); ; told = await all.next()) {
      numbers.push(told.id)
      if (JSON.parse(told.data).serviceId === services[2]!.id) break
    }
    expect(numbers.map(numberOf)).toEqual(numbers.map((_, i) => i + 1))
    // The header goes before the address, as a browser that reconnects sends both.
    await using rest = await listen(server, '?after=0', { 'last-event-id': numbers.at(-2)! })
    expect((await rest.next()).id).toBe(numbers.at(-1)!)
    const service = await newService(server)
    expect(JSON.parse((await rest.next()).data).serviceId).toBe(service.id)
    expect(JSON.parse((await all.next()).data).serviceId).toBe(service.id)
  })

  test('are complete and in order for a listener a thousand events late', async () => {
    await using other = await openTestServer()
    await using live = await listen(other)
    const count = 1_200
    for (let i = 0; i < count; i += 100) {
      await Promise.all(Array.from({ length: 100 }, () => other.register(body())))
    }
    await using late = await listen(other, '?after=0')
    for (const stream of [live, late]) {
      for (let number = 1; number <= count; number++) expect(numberOf((await stream.next()).id)).toBe(number)
    }
  })

  test.each([
    ['?after=x', {}, 'after'],
    ['?afer=1', {}, 'afer'],
    ['', { 'last-event-id': 'x' }, 'Last-Event-ID'],
  ])('%s %j is refused', async (query, headers, path) => {
    const answer = await server.get(`/api/events${query}`, headers)
    expect(answer.status).toBe(400)
    expect((await answer.json()).errors[0].path).toBe(path)
  })

  test('HEAD opens no stream', async () => {
    const answer = await ask(`${server.url}/api/events`, { method: 'HEAD' })
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      200,
      'text/event-stream',
      '',
    ])
  })

  test('end cleanly with the server', async () => {
    const other = await openTestServer()
    const response = await ask(`${other.url}/api/events`)
    await other[Symbol.asyncDispose]()
    // A stream that is broken off is an error here; one that is ended is a text.
    expect(await response.text()).toStartWith('retry: ')
  })

  test('a listener that reads nothing delays no other and uses no growing memory', async () => {
    await using other = await openTestServer()
    const { hostname, port } = new URL(other.url)
    const stuck = connect(Number(port), hostname)
    stuck.write('GET /api/events HTTP/1.1\r\nHost: x\r\n\r\n')
    await new Promise(resolve => stuck.once('data', resolve))
    stuck.pause()
    await using quick = await listen(other)
    const description = '長い説明'.repeat(450)
    for (let i = 0; i < 1_000; i += 50) {
      await Promise.all(Array.from({ length: 50 }, () => other.register(body({ description }))))
    }
    for (let number = 1; number <= 1_000; number++) expect(numberOf((await quick.next()).id)).toBe(number)
    stuck.destroy()
  })
})

describe('A replay', () => {
  const EVENTS = 3_000
  let server: TestServer
  beforeAll(async () => {
    server = await openTestServer({ TRUST_PROXY: '1', RATE_LIMIT: '1000' })
    const { directory } = server.app
    for (let i = 0; i < EVENTS; i += 200)
      await Promise.all(Array.from({ length: 200 }, () => directory.register(body(), { key: KEY })))
  })
  afterAll(() => server[Symbol.asyncDispose]())

  /** Reads until the last event. */
  async function replay(from: string): Promise<Response> {
    const leaving = new AbortController()
    const headers = { 'x-forwarded-for': from }
    const answer = await ask(`${server.url}/api/events?after=0`, { headers, signal: leaving.signal })
    const decoder = new TextDecoder()
    let rest = ''
    if (answer.status === 200)
      for await (const chunk of answer.body!) {
        rest = (rest + decoder.decode(chunk, { stream: true })).slice(-100_000)
        if (rest.includes(`id: ${EVENTS}-`)) break
      }
    leaving.abort()
    return answer
  }

  test('lets other requests through in between', async () => {
    let isRunning = true
    const running = Promise.all(Array.from({ length: 5 }, (_, i) => replay(`203.0.113.${i}`))).finally(() => {
      isRunning = false
    })
    let answered = 0
    for (; isRunning; answered++) await (await server.get('/healthz')).bytes()
    await running
    expect(answered).toBeGreaterThan(30)
  })

  test('costs its caller by its length', async () => {
    expect(costOfFirst(await replay('203.0.113.9'))).toBe(1 + EVENTS / 250)
    const first = (path: string, from: string) => server.get(path, { 'x-forwarded-for': from })
    expect(costOfFirst(await first('/api/export', '203.0.113.10'))).toBe(1 + EVENTS / 25)
    const page = await first('/api/changes?limit=1000', '203.0.113.11')
    // Each 64 KB of a whole answer cost one more.
    expect(costOfFirst(page)).toBe(41 + Math.floor((await page.bytes()).length / 65_536))
  })
})

describe('Listeners', () => {
  const KEY_OF_ANOTHER = 'a-key-of-another-listener'
  const stream = (server: TestServer, headers: Record<string, string> = {}) => {
    const leaving = new AbortController()
    return ask(`${server.url}/api/events`, { headers, signal: leaving.signal }).then(answer => ({
      answer,
      leave: () => leaving.abort(),
    }))
  }

  test('have a limited number of streams, for each caller separately', async () => {
    await using server = await openTestServer({ API_KEYS: `${KEY},${KEY_OF_ANOTHER}` }, { maxListeners: 2 })
    const first = await stream(server)
    const second = await stream(server)
    const refused = await stream(server)
    expect(refused.answer.status).toBe(429)
    expect(refused.answer.headers.get('retry-after')).not.toBeNull()
    expect(await refused.answer.json()).toMatchObject({
      code: 'rate_limited',
      detail: expect.stringContaining('2 event streams'),
    })
    expect((await server.get('/api/changes?since=0')).status).toBe(200)

    // A key is known once it was used.
    const authorization = `Bearer ${KEY_OF_ANOTHER}`
    await server.get('/api/auth/keys', { authorization })
    const other = await stream(server, { authorization })
    expect(other.answer.status).toBe(200)

    for (const { leave } of [first, second, other]) leave()
  })

  test('free their place when they leave, send an invalid request, or the server stops', async () => {
    await using server = await openTestServer({}, { maxListeners: 1 })
    for (let i = 0; i < 3; i++) {
      expect((await server.get('/api/events', { 'last-event-id': 'x' })).status).toBe(400)
      let open = await stream(server)
      while (open.answer.status === 429) open = await stream(server)
      expect(open.answer.status).toBe(200)
      open.leave()
    }
  })

  test('are not counted without a limit', async () => {
    await using server = await openTestServer({ RATE_LIMIT: '0' })
    const open = await Promise.all(Array.from({ length: 210 }, () => stream(server)))
    expect(open.map(({ answer }) => answer.status)).not.toContain(429)
    for (const { leave } of open) leave()
  })
})
