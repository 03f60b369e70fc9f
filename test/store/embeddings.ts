// What every store promises about embeddings.
import { describe, expect, test } from 'bun:test'
import type { Store } from '../../src/store/store.ts'
import { entry, listed } from '../entries.ts'

const bytes = (...values: number[]) => Uint8Array.from(values)
const embeddings = async (store: Store) =>
  (await store.changes(0, 10)).map(({ embedding }) => embedding && [...new Uint8Array(embedding)])

export function describeEmbeddings(open: () => Store): void {
  describe('embeddings', () => {
    test('are returned with their entries in the feed and use no seq', async () => {
      const store = open()
      const [one, two] = [entry(), entry()]
      await store.insert([one, two])
      const before = await store.lastSeq()
      await store.putEmbeddings([{ id: two.id, embedding: bytes(0, 1, 255) }])
      expect(await embeddings(store)).toEqual([undefined, [0, 1, 255]])
      expect(await store.lastSeq()).toBe(before)
    })

    test('can be replaced, survive changes of their entry and are deleted with it', async () => {
      const store = open()
      const kept = await listed(store)
      await store.putEmbeddings([{ id: kept.id, embedding: bytes(1) }])
      await store.putEmbeddings([{ id: kept.id, embedding: bytes(2, 3) }])
      await store.update([kept.id], found => ({ entry: { ...found, name: 'Other' }, events: [] }))
      expect(await embeddings(store)).toEqual([[2, 3]])
      await store.remove(kept.id, new Date(), null)
      expect(await embeddings(store)).toEqual([undefined])
    })

    test('are not stored for unknown or removed entries', async () => {
      const store = open()
      const gone = await listed(store)
      await store.remove(gone.id, new Date(), null)
      await store.putEmbeddings([
        { id: gone.id, embedding: bytes(1) },
        { id: entry().id, embedding: bytes(1) },
      ])
      await store.putEmbeddings([])
      expect(await embeddings(store)).toEqual([undefined])
    })
  })
}
