// Snapshots in the database, for nodes that have none of their own: real PostgreSQL, real damage.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import postgres from 'postgres'
import { type Clock, systemClock } from '../../../src/runtime/clock.ts'
import { openStore } from '../../../src/store/open.ts'
import type { Store } from '../../../src/store/store.ts'
import { entry } from '../../entries.ts'
import { startDatabase } from '../../faults/cluster.ts'
import { openTcpProxy } from '../../faults/tcp-proxy.ts'
import { createDatabase, createReadyDatabase, sharedPostgres } from '../../postgres.ts'
import { temporaryPath } from '../../store/temporary-path.ts'
import { insertMany, live, MANY } from '../node-life.ts'

/** A copy with many services is what each test begins with. */
let filled: string
let url: string
let sql: postgres.Sql
beforeAll(async () => {
  filled = await createReadyDatabase()
  await using store = await openStore(filled, { clock: systemClock })
  await insertMany(store)
})
beforeEach(async () => {
  await sql?.end()
  url = await createDatabase({ of: filled })
  sql = postgres(url, { max: 1, onnotice: () => {} })
})
afterAll(() => sql?.end())

const open = (clock: Clock = systemClock) => openStore(url, { clock })
const snapshots = () => sql`SELECT id, code, seq, parts FROM catalog_images ORDER BY made_at`
const parts = () => sql`SELECT image, part FROM catalog_image_parts ORDER BY image, part`
const fromScratch = (store: Store) => live({ ...store, snapshots: undefined } as never)
const later: Clock = { ...systemClock, now: () => new Date(Date.now() + 120_000) }

/** Everything that was left by whoever wrote is whole, and of one snapshot. */
async function expectOneWhole(): Promise<void> {
  const [snapshot, ...others] = await snapshots()
  expect(others).toEqual([])
  expect((await parts()).map(({ part }) => Number(part))).toEqual(
    Array.from({ length: Number(snapshot!.parts) }, (_, part) => part),
  )
}

describe('a node without a snapshot of its own', () => {
  test('takes the one in the database and catches up with what was written since', async () => {
    await using store = await open()
    const seq = await store.lastSeq()
    const first = await live(store)
    expect(first.asked[0]).toBe(0)
    await expectOneWhole()
    expect(Number((await snapshots())[0]!.parts)).toBeGreaterThan(1)

    await using elsewhere = await open()
    const second = await live(elsewhere)
    expect(second.asked[0]).toBe(seq)
    expect(second.bytes.equals(first.bytes)).toBe(true)

    await store.insert([entry({ name: 'late' })])
    await store.remove(first.ids[7]!, new Date(), null)
    await store.update([first.ids[8]!], before => ({ entry: { ...before, name: 'New' }, events: [] }))
    const third = await live(elsewhere)
    expect(third.asked[0]).toBe(seq)
    expect(third.bytes.equals((await fromScratch(store)).bytes)).toBe(true)
    expect(third.bytes.equals(first.bytes)).toBe(false)
    expect([...first.troubles, ...second.troubles, ...third.troubles]).toEqual([])
  })

  test('keeps what it took in a file, where it has one, and starts from that the next time', async () => {
    const path = temporaryPath('own.catalog')
    await using store = await open()
    const seq = await store.lastSeq()
    await live(store)
    expect((await live(store, undefined, { path, isWriter: false })).asked[0]).toBe(seq)
    expect(existsSync(path)).toBe(false)
    expect((await live(store, undefined, { path })).asked[0]).toBe(seq)
    await sql`DELETE FROM catalog_images`
    expect((await live(store, undefined, { path })).asked[0]).toBe(seq)
    expect(existsSync(`${path}.new`)).toBe(false)
  })

  test('leaves its own file for one in the database that is far ahead of it, and only then', async () => {
    const path = temporaryPath('own.catalog')
    await using store = await open()
    const { seq } = await insertMany(store, 800)
    await live(store, undefined, { path })
    const ahead = await live(store, async catalog => catalog.reached((await insertMany(store, 205)).seq))
    expect(Number((await snapshots())[0]!.seq)).toBe(ahead.catalog.seq)
    expect((await live(store, undefined, { path, isWriter: false })).asked[0]).toBe(seq)
    const far = await live(store, async catalog => catalog.reached((await insertMany(store, 205)).seq))
    expect((await live(store, undefined, { path, isWriter: false })).asked[0]).toBe(far.catalog.seq)
  })
})

