import { expect, test } from 'bun:test'
import type { BunRequest } from 'bun'
import { createRateLimiter } from '../../../src/http/pipeline/limits.ts'
import { createPipeline, createRequestMeter } from '../../../src/http/pipeline/pipeline.ts'
import { queryIn, readBytes } from '../../../src/http/pipeline/request.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { createLog } from '../../../src/runtime/log.ts'

/** Everybody is one caller. */
const openPipeline = (
  log: ReturnType<typeof createLog>,
  more: Partial<Parameters<typeof createPipeline>[0]> = {},
) =>
  createPipeline({
    clock: systemClock,
    log,
    meter: createRequestMeter(),
    limiter: undefined,
    readRequester: () => ({ kind: 'address', name: 'somebody' }),
    ...more,
  })

test('many requests that arrive at once let others through in between', async () => {
  using log = createLog({ level: 'silent' })
  const toFetcher = openPipeline(log)
  let answered = 0
  const GET = () => ({ status: 200, headers: {}, body: String(++answered) })
  const read = toFetcher({ path: '/read', methods: { GET } })
  const health = toFetcher({
    path: '/health',
    isUnlimited: true,
    methods: { GET: () => ({ status: 200, headers: {}, body: null }) },
  })
  const call = (fetcher: typeof read) => fetcher(new Request('http://x.test') as BunRequest, undefined!)
  const reads = Array.from({ length: 1_000 }, () => call(read))
  expect(answered).toBeLessThan(200)
  expect(call(health)).toBeInstanceOf(Response)
  expect((await Promise.all(reads)).every(({ status }) => status === 200)).toBe(true)
  expect(answered).toBe(1_000)
})

test('pages that tell of a spent limit let others through in between', async () => {
  using log = createLog({ level: 'silent' })
  let made = 0
  const toFetcher = openPipeline(log, {
    limiter: createRateLimiter(1),
    toFailurePage: async () => ({ status: 429, headers: {}, body: String(++made) }),
  })
  const read = toFetcher({
    path: '/read',
    methods: { GET: () => ({ status: 200, headers: {}, body: null }) },
  })
  const call = () => read(new Request('http://x.test') as BunRequest, undefined!)
  await call()
  const refused = Array.from({ length: 1_000 }, call)
  expect(made).toBeLessThan(200)
  expect((await Promise.all(refused)).every(({ status }) => status === 429)).toBe(true)
  expect(made).toBe(1_000)
})

test('a body in pieces of one byte lets others through in between', async () => {
  let left = 1_000
  const body = new ReadableStream({
    pull(controller) {
      if (left-- > 0) controller.enqueue(new Uint8Array(1))
      else controller.close()
    },
  })
  let turns = 0
  let isRead = false
  const count = () => {
    turns++
    if (!isRead) setImmediate(count)
  }
  setImmediate(count)
  expect(await readBytes(new Request('http://x.test', { method: 'POST', body }))).toHaveLength(1_000)
  isRead = true
  expect(turns).toBeGreaterThan(50)
})

test('no header of one response is sent with the next', async () => {
  using log = createLog({ level: 'silent' })
  const toFetcher = openPipeline(log)
  const fetcher = toFetcher({
    path: '/told',
    methods: {
      GET: ({ request }) => {
        const names = queryIn(request.url).split('&').filter(Boolean)
        const headers = Object.fromEntries(names.map(name => [name, 'told']))
        return { status: 200, headers, body: new Uint8Array(), tag: `"${names.length}"` }
      },
    },
  })
  const server = Bun.serve({ port: 0, routes: { '/told': fetcher } })
  const told = async (query: string) => {
    const { headers } = await fetch(`${server.url}told?${query}`)
    return ['etag', 'link', 'x-total-count', 'cache-control'].map(name => headers.get(name))
  }
  try {
    expect(await told('Link&X-Total-Count')).toEqual(['"2"', 'told', 'told', 'no-cache'])
    expect(await told('Link')).toEqual(['"1"', 'told', null, 'no-cache'])
    expect(await told('')).toEqual(['"0"', null, null, 'no-cache'])
    expect(await told('X-Total-Count')).toEqual(['"1"', null, 'told', 'no-cache'])
    // What all such answers share is no less theirs when one of them says otherwise.
    for (const name of 'Cache-Control cache-control Vary Content-Type Access-Control-Allow-Origin'.split(
      ' ',
    )) {
      await told(name)
      expect(await told('')).toEqual(['"0"', null, null, 'no-cache'])
    }
    expect(await told('Cache-Control&Link')).toEqual(['"2"', 'told', null, 'told'])
    const { headers } = await fetch(`${server.url}told`)
    expect(['vary', 'content-type', 'access-control-allow-origin'].map(name => headers.get(name))).toEqual([
      'Accept-Encoding',
      'application/json',
      '*',
    ])
  } finally {
    await server.stop(true)
  }
})
