// Snapshots that nodes upload to the database for others: who writes them, when they are replaced, and what a dead node leaves behind.
import { describe, expect, test } from 'bun:test'
import { type Clock, systemClock } from '../../../src/runtime/clock.ts'
import { openStore } from '../../../src/store/open.ts'
import { entry } from '../../entries.ts'
import { insertMany, runNode } from '../node-run.ts'
import { LATER, useSnapshotDatabase } from './database.ts'

const database = useSnapshotDatabase()

describe('snapshots in the database', () => {
  test('are written by one of several nodes that start at once', async () => {
    await using store = await database.open()
    const stores = await Promise.all([database.open(), database.open(), database.open()])
    const runs = await Promise.all(stores.map(each => runNode(each)))
    expect(runs.flatMap(({ troubles }) => troubles)).toEqual([])
    await database.expectOneWhole()
    await Promise.all(stores.map(each => each[Symbol.asyncDispose]()))
    expect((await runNode(store)).readFrom[0]).toBe(runs[0]!.catalog.seq)
  })

  test('are replaced only by a node that has seen many changes', async () => {
    await using store = await database.open()
    await runNode(store)
    const [before] = await database.snapshots()
    await runNode(store, async catalog => catalog.reached((await store.insert([entry()])).seq))
    expect((await database.snapshots())[0]!.id).toBe(before!.id)
    const { catalog } = await runNode(store, async catalog => catalog.reached((await insertMany(store)).seq))
    expect((await database.snapshots())[0]!.id).not.toBe(before!.id)
    await database.expectOneWhole()
    expect((await runNode(store)).readFrom[0]).toBe(catalog.seq)
  })

  test('are discarded by a node that must end before they are complete', async () => {
    await using store = await database.open()
    const inHaste: Clock = { ...systemClock, sleep: async () => {} }
    expect(await runNode(store, undefined, { clock: inHaste })).toMatchObject({ troubles: [] })
    expect([await database.snapshots(), await database.parts()]).toMatchObject([[], []])
    await runNode(store)
    await database.expectOneWhole()
  })

  test('are not written by a read-only process', async () => {
    await using store = await database.open()
    await runNode(store, undefined, { isWriter: false })
    expect(await database.snapshots()).toHaveLength(0)
  })

  test('of the last three code versions are kept', async () => {
    await using store = await database.open()
    const origin = { seq: 1 }
    for (const [turn, code] of ['a', 'b', 'c', 'b', 'd'].entries()) {
      await using snapshot = (await store.snapshots!.begin(code))!
      await snapshot.add(Uint8Array.of(turn))
      await snapshot.add(Uint8Array.of(turn, turn))
      if (turn !== 3) expect(await store.snapshots!.find(code)).toBeUndefined()
      await snapshot.finish({ origin, seq: 1, bytes: 3 })
    }
    expect((await database.snapshots()).map(({ code }) => code)).toEqual(['c', 'b', 'd'])
    expect(await database.parts()).toHaveLength(6)
    const { id } = (await store.snapshots!.find('b'))!
    expect([...(await store.snapshots!.read(id, 1))!]).toEqual([3, 3])
    expect(await store.snapshots!.read(id, 2)).toBeUndefined()
    await store.snapshots!.drop(id)
    expect(await store.snapshots!.find('b')).toBeUndefined()
  })

  test('that a dead node left incomplete are never found, and are removed with the next one', async () => {
    await using store = await database.open()
    const put = async (code: string) => {
      await using snapshot = (await store.snapshots!.begin(code))!
      await snapshot.finish({ origin: {}, seq: 1, bytes: 0 })
    }
    await put('other code')
    const half = (await store.snapshots!.begin('other code'))!
    await half.add(new Uint8Array(100))
    expect(await store.snapshots!.find('other code')).toMatchObject({ parts: 0 })
    expect(await store.snapshots!.begin('other code')).toBeUndefined()
    expect(await database.snapshots()).toHaveLength(2)

    await using next = await database.open(LATER)
    const { troubles } = await runNode(next)
    expect(troubles).toEqual([])
    const left = async () =>
      (await database.snapshots()).map(({ code, parts }) => [code === 'other code', parts > 0])
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
    expect((await runNode(next)).readFrom[0]).toBeGreaterThan(0)
  })

  test('are neither in the WAL nor in backups', async () => {
    await using store = await database.open()
    await runNode(store)
    const tables =
      await database.sql`SELECT relpersistence AS kept FROM pg_class WHERE relname LIKE 'catalog_image%' AND relkind = 'r'`
    expect(tables.map(({ kept }) => kept)).toEqual(['u', 'u'])
    const kinds = new Set<string>()
    for await (const { kind } of store.backup()) kinds.add(kind)
    expect([...kinds].sort()).toEqual(['counter', 'due', 'event', 'service', 'timeline'])
  })

  test('do not exist for SQLite', async () => {
    await using store = await openStore('sqlite::memory:', { clock: systemClock })
    expect(store.snapshots).toBeUndefined()
  })
})
