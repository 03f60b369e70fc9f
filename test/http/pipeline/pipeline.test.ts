import { expect, test } from 'bun:test'
import { createPipeline, createRequestMeter } from '../../../src/http/pipeline/pipeline.ts'
import { queryOf } from '../../../src/http/pipeline/request.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { createLog } from '../../../src/runtime/log.ts'

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
