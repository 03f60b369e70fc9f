import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../../src/app/config.ts'
import { openApp } from '../../../src/app/server.ts'
import { exportDocumentSchema } from '../../../src/domain/listing/service.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { openStore } from '../../../src/store/open.ts'
import { entry } from '../../entries.ts'
import { ask, body, createSetClock, openTestServer } from '../directory-server.ts'
import { openStandingServer } from '../standing-server.ts'

test('contains one entry per service, of every status, with exactly the fields of the contract', async () => {
  await using server = await openStandingServer({ DIRECTORY_NAME: 'Wegweiser "Süd"' })
  const document = await server.json('/api/export')
  expect(Object.keys(document)).toEqual(['version', 'source', 'exportedAt', 'endpoints'])
  expect(document.version).toBe('1.0')
  expect(document.source).toBe('Wegweiser "Süd"')
  expect(document.endpoints).toHaveLength(64)
  expect(exportDocumentSchema.safeParse(document).success).toBe(true)
  for (const exported of document.endpoints) {
    const service = await server.json(`/api/services/${exported.id}`)
    expect(exported).toEqual({
      id: service.id,
      name: service.name,
      endpoint: service.endpoint,
      category: expect.any(String),
      pricing: { currency: service.pricing.currency, pricePerRequest: service.pricing.pricePerRequest },
      x402Config: service.x402Config,
      trustScore: service.trustScore,
      status: service.status,
    })
  }
  const statuses = new Set(document.endpoints.map((exported: { status: string }) => exported.status))
  expect([...statuses].sort()).toEqual(['inactive', 'unverified', 'verified'])
})

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

test('of an empty catalog is a complete document', async () => {
  await using server = await openTestServer()
  expect((await server.json('/api/export')).endpoints).toEqual([])
})

describe('a large export', () => {
  const COUNT = 6_000
  let folder: string
  let app: Awaited<ReturnType<typeof openApp>>
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'shirube-'))
    const config = readConfig({
      PORT: '0',
      DATABASE_URL: `sqlite:${folder}/large.db`,
      LOG_LEVEL: 'silent',
      PROBE: 'off',
    })
    {
      await using store = await openStore(config.databaseUrl, { clock: systemClock })
      await store.insert(Array.from({ length: COUNT }, (_, i) => entry({ name: `Service ${i}` })))
    }
    app = await openApp(config)
    await app.ready
  })
  afterAll(async () => {
    await app[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  })

  test('is complete, also compressed', async () => {
    for (const coding of ['identity', 'gzip', 'br', 'zstd']) {
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
