// How the client behaves towards a server that refuses, breaks off or is no directory at all.
import { afterEach, describe, expect, test } from 'bun:test'
import { createClient } from '../../src/http/client/client.ts'
import { guard } from '../../src/http/client/guard.ts'
import type { Clock } from '../../src/runtime/clock.ts'
import { errorOf } from './directory.ts'

type Answer = () => Response
let servers: { stop(force: boolean): unknown }[] = []
afterEach(() => {
  for (const server of servers) server.stop(true)
  servers = []
})

/** A server that gives these answers in turn, the last one for ever, and remembers what it was asked. */
function listen(...answers: Answer[]) {
  const asked: { method: string; path: string; headers: Headers }[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      const { pathname, search } = new URL(request.url)
      asked.push({ method: request.method, path: pathname + search, headers: request.headers })
      return answers[Math.min(asked.length, answers.length) - 1]!()
    },
  })
  servers.push(server)
  const waits: number[] = []
  const clock: Clock = {
    now: () => new Date('2026-01-01T00:00:00.000Z'),
    sleep: async ms => void waits.push(ms),
  }
  return { asked, waits, client: createClient({ url: `http://127.0.0.1:${server.port}/`, clock }) }
}

const refuse = (status: number, retryAfter?: string) => () =>
  Response.json(
    { status, detail: 'Come back later.', code: status === 429 ? 'rate_limited' : 'not_ready' },
    { status, headers: retryAfter === undefined ? {} : { 'Retry-After': retryAfter } },
  )
const nothing = () => Response.json([])

