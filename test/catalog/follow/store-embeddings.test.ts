import { describe, expect, test } from 'bun:test'
import { Catalog } from '../../../src/catalog/catalog.ts'
import { openEmbeddingWriter, openFollower } from '../../../src/catalog/follow.ts'
import { DirectoryError } from '../../../src/domain/errors.ts'
import { say } from '../../../src/messages/message.ts'
import { type Clock, systemClock } from '../../../src/runtime/clock.ts'
import { openEmbedder } from '../../../src/search/embedding/model.ts'
import { createSemanticIndex } from '../../../src/search/embedding/semantic-index.ts'
import { createSearchIndex } from '../../../src/search/search-index.ts'
import { openStore } from '../../../src/store/open.ts'
import type { Store } from '../../../src/store/store.ts'
import { entry } from '../../entries.ts'
import { until } from '../../until.ts'

const hasty: Clock = { now: () => new Date(), sleep: (_, signal) => systemClock.sleep(1, signal) }
const openMemory = () => openStore('sqlite::memory:', { clock: systemClock })
const openCatalog = () => new Catalog(createSearchIndex({ semantic: createSemanticIndex(openEmbedder()) }))

async function load(store: Store, catalog: Catalog): Promise<void> {
  await using follower = openFollower({ store, catalog, clock: systemClock })
  await follower.caughtUp
}

const keptIn = async (store: Store): Promise<number> =>
  (await store.changes(0, 1_000)).filter(({ embedding }) => embedding !== undefined).length

describe('embeddings computed at a start', () => {
  test('are stored for the next start, which gets the same results', async () => {
    await using store = await openMemory()
    await store.insert(Array.from({ length: 250 }, (_, i) => entry({ name: `Weather ${i}` })))
    const first = openCatalog()
    await load(store, first)
    await using _ = openEmbeddingWriter({ store, catalog: first, clock: hasty })
    await until(async () => (await keptIn(store)) === 250)

    const second = openCatalog()
    await load(store, second)
    expect(second.takeEmbeddings(10)).toEqual([])
    const query = { q: 'a forecast of the weather', limit: 20 }
    expect(second.searchByIntent(query).decode().results).toEqual(
      first.searchByIntent(query).decode().results,
    )
  })

  test('are computed again for a text that changed meanwhile', async () => {
    await using store = await openMemory()
    const kept = entry({ name: 'Weather' })
    await store.insert([kept])
    const first = openCatalog()
    await load(store, first)
    await store.putEmbeddings(first.takeEmbeddings(10))
    await store.update([kept.id], found => ({ entry: { ...found, name: 'Parcel tracking' }, events: [] }))

    const second = openCatalog()
    await load(store, second)
    expect(second.takeEmbeddings(10).map(({ id }) => id)).toEqual([kept.id])
  })

  test('may be lost while the store is unavailable, without other effects', async () => {
    await using store = await openMemory()
    await store.insert([entry()])
    const catalog = openCatalog()
    await load(store, catalog)
    let refused = 0
    const putEmbeddings = async () => {
      refused++
      throw new DirectoryError('store_unavailable', say('store_away'))
    }
    await using keeper = openEmbeddingWriter({ store: { putEmbeddings }, catalog, clock: hasty })
    await until(async () => refused === 1)
    await keeper[Symbol.asyncDispose]()
    expect(catalog.size).toBe(1)
  })
})
