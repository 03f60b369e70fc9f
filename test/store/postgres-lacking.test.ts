// Engines and poolers with fewer features than PostgreSQL: the store works on them, more slowly, and logs what is missing.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import postgres from 'postgres'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import { entry } from '../entries.ts'
import { forget } from '../faults/lesser-engine.ts'
import { type Alter, openTcpProxy, type TcpProxy } from '../faults/tcp-proxy.ts'
import { createDatabase, createEmptiable, emptyDatabase, sharedPostgres } from '../postgres.ts'
import { describeStore } from './contract.ts'

/** Takes the notifications out of what the server says, as a pooler does that lends connections by the transaction. */
function swallow(): Alter {
  const NOTIFICATION = 'A'.charCodeAt(0)
  const HEAD = 5
  let rest = Buffer.alloc(0)
  return chunk => {
    rest = Buffer.concat([rest, chunk])
    const passed: Buffer[] = []
    while (rest.length >= HEAD) {
      const end = 1 + rest.readUInt32BE(1)
      if (rest.length < end) break
      if (rest[0] !== NOTIFICATION) passed.push(rest.subarray(0, end))
      rest = rest.subarray(end)
    }
    return Buffer.concat(passed)
  }
}

const through = (url: string, { port }: TcpProxy): string => {
  const address = new URL(url)
  address.port = String(port)
  return address.href
}

async function openTelling(url: string) {
  const told: string[] = []
  const store = await openStore(url, { clock: systemClock, onLacking: sentence => told.push(sentence) })
  return { store, told, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() }
}

/** Hears by being told alone; the first call says that it listens. */
async function listen(store: Store) {
  let wake = Promise.withResolvers<void>()
  store.watch(() => wake.resolve())
  await wake.promise
  return {
    async whenToldOf(write: () => Promise<unknown>): Promise<void> {
      wake = Promise.withResolvers()
      await write()
      await wake.promise
    },
  }
}

const NO_NOTIFICATIONS = /^It has no notifications: .*polling every second\.$/
const NO_TIMELINE = /^It does not report its timeline: /

describe('an engine without LISTEN, pg_notify, a timeline and advisory locks', () => {
  let proxy: TcpProxy
  let kept: string | undefined
  beforeAll(async () => {
    proxy = await openTcpProxy((await sharedPostgres()).port, { toServer: forget })
  })
  afterAll(() => proxy[Symbol.asyncDispose]())

  describeStore('keeps the contract', {
    shared: true,
    // The statements are those that PostgreSQL gets, which has more of them.
    cases: 10,
    open: async () => {
      if (kept !== undefined) await emptyDatabase(kept)
      kept ??= await createEmptiable()
      const url = through(kept, proxy)
      const open = () => openStore(url, { clock: systemClock })
      return { store: await open(), reopen: open }
    },
  })

  test('is initialised by one of ten nodes that start at once, and each logs once what is missing', async () => {
    const url = through(await createDatabase(), proxy)
    const nodes = await Promise.all(Array.from({ length: 10 }, () => openTelling(url)))
    await Promise.all(nodes.map(({ store }) => store.insert([entry()])))
    for (const { store, told } of nodes) {
      expect(await store.lastSeq()).toBe(10)
      expect(told).toEqual([expect.stringMatching(NO_NOTIFICATIONS), expect.stringMatching(NO_TIMELINE)])
      await store[Symbol.asyncDispose]()
    }
  })

  test('lets a node see the writes of another by polling', async () => {
    const url = through(await createDatabase(), proxy)
    await using writer = await openTelling(url)
    await using reader = await openTelling(url)
    const listening = await listen(reader.store)
    for (let round = 1; round <= 3; round++) {
      await listening.whenToldOf(() => writer.store.insert([entry()]))
      expect(await reader.store.lastSeq()).toBe(round)
    }
  })

  test('shares a database with nodes that have every feature, without gaps or duplicates in the sequence', async () => {
    const direct = await createDatabase()
    await using lacking = await openTelling(through(direct, proxy))
    await using whole = await openTelling(direct)
    for (let round = 0; round < 5; round++) {
      for (const { store } of [lacking, whole]) await store.insert([entry()])
    }
    const changes = await lacking.store.changes(0, 100)
    expect(changes.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(whole.told).toEqual([])
  })
})

test('a database user without permission for those functions can use the store', async () => {
  const server = await sharedPostgres()
  const url = new URL(await createDatabase())
  const name = url.pathname.slice(1)
  const sql = postgres(url.href, { max: 1, onnotice: () => {} })
  await sql.unsafe(`CREATE ROLE ${name} LOGIN PASSWORD 'plain'`)
  await sql.unsafe(`ALTER DATABASE ${name} OWNER TO ${name}`)
  await sql.unsafe(
    `REVOKE EXECUTE ON FUNCTION pg_notify(text, text), pg_walfile_name(pg_lsn), pg_current_wal_lsn(),
       pg_is_in_recovery(), pg_advisory_xact_lock(bigint) FROM PUBLIC`,
  )
  await sql.end()
  const plain = `postgres://${name}:plain@127.0.0.1:${server.port}/${name}`
  await using writer = await openTelling(plain)
  await using reader = await openTelling(plain)
  const listening = await listen(reader.store)
  await listening.whenToldOf(() => writer.store.insert([entry()]))
  expect(await reader.store.lastSeq()).toBe(1)
  expect(reader.told).toEqual([expect.stringMatching(NO_NOTIFICATIONS), expect.stringMatching(NO_TIMELINE)])
})

test('missing notifications are detected and logged once; polling continues', async () => {
  const direct = await createDatabase()
  await using pooler = await openTcpProxy((await sharedPostgres()).port, { toClient: swallow })
  await using writer = await openTelling(direct)
  await using deaf = await openTelling(through(direct, pooler))
  const listening = await listen(deaf.store)
  for (let round = 1; deaf.told.length === 0 || round < 7; round++) {
    await listening.whenToldOf(() => writer.store.insert([entry()]))
  }
  expect(deaf.told).toEqual([expect.stringMatching(/^Its notifications do not arrive: /)])
  expect(writer.told).toEqual([])
})
