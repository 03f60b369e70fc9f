import { expect, test } from 'bun:test'
import type { BunRequest } from 'bun'
import { createPipeline, createRequestMeter } from '../../../src/http/pipeline/pipeline.ts'
import { queryOf } from '../../../src/http/pipeline/request.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { createLog } from '../../../src/runtime/log.ts'

test('many requests that arrive at once let others through in between', async () => {
  using log = createLog({ level: 'silent' })
  const toFetcher = createPipeline({
    clock: systemClock,
    log,
    meter: createRequestMeter(),
    limiter: undefined,
    readCaller: () => ({ kind: 'address', name: 'somebody' }),
  })
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

test('no header of one response is sent with the next', async () => {
  using log = createLog({ level: 'silent' })
  const toFetcher = createPipeline({
    clock: systemClock,
    log,
    meter: createRequestMeter(),
    limiter: undefined,
    readCaller: () => ({ kind: 'address', name: 'somebody' }),
  })
  const fetcher = toFetcher({
    path: '/told',
    methods: {
      GET: ({ request }) => {
        const names = queryOf(request.url).split('&').filter(Boolean)
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
    for (const name of [
      'Cache-Control',
      'cache-control',
      'Vary',
      'Content-Type',
      'Access-Control-Allow-Origin',
    ]) {
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
