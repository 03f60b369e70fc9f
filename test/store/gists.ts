// What every store promises about gists.
import { describe, expect, test } from 'bun:test'
import type { Store } from '../../src/store/store.ts'
import { entry } from '../entries.ts'

const bytes = (...values: number[]) => Uint8Array.from(values)
const gists = async (store: Store) =>
  (await store.changes(0, 10)).map(({ gist }) => gist && [...new Uint8Array(gist)])

export function describeGists(open: () => Store): void {
  describe('gists', () => {
    test('come with their entries from the feed, and draw no seq', async () => {
      const store = open()
      const [one, two] = [entry(), entry()]
      await store.insert([one, two])
      const before = await store.lastSeq()
      await store.keepGists([{ id: two.id, gist: bytes(0, 1, 255) }])
      expect(await gists(store)).toEqual([undefined, [0, 1, 255]])
      expect(await store.lastSeq()).toBe(before)
    })

    test('are replaced, stay when their entry changes, and are gone with it', async () => {
      const store = open()
      const kept = entry()
      await store.insert([kept])
      await store.keepGists([{ id: kept.id, gist: bytes(1) }])
      await store.keepGists([{ id: kept.id, gist: bytes(2, 3) }])
      await store.update([kept.id], found => ({ entry: { ...found, name: 'Other' }, events: [] }))
      expect(await gists(store)).toEqual([[2, 3]])
      await store.remove(kept.id, new Date(), null)
      expect(await gists(store)).toEqual([undefined])
    })

    test('of unknown and removed entries are not kept', async () => {
      const store = open()
      const gone = entry()
      await store.insert([gone])
      await store.remove(gone.id, new Date(), null)
      await store.keepGists([
        { id: gone.id, gist: bytes(1) },
        { id: entry().id, gist: bytes(1) },
      ])
      await store.keepGists([])
      expect(await gists(store)).toEqual([undefined])
    })
  })
}
