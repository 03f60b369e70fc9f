import { expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../src/app/config.ts'
import { openOperator } from '../../src/app/operator.ts'
import { openTestServer } from '../http/directory-server.ts'
import { fuzz } from './fuzz.ts'

/** The long form, with other requests every time, is `npm run bench -- fuzz`. */
const REQUESTS = 2_000

test('random requests made from the OpenAPI document get what the document promises, and do no harm', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'shirube-fuzz-'))
  const settings = { DATABASE_URL: `sqlite:${join(folder, 'sample.db')}` }
  let log = ''
  await using server = await openTestServer(
    { ...settings, RATE_LIMIT: '1000000000', TRUST_PROXY: '1', LOG_LEVEL: 'warn' },
    { sample: true, log: lines => (log += lines) },
  )
  await using operator = await openOperator(readConfig(settings))
  const { key } = await operator.keys.create({ name: 'all', scopes: ['register', 'admin'], expiresAt: null })
  const services: { id: string }[] = await server.json('/api/services?limit=100')
  const ids = services.map(({ id }) => id)
  const statuses = await fuzz({ url: server.url, key, ids, requests: REQUESTS, seed: 402 })

  // Without these the generator would have lost its way, and the test its meaning.
  const seen = [...statuses.keys()].sort()
  expect(seen).toEqual(expect.arrayContaining([200, 201, 204, 304, 400, 401, 404, 405, 409, 413, 415]))
  expect((await server.get('/healthz')).status).toBe(200)
  const metrics = await (await server.get('/metrics')).text()
  expect(metrics).toContain('\nshirube_http_requests_in_flight 1\n')
  expect(log).toBe('')
  await rm(folder, { recursive: true, force: true })
})
