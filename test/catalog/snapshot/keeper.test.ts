import { beforeEach, describe, expect, test } from 'bun:test'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Catalog } from '../../../src/catalog/catalog.ts'
import { openFollower } from '../../../src/catalog/follow/follow.ts'
import { createSnapshotKeeper } from '../../../src/catalog/snapshot/keeper.ts'
import { DirectoryError } from '../../../src/domain/errors.ts'
import { say } from '../../../src/messages/message.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { openStore } from '../../../src/store/open.ts'
import type { Store } from '../../../src/store/store.ts'
import { entry } from '../../entries.ts'
import { temporaryPath } from '../../store/temporary-path.ts'
import { insertMany, MANY, runNode } from '../node-run.ts'

const path = temporaryPath('kept.catalog')
beforeEach(() => rmSync(path, { recursive: true, force: true }))

const openMemory = () => openStore('sqlite::memory:', { clock: systemClock })
const run = (store: Store, act?: (catalog: Catalog) => Promise<unknown>, { isWriter = true } = {}) =>
  runNode(store, act, { path, isWriter })

describe('a snapshot of the catalog', () => {
  test('is the starting point of the next start', async () => {
    await using store = await openMemory()
    const { seq } = await insertMany(store)
    const first = await run(store)
    expect(first.readFrom[0]).toBe(0)
    const late = entry({ name: 'late' })
    await store.insert([late])
    await store.remove(first.ids[7]!, new Date(), null)
    const second = await run(store)
    expect(second.readFrom[0]).toBe(seq)
    expect(second.ids).toEqual([...first.ids.filter(id => id !== first.ids[7]), late.id])
  })

  test('is written again when the process ends only if much has changed', async () => {
    await using store = await openMemory()
    await insertMany(store)
    await run(store)
    const before = readFileSync(path)
    await run(store, async catalog => catalog.reached((await store.insert([entry()])).seq))
    expect(readFileSync(path).equals(before)).toBe(true)
    const { catalog } = await run(store, async catalog => catalog.reached((await insertMany(store)).seq))
    const { readFrom } = await run(store)
    expect(readFrom[0]).toBe(catalog.seq)
  })

  test('of a lost history is not used, even if all events are equal and the sequence is higher since', async () => {
    const file = temporaryPath('store.db')
    const open = () => openStore(`sqlite:${file}`, { clock: systemClock })
    // As a round of probes does it: entries are written, and no event is told.
    const touch = async (store: Store, ids: readonly string[], uptimeScore: number) =>
      store.update(ids, kept => ({
        entry: { ...kept, standing: { ...kept.standing, uptimeScore } },
        events: [],
      }))
    let ids: string[]
    {
      await using store = await open()
      ids = (await insertMany(store)).entries.map(({ id }) => id)
    }
    copyFileSync(file, `${file}.copy`)
    {
      await using store = await open()
      await touch(store, ids, 11)
      await run(store)
      expect(existsSync(path)).toBe(true)
    }
    copyFileSync(`${file}.copy`, file)
    await using store = await open()
    await touch(store, ids, 22)
    await touch(store, ids.slice(0, 10), 33)
    const { readFrom, catalog } = await run(store)
    expect(readFrom[0]).toBe(0)
    expect(catalog.status(ids[20]!)!.decode().uptimeScore).toBe(22)
  })

  test('is not made of a catalog that was not fully loaded', async () => {
    await using store = await openMemory()
    const count = 7_500
    await insertMany(store, count)
    const catalog = new Catalog()
    const snapshot = createSnapshotKeeper({
      path,
      store,
      catalog,
      clock: systemClock,
      isWriter: true,
      onTrouble: () => {},
    })
    const loading = Promise.withResolvers<void>()
    {
      await using _ = openFollower({
        store,
        catalog,
        clock: systemClock,
        snapshot,
        onProgress: ({ services }) => services > count / 3 && loading.resolve(),
      })
      await loading.promise
    }
    expect(catalog.size).toBeLessThan(count)
    expect(existsSync(path)).toBe(false)
    const next = await run(store)
    expect(next.readFrom[0]).toBe(0)
    expect(next.catalog.list({ limit: 1, offset: 0 }).total).toBe(count)
  })

  test('of a small catalog is made when the process ends, and only if half of it has changed', async () => {
    await using store = await openMemory()
    const { seq } = await insertMany(store, 100)
    await run(store, async () => expect(existsSync(path)).toBe(false))
    const before = readFileSync(path)
    const { readFrom, ids } = await run(store, async catalog =>
      catalog.reached((await insertMany(store, 49)).seq),
    )
    expect(readFrom[0]).toBe(seq)
    expect(ids).toHaveLength(149)
    expect(readFileSync(path).equals(before)).toBe(true)
    const { catalog } = await run(store, async catalog => catalog.reached((await insertMany(store, 60)).seq))
    expect((await run(store)).readFrom[0]).toBe(catalog.seq)
  })

  test('of an empty catalog is not made', async () => {
    await using store = await openMemory()
    await run(store)
    expect(existsSync(path)).toBe(false)
  })

  test('is not written by a read-only process', async () => {
    await using store = await openMemory()
    await insertMany(store)
    await run(store, undefined, { isWriter: false })
    expect(existsSync(path)).toBe(false)
    const { catalog } = await run(store)
    expect((await run(store, undefined, { isWriter: false })).readFrom[0]).toBe(catalog.seq)
  })

  test('of another database is not used, even if that is further ahead', async () => {
    await using store = await openMemory()
    await insertMany(store)
    await run(store)
    await using other = await openMemory()
    await insertMany(other, MANY + 10)
    const { readFrom, ids } = await run(other)
    expect(readFrom[0]).toBe(0)
    expect(ids).toHaveLength(MANY + 10)
  })

  test('newer than a restored database is not used', async () => {
    await using store = await openMemory()
    await insertMany(store)
    const backup: unknown[] = []
    for await (const record of store.backup()) backup.push(record)
    await run(store, async catalog => catalog.reached((await insertMany(store)).seq))
    await using restored = await openMemory()
    await restored.restore(
      (async function* () {
        yield* backup as never[]
      })(),
    )
    await insertMany(restored, 2 * MANY)
    const { readFrom, ids } = await run(restored)
    expect(readFrom[0]).toBe(0)
    expect(ids).toHaveLength(3 * MANY)
  })

  test('that is damaged or cannot be opened only slows the start down', async () => {
    await using store = await openMemory()
    await insertMany(store)
    await run(store)
    const bytes = readFileSync(path)
    bytes[bytes.length >> 1]! ^= 1
    writeFileSync(path, bytes)
    const damaged = await run(store)
    expect(damaged.readFrom[0]).toBe(0)
    expect(damaged.ids).toHaveLength(MANY)

    rmSync(path)
    mkdirSync(path)
    const closed = await run(store)
    expect(closed.ids).toHaveLength(MANY)
    expect(new Set(closed.troubles)).toEqual(
      new Set([
        'the snapshot of the catalog could not be read',
        'a snapshot of the catalog could not be saved',
      ]),
    )
  })

  test('waits for a store that is unavailable', async () => {
    await using store = await openMemory()
    const { seq } = await insertMany(store)
    await run(store)
    let failures = 2
    const events = {
      ...store.events,
      after: async (number: number, limit: number) => {
        if (failures-- > 0) throw new DirectoryError('store_unavailable', say('store_away'))
        return store.events.after(number, limit)
      },
    }
    const catalog = new Catalog()
    const flaky = { events, history: () => store.history() }
    const snapshot = createSnapshotKeeper({
      path,
      store: flaky,
      catalog,
      clock: systemClock,
      isWriter: true,
      onTrouble: () => {},
    })
    await using follower = openFollower({ store, catalog, clock: systemClock, snapshot })
    await follower.caughtUp
    expect(catalog.seq).toBe(seq)
    expect(follower.storeErrors).toBe(2)
  })
})
