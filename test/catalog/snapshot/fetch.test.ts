// Nodes that start from a snapshot in the database: which one they use, and which they reject. Real PostgreSQL, real damage.
import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { systemClock } from '../../../src/runtime/clock.ts'
import { openStore } from '../../../src/store/open.ts'
import type { Store } from '../../../src/store/store.ts'
import { entry } from '../../entries.ts'
import { createReadyDatabase } from '../../postgres.ts'
import { temporaryPath } from '../../store/temporary-path.ts'
import { insertMany, MANY, runNode } from '../node-run.ts'
import { useSnapshotDatabase } from './database.ts'

const database = useSnapshotDatabase()
const fromScratch = (store: Store) => runNode({ ...store, snapshots: undefined } as never)

describe('a node without a local snapshot', () => {
  test('uses the one in the database and catches up with later writes', async () => {
    await using store = await database.open()
    const seq = await store.lastSeq()
    const first = await runNode(store)
    expect(first.readFrom[0]).toBe(0)
    await database.expectOneWhole()
    expect(Number((await database.snapshots())[0]!.parts)).toBeGreaterThan(1)

    await using elsewhere = await database.open()
    const second = await runNode(elsewhere)
    expect(second.readFrom[0]).toBe(seq)
    expect(second.bytes.equals(first.bytes)).toBe(true)

    await store.insert([entry({ name: 'late' })])
    await store.remove(first.ids[7]!, new Date(), null)
    await store.update([first.ids[8]!], before => ({ entry: { ...before, name: 'New' }, events: [] }))
    const third = await runNode(elsewhere)
    expect(third.readFrom[0]).toBe(seq)
    expect(third.bytes.equals((await fromScratch(store)).bytes)).toBe(true)
    expect(third.bytes.equals(first.bytes)).toBe(false)
    expect([...first.troubles, ...second.troubles, ...third.troubles]).toEqual([])
  })

  test('stores it in its file, if it has one, and starts from that the next time', async () => {
    const path = temporaryPath('own.catalog')
    await using store = await database.open()
    const seq = await store.lastSeq()
    await runNode(store)
    expect((await runNode(store, undefined, { path, isWriter: false })).readFrom[0]).toBe(seq)
    expect(existsSync(path)).toBe(false)
    expect((await runNode(store, undefined, { path })).readFrom[0]).toBe(seq)
    await database.sql`DELETE FROM catalog_images`
    expect((await runNode(store, undefined, { path })).readFrom[0]).toBe(seq)
    expect(existsSync(`${path}.new`)).toBe(false)
  })

  test('uses the one in the database instead of its file only if that is far ahead', async () => {
    const path = temporaryPath('own.catalog')
    await using store = await database.open()
    const { seq } = await insertMany(store, 800)
    await runNode(store, undefined, { path })
    const ahead = await runNode(store, async catalog => catalog.reached((await insertMany(store, 205)).seq))
    expect(Number((await database.snapshots())[0]!.seq)).toBe(ahead.catalog.seq)
    expect((await runNode(store, undefined, { path, isWriter: false })).readFrom[0]).toBe(seq)
    const far = await runNode(store, async catalog => catalog.reached((await insertMany(store, 205)).seq))
    expect((await runNode(store, undefined, { path, isWriter: false })).readFrom[0]).toBe(far.catalog.seq)
  })
})

test('if a snapshot is replaced while it is fetched, its replacement is fetched', async () => {
  await using store = await database.open()
  await runNode(store)
  let isFirst = true
  const { read } = store.snapshots!
  const replaced = {
    ...store.snapshots!,
    read: async (id: string, part: number) => {
      if (isFirst) {
        isFirst = false
        await runNode(store, async catalog => catalog.reached((await insertMany(store)).seq))
      }
      return read(id, part)
    },
  }
  const { readFrom, ids } = await runNode({ ...store, snapshots: replaced })
  expect(readFrom[0]).toBe(await store.lastSeq())
  expect(ids).toHaveLength(2 * MANY)
})

