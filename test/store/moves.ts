// What every store promises about a service that moves: findings at its previous endpoint no longer count.
import { describe, expect, test } from 'bun:test'
import type { Entry } from '../../src/domain/listing/service.ts'
import { judge, type Measurement, type ProbeHistory } from '../../src/domain/standing/judge.ts'
import { type ProbeOutcome, type ProbeRecord, toTally } from '../../src/domain/standing/standing.ts'
import type { ScheduledJudgement, Store } from '../../src/store/store.ts'
import { entry, listed } from '../entries.ts'
import { probeOf, recordProbe } from '../probes.ts'
import { HOLDER, lease } from './schedule.ts'

const START = Date.parse('2026-09-01T00:00:00.000Z')
const HOUR_MS = 3_600_000
const CHAIN = 'eip155:8453'

const at = (hours: number) => new Date(START + hours * HOUR_MS)
const probeAt = (serviceId: string, hours: number, outcome: ProbeOutcome): ProbeRecord => {
  const seen = outcome === 'payable' ? {} : { httpStatus: null, asListed: false }
  return probeOf(serviceId, { at: at(hours).toISOString(), outcome, ...seen })
}

export function describeMoves(store: () => Store): void {
  const record = async (probe: ProbeRecord): Promise<ProbeHistory> => {
    let seen: ProbeHistory | undefined
    const measured: Measurement = { probe, terms: undefined }
    const judgeNow = (kept: Entry, history: ProbeHistory): ScheduledJudgement => {
      seen = history
      return { ...judge(kept, measured, history), dueAt: at(9_999) }
    }
    await recordProbe(store(), probe, judgeNow)
    return seen!
  }
  const move = (id: string, hours: number) =>
    store().update([id], kept => ({
      entry: { ...kept, endpoint: `https://moved-${hours}.example/`, movedAt: at(hours).toISOString() },
      events: [],
      forget: ['probes', 'payments'],
    }))
  const entryOf = async (id: string) => (await store().find(id))!.entry

  describe('a service whose endpoint moves', () => {
    test('gets trust, uptime and age from its first probe at the new endpoint, whatever its earlier history', async () => {
      const kept = entry({}, { now: at(0) })
      const fresh = entry({}, { now: at(2_400) })
      await store().insert([kept, fresh])
      for (let hours = 1; hours <= 60; hours++) await record(probeAt(kept.id, hours * 39, 'payable'))
      // Nobody has paid for it, so there is no more than this.
      expect((await entryOf(kept.id)).standing.trustScore).toBe(39)
      await move(kept.id, 2_400)
      const history = await record(probeAt(kept.id, 2_401, 'payable'))
      await record(probeAt(fresh.id, 2_401, 'payable'))
      const probe = probeAt(kept.id, 2_401, 'payable')
      expect(history).toEqual({
        latest: [probe],
        latencies: [probe.latencyMs!],
        tally: toTally(probe),
        lastPayableDay: probe.at.slice(0, 10),
        newestAt: probe.at,
        payments: null,
        purchases: [],
        finding: null,
      })
      const { standing } = await entryOf(kept.id)
      expect(standing).toEqual((await entryOf(fresh.id)).standing)
      expect(await store().probes.days(kept.id, 99)).toEqual(await store().probes.days(fresh.id, 99))
      expect((await store().find(kept.id))!.facts).toEqual((await store().find(fresh.id))!.facts)
    })

    test('does not count failures of the previous endpoint', async () => {
      const kept = await listed(store(), {}, { now: at(0) })
      await record(probeAt(kept.id, 1, 'unreachable'))
      await record(probeAt(kept.id, 2, 'unreachable'))
      await move(kept.id, 3)
      await record(probeAt(kept.id, 4, 'unreachable'))
      expect((await entryOf(kept.id)).standing.status).toBe('unverified')
      await record(probeAt(kept.id, 5, 'payable'))
      expect((await entryOf(kept.id)).standing).toMatchObject({ status: 'verified', uptimeScore: 50 })
    })

    test('keeps the history of every endpoint', async () => {
      const kept = await listed(store(), {}, { now: at(0) })
      const probes = [1, 2, 4].map(hours => probeAt(kept.id, hours, 'payable'))
      await record(probes[0]!)
      await record(probes[1]!)
      await move(kept.id, 3)
      await record(probes[2]!)
      const items = await store().probes.history(kept.id, 99)
      expect(items.flatMap(item => (item.kind === 'probe' ? [item.probe] : []))).toEqual(probes.toReversed())
    })

    test('is not credited with payments to the previous endpoint, even if they are read late or again', async () => {
      const kept = await listed(store(), {}, { now: at(0) })
      const payee = kept.x402Config.paymentAddress
      const payment = (logIndex: number, hours: number, paidTo = payee) => ({
        chain: CHAIN,
        transaction: '0xt',
        logIndex,
        block: hours,
        at: at(hours).toISOString(),
        asset: '0xa',
        payer: `0x${logIndex}`,
        payee: paidTo,
        amount: '0.002',
        method: 'authorization' as const,
        serviceId: kept.id,
      })
      const cursor = (block: number) => ({ block })
      await move(kept.id, 10)
      const payments = [payment(1, 5), payment(2, 11), payment(3, 12, `0x${'9'.repeat(40)}`)]
      await store().payments.advance(CHAIN, undefined, { payments, cursor: cursor(12) })
      expect((await entryOf(kept.id)).standing).toMatchObject({ txCount: 1, totalRevenue: '0.002' })
      expect(await store().payments.totals(kept.id)).toMatchObject({ txCount: 1, payers: 1 })
    })
  })

  describe('a probe', () => {
    test('is not stored if nothing was measured of the entry as it is now, and the lease stays with its holder', async () => {
      const kept = await listed(store(), {}, { now: at(0) })
      const now = new Date(Date.now() + 1_000)
      await store().schedule.leaseDue(now, 9, lease(60_000))
      expect(await store().probes.record(kept.id, () => undefined, HOLDER)).toBeUndefined()
      expect(await store().probes.days(kept.id, 9)).toEqual([])
      await store().schedule.release(kept.id, HOLDER, now)
      expect(await store().schedule.leaseDue(now, 9, lease(60_000))).toHaveLength(1)
    })

    test('is counted if recorded after a newer one, but changes neither status nor findings', async () => {
      const kept = await listed(store(), {}, { now: at(0) })
      await record(probeAt(kept.id, 5, 'payable'))
      const before = await entryOf(kept.id)
      await record(probeAt(kept.id, 4, 'unreachable'))
      const after = await entryOf(kept.id)
      expect(after.standing).toMatchObject({ status: 'verified', uptimeScore: 50 })
      expect(after.standing.lastChecked).toBe(before.standing.lastChecked)
      expect(after.updatedAt >= before.updatedAt).toBe(true)
    })

    test('dated far ahead by a clock does not affect later probes', async () => {
      const kept = await listed(store(), {}, { now: at(0) })
      const ahead = (Date.UTC(2200, 0, 1) - START) / HOUR_MS
      for (const more of [0, 1, 2]) await record(probeAt(kept.id, ahead + more, 'unreachable'))
      expect((await entryOf(kept.id)).standing.status).toBe('inactive')
      await record(probeAt(kept.id, 10, 'payable'))
      await record(probeAt(kept.id, 11, 'payable'))
      const { standing } = await entryOf(kept.id)
      expect(standing).toMatchObject({ status: 'verified', lastChecked: at(11).toISOString() })
    })
  })
}
