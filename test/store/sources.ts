// What every store promises about entries that follow a source, and about the sources.
import { describe, expect, test } from 'bun:test'
import { sellerHash, sellerOf } from '../../src/domain/listing/seller.ts'
import type { Entry } from '../../src/domain/listing/service.ts'
import { createSourceState } from '../../src/store/sources.ts'
import type { EntryOrTombstone, Store } from '../../src/store/store.ts'
import { entry } from '../entries.ts'
import { probeOf, recordProbe, unchanged } from '../probes.ts'

const AT = new Date('2026-11-01T12:00:00.000Z')
const later = (ms: number) => new Date(AT.getTime() + ms)
const URL = 'https://peer.example'

const followed = (key: string, sourceUrl = URL): Entry => {
  const plain = entry({ name: key })
  const origin = { key, seq: 3, ...(key === 'b' && { home: true as const, held: ['name'] }) }
  return { ...plain, provenance: { ...plain.provenance, sourceUrl, origin } }
}

export function describeSources({ store }: { store: () => Store }): void {
  describe('lookUp', () => {
    test('returns existing and removed entries, and nothing for unknown ids', async () => {
      const [here, gone] = [entry({ name: 'Here' }), entry({ name: 'Gone' })]
      await store().insert([here, gone])
      await store().remove(gone.id, AT, null)
      const known = await store().lookUp([here.id, gone.id, entry().id])
      expect(known).toEqual(
        new Map<string, EntryOrTombstone>([
          [here.id, { entry: here }],
          [gone.id, { entry: null, removedBy: null }],
        ]),
      )
      expect(await store().lookUp([])).toEqual(new Map())
    })
  })

  describe('entries by id', () => {
    test('are returned in id order, in pages, without removed ones', async () => {
      const entries = Array.from({ length: 5 }, (_, i) => entry({ name: `Number ${i}` }))
      await store().insert(entries.toReversed())
      await store().update([entries[0]!.id], kept => ({ entry: { ...kept, name: 'Last' }, events: [] }))
      await store().remove(entries[2]!.id, AT, null)
      const ids = [0, 1, 3, 4].map(i => entries[i]!.id)
      expect((await store().byId('', 9)).map(({ id }) => id)).toEqual(ids)
      expect((await store().byId('', 3)).map(({ name }) => name)).toEqual(['Last', 'Number 1', 'Number 3'])
      expect((await store().byId(ids[2]!, 9)).map(({ id }) => id)).toEqual(ids.slice(3))
    })
  })

  describe('an entry removed by a source', () => {
    const by = { sourceUrl: URL, home: true as const }

    test('can be replaced by an entry of a source, which inherits nothing from it', async () => {
      const old = followed('a')
      await store().insert([old])
      await recordProbe(store(), probeOf(old.id), each => unchanged(each))
      expect(await store().remove(old.id, AT, null, () => by)).toBeGreaterThan(0)
      expect(await store().lookUp([old.id])).toEqual(new Map([[old.id, { entry: null, removedBy: by }]]))
      expect(await store().ofSource(URL, '', 5)).toEqual([])

      const next = { ...followed('a', 'https://other.example'), id: old.id }
      const { seq } = await store().insert([next])
      expect(await store().find(old.id)).toEqual({ entry: next, facts: null, finding: null })
      expect(await store().changes(seq - 1, 5)).toMatchObject([{ id: old.id, seq, entry: next }])
      expect(await store().probes.days(old.id, 5)).toEqual([])
      const history = await store().probes.history(old.id, 9)
      const types = history.map(item => item.kind === 'event' && item.event.type)
      expect(types.toSorted()).toEqual(['registered', 'registered', 'removed'])
    })

    test('cannot be replaced by an own entry, nor an own removed entry by one of a source', async () => {
      const [withdrawn, removed] = [followed('a'), followed('b')]
      await store().insert([withdrawn, removed])
      await store().remove(withdrawn.id, AT, null, () => by)
      await store().remove(removed.id, AT, null, () => 'for_now')
      expect(store().insert([{ ...entry(), id: withdrawn.id }])).rejects.toThrow()
      expect(store().insert([{ ...followed('b'), id: removed.id }])).rejects.toThrow()
      expect(await store().find(removed.id)).toBeUndefined()
    })

    test('keeps its remover and source through every write', async () => {
      const plain = followed('a')
      const origin = { key: 'x', seq: 1, home: true as const }
      const rich = { ...plain, provenance: { ...plain.provenance, origin } }
      await store().insert([rich])
      expect(await store().ofSource(URL, '', 5)).toEqual([rich])
    })
  })

  describe('entries of a source', () => {
    test('are returned in pages, without removed ones and those of other sources or none', async () => {
      const own = [followed('a'), followed('b'), followed('c')]
      const gone = followed('gone')
      const imported = entry()
      await store().insert([
        ...own,
        gone,
        followed('other', 'https://other.example'),
        { ...imported, provenance: { ...imported.provenance, sourceUrl: URL } },
      ])
      await store().remove(gone.id, AT, null)
      const sorted = own.toSorted((a, b) => (a.id < b.id ? -1 : 1))
      expect(await store().ofSource(URL, '', 2)).toEqual(sorted.slice(0, 2))
      expect(await store().ofSource(URL, sorted[1]!.id, 2)).toEqual(sorted.slice(2))
      expect(await store().countOfSource(URL)).toBe(3)
      expect(await store().countOfSource('https://nobody.example')).toBe(0)
    })

    test('remain so after changes, until they follow no source', async () => {
      const each = followed('a')
      await store().insert([each])
      await store().update([each.id], kept => ({ entry: { ...kept, name: 'Renamed' }, events: [] }))
      expect((await store().ofSource(URL, '', 5)).map(({ name }) => name)).toEqual(['Renamed'])
      await store().update([each.id], ({ provenance: { origin: _, ...provenance }, ...kept }) => ({
        entry: { ...kept, provenance },
        events: [],
      }))
      expect(await store().ofSource(URL, '', 5)).toEqual([])
    })
  })

  describe('services sold', () => {
    test('are found by payment address in any letter case, without removed ones', async () => {
      const address = '0xAbCdEf0123456789aBcDeF0123456789abcdef01'
      const paying = (paymentAddress: string) => entry({ x402Config: { paymentAddress, network: 'base' } })
      const [first, second, gone] = [paying(address), paying(address.toLowerCase()), paying(address)]
      await store().insert([first, second, gone, entry()])
      await store().remove(gone.id, AT, null)
      const found = await store().paidTo([address.toUpperCase().replace('0X', '0x'), `0x${'9'.repeat(40)}`])
      expect(found.map(({ id }) => id).sort()).toEqual([first.id, second.id].sort())
      expect(await store().paidTo([])).toEqual([])
    })

    test('are remembered for their seller only when they are removed permanently', async () => {
      const each = entry({ endpoint: 'https://removed.example/v1/a' })
      const hash = sellerHash(sellerOf(each))
      await store().insert([each])
      expect(await store().removedSellers([hash])).toEqual(new Set())
      await store().remove(each.id, AT, null, () => 'for_now')
      expect(await store().removedSellers([hash])).toEqual(new Set())
      const again = { ...each, id: entry().id }
      await store().insert([again])
      await store().remove(again.id, AT, null, () => 'for_good')
      const sibling = { ...each, id: entry().id, endpoint: 'https://REMOVED.example:443/v1/b' }
      await store().insert([sibling])
      await store().remove(sibling.id, AT, null, () => 'for_good')
      expect(await store().removedSellers([hash, 'of nobody'])).toEqual(new Set([hash]))
    })
  })

  describe('sources', () => {
    test('have one reader at a time, until it releases the source or its lease ends', async () => {
      expect(await store().sources.lease(URL, AT, 1_000)).toBeUndefined()
      expect([await store().sources.add(URL), await store().sources.add(URL)]).toEqual([true, false])
      expect(await store().sources.lease(URL, AT, 1_000)).toEqual(createSourceState(URL))
      expect(await store().sources.lease(URL, later(999), 1_000)).toBeUndefined()
      expect(await store().sources.lease(URL, later(1_000), 1_000)).toEqual(createSourceState(URL))
      const state = {
        ...createSourceState(URL),
        kind: 'shirube',
        cursor: '7-0123456789abcdef',
        rereading: true,
      } as const
      await store().sources.save(state, later(5_000))
      expect(await store().sources.lease(URL, later(3_000), 1_000)).toBeUndefined()
      await store().sources.save(state)
      expect(await store().sources.lease(URL, later(3_000), 1_000)).toEqual(state)
    })

    test('are added once, paused and removed, whoever reads them', async () => {
      const { sources } = store()
      expect([await sources.pause(URL, AT), await sources.remove(URL, AT)]).toEqual([false, false])
      await sources.add(URL)
      await sources.lease(URL, AT, 1_000)
      expect(await sources.pause(URL, AT)).toBe(true)
      // Neither the reader nor whoever adds it again resumes it.
      await sources.save({ ...createSourceState(URL), kind: 'list' })
      await sources.add(URL)
      expect(await sources.list()).toMatchObject([{ url: URL, kind: 'list', pausedAt: AT.toISOString() }])
      await sources.pause(URL, null)
      expect(await sources.list()).toMatchObject([{ pausedAt: null }])
      expect(await sources.remove(URL, AT)).toBe(true)
      expect(await sources.list()).toEqual([])
    })

    test('stay removed, or are read, if both begin at once', async () => {
      const { sources } = store()
      for (const removesFirst of [true, false, true, false]) {
        await sources.add(URL)
        const removing = removesFirst && sources.remove(URL, AT)
        const leasing = sources.lease(URL, AT, 1_000)
        const isRemoved = await (removing || sources.remove(URL, AT))
        expect(isRemoved).toBe((await leasing) === undefined)
        expect((await sources.list()).length).toBe(isRemoved ? 0 : 1)
        await sources.save(createSourceState(URL))
      }
    })

    test('are listed by address', async () => {
      await store().sources.add('https://b.example')
      await store().sources.add('https://a.example')
      const urls = (await store().sources.list()).map(({ url }) => url)
      expect(urls).toEqual(['https://a.example', 'https://b.example'])
    })
  })
}
