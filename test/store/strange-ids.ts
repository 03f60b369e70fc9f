// What every store promises about an id that no entry can have: a caller may send any text as an id.
import { describe, expect, test } from 'bun:test'
import { say } from '../../src/messages/message.ts'
import type { Store } from '../../src/store/store.ts'
import { listed } from '../entries.ts'

const AT = new Date('2026-11-01T12:00:00.000Z')
const STRANGE = ['svc_\u0000', 'svc_\ud800', 'x'.repeat(20_000), "'", '']

export function describeStrangeIds(store: () => Store): void {
  describe('an id that no entry can have', () => {
    test('is not found by any operation', async () => {
      const kept = await listed(store())
      for (const id of STRANGE) await expectNowhere(store(), id, kept.id)
    })
  })
}

async function expectNowhere(store: Store, id: string, kept: string): Promise<void> {
  const nothing = await Promise.all([
    store.find(id),
    store.terms.of(id),
    store.purchases.find(id),
    store.webhooks.find(id),
    store.keys.find(id),
  ])
  expect(nothing.every(found => found === undefined)).toBe(true)
  const empty = await Promise.all([
    store.events.of(id, 10),
    store.probes.history(id, 10),
    store.probes.days(id, 10),
    store.purchases.list({ serviceId: id, limit: 10 }),
  ])
  expect(empty.flat()).toEqual([])
  expect(await store.webhooks.remove(id)).toBe(false)
  expect(await store.keys.revoke(id, AT)).toBe(false)
  expect(await store.reports.resolve(id, AT)).toBe(false)
  expect(await store.payments.totals(id)).toMatchObject({ txCount: 0 })
  expect([...(await store.lookUp([id, kept])).keys()]).toEqual([kept])
  expect([...(await store.terms.ofAll([id, kept])).keys()]).toEqual([])
  const seq = await store.lastSeq()
  await store.update([id], () => {
    throw new Error('There is nothing to change.')
  })
  expect(await store.remove(id, AT, say('removed'))).toBeUndefined()
  expect(await store.lastSeq()).toBe(seq)
}
