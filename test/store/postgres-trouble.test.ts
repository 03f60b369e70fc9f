// Several nodes on one PostgreSQL database, and failures between a node and its database.
import { describe, expect, test } from 'bun:test'
import postgres from 'postgres'
import { type Clock, systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { SCHEMA_VERSION } from '../../src/store/schema.ts'
import type { Store } from '../../src/store/store.ts'
import { entry, listed } from '../entries.ts'
import { openTcpProxy } from '../faults/tcp-proxy.ts'
import { freePort } from '../free-port.ts'
import { createDatabase } from '../postgres.ts'

const open = (url: string) => openStore(url, { clock: systemClock })

/** The same database through another port. */
const through = (url: string, port: number) => {
  const address = new URL(url)
  address.port = String(port)
  return address.href
}

/** Tries until it succeeds: what waits for a condition does not depend on the speed of the machine. */
async function eventually<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch {
      await systemClock.sleep(20)
    }
  }
}

const messageOf = async (work: Promise<unknown>): Promise<string> => {
  const error = (await work.catch(error => error)) as Error & { code?: string }
  expect(error).toMatchObject({ name: 'DirectoryError', code: 'store_unavailable' })
  return error.message
}

describe('many nodes', () => {
  test('start on the same new database at the same moment', async () => {
    const url = await createDatabase()
    const stores = await Promise.all(Array.from({ length: 10 }, () => open(url)))
    await Promise.all(stores.map(store => store.insert([entry()])))
    expect(await stores[0]!.lastSeq()).toBe(10)
    await Promise.all(stores.map(store => store[Symbol.asyncDispose]()))
  })

  test('write concurrently, and a reader that has seen a seq never misses a smaller one', async () => {
    const url = await createDatabase()
    // On a slow machine a connection or an answer may come too late for a node: it tries again, and then writes two more perhaps.
    const openPatiently = () => openStore(url, { clock: systemClock, onWaiting: () => {} })
    const writers = await Promise.all(Array.from({ length: 25 }, openPatiently))
    await using reader = await openPatiently()
    const seen: number[] = []
    let isWriting = true
    const write = async (store: Store) => {
      for (let i = 0; i < 10; i++) await eventually(() => store.insert([entry(), entry()]))
    }
    const read = async () => {
      for (;;) {
        const isLast = !isWriting
        const changes = await eventually(() => reader.changes(seen.at(-1) ?? 0, 50))
        seen.push(...changes.map(({ seq }) => seq))
        if (isLast && changes.length === 0) return
      }
    }
    const writing = Promise.all(writers.map(write)).finally(() => {
      isWriting = false
    })
    await Promise.all([writing, read()])
    expect(seen.length).toBeGreaterThanOrEqual(500)
    expect(seen).toEqual(seen.map((_, index) => index + 1))
    const events = await eventually(() => reader.events.after(0, 2_000))
    expect(events.map(({ number, seq }) => [number, seq])).toEqual(seen.map(seq => [seq, seq]))
    await Promise.all(writers.map(store => store[Symbol.asyncDispose]()))
  })

  test('see a commit by a notification, without polling', async () => {
    const url = await createDatabase()
    await using writer = await open(url)
    // The clock of this one is stopped: it cannot poll every second.
    const stopped: Clock = {
      now: systemClock.now,
      sleep: (_ms, signal) => new Promise(resolve => signal?.addEventListener('abort', () => resolve())),
    }
    await using listener = await openStore(url, { clock: stopped })
    let calls = 0
    let wake = Promise.withResolvers<void>()
    listener.watch(() => {
      calls++
      wake.resolve()
    })
    // The first call says that it listens.
    await wake.promise
    for (let round = 1; round <= 5; round++) {
      wake = Promise.withResolvers()
      await writer.insert([entry()])
      await wake.promise
      expect(await listener.lastSeq()).toBe(round)
    }
    expect(calls).toBe(6)
  })

  test('see a commit by polling behind a pooler that delivers no notifications', async () => {
    const url = await createDatabase()
    const toServer = () => (chunk: Buffer) =>
      Buffer.from(chunk.toString('latin1').replaceAll('LISTEN shirube_seq', 'LISTEN shirube_nil'), 'latin1')
    await using pooler = await openTcpProxy(Number(new URL(url).port), { toServer })
    await using writer = await open(url)
    await using deaf = await open(through(url, pooler.port))
    let wake = Promise.withResolvers<void>()
    deaf.watch(() => wake.resolve())
    await wake.promise
    wake = Promise.withResolvers()
    await writer.insert([entry()])
    await wake.promise
    expect(await deaf.lastSeq()).toBe(1)
  })
})

