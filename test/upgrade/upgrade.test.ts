// A database and a backup of version 0.1.0, written by its own server, are served by this one without loss, but for the standing that
// it had invented for its samples.
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { readConfig } from '../../src/app/config.ts'
import { openOperator } from '../../src/app/operator.ts'
import type { Entry } from '../../src/domain/listing/service.ts'
import { initialStanding } from '../../src/domain/standing/standing.ts'
import { openTestServer, type TestServer } from '../http/directory-server.ts'
import { createDatabase } from '../postgres.ts'
import { temporaryPath } from '../store/temporary-path.ts'
import recorded from './0.1.0.answers.json'

/** A key that the old server has issued. */
const KEY = 'shb_d8Kv09PeFXK27AW5SL6uL7PMOUe3YZ9I14u6Os'

const text = (name: string) => Bun.file(new URL(name, import.meta.url)).text()

async function createOldDatabase(): Promise<string> {
  const path = temporaryPath('shirube.db')
  using database = new Database(path)
  database.run(await text('./0.1.0.sql'))
  return `sqlite:${path}`
}

/** Samples: when each was created, by id. */
async function readBackup() {
  const lines = (await text('./0.1.0.backup.ndjson')).trimEnd().split('\n')
  const entries = lines.map(line => (JSON.parse(line) as { readonly entry?: Entry | null }).entry)
  return {
    lines,
    samples: new Map(entries.flatMap(entry => (entry?.sample ? [[entry.id, entry.createdAt]] : []))),
  }
}

async function restoreOldBackup(databaseUrl: string): Promise<string> {
  await using operator = await openOperator(readConfig({ DATABASE_URL: databaseUrl }))
  async function* lines() {
    yield* (await readBackup()).lines
  }
  await operator.restore(lines())
  return databaseUrl
}

/** What every reader is told. Numbers of writes rise after a restore, so the order is what counts of them. */
async function expectSameCatalog(server: TestServer): Promise<void> {
  const { samples } = await readBackup()
  expect(samples.size).toBe(6)
  const services = recorded.services.map(service =>
    samples.has(service.id)
      ? { ...service, status: 'unverified', trustScore: 0, supportedChains: [service.x402Config.network] }
      : service,
  )
  expect(await server.json('/api/services?limit=100')).toEqual(services)
  for (const { id, ...status } of recorded.statuses) {
    const createdAt = samples.get(id)
    const present = createdAt === undefined ? status : initialStanding(createdAt)
    const totalRevenue = Number(present.totalRevenue)
    expect(await server.json(`/api/services/${id}/status`)).toEqual({ id, ...present, totalRevenue })
  }
  for (const { id, items, days } of recorded.histories) {
    const history = await server.json(`/api/services/${id}/history?limit=100`)
    expect(history.items).toMatchObject(items)
    expect(history.days).toMatchObject(days)
  }
  const found = await server.json('/api/catalog/search?q=tides+forecast')
  // The same services; samples rank behind real ones now.
  expect(found.map(({ id }: { id: string }) => id).toSorted()).toEqual(recorded.search.toSorted())
  const { changes } = await server.json('/api/changes?limit=1000')
  const told = changes.map(({ id, type }: { id: string; type: string }) => ({ id, type }))
  expect(told).toEqual(recorded.changes.map(({ id, type }) => ({ id, type })))
}

test('a database of version 0.1.0 is served as it was, and its keys still open it', async () => {
  const databaseUrl = await createOldDatabase()
  await using server = await openTestServer({ DATABASE_URL: databaseUrl, ALLOW_PRIVATE_ENDPOINTS: 'on' })
  await expectSameCatalog(server)
  const listed = await server.get('/api/webhooks', { authorization: `Bearer ${KEY}` })
  expect(listed.status).toBe(200)
})

test('it is the same after a second start, from what the first one kept', async () => {
  const databaseUrl = await createOldDatabase()
  for (let start = 0; start < 2; start++) {
    await using server = await openTestServer({ DATABASE_URL: databaseUrl, ALLOW_PRIVATE_ENDPOINTS: 'on' })
    await expectSameCatalog(server)
  }
})

test('a backup of version 0.1.0 is restored into SQLite', async () => {
  const databaseUrl = await restoreOldBackup(`sqlite:${temporaryPath('restored.db')}`)
  await using server = await openTestServer({ DATABASE_URL: databaseUrl, ALLOW_PRIVATE_ENDPOINTS: 'on' })
  await expectSameCatalog(server)
})

test('a backup of version 0.1.0 is restored into PostgreSQL', async () => {
  const databaseUrl = await restoreOldBackup(await createDatabase())
  await using server = await openTestServer({ DATABASE_URL: databaseUrl, ALLOW_PRIVATE_ENDPOINTS: 'on' })
  await expectSameCatalog(server)
})
