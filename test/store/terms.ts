// What every store promises about the terms that endpoints were seen asking.
import { describe, expect, test } from 'bun:test'
import { editEntry, toDraft } from '../../src/domain/listing/edit.ts'
import type { ResourceTerms } from '../../src/domain/terms/terms.ts'
import type { Store } from '../../src/store/store.ts'
import { entry, listed } from '../entries.ts'
import { probeOf, recordJudged } from '../probes.ts'
import { requirements, resource, seen } from '../terms.ts'

const START = Date.parse('2026-09-01T00:00:00.000Z')
const at = (minutes: number) => new Date(START + minutes * 60_000)
const ODD = 'A nul \u0000, 東京, a quote " and\na line'

export function describeTerms(store: () => Store): void {
  const record = async (serviceId: string, minutes: number, ...resources: readonly ResourceTerms[]) => {
    const terms = { payTo: [requirements.payTo], price: null, furtherChains: [], seen: seen(...resources) }
    await recordJudged(store(), probeOf(serviceId, { at: at(minutes).toISOString() }), {
      terms: resources.length > 0 ? terms : undefined,
    })
  }
  const entryOf = async (id: string) => (await store().find(id))!.entry

  describe('the terms of a service', () => {
    test('are those of its newest readable response, and the entry contains the payment options', async () => {
      const kept = await listed(store())
      expect(await store().terms.of(kept.id)).toBeUndefined()
      const first = resource({ description: ODD, input: { type: 'object', properties: { city: {} } } })
      await record(kept.id, 1, first)
      expect(await store().terms.of(kept.id)).toEqual({
        seenAt: at(1).toISOString(),
        x402Version: 2,
        resources: [first],
      })
      const { scheme, chain, asset, amount, payTo } = requirements
      expect((await entryOf(kept.id)).seen).toEqual({
        at: at(1).toISOString(),
        price: 'same',
        asks: { amount: '0.0025', currency: 'USDC' },
        resources: [{ url: first.url, method: 'GET', ways: [{ scheme, chain, asset, amount, payTo }] }],
      })
      expect((await store().changes(0, 99)).find(({ id }) => id === kept.id)?.entry).toEqual(
        await entryOf(kept.id),
      )
    })

    test('are confirmed if unchanged, kept if unreadable and replaced if changed', async () => {
      const kept = await listed(store())
      await record(kept.id, 1, resource())
      await record(kept.id, 2, resource())
      expect(await store().terms.of(kept.id)).toMatchObject({ seenAt: at(2).toISOString() })
      await record(kept.id, 3)
      expect(await store().terms.of(kept.id)).toMatchObject({ seenAt: at(2).toISOString() })
      expect((await entryOf(kept.id)).seen?.at).toBe(at(2).toISOString())
      const upTo = resource({ method: 'POST', accepts: [{ ...requirements, scheme: 'upto' }] })
      await record(kept.id, 4, upTo)
      expect((await store().terms.of(kept.id))?.resources).toEqual([upTo])
    })

    test('do not change when an older probe is recorded late', async () => {
      const kept = await listed(store())
      await record(kept.id, 5, resource({ method: 'POST' }))
      await record(kept.id, 4, resource())
      expect(await store().terms.of(kept.id)).toMatchObject({
        seenAt: at(5).toISOString(),
        resources: [{ method: 'POST' }],
      })
      expect((await entryOf(kept.id)).seen?.at).toBe(at(5).toISOString())
    })

    test('are returned for several services at once', async () => {
      const all = [entry(), entry(), entry()]
      await store().insert(all)
      for (const { id } of all.slice(1)) await record(id, 1, resource())
      const found = await store().terms.ofAll(all.map(({ id }) => id))
      expect([...found.keys()].sort()).toEqual(
        all
          .slice(1)
          .map(({ id }) => id)
          .sort(),
      )
      expect(await store().terms.ofAll([])).toEqual(new Map())
    })

    test('are deleted when the service moves or is removed', async () => {
      const [moved, removed] = [entry(), entry()]
      await store().insert([moved, removed])
      for (const { id } of [moved, removed]) await record(id, 1, resource())
      await store().update([moved.id], kept =>
        editEntry(
          kept,
          { ...toDraft(kept), endpoint: 'https://elsewhere.dev/' },
          { by: 'owner', now: at(2) },
        ),
      )
      expect(await store().terms.of(moved.id)).toBeUndefined()
      expect((await entryOf(moved.id)).seen).toBeUndefined()
      await store().remove(removed.id, at(2), null)
      expect(await store().terms.of(removed.id)).toBeUndefined()
    })
  })
}
