// What every store promises about the schedule of probes: who gets due entries, and whose results are stored.
import { describe, expect, test } from 'bun:test'
import { createEntry, type Entry } from '../../src/domain/listing/service.ts'
import type { ProbeHistory } from '../../src/domain/standing/judge.ts'
import { EXTRA_PROBE_EVERY_MS, MAX_EXTRA_PROBES } from '../../src/store/schedule.ts'
import type { ProbeLease, ScheduledJudgement, Store } from '../../src/store/store.ts'
import { draft, entry, listed } from '../entries.ts'
import { probeOf, recordProbe, unchanged } from '../probes.ts'

const AT = new Date('2026-11-01T12:00:00.000Z')
const HOUR_MS = 3_600_000
/** The longest that there is. */
const LEASE_MS = 5 * 60_000
const later = (ms: number) => new Date(AT.getTime() + ms)

export const HOLDER = 'the process of the test'
export const lease = (leaseMs: number, holder = HOLDER): ProbeLease => ({ holder, leaseMs })

const probeAt = (serviceId: string, at = AT) => probeOf(serviceId, { at: at.toISOString() })
const judged = (each: Entry): ScheduledJudgement => unchanged(each, { dueAt: new Date(Date.now() + HOUR_MS) })

export function describeSchedule({
  store,
  reopen,
}: {
  store: () => Store
  reopen?: () => Promise<Store>
}): void {
  const soon = () => new Date(Date.now() + 1_000)
  const claim = async (
    now: Date,
    limit: number,
    leaseMs: number,
    { target = store(), holder = HOLDER } = {},
  ) => (await target.schedule.leaseDue(now, limit, lease(leaseMs, holder))).map(each => each.entry)
  const setDue = (id: string, dueAt: Date | null) =>
    store().update([id], each => ({ entry: each, events: [], dueAt }))
  const addExtraProbe = (id: string, extraProbeAt: Date) =>
    store().update([id], each => ({ entry: each, events: [], extraProbeAt }))
  const probesOf = async (id: string) =>
    (await store().probes.history(id, 99)).filter(({ kind }) => kind === 'probe')

  describe('the schedule of probes', () => {
    test('makes a new entry due at once, except for samples', async () => {
      const kept = entry()
      const sample = createEntry(draft(), { id: entry().id, now: AT, source: 'sample' })
      await store().insert([sample, kept])
      await setDue(sample.id, AT)
      expect(await claim(soon(), 10, 1_000)).toEqual([kept])
    })

    test('does not return a claimed entry until its lease ends, not even to its holder', async () => {
      const kept = await listed(store())
      const now = soon()
      const target = reopen ? await reopen() : store()
      const claims = await Promise.all([
        claim(now, 10, 1_000),
        claim(now, 10, 1_000, { target, holder: 'another' }),
      ])
      expect(claims.flat()).toEqual([kept])
      for (const holder of [HOLDER, 'another'])
        expect(await claim(new Date(now.getTime() + 999), 10, 1_000, { holder })).toEqual([])
      expect(await claim(new Date(now.getTime() + 1_000), 10, 1_000)).toEqual([kept])
    })

    test('returns the longest overdue entries first, up to the limit', async () => {
      const entries = [entry(), entry(), entry()]
      await store().insert(entries)
      for (const [index, { id }] of entries.entries()) await setDue(id, later(-index))
      expect(await claim(AT, 2, 1_000)).toEqual([entries[2]!, entries[1]!])
      expect(await claim(AT, 2, 1_000)).toEqual([entries[0]!])
    })

    test('returns the most recently due entries first on request', async () => {
      const entries = [entry(), entry(), entry()]
      await store().insert(entries)
      for (const [index, { id }] of entries.entries()) await setDue(id, later(-index))
      const [newest] = await store().schedule.leaseDue(AT, 1, lease(1_000), 'newest')
      expect(newest?.entry).toEqual(entries[0]!)
      expect(await claim(AT, 3, 1_000)).toEqual([entries[2]!, entries[1]!])
    })

    test('counts due and unclaimed entries, up to the limit', async () => {
      await store().insert([entry(), entry(), entry()])
      expect(await store().schedule.countDue(new Date(Date.now() - HOUR_MS), 10)).toBe(0)
      expect(await store().schedule.countDue(soon(), 2)).toBe(2)
      const [claimed] = await claim(soon(), 1, LEASE_MS)
      expect(await store().schedule.countDue(soon(), 10)).toBe(2)
      // Until its first probe it waits, whether it is claimed or its host is busy; from then on when it is due.
      const countWaiting = (at = soon()) => store().schedule.countWaiting(at, 10)
      expect(await countWaiting()).toBe(3)
      const inAnHour = new Date(soon().getTime() + HOUR_MS)
      await store().schedule.release(claimed!.id, HOLDER, inAnHour)
      expect([await countWaiting(), await store().schedule.countWaiting(soon(), 2)]).toEqual([3, 2])
      await recordProbe(store(), probeAt(claimed!.id, AT), each => ({ ...judged(each), dueAt: inAnHour }))
      expect([await countWaiting(), await countWaiting(inAnHour)]).toEqual([2, 3])
    })

    test('returns a released entry at its given time, or never', async () => {
      const kept = await listed(store())
      await claim(soon(), 1, LEASE_MS)
      await store().schedule.release(kept.id, HOLDER, later(5_000))
      expect(await claim(later(4_999), 1, 1_000)).toEqual([])
      expect(await claim(later(5_000), 1, 1_000)).toEqual([kept])
      await store().schedule.release(kept.id, HOLDER, null)
      expect(await claim(later(HOUR_MS), 1, 1_000)).toEqual([])
      await setDue(kept.id, AT)
      expect(await claim(later(HOUR_MS), 1, 1_000)).toEqual([kept])
    })

    test('cannot be changed by a process without the lease', async () => {
      const kept = await listed(store())
      await store().schedule.release(kept.id, HOLDER, null)
      const now = soon()
      expect(await claim(now, 1, LEASE_MS)).toEqual([kept])
      await store().schedule.release(kept.id, 'another', null)
      await store().schedule.release(kept.id, 'another', AT)
      await store().schedule.releaseAll('another')
      expect(await claim(now, 1, 1_000)).toEqual([])
    })

    test('releases every claim of a dead holder, and no other', async () => {
      const entries = Array.from({ length: 6 }, () => entry())
      await store().insert(entries)
      const now = soon()
      const gone = await claim(now, 4, LEASE_MS, { holder: 'gone' })
      await claim(now, 2, LEASE_MS)
      await store().schedule.releaseAll('gone')
      expect(await claim(now, 9, LEASE_MS, { holder: 'next' })).toEqual(gone)
    })

    describe('a service with a requested extra probe', () => {
      /** Of a service that is settled, and due at the given time. */
      async function listedDueAt(dueAt: Date, at = AT) {
        const kept = await listed(store())
        await recordProbe(store(), probeAt(kept.id, at), each => ({ ...judged(each), dueAt }))
        return kept
      }
      const isDueAt = async (ms: number) => (await store().schedule.countDue(new Date(ms), 9)) > 0
      const nowMs = () => Date.now()

      test('is probed soon and keeps its scheduled probe', async () => {
        const drawnMs = nowMs() + HOUR_MS / 2
        const kept = await listedDueAt(new Date(drawnMs))
        await addExtraProbe(kept.id, new Date(nowMs()))
        expect(await claim(soon(), 9, LEASE_MS)).toEqual([kept])
        await recordProbe(store(), probeAt(kept.id, later(1)), judged, HOLDER)
        expect(await isDueAt(drawnMs - 1)).toBe(false)
        expect(await isDueAt(drawnMs)).toBe(true)
      })

      test('is next due at the earlier of its scheduled time and the one drawn after the extra probe', async () => {
        const kept = await listedDueAt(new Date(nowMs() + 2 * HOUR_MS))
        await addExtraProbe(kept.id, new Date(nowMs()))
        await claim(soon(), 9, LEASE_MS)
        await recordProbe(store(), probeAt(kept.id, later(1)), judged, HOLDER)
        expect(await isDueAt(nowMs() + HOUR_MS / 2)).toBe(false)
        expect(await isDueAt(nowMs() + HOUR_MS)).toBe(true)
      })

      test('is not postponed if its scheduled probe is due earlier', async () => {
        const kept = await listedDueAt(new Date(nowMs() + 10_000))
        await addExtraProbe(kept.id, new Date(nowMs() + 20_000))
        expect(await isDueAt(nowMs() + 11_000)).toBe(true)
      })

      test('keeps its lease while it is being probed, and is probed once more', async () => {
        const kept = await listed(store())
        await claim(soon(), 1, LEASE_MS)
        await addExtraProbe(kept.id, new Date(nowMs()))
        expect(await claim(soon(), 1, LEASE_MS, { holder: 'another' })).toEqual([])
        expect(await recordProbe(store(), probeAt(kept.id), judged, HOLDER)).toBeNumber()
        expect(await claim(soon(), 1, LEASE_MS)).toEqual([kept])
        await recordProbe(store(), probeAt(kept.id, later(1)), judged, HOLDER)
        expect(await isDueAt(soon().getTime())).toBe(false)
      })

      test('gets a few extra probes at once on repeated requests, then one at a time', async () => {
        const kept = await listedDueAt(new Date(nowMs() + HOUR_MS))
        const startMs = nowMs()
        const wishes = [
          () => addExtraProbe(kept.id, new Date(startMs)),
          () => setDue(kept.id, new Date(startMs)),
        ]
        let probes = 0
        for (let i = 0; i < 3 * MAX_EXTRA_PROBES; i++) {
          await wishes[i % wishes.length]!()
          const [taken] = await claim(new Date(startMs), 9, LEASE_MS)
          if (!taken) continue
          probes++
          await recordProbe(store(), probeAt(kept.id, later(i)), judged, HOLDER)
        }
        expect(probes).toBe(MAX_EXTRA_PROBES)
        expect(await isDueAt(startMs + EXTRA_PROBE_EVERY_MS - 1)).toBe(false)
        expect(await isDueAt(startMs + 2 * EXTRA_PROBE_EVERY_MS)).toBe(true)
      })

      test('learns when the last extra probe begins, and the prober learns that it was requested', async () => {
        const kept = await listedDueAt(new Date(nowMs() + HOUR_MS))
        const { schedule } = store()
        expect(await schedule.requestedAt(kept.id)).toBeUndefined()
        expect(await schedule.requestedAt('svc_none')).toBeUndefined()
        const startMs = nowMs()
        const start = new Date(startMs)
        for (let i = 0; i < MAX_EXTRA_PROBES; i++) {
          await addExtraProbe(kept.id, start)
          expect(await schedule.requestedAt(kept.id)).toEqual(start)
          const [claimed] = await schedule.leaseDue(start, 1, lease(LEASE_MS))
          expect(claimed?.isRequested).toBe(true)
          await recordProbe(store(), probeAt(kept.id, later(i + 1)), judged, HOLDER)
          expect((await schedule.requestedAt(kept.id))!.getTime()).toBeLessThanOrEqual(startMs)
        }
        await addExtraProbe(kept.id, start)
        expect((await schedule.requestedAt(kept.id))!.getTime()).toBe(startMs + EXTRA_PROBE_EVERY_MS)
        await setDue(kept.id, new Date(startMs + HOUR_MS))
        const [drawn] = await schedule.leaseDue(new Date(startMs + HOUR_MS), 1, lease(1_000))
        expect(drawn).not.toHaveProperty('isRequested')
      })

      test('is probed even if no probe was scheduled, except for samples', async () => {
        const kept = entry()
        const sample = createEntry(draft(), { id: entry().id, now: AT, source: 'sample' })
        await store().insert([kept, sample])
        await setDue(kept.id, null)
        for (const { id } of [kept, sample]) await addExtraProbe(id, AT)
        expect(await claim(soon(), 9, 1_000)).toEqual([kept])
      })

      test('keeps the lease with its holder when an unclaimed probe is recorded', async () => {
        const kept = await listed(store())
        await claim(soon(), 1, LEASE_MS)
        await recordProbe(store(), probeAt(kept.id), judged)
        expect(await recordProbe(store(), probeAt(kept.id, later(1)), judged, HOLDER)).toBeNumber()
        expect(await probesOf(kept.id)).toHaveLength(2)
      })
    })

    test('drops a removed entry permanently', async () => {
      const kept = await listed(store())
      await claim(soon(), 1, 1_000)
      await store().remove(kept.id, AT, null)
      await store().schedule.release(kept.id, HOLDER, AT)
      await setDue(kept.id, AT)
      expect(await claim(soon(), 10, 1_000)).toEqual([])
    })
  })

  describe('the result of a probe', () => {
    const record = (id: string, holder: string, at = AT) =>
      recordProbe(store(), probeAt(id, at), judged, holder)

    test('is stored from the holder of the lease, also after its end if nobody else took it', async () => {
      const kept = await listed(store())
      await claim(soon(), 1, 1)
      expect(await record(kept.id, HOLDER)).toBe(2)
      expect(await probesOf(kept.id)).toHaveLength(1)
      expect(await record(kept.id, HOLDER, later(1))).toBeUndefined()
      expect(await probesOf(kept.id)).toHaveLength(1)
    })

    test('is not stored if another process has taken over, in either order', async () => {
      for (const order of [
        ['slow', 'quick'],
        ['quick', 'slow'],
      ] as const) {
        const kept = await listed(store())
        const now = soon()
        expect(await claim(now, 1, 1_000, { holder: 'slow' })).toEqual([kept])
        expect(await claim(new Date(now.getTime() + 1_000), 1, 1_000, { holder: 'quick' })).toEqual([kept])
        const results: [string, boolean][] = []
        for (const [i, holder] of order.entries())
          results.push([holder, (await record(kept.id, holder, later(i))) !== undefined])
        expect(Object.fromEntries(results)).toEqual({ quick: true, slow: false })
        expect(await probesOf(kept.id)).toHaveLength(1)
        expect((await store().probes.days(kept.id, 9))[0]?.up).toBe(1)
      }
    })

    test('is measured and judged against the current entry', async () => {
      const kept = await listed(store())
      await claim(soon(), 1, LEASE_MS)
      await store().update([kept.id], each => ({ entry: { ...each, name: 'Another name' }, events: [] }))
      const outcomes = { 'Another name': 'mismatched' as const }
      const latest: string[] = []
      const measure = (now: Entry) => ({
        probe: {
          ...probeAt(now.id),
          outcome: outcomes[now.name as keyof typeof outcomes] ?? ('payable' as const),
        },
        judge(history: ProbeHistory) {
          latest.push(...history.latest.map(({ outcome }) => outcome))
          return judged(now)
        },
      })
      await store().probes.record(kept.id, measure, HOLDER)
      expect(latest).toEqual(['mismatched'])
      expect(await probesOf(kept.id)).toMatchObject([{ probe: { outcome: 'mismatched' } }])
      expect(await store().probes.record(entry().id, measure)).toBeUndefined()
    })

    test('is not stored if the owner has moved the endpoint meanwhile', async () => {
      const kept = await listed(store())
      await claim(soon(), 1, LEASE_MS)
      await setDue(kept.id, AT)
      expect(await record(kept.id, HOLDER)).toBeUndefined()
      expect(await claim(AT, 1, 1_000)).toEqual([kept])
    })

    test('is stored once per entry by concurrent probers, one of which dies', async () => {
      const entries = Array.from({ length: 120 }, () => entry())
      await store().insert(entries)
      const now = soon()
      const others = reopen ? await Promise.all([reopen(), reopen(), reopen()]) : [store(), store(), store()]
      const workers = [store(), ...others]
      let dead: readonly Entry[] = []
      const kept: string[] = []
      const work = async (target: Store, holder: string, clock: Date) => {
        for (;;) {
          const taken = await claim(clock, 7, 1_000, { target, holder })
          if (taken.length === 0) return
          const at = later(Number(holder.slice(1)))
          if (holder === 'w0') {
            dead = taken
            return
          }
          for (const { id } of taken)
            if (await recordProbe(target, probeAt(id, at), judged, holder)) kept.push(id)
        }
      }
      await Promise.all(workers.map((target, i) => work(target, `w${i}`, now)))
      expect(kept).toHaveLength(entries.length - dead.length)
      expect(dead.length).toBeGreaterThan(0)
      const after = new Date(now.getTime() + 1_000)
      await Promise.all(workers.slice(1).map((target, i) => work(target, `w${i + 5}`, after)))
      expect(kept.toSorted()).toEqual(entries.map(({ id }) => id).toSorted())
      for (const { id } of dead) expect(await record(id, 'w0')).toBeUndefined()
      for (const { id } of entries) expect(await probesOf(id)).toHaveLength(1)
    })
  })
}
