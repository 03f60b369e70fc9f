// What every store promises about reports of payers.
import { describe, expect, test } from 'bun:test'
import type { ServiceEvent } from '../../src/domain/feed.ts'
import type { OutcomeReport } from '../../src/domain/purchases/outcomes.ts'
import { say } from '../../src/messages/message.ts'
import type { Store } from '../../src/store/store.ts'
import { entry } from '../entries.ts'

const AT = new Date('2026-11-01T12:00:00.000Z')
const DAY_MS = 86_400_000
const LONG_AGO = new Date(0)

let made = 0
export const outcome = (parts: Partial<OutcomeReport> = {}): OutcomeReport => ({
  id: `out_${String(++made).padStart(6, '0')}`,
  serviceId: 'svc_a',
  at: AT.toISOString(),
  outcome: 'delivered',
  proof: 'settlement',
  payment: `eip155:8453 0x${made} 0xpayer`,
  payer: `0x${'2'.repeat(40)}`,
  chain: 'eip155:8453',
  transaction: `0x${made}`,
  detail: { paidAt: AT.toISOString(), amount: '0.0025', currency: 'USDC' },
  ...parts,
})

export const outcomeEvent = ({ id, at, outcome, proof }: OutcomeReport): ServiceEvent => ({
  type: 'outcome',
  at,
  reason: say('outcome_reported', { outcome, proof }),
  before: null,
  after: { id },
})

export function describeOutcomes(store: () => Store): void {
  describe('outcomes', () => {
    const add = (report: OutcomeReport, forgetBefore = LONG_AGO) =>
      store().outcomes.add(report, outcomeEvent(report), forgetBefore)
    const list = (serviceId: string, parts: object = {}) =>
      store().outcomes.list({ serviceId, limit: 100, ...parts })

    test('are stored once per payment, with an event, also when reported concurrently', async () => {
      const listed = entry()
      await store().insert([listed])
      const serviceId = listed.id
      const payment = `one ${serviceId}`
      const reports = [1, 2, 3, 4].map(() => outcome({ serviceId, payment }))
      const kept = await Promise.all(reports.map(report => add(report)))
      expect(new Set(kept.map(({ id }) => id)).size).toBe(1)
      expect(await list(serviceId)).toEqual([kept[0]!])
      const events = (await store().events.of(serviceId, 10)).filter(({ type }) => type === 'outcome')
      expect(events).toMatchObject([{ reason: { code: 'outcome_reported' }, after: { id: kept[0]!.id } }])
      // Of another service it is the same payment still.
      expect((await add(outcome({ serviceId: 'svc_elsewhere', payment }))).serviceId).toBe(serviceId)
    })

    test('are listed newest first, in pages and since a given time', async () => {
      const serviceId = 'svc_pages'
      const later = new Date(AT.getTime() + DAY_MS).toISOString()
      const [a, b, c] = [outcome({ serviceId }), outcome({ serviceId }), outcome({ serviceId, at: later })]
      for (const each of [a, b, c]) await add(each)
      expect(await list(serviceId)).toEqual([c, b, a])
      expect(await list(serviceId, { limit: 1, before: c.id })).toEqual([b])
      expect(await list(serviceId, { since: later })).toEqual([c])
      expect(await list('svc_other')).toEqual([])
    })

    test('count each payer once, by its newest outcome', async () => {
      const serviceId = 'svc_sums'
      for (const parts of [
        { payer: 'a', outcome: 'delivered' },
        { payer: 'a', outcome: 'settled_silent' },
        { payer: 'b', outcome: 'delivered' },
        { payer: 'c', outcome: 'delivered' },
      ] as const)
        await add(outcome({ serviceId, ...parts }))
      expect(await store().outcomes.sums(serviceId)).toEqual({
        settlement: { delivered: 2, settled_silent: 1 },
      })
      expect(await store().outcomes.sums('svc_nobody')).toEqual({ settlement: {} })
      const later = new Date(AT.getTime() + 1).toISOString()
      expect(await store().outcomes.sums(serviceId, later)).toEqual({ settlement: {} })
    })

    test('are kept while their payment can be reported, then limited to the newest 500', async () => {
      const serviceId = 'svc_many'
      const forgetBefore = new Date(AT.getTime() + 1)
      await Promise.all(Array.from({ length: 500 }, () => add(outcome({ serviceId }), LONG_AGO)))
      for (let i = 0; i < 2; i++) await add(outcome({ serviceId }))
      expect(await list(serviceId, { limit: 1_000 })).toHaveLength(502)
      await add(outcome({ serviceId }), forgetBefore)
      expect(await list(serviceId, { limit: 1_000 })).toHaveLength(500)
    })
  })
}