describe('The client', () => {
  test.each([undefined, 'foo', '', 'ftp://directory.example/', 'directory.example:4020', null, 7])(
    'is not created for %p, which is not the address of a directory',
    url => {
      const options = { url, directory: url } as never
      const expected = /must be the address of a directory, like https:\/\/directory\.example, not .+\.$/
      expect(() => createClient(options)).toThrow(expected)
      const client = { onBeforePaymentCreation: () => undefined }
      expect(() => guard(client, options)).toThrow(expected)
    },
  )

  test('keeps the codes of messages, and the sentence of an unknown one', async () => {
    const problem = (detailCode: unknown, error: object) => () =>
      Response.json(
        {
          status: 400,
          code: 'invalid_request',
          detail: 'Told in words.',
          detailCode,
          errors: [{ path: 'x', message: 'is told', ...error }],
        },
        { status: 400 },
      )
    const known = { code: 'parameter_unknown', values: { nearest: 'limit' } }
    const { client } = listen(
      problem({ code: 'catalog_loading', values: {} }, known),
      problem({ code: 'of_tomorrow', values: {} }, { code: 'parameter_unknown' }),
    )
    expect(await errorOf(client.categories())).toMatchObject({
      said: { code: 'catalog_loading' },
      problems: [{ path: 'x', message: 'is not a parameter here (did you mean limit?)', said: known }],
    })
    expect(await errorOf(client.categories())).toMatchObject({
      message: 'Told in words.',
      problems: [{ path: 'x', message: 'is told', said: { code: 'text' } }],
    })
  })

  test('waits as long as the directory asks, then tries again', async () => {
    const { client, waits, asked } = listen(
      refuse(429, '2'),
      refuse(503, 'Thu, 01 Jan 2026 00:00:03 GMT'),
      nothing,
    )
    expect(await client.categories()).toEqual([])
    expect(waits).toEqual([2000, 3000])
    expect(asked).toHaveLength(3)
  })

  test('gives up after a few attempts, with the error of the directory', async () => {
    const { client, asked } = listen(refuse(503))
    const error = await errorOf(client.categories())
    expect([error.code, error.message]).toEqual(['not_ready', 'Come back later.'])
    expect(asked).toHaveLength(4)
  })

  test('gives up at once when it would have to wait long', async () => {
    const { client, waits } = listen(refuse(429, '3600'))
    expect((await errorOf(client.categories())).code).toBe('rate_limited')
    expect(waits).toEqual([])
  })

  test('retries a registration with one idempotency key, generated unless one is given', async () => {
    const registered = () => Response.json({ id: 'svc_x' }, { status: 201 })
    const keysOf = ({ asked }: ReturnType<typeof listen>) =>
      asked.map(({ headers }) => headers.get('idempotency-key'))

    const given = listen(refuse(503, '1'), registered)
    const { service } = await given.client.register({}, { key: 'some-key', idempotencyKey: 'order-1' })
    expect(service.decode().id).toBe('svc_x')
    expect(keysOf(given)).toEqual(['order-1', 'order-1'])

    const plain = listen(refuse(429, '1'), refuse(503, '1'), registered)
    await plain.client.register({}, { key: 'some-key' })
    await plain.client.register({}, { key: 'some-key' })
    const [first, second, third, other] = keysOf(plain)
    expect([second, third]).toEqual([first!, first!])
    expect(first).toMatch(/^[\w-]{16,}$/)
    expect(other).not.toBe(first!)
  })

  test('reports in a sentence that nothing listens', async () => {
    const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: nothing })
    const url = `http://127.0.0.1:${server.port}`
    await server.stop(true)
    const error = await errorOf(createClient({ url }).categories())
    expect(error.message).toStartWith(`No directory answers at ${url}.`)
  })

  test('reports in a sentence that something else listens', async () => {
    const page = () => new Response('<html>', { headers: { 'Content-Type': 'text/html' } })
    expect((await errorOf(listen(page).client.categories())).message).toContain('is not a directory')
    expect(
      (await errorOf(listen(() => new Response('', { status: 404 })).client.get('x'))).message,
    ).toContain('is not a directory')
    const json = (text: string) => () =>
      new Response(text, { headers: { 'Content-Type': 'application/json' } })
    for (const text of ['{"id":"svc_', '', 'null', '5']) {
      const reading = (async () => (await listen(json(text)).client.get('svc_1')).decode())()
      expect((await errorOf(reading)).message).toContain('is not a directory')
    }
    const exportOf = async (answer: Answer) => Array.fromAsync(listen(answer).client.export())
    expect((await errorOf(exportOf(page))).message).toContain('is not a directory')
    expect((await errorOf(exportOf(() => Response.json({ a: 1 })))).message).toContain('is not a directory')
  })

  test('reports an interrupted export after the received entries', async () => {
    const { client } = listen(() => new Response('{"endpoints":[{"id":"svc_1"},{"id":"sv'))
    const ids: string[] = []
    const reading = (async () => {
      for await (const { id } of client.export()) ids.push(id)
    })()
    expect((await errorOf(reading)).message).toContain('the connection was lost')
    expect(ids).toEqual(['svc_1'])
  })

  test.each([301, 302, 307, 308])(
    'sends no write on to where a %d points, and names the place',
    async status => {
      const { client, asked } = listen(() =>
        Response.redirect('http://elsewhere.example/api/services', status),
      )
      const error = await errorOf(client.register({} as never, { key: 'secret' }))
      expect([error.code, error.message]).toEqual([
        'store_unavailable',
        expect.stringContaining(`sends writes on to http://elsewhere.example`),
      ])
      expect(asked).toHaveLength(1)
      // A read may follow.
      const { client: moved } = listen(
        () => new Response(null, { status, headers: { location: '/api/here' } }),
        nothing,
      )
      expect((await moved.list({ limit: 1, offset: 0 })).services.decode()).toEqual([])
    },
  )

  test('derives the kind of an unknown error from the status', async () => {
    const answer = (status: number) => () => Response.json({ code: 'brand_new', detail: 'No.' }, { status })
    expect((await errorOf(listen(answer(403)).client.get('x'))).code).toBe('forbidden')
    expect((await errorOf(listen(answer(418)).client.get('x'))).code).toBe('invalid_request')
    expect((await errorOf(listen(answer(502)).client.get('x'))).code).toBe('internal')
  })

  test('never lets an id or a word change the address', async () => {
    const { client, asked } = listen(() => Response.json({}))
    await client.get('../export?x#y')
    expect(asked[0]!.path).toBe('/api/services/..%2Fexport%3Fx%23y')
    for (const id of ['', '.', '..', '\ud800']) expect((await errorOf(client.get(id))).code).toBe('not_found')
    await client.search({ q: 'a&limit=5#天気', limit: 20, offset: 0 })
    expect(asked[1]!.path).toBe('/api/catalog/search?q=a%26limit%3D5%23%E5%A4%A9%E6%B0%97&limit=20&offset=0')
    expect(asked).toHaveLength(2)
  })
})
