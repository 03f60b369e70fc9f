import { describe, expect, test } from 'bun:test'
import { Catalog } from '../../../src/catalog/catalog.ts'
import { openFollower } from '../../../src/catalog/follow.ts'
import { DirectoryError } from '../../../src/domain/errors.ts'
import { say } from '../../../src/messages/message.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { openStore } from '../../../src/store/open.ts'
import { entry } from '../../entries.ts'

const openMemory = () => openStore('sqlite::memory:', { clock: systemClock })

describe('the follower', () => {
  test('applies earlier and later writes, removals included', async () => {
    await using store = await openMemory()
    const [before, after] = [entry({ name: 'before' }), entry({ name: 'after' })]
    await store.insert([before])
    const catalog = new Catalog()
    await using follower = openFollower({ store, catalog, clock: systemClock })
    await follower.caughtUp
    expect(catalog.service(before.id)?.decode().name).toBe('before')

    await catalog.whenReached((await store.insert([after])).seq)
    expect(catalog.service(after.id)?.decode().name).toBe('after')

    await catalog.whenReached((await store.remove(before.id, new Date(), null))!)
    expect(catalog.service(before.id)).toBeUndefined()
    expect(catalog.size).toBe(1)
  })

  test('reads a large store in pages and reports its progress', async () => {
    await using store = await openMemory()
    for (let i = 0; i < 3; i++)
      await store.insert(Array.from({ length: 4000 }, (_, n) => entry({ name: `Number ${4000 * i + n}` })))
    const catalog = new Catalog()
    const progress: [number, number, number][] = []
    await using follower = openFollower({
      store,
      catalog,
      clock: systemClock,
      onProgress: ({ services, percent }) => progress.push([services, percent, follower.loaded]),
    })
    expect(follower.isReady).toBe(false)
    await follower.caughtUp
    expect(follower.isReady).toBe(true)
    expect(progress).toEqual([
      [5000, 41, 5000 / 12_000],
      [10_000, 83, 10_000 / 12_000],
    ])
    expect(follower.loaded).toBe(1)
    expect(catalog.list({ limit: 1, offset: 0 }).total).toBe(12_000)
    // Words of the first page, of the second and of the last.
    for (const number of [7, 6_007, 11_999])
      expect(catalog.search({ q: String(number), limit: 5, offset: 0 }).total).toBe(1)
  })

  test('continues after the store was unavailable', async () => {
    await using store = await openMemory()
    let failures = 2
    const flaky = {
      watch: store.watch.bind(store),
      lastSeq: store.lastSeq.bind(store),
      get timelines() {
        return store.timelines
      },
      changes: async (since: number, limit: number) => {
        if (failures-- > 0) throw new DirectoryError('store_unavailable', say('store_away'))
        return store.changes(since, limit)
      },
    }
    const catalog = new Catalog()
    const { seq } = await store.insert([entry()])
    await using follower = openFollower({ store: flaky, catalog, clock: systemClock })
    await catalog.whenReached(seq)
    await follower.caughtUp
    expect(follower.storeErrors).toBe(2)
    expect(follower.storeTrouble).toBeUndefined()
    expect(follower.lagMs()).toBe(0)
  })
})