test('a read-only database is reported until it accepts writes again', async () => {
  const url = await createDatabase()
  const said: (string | undefined)[] = []
  await using store = await openStore(url, { clock: systemClock, onTrouble: sentence => said.push(sentence) })
  await store.insert([entry()])
  const database = new URL(url).pathname.slice(1)
  const sql = postgres(url, { max: 1 })
  // It counts for connections that are made from now on, as on a primary that becomes a standby.
  const refuseWrites = async (isOn: boolean) => {
    await sql.unsafe('SET default_transaction_read_only = off')
    await sql.unsafe(`ALTER DATABASE "${database}" SET default_transaction_read_only = ${isOn}`)
    await sql.unsafe(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'shirube'",
    )
  }
  await refuseWrites(true)
  const sentence = await eventually(async () => {
    const said = await messageOf(store.insert([entry()]))
    if (!said.includes('not written')) throw new Error(said)
    return said
  })
  expect(await store.trouble()).toBe(sentence)
  await refuseWrites(false)
  while ((await store.trouble()) !== undefined) await systemClock.sleep(20)
  expect((await store.insert([entry()])).seq).toBe(2)
  expect([said.includes(sentence), said.at(-1)]).toEqual([true, undefined])
  await sql.end()
})

describe('a database that becomes unavailable', () => {
  test.each(['cut', 'silence'] as const)(
    'by a %s is reported, and used again when it is back',
    async kind => {
      const url = await createDatabase()
      await using direct = await open(url)
      const { port } = new URL(url)
      await using proxy = await openTcpProxy(Number(port))
      await using store = await open(through(url, proxy.port))
      let calls = 0
      store.watch(() => calls++)
      const before = await listed(store)
      proxy[kind]()
      expect(await messageOf(store.insert([entry()]))).toContain('try again')
      await messageOf(store.changes(0, 10))
      // The write lock is not left with a node that nobody hears of any more.
      const meanwhile = entry()
      await eventually(() => direct.insert([meanwhile]))
      proxy.restore()
      const after = entry()
      await eventually(() => store.insert([after]))
      const ids = (await eventually(() => store.changes(0, 100))).map(({ id }) => id)
      for (const { id } of [before, meanwhile, after]) expect(ids).toContain(id)
      const callsBefore = calls
      await direct.insert([entry()])
      while (calls === callsBefore) await systemClock.sleep(10)
    },
  )

  test('is retried at growing intervals, however often it is requested', async () => {
    const url = await createDatabase()
    await using proxy = await openTcpProxy(Number(new URL(url).port))
    const began = Date.now()
    let nowMs = began
    // Time goes by when the test says so.
    const clock: Clock = { now: () => new Date(nowMs), sleep: systemClock.sleep }
    await using store = await openStore(through(url, proxy.port), { clock })
    await store.lastSeq()
    proxy.cut()
    await messageOf(store.lastSeq())
    const before = proxy.attempts
    const triedAt: number[] = []
    for (; nowMs < began + 60_000; nowMs += 25) {
      const attempts = proxy.attempts
      await messageOf(store.lastSeq())
      if (proxy.attempts > attempts) triedAt.push(nowMs)
    }
    // 50 ms, then twice as long each time, up to two seconds, give or take a quarter.
    expect(proxy.attempts - before).toBeLessThan(60)
    const pauses = triedAt.slice(1).map((at, index) => at - triedAt[index]!)
    expect(Math.max(...pauses)).toBeLessThanOrEqual(2_525)
    expect(Math.min(...pauses.slice(8))).toBeGreaterThanOrEqual(1_475)
    proxy.restore()
    nowMs += 2_500
    expect(await store.lastSeq()).toBe(0)
  })

  test('during many writes has every acknowledged write exactly once', async () => {
    const url = await createDatabase()
    const { port } = new URL(url)
    await using proxy = await openTcpProxy(Number(port))
    await using store = await open(through(url, proxy.port))
    const kept: string[] = []
    let refused = 0
    let isOver = false
    const write = async () => {
      while (!isOver) {
        const one = entry()
        await store.insert([one]).then(
          () => kept.push(one.id),
          async error => {
            expect(error).toMatchObject({ code: 'store_unavailable' })
            refused++
            await systemClock.sleep(10)
          },
        )
      }
    }
    const writing = Promise.all(Array.from({ length: 8 }, write))
    for (let round = 1; round <= 4; round++) {
      const goal = kept.length + 50
      while (kept.length < goal) await systemClock.sleep(5)
      const refusedBefore = refused
      proxy.cut()
      while (refused === refusedBefore) await systemClock.sleep(5)
      proxy.restore()
    }
    isOver = true
    await writing
    const changes = await eventually(() => store.changes(0, 1_000_000))
    const ids = changes.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const present = new Set(ids)
    expect(kept.filter(id => !present.has(id))).toEqual([])
    expect(changes.map(({ seq }) => seq)).toEqual(changes.map((_, index) => index + 1))
  })

  test('is waited for at the start if requested, and reported once', async () => {
    const url = await createDatabase()
    const { port } = new URL(url)
    await using proxy = await openTcpProxy(Number(port))
    proxy.cut()
    const said: string[] = []
    const { promise: isWaiting, resolve } = Promise.withResolvers<void>()
    const opening = openStore(through(url, proxy.port), {
      clock: systemClock,
      onWaiting: sentence => {
        said.push(sentence)
        resolve()
      },
    })
    await isWaiting
    proxy.restore()
    await using store = await opening
    expect(await store.lastSeq()).toBe(0)
    expect(said).toHaveLength(1)
  })

  test('is an error at the start if waiting is off', async () => {
    const sentence = await messageOf(open(`postgres://someone:a-secret@127.0.0.1:${await freePort()}/name`))
    expect(sentence).toBe('The store cannot be reached right now; try again in a moment.')
  })
})