test('a snapshot that is replaced while it is fetched makes way for the one in its place', async () => {
  await using store = await open()
  await live(store)
  let isFirst = true
  const { read } = store.snapshots!
  const replaced = {
    ...store.snapshots!,
    read: async (id: string, part: number) => {
      if (isFirst) {
        isFirst = false
        await live(store, async catalog => catalog.reached((await insertMany(store)).seq))
      }
      return read(id, part)
    },
  }
  const { asked, ids } = await live({ ...store, snapshots: replaced })
  expect(asked[0]).toBe(await store.lastSeq())
  expect(ids).toHaveLength(2 * MANY)
})

describe('a snapshot is not taken from the database', () => {
  /** Leaves a snapshot there, spoils it, and starts a node that must not be harmed by it. */
  async function startAfter(spoil: (store: Store) => Promise<unknown>) {
    await using store = await open()
    const { bytes } = await live(store)
    await spoil(store)
    const started = await live(store)
    expect(started.asked[0]).toBe(0)
    expect(started.bytes.equals(bytes)).toBe(true)
    // It has left a good one in the place of the bad one.
    expect((await live(store)).asked[0]).toBe(started.catalog.seq)
    return started
  }

  test('that other code has written', async () => {
    const { troubles } = await startAfter(() => sql`UPDATE catalog_images SET code = 'other'`)
    expect(troubles).toEqual([])
  })

  test('whose origin does not fit the history of the database', async () => {
    const { troubles } = await startAfter(
      () =>
        sql`UPDATE catalog_images SET label = replace(label::text, '"eventOf":"', '"eventOf":"other-')::json`,
    )
    expect(troubles).toEqual([])
  })

  test('of another database with the same numbers', async () => {
    await using other = await open()
    await live(other)
    const [snapshot] =
      await sql`SELECT id, code, label::text AS label, seq, bytes, parts, made_at FROM catalog_images`
    const pieces = await sql`SELECT * FROM catalog_image_parts`
    await sql.end()
    url = await createReadyDatabase()
    sql = postgres(url, { max: 1, onnotice: () => {} })
    await using store = await open()
    await insertMany(store, MANY + 10)
    await sql`INSERT INTO catalog_images SELECT ${snapshot!.id}, ${snapshot!.code}, ${snapshot!.label}::text::json, ${snapshot!.seq},
      ${snapshot!.bytes}, ${snapshot!.parts}, ${snapshot!.made_at}`
    for (const piece of pieces) await sql`INSERT INTO catalog_image_parts ${sql(piece)}`
    const { asked, ids } = await live(store)
    expect(asked[0]).toBe(0)
    expect(ids).toHaveLength(MANY + 10)
  })

  test('that holds writes which a failover has lost', async () => {
    await startAfter(async store => {
      const seq = await store.lastSeq()
      await sql`INSERT INTO forks (base_seq, next_seq) VALUES (${seq - 1}, ${seq + 1})`
      // The next snapshot is of a number after the fork.
      await store.insert([entry()])
      const [last] = (await store.changes(seq, 1)).slice(-1)
      await store.remove(last!.id, new Date(), null)
    })
  })

  test.each([
    ['a part cannot be unpacked', () => sql`UPDATE catalog_image_parts SET bytes = 'x' WHERE part = 1`],
    ['a part is missing', () => sql`DELETE FROM catalog_image_parts WHERE part = 1`],
    [
      'the last part is missing though nobody says so',
      () =>
        sql`WITH gone AS (DELETE FROM catalog_image_parts WHERE part = (SELECT max(part) FROM catalog_image_parts))
          UPDATE catalog_images SET parts = parts - 1`,
    ],
    [
      'a part stands in the place of another',
      () =>
        sql`UPDATE catalog_image_parts SET bytes = (SELECT bytes FROM catalog_image_parts WHERE part = 1) WHERE part = 2`,
    ],
    ['it is longer than it says', () => sql`UPDATE catalog_images SET bytes = bytes - 1`],
  ])('where %s', async (_, spoil) => {
    const { troubles } = await startAfter(spoil)
    expect(troubles).toEqual(['the snapshot of the catalog in the database could not be used'])
  })

  test('where the user may not read it: the node starts, says so once, and works', async () => {
    await using owner = await open()
    await live(owner)
    const address = new URL(url)
    const name = `${address.pathname.slice(1)}_guest`
    await sql.unsafe(`CREATE ROLE ${name} LOGIN PASSWORD 'plain'`)
    await sql.unsafe(`GRANT ALL ON ALL TABLES IN SCHEMA public TO ${name}`)
    await sql.unsafe(`REVOKE ALL ON catalog_images, catalog_image_parts FROM ${name}`)
    address.username = name
    address.password = 'plain'
    await using store = await openStore(address.href, { clock: systemClock })
    const { asked, ids, troubles } = await live(store)
    expect(asked[0]).toBe(0)
    expect(ids).toHaveLength(MANY)
    expect(troubles).toEqual([
      'the database could not be queried for a snapshot of the catalog',
      'a snapshot of the catalog could not be uploaded to the database',
    ])
  })
})

