// What every store promises about hidden entries and domain proofs.
import { describe, expect, test } from 'bun:test'
import { withoutProof } from '../../src/domain/hosts/domain-proof.ts'
import { hideEntry, unhideEntry } from '../../src/domain/listing/edit.ts'
import type { Store } from '../../src/store/store.ts'
import { entry } from '../entries.ts'

const NOW = new Date('2026-11-01T12:00:00.000Z')

export function describeHiding(store: () => Store): void {
  describe('a hidden entry', () => {
    test('stores the reason, appears in the feed and is not probed until it is shown again', async () => {
      const [kept, other] = [entry(), entry()]
      await store().insert([kept, other])
      const why = 'It poses as 正しい.\u0000'
      const seq = await store().update([kept.id], found => hideEntry(found, why, NOW))
      const hidden = { ...kept, hidden: { at: NOW.toISOString(), why } }
      expect((await store().find(kept.id))!.entry).toEqual(hidden)
      expect(await store().changes(seq - 1, 9)).toMatchObject([
        { seq, objectSeq: seq, id: kept.id, entry: hidden },
      ])
      const far = new Date(Date.now() + 60_000)
      expect(await store().schedule.countDue(far, 9)).toBe(1)

      const again = await store().update([kept.id], found => unhideEntry(found, far))
      expect((await store().find(kept.id))!.entry).toEqual(kept)
      expect(await store().changes(seq, 9)).toMatchObject([{ seq: again, objectSeq: again, entry: kept }])
      expect(await store().schedule.countDue(far, 9)).toBe(2)
      const events = await store().events.of(kept.id, 9)
      expect(events.map(({ type, reason }) => [type, reason?.code])).toEqual([
        ['registered', 'unhidden_by_operator'],
        ['removed', 'hidden_by_operator'],
        ['registered', undefined],
      ])
    })
  })

  describe('a domain proof', () => {
    test('is stored with its entry and appears in the feed although the public object is unchanged', async () => {
      const kept = entry()
      await store().insert([kept])
      const [first] = await store().changes(0, 9)
      const proof = { at: NOW.toISOString(), by: 'dns', names: 'id', misses: 1 } as const
      const seq = await store().update([kept.id], found => ({ entry: { ...found, proof }, events: [] }))
      expect((await store().find(kept.id))!.entry).toEqual({ ...kept, proof })
      expect(await store().changes(seq - 1, 9)).toMatchObject([{ seq, objectSeq: first!.objectSeq }])
      await store().update([kept.id], found => ({ entry: withoutProof(found), events: [] }))
      expect((await store().find(kept.id))!.entry).toEqual(kept)
    })
  })
}