describe('a database that cannot be used', () => {
  const run = async (url: string, text: string) => {
    const sql = postgres(url, { max: 1, onnotice: () => {} })
    await sql.unsafe(text)
    await sql.end()
  }

  test('because its version is newer is refused with a clear error', async () => {
    const url = await createDatabase()
    await (await open(url))[Symbol.asyncDispose]()
    await run(url, 'UPDATE shirube_schema SET version = 1000')
    expect(await messageOf(open(url))).toBe(
      'The database was written by a newer version of this program; start that version or a later one.',
    )
  })

  test('until it is upgraded says so', async () => {
    const url = await createDatabase()
    await (await open(url))[Symbol.asyncDispose]()
    const from = SCHEMA_VERSION - 2
    await run(url, 'CREATE TABLE forks (base_seq bigint)')
    await run(url, `UPDATE shirube_schema SET version = ${from}`)
    const told: unknown[] = []
    const onUpgraded = (versions: unknown) => void told.push(versions)
    await (await openStore(url, { clock: systemClock, onUpgraded }))[Symbol.asyncDispose]()
    expect(told).toEqual([{ from, to: SCHEMA_VERSION }])
  })

  test('because it belongs to another program is refused, and not changed', async () => {
    const url = await createDatabase()
    await run(url, 'CREATE TABLE services (name text)')
    expect(await messageOf(open(url))).toBe('The database was not made by this program; name an empty one.')
    await run(url, 'DROP TABLE services')
    await (await open(url))[Symbol.asyncDispose]()
  })

  test('because its user may not notify is refused with a clear error', async () => {
    const url = new URL(await createDatabase())
    const name = url.pathname.slice(1)
    await run(url.href, `CREATE ROLE ${name} LOGIN PASSWORD 'plain'; ALTER DATABASE ${name} OWNER TO ${name}`)
    await run(url.href, 'REVOKE EXECUTE ON FUNCTION pg_notify(text, text) FROM PUBLIC')
    expect(await messageOf(open(url.href.replace(/\/\/[^@]*@/, `//${name}:plain@`)))).toBe(
      'The database has no pg_notify or pg_current_wal_lsn, or its user may not call them.',
    )
  })

  test('because the password or the name is wrong is refused without repeating either', async () => {
    const url = new URL(await createDatabase())
    url.password = 'not-the-secret'
    const sentences = [await messageOf(open(url.href))]
    const other = new URL(await createDatabase())
    other.pathname = '/no_such_database'
    sentences.push(await messageOf(open(other.href)))
    expect(sentences[0]).toContain('password')
    expect(sentences[1]).toContain('no database')
    for (const sentence of sentences) expect(sentence).not.toMatch(/secret|no_such|127\.0/)
  })
})

describe('several hosts in one address', () => {
  test('the one that answers is used, whatever its position', async () => {
    const url = await createDatabase()
    const port = new URL(url).port
    const several = url.replace(`127.0.0.1:${port}`, `127.0.0.1:${await freePort()},127.0.0.1:${port}`)
    await using store = await open(several)
    await store.insert([entry()])
    expect(await store.lastSeq()).toBe(1)
  })
})
