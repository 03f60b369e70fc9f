// What every store promises about hidden entries and domain proofs.
import { describe, expect, test } from 'bun:test'
import { withoutProof } from '../../src/domain/hosts/domain-proof.ts'
import { hideEntry, unhideEntry } from '../../src/domain/listing/edit.ts'
import type { Store } from '../../src/store/store.ts'
import { entry, listed } from '../entries.ts'

const NOW = new Date('2026-11-01T12:00:00.000Z')

export function describeHiding(store: () => Store): void {
  describe('what operators do', () => {
    test('is stored: rules by kind and value, and acts, newest first', async () => {
      const { collections, acts } = store()
      const rule = {
        kind: 'host',
        value: 'a.example',
        why: 'Malware.',
        who: 'key',
        at: NOW.toISOString(),
      } as const
      await collections.put('hidden', [rule, { ...rule, kind: 'wallet', value: '0xab' }])
      await collections.put('hidden', [{ ...rule, why: 'Fraud.' }])
      await collections.put('others', [rule])
      expect(await collections.list('hidden')).toEqual([
        { ...rule, why: 'Fraud.' },
        { ...rule, kind: 'wallet', value: '0xab' },
      ])
      const added = entry({ endpoint: 'https://b.a.example/v1' })
      const seq = (await store().insert([added])).seq
      expect((await store().find(added.id))!.entry.hidden?.why).toBe('Fraud.')
      expect([await store().events.of(added.id, 9), (await store().changes(seq - 1, 9)).length]).toEqual([
        [],
        1,
      ])
      await collections.remove('hidden', [rule])
      expect(await collections.list('hidden')).toHaveLength(1)
      const kept = [
        { ...rule, value: 'b.example' },
        { ...rule, value: 'c.example' },
      ]
      await collections.replace('others', [...kept, { ...rule, value: 'b.example' }])
      await collections.replace(
        'others',
        kept.map(item => ({ ...item, at: '2026-11-02T00:00:00.000Z' })).toReversed(),
      )
      expect(await collections.list('others')).toEqual(kept)
      expect(await collections.names()).toEqual([
        { name: 'hidden', items: 1 },
        { name: 'others', items: 2 },
      ])
      const policy = { allow: ['a.example', 'collection:others'], deny: ['collection:none'] }
      expect(await collections.readInto(policy)).toEqual({
        allow: ['a.example', 'b.example', 'c.example'],
        deny: [],
      })
      const act = { id: 'act_1', at: NOW.toISOString(), who: 'key', act: 'hidden', about: 'host' } as const
      await acts.add(act)
      await acts.add({ ...act, id: 'act_2', act: 'shown' })
      expect((await acts.list(9)).map(({ id }) => id)).toEqual(['act_2', 'act_1'])
      expect(await acts.list(9, { act: 'hidden' })).toEqual([act])
      expect((await acts.list(9, { before: 'act_2' })).map(({ id }) => id)).toEqual(['act_1'])
    })
  })

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
      const kept = await listed(store())
      const [first] = await store().changes(0, 9)
      const proof = { at: NOW.toISOString(), names: 'id', misses: 1 } as const
      const seq = await store().update([kept.id], found => ({ entry: { ...found, proof }, events: [] }))
      expect((await store().find(kept.id))!.entry).toEqual({ ...kept, proof })
      expect(await store().changes(seq - 1, 9)).toMatchObject([{ seq, objectSeq: first!.objectSeq }])
      await store().update([kept.id], found => ({ entry: withoutProof(found), events: [] }))
      expect((await store().find(kept.id))!.entry).toEqual(kept)
    })
  })
}