describe('snapshots in the database', () => {
  test('are written by one of several nodes that start at once', async () => {
    await using store = await open()
    const stores = await Promise.all([open(), open(), open()])
    const lives = await Promise.all(stores.map(each => live(each)))
    expect(lives.flatMap(({ troubles }) => troubles)).toEqual([])
    await expectOneWhole()
    await Promise.all(stores.map(each => each[Symbol.asyncDispose]()))
    expect((await live(store)).asked[0]).toBe(lives[0]!.catalog.seq)
  })

  test('are replaced by who has seen much change, and left alone by who has not', async () => {
    await using store = await open()
    await live(store)
    const [before] = await snapshots()
    await live(store, async catalog => catalog.reached((await store.insert([entry()])).seq))
    expect((await snapshots())[0]!.id).toBe(before!.id)
    const { catalog } = await live(store, async catalog => catalog.reached((await insertMany(store)).seq))
    expect((await snapshots())[0]!.id).not.toBe(before!.id)
    await expectOneWhole()
    expect((await live(store)).asked[0]).toBe(catalog.seq)
  })

  test('are given up by a node that has to end before they are whole', async () => {
    await using store = await open()
    const inHaste: Clock = { ...systemClock, sleep: async () => {} }
    expect(await live(store, undefined, { clock: inHaste })).toMatchObject({ troubles: [] })
    expect([await snapshots(), await parts()]).toMatchObject([[], []])
    await live(store)
    await expectOneWhole()
  })

  test('are not written by who only reads', async () => {
    await using store = await open()
    await live(store, undefined, { isWriter: false })
    expect(await snapshots()).toHaveLength(0)
  })

  test('of the three codes that wrote last are kept', async () => {
    await using store = await open()
    const origin = { seq: 1 }
    for (const [turn, code] of ['a', 'b', 'c', 'b', 'd'].entries()) {
      await using snapshot = (await store.snapshots!.begin(code))!
      await snapshot.add(Uint8Array.of(turn))
      await snapshot.add(Uint8Array.of(turn, turn))
      if (turn !== 3) expect(await store.snapshots!.find(code)).toBeUndefined()
      await snapshot.finish({ origin, seq: 1, bytes: 3 })
    }
    expect((await snapshots()).map(({ code }) => code)).toEqual(['c', 'b', 'd'])
    expect(await parts()).toHaveLength(6)
    const { id } = (await store.snapshots!.find('b'))!
    expect([...(await store.snapshots!.read(id, 1))!]).toEqual([3, 3])
    expect(await store.snapshots!.read(id, 2)).toBeUndefined()
    await store.snapshots!.drop(id)
    expect(await store.snapshots!.find('b')).toBeUndefined()
  })

  test('that a dead node has left half written are never found, and go with the next one', async () => {
    await using store = await open()
    const put = async (code: string) => {
      await using snapshot = (await store.snapshots!.begin(code))!
      await snapshot.finish({ origin: {}, seq: 1, bytes: 0 })
    }
    await put('other code')
    const half = (await store.snapshots!.begin('other code'))!
    await half.add(new Uint8Array(100))
    expect(await store.snapshots!.find('other code')).toMatchObject({ parts: 0 })
    expect(await store.snapshots!.begin('other code')).toBeUndefined()
    expect(await snapshots()).toHaveLength(2)

    await using next = await open(later)
    const { troubles } = await live(next)
    expect(troubles).toEqual([])
    const left = async () => (await snapshots()).map(({ code, parts }) => [code === 'other code', parts > 0])
    const [whole, own] = [
      [true, false],
      [false, true],
    ]
    expect(await left()).toEqual([whole, own])
    // Whoever was only slow finds out, and harms nothing.
    await expect(half.add(new Uint8Array(100))).rejects.toThrow()
    await expect(half.finish({ origin: {}, seq: 1, bytes: 1 })).rejects.toThrow()
    await half[Symbol.asyncDispose]()
    expect(await left()).toEqual([whole, own])
    expect((await live(next)).asked[0]).toBeGreaterThan(0)
  })

  test('are in no log, and no backup tells of them', async () => {
    await using store = await open()
    await live(store)
    const tables =
      await sql`SELECT relpersistence AS kept FROM pg_class WHERE relname LIKE 'catalog_image%' AND relkind = 'r'`
    expect(tables.map(({ kept }) => kept)).toEqual(['u', 'u'])
    const kinds = new Set<string>()
    for await (const { kind } of store.backup()) kinds.add(kind)
    expect([...kinds].sort()).toEqual(['counter', 'due', 'event', 'service', 'timeline'])
  })

  test('are not there beside a database that is a file', async () => {
    await using store = await openStore('sqlite::memory:', { clock: systemClock })
    expect(store.snapshots).toBeUndefined()
  })
})

