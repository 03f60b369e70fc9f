import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { readConfig } from '../../../src/app/config.ts'
import { openApp } from '../../../src/app/server.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { openStore } from '../../../src/store/open.ts'
import { entry } from '../../entries.ts'
import { temporaryPath } from '../../store/temporary-path.ts'
import { ask, body, createSetClock, openTestServer } from '../directory-server.ts'

test('has categories by their English label, also one made from an unknown id', async () => {
  await using server = await openTestServer()
  await server.register(body({ category: 'WEATHER' }))
  await server.register(body({ category: 'image-generation' }))
  const { endpoints } = await server.json('/api/export')
  expect(endpoints.map((exported: { category: string }) => exported.category)).toEqual([
    'Weather',
    'Image Generation',
  ])
})

test('has the time of the response', async () => {
  const clock = createSetClock('2026-05-01T10:00:00.000Z')
  await using server = await openTestServer({}, { clock })
  clock.set('2026-05-01T10:00:07.123Z')
  expect((await server.json('/api/export')).exportedAt).toBe('2026-05-01T10:00:07.123Z')
})

describe('a large export', () => {
  const COUNT = 6_000
  let app: Awaited<ReturnType<typeof openApp>>
  beforeAll(async () => {
    const config = readConfig({
      PORT: '0',
      DATABASE_URL: `sqlite:${temporaryPath('large.db')}`,
      LOG_LEVEL: 'silent',
      PROBE: 'off',
    })
    {
      await using store = await openStore(config.databaseUrl, { clock: systemClock })
      await store.insert(Array.from({ length: COUNT }, (_, i) => entry({ name: `Service ${i}` })))
    }
    app = await openApp(config)
    await app.caughtUp
  })
  afterAll(() => app[Symbol.asyncDispose]())

  test('is complete, also compressed', async () => {
    for (const coding of ['identity', 'gzip']) {
      const response = await ask(`${app.urls[0]}/api/export`, { headers: { 'accept-encoding': coding } })
      const { endpoints } = (await response.json()) as { endpoints: { name: string }[] }
      expect(new Set(endpoints.map(({ name }) => name)).size).toBe(COUNT)
    }
  })

  test('lets other requests through, and does not run ahead of a reader that has stopped reading', async () => {
    const { hostname, port } = new URL(app.urls[0]!)
    const slow = connect(Number(port), hostname)
    slow.write('GET /api/export HTTP/1.1\r\nHost: x\r\n\r\n')
    await new Promise(resolve => slow.once('data', resolve))
    slow.pause()
    const others = await Promise.all(Array.from({ length: 20 }, () => ask(`${app.urls[0]}/api/services`)))
    expect(others.map(({ status }) => status)).toEqual(others.map(() => 200))
    let received = 0
    slow.on('data', chunk => {
      received += chunk.length
    })
    const isComplete = new Promise<void>(resolve =>
      slow.on('data', chunk => chunk.toString('latin1').endsWith('0\r\n\r\n') && resolve()),
    )
    slow.resume()
    await isComplete
    slow.destroy()
    expect(received).toBeGreaterThan(COUNT * 200)
  })

  test('that its reader abandons does not affect the server', async () => {
    const leaving = new AbortController()
    const response = await ask(`${app.urls[0]}/api/export`, { signal: leaving.signal })
    await response.body!.getReader().read()
    leaving.abort()
    expect((await ask(`${app.urls[0]}/readyz`)).status).toBe(200)
  })
})