describe('a snapshot in the database is not used', () => {
  /** Leaves a snapshot there, spoils it, and starts a node that must not be harmed by it. */
  async function startAfter(spoil: (store: Store) => Promise<unknown>) {
    await using store = await database.open()
    const { bytes } = await runNode(store)
    await spoil(store)
    const started = await runNode(store)
    expect(started.readFrom[0]).toBe(0)
    expect(started.bytes.equals(bytes)).toBe(true)
    // It has left a good one in the place of the bad one.
    expect((await runNode(store)).readFrom[0]).toBe(started.catalog.seq)
    return started
  }

  test('if other code has written it', async () => {
    const { troubles } = await startAfter(() => database.sql`UPDATE catalog_images SET code = 'other'`)
    expect(troubles).toEqual([])
  })

  test('if its origin does not fit the history of the database', async () => {
    const { troubles } = await startAfter(
      () =>
        database.sql`UPDATE catalog_images SET label = replace(label::text, '"eventOf":"', '"eventOf":"other-')::json`,
    )
    expect(troubles).toEqual([])
  })

  test('if it is of another database with the same sequence numbers', async () => {
    await using other = await database.open()
    await runNode(other)
    const [snapshot] =
      await database.sql`SELECT id, code, label::text AS label, seq, bytes, parts, made_at FROM catalog_images`
    const pieces = await database.sql`SELECT * FROM catalog_image_parts`
    await database.use(await createReadyDatabase())
    await using store = await database.open()
    await insertMany(store, MANY + 10)
    await database.sql`INSERT INTO catalog_images SELECT ${snapshot!.id}, ${snapshot!.code}, ${snapshot!.label}::text::json, ${snapshot!.seq},
      ${snapshot!.bytes}, ${snapshot!.parts}, ${snapshot!.made_at}`
    for (const piece of pieces) await database.sql`INSERT INTO catalog_image_parts ${database.sql(piece)}`
    const { readFrom, ids } = await runNode(store)
    expect(readFrom[0]).toBe(0)
    expect(ids).toHaveLength(MANY + 10)
  })

  test('if it contains writes that a failover has lost', async () => {
    await startAfter(async store => {
      const seq = await store.lastSeq()
      await database.sql`INSERT INTO forks (base_seq, next_seq) VALUES (${seq - 1}, ${seq + 1})`
      // The next snapshot is of a number after the fork.
      await store.insert([entry()])
      const [last] = (await store.changes(seq, 1)).slice(-1)
      await store.remove(last!.id, new Date(), null)
    })
  })

  test.each([
    [
      'a part cannot be unpacked',
      () => database.sql`UPDATE catalog_image_parts SET bytes = 'x' WHERE part = 1`,
    ],
    ['a part is missing', () => database.sql`DELETE FROM catalog_image_parts WHERE part = 1`],
    [
      'the last part is missing and the count agrees',
      () =>
        database.sql`WITH gone AS (DELETE FROM catalog_image_parts WHERE part = (SELECT max(part) FROM catalog_image_parts))
          UPDATE catalog_images SET parts = parts - 1`,
    ],
    [
      'a part is replaced by another',
      () =>
        database.sql`UPDATE catalog_image_parts SET bytes = (SELECT bytes FROM catalog_image_parts WHERE part = 1) WHERE part = 2`,
    ],
    ['it is longer than it says', () => database.sql`UPDATE catalog_images SET bytes = bytes - 1`],
  ])('if %s', async (_, spoil) => {
    const { troubles } = await startAfter(spoil)
    expect(troubles).toEqual(['the snapshot of the catalog in the database could not be used'])
  })

  test('if the database user may not read it: the node starts without it and reports that once', async () => {
    await using owner = await database.open()
    await runNode(owner)
    const address = new URL(database.url)
    const name = `${address.pathname.slice(1)}_guest`
    await database.sql.unsafe(`CREATE ROLE ${name} LOGIN PASSWORD 'plain'`)
    await database.sql.unsafe(`GRANT ALL ON ALL TABLES IN SCHEMA public TO ${name}`)
    await database.sql.unsafe(`REVOKE ALL ON catalog_images, catalog_image_parts FROM ${name}`)
    address.username = name
    address.password = 'plain'
    await using store = await openStore(address.href, { clock: systemClock })
    const { readFrom, ids, troubles } = await runNode(store)
    expect(readFrom[0]).toBe(0)
    expect(ids).toHaveLength(MANY)
    expect(troubles).toEqual([
      'the database could not be queried for a snapshot of the catalog',
      'a snapshot of the catalog could not be uploaded to the database',
    ])
  })
})