describe('when the network to the database is cut', () => {
  test('while a snapshot is fetched, the node starts as soon as it is back, with all there is', async () => {
    await using direct = await open()
    const { seq } = await insertMany(direct)
    const { bytes } = await live(direct)
    const { id } = (await snapshots())[0]!
    let reads = 0
    await using proxy = await openTcpProxy((await sharedPostgres()).port, {
      toServer: () => chunk => {
        if (!chunk.includes(id) || ++reads !== 2) return chunk
        proxy.cut()
        void Bun.sleep(50).then(() => proxy.restore())
        return chunk
      },
    })
    const address = new URL(url)
    address.port = String(proxy.port)
    await using store = await openStore(address.href, { clock: systemClock })
    const { troubles, ...started } = await live(store)
    expect(reads).toBeGreaterThan(1)
    expect(troubles[0]).toBe('the snapshot of the catalog in the database could not be used')
    expect(started.bytes.equals(bytes)).toBe(true)
    // One that was not at fault stays for others.
    expect((await live(direct)).asked[0]).toBe(seq)
  })

  test('while a snapshot is put, nobody ever finds half of it', async () => {
    await using direct = await open()
    // Parts begin to pass with this statement; the last of them is far away then.
    let [isPutting, bytes] = [false, 0]
    await using proxy = await openTcpProxy((await sharedPostgres()).port, {
      toServer: () => chunk => {
        isPutting ||= chunk.includes('INTO catalog_image_parts')
        if (isPutting) bytes += chunk.length
        if (bytes > 20_000) proxy.cut()
        return chunk
      },
    })
    const address = new URL(url)
    address.port = String(proxy.port)
    await using store = await openStore(address.href, { clock: systemClock })
    const { troubles } = await live(store)
    expect(troubles).toEqual(['a snapshot of the catalog could not be uploaded to the database'])
    expect(await snapshots()).toMatchObject([{ parts: null }])
    expect((await live(direct)).asked[0]).toBe(0)
    await using next = await open(later)
    await live(next)
    await expectOneWhole()
  })
})

test('a standby has no snapshots: nodes start without, before and after it takes over', async () => {
  const { primary, standby, replication, url } = await startDatabase()
  await using _ = replication
  await using store = await openStore(url, { clock: systemClock })
  const { seq } = await insertMany(store)
  const { bytes } = await live(store)
  const standbyUrl = url.replace(String(primary.port), String(standby.port))
  const hasAll = async () => {
    const there = postgres(standbyUrl, { max: 1, onnotice: () => {} })
    const rows = await there`SELECT 1 FROM counter WHERE seq = ${seq}`.catch(() => [])
    await there.end()
    return rows.length > 0
  }
  while (!(await hasAll())) await Bun.sleep(20)
  {
    await using beside = await openStore(url, { clock: systemClock, replicaUrl: standbyUrl })
    expect((await live(beside)).asked[0]).toBe(seq)
    await using alone = await openStore(standbyUrl, { clock: systemClock })
    const onStandby = await live(alone)
    expect(onStandby.bytes.equals(bytes)).toBe(true)
    expect(onStandby.troubles).toContain('the database could not be queried for a snapshot of the catalog')
  }
  await primary.kill()
  const admin = postgres(standby.url('postgres'), { max: 1, onnotice: () => {} })
  await admin`SELECT pg_promote(true, 60)`
  await admin.end()
  await using promoted = await openStore(standbyUrl, { clock: systemClock })
  const first = await live(promoted)
  expect(first).toMatchObject({ troubles: [] })
  expect(first.asked[0]).toBe(0)
  expect(first.bytes.equals(bytes)).toBe(true)
  expect((await live(promoted)).asked[0]).toBe(seq)
  await standby.kill()
})
