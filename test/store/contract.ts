// What every store promises, whatever its engine.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { EditResult } from '../../src/domain/listing/edit.ts'
import { createEntry, type Entry } from '../../src/domain/listing/service.ts'
import type { Finding, ProbeHistory } from '../../src/domain/standing/judge.ts'
import {
  EMPTY_TALLY,
  LATENCY_ANSWERS,
  type ProbeRecord,
  toTally,
} from '../../src/domain/standing/standing.ts'
import type { TrustFacts } from '../../src/domain/standing/trust.ts'
import { say, verbatim } from '../../src/messages/message.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import type { KeyRecord } from '../../src/store/keys.ts'
import { openStore } from '../../src/store/open.ts'
import type { IdempotentRequest, ScheduledJudgement, Store } from '../../src/store/store.ts'
import { draft, entry, listed } from '../entries.ts'
import { fc } from '../fast-check.ts'
import { addTallies, probeOf, recordProbe, unchanged } from '../probes.ts'
import { describeBudgets } from './budgets.ts'
import { describeEmbeddings } from './embeddings.ts'
import { describeHiding } from './hiding.ts'
import { describeLeases } from './leases.ts'
import { describeMoves } from './moves.ts'
import { describePayers } from './payers.ts'
import { describePayments } from './payments.ts'
import { describeAccuracy, describePurchases } from './purchases.ts'
import { describeReports } from './reports.ts'
import { describeSchedule, HOLDER, lease } from './schedule.ts'
import { describeSources } from './sources.ts'
import { describeStrangeIds } from './strange-ids.ts'
import { describeTerms } from './terms.ts'
import { describeTimelines } from './timelines.ts'
import { describeWebhooks } from './webhooks.ts'

export type OpenedStore = {
  readonly store: Store
  /** Opens a second store on the same data, beside the first; where there can be one. */
  readonly reopen?: () => Promise<Store>
}

const AT = new Date('2026-11-01T12:00:00.000Z')
const HOUR_MS = 60 * 60 * 1000

const later = (ms: number) => new Date(AT.getTime() + ms)
const rename = (kept: Entry, name: string): EditResult => ({ entry: { ...kept, name }, events: [] })
const once = (parts: Partial<IdempotentRequest> = {}): IdempotentRequest => ({
  caller: 'key_a',
  key: 'request-1',
  fingerprint: 'body-1',
  at: AT,
  ...parts,
})
const probe = (serviceId: string, at: Date, parts: Partial<ProbeRecord> = {}): ProbeRecord => {
  const reasons = [say('answers', { status: 402 }), say('no_other_payees')]
  return probeOf(serviceId, { at: at.toISOString(), latencyMs: 12.5, priceSeen: '0.002', reasons, ...parts })
}
const facts: TrustFacts = { tally: EMPTY_TALLY, ageDays: 3, payments: null }
const finding: Finding = {
  firstRequest: { url: 'https://weather.example/v1/forecast', method: 'POST' },
  payTo: ['0x標'],
  price: { amount: '0.002', currency: 'USDC' },
}
/** Keeps the entry as it is. */
const judged = (kept: Entry, parts: Partial<ScheduledJudgement> = {}): ScheduledJudgement =>
  unchanged(kept, { facts, finding, dueAt: later(HOUR_MS), ...parts })
const keyRecord = (id: string, parts: Partial<KeyRecord> = {}): KeyRecord => ({
  id,
  name: `The key ${id}`,
  hash: `hash of ${id}`,
  scopes: ['register'],
  wallet: null,
  createdAt: AT.toISOString(),
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
  policy: null,
  ...parts,
})

/** Every field that a provider or the directory can fill, at its widest. */
const anyEntry = fc
  .record({
    name: fc.string({ unit: 'binary', minLength: 1 }),
    description: fc.string({ unit: 'grapheme', minLength: 1 }),
    price: fc.stringMatching(/^\d{1,18}(\.\d{1,18})?$/),
    freeQuota: fc.maxSafeNat(),
    chains: fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1 }),
    uptimeScore: fc.integer({ min: 0, max: 10_000 }).map(hundredths => hundredths / 100),
    txCount: fc.maxSafeNat(),
    owner: fc.option(fc.string()),
    sourceUrl: fc.option(fc.webUrl()),
    source: fc.constantFrom('registered' as const, 'imported' as const, 'sample' as const),
    retired: fc.option(fc.string()),
    movedAt: fc.option(fc.constant(AT.toISOString())),
    worded: fc.option(
      fc.record(
        { nameSince: fc.constant(AT.toISOString()), textSince: fc.constant(AT.toISOString()) },
        { requiredKeys: [] },
      ),
    ),
  })
  .map(
    (parts): Entry => ({
      ...entry({
        name: parts.name,
        description: parts.description,
        pricing: { currency: 'USDC', pricePerRequest: parts.price, freeQuota: parts.freeQuota },
      }),
      supportedChains: parts.chains,
      standing: {
        status: 'verified',
        trustScore: 87,
        uptimeScore: parts.uptimeScore,
        lastChecked: AT.toISOString(),
        txCount: parts.txCount,
        totalRevenue: parts.price,
      },
      owner: parts.owner,
      provenance: { source: parts.source, sourceUrl: parts.sourceUrl, firstSeen: AT.toISOString() },
      sample: parts.source === 'sample',
      retired: parts.retired,
      ...(parts.movedAt !== null && { movedAt: parts.movedAt }),
      ...(parts.worded !== null && { worded: parts.worded }),
    }),
  )

/** Reads everything after the cursor, in pages. */
async function readAll(store: Store, { since = 0, page = 3 } = {}) {
  const all = []
  for (;;) {
    const changes = await store.changes(since, page)
    all.push(...changes)
    if (changes.length < page) return all
    since = changes.at(-1)!.seq
  }
}

const stateOf = async (store: Store) => new Map((await readAll(store)).map(({ id, entry }) => [id, entry]))

/**
 * @param shared whether several processes can have the data open, so that `open` also hands out `reopen`
 * @param cases how many random ones are drawn where the test draws any
 */
export function describeStore(
  name: string,
  { open, shared, cases = 40 }: { open: () => Promise<OpenedStore>; shared: boolean; cases?: number },
): void {
  const testShared = test.if(shared)
  describe(name, () => {
    let opened: OpenedStore
    let store: Store
    const others: Store[] = []
    const reopen = async (): Promise<Store> => {
      const other = await opened.reopen!()
      others.push(other)
      return other
    }
    beforeEach(async () => {
      opened = await open()
      store = opened.store
    })
    afterEach(async () => {
      for (const each of [...others.splice(0), store]) await each[Symbol.asyncDispose]()
    })

    test('reports no trouble if there is none, and writes nothing to check', async () => {
      const { seq } = await store.insert([entry()])
      expect(await store.trouble()).toBeUndefined()
      expect(await store.lastSeq()).toBe(seq)
    })

    describe('insert', () => {
      test('stores every field unchanged', async () => {
        await fc.assert(
          fc.asyncProperty(fc.array(anyEntry, { minLength: 1, maxLength: 5 }), async entries => {
            const { seq } = await store.insert(entries)
            const changes = await store.changes(seq - entries.length, 100)
            expect(changes.map(change => change.entry)).toEqual(entries)
          }),
          { numRuns: cases },
        )
      })

      test('assigns one seq to each entry, in the given order', async () => {
        const entries = [entry(), entry(), entry()]
        expect(await store.insert(entries)).toEqual({ seq: 3, entries, repeated: false })
        expect((await store.insert([entry()])).seq).toBe(4)
        expect(await store.lastSeq()).toBe(4)
        const changes = await store.changes(0, 3)
        expect(changes.map(change => [change.seq, change.objectSeq, change.id])).toEqual(
          entries.map(({ id }, index) => [index + 1, index + 1, id]),
        )
      })

      test('rejects an id that already exists and stores nothing from that call', async () => {
        const first = await listed(store)
        const beside = entry()
        const results = await Promise.allSettled([
          store.insert([entry(), first, entry()]),
          store.insert([beside]),
        ])
        expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
        expect([...(await stateOf(store)).keys()]).toEqual([first.id, beside.id])
        expect(await store.events.after(0, 10)).toHaveLength(2)
      })

      test('stores all concurrent calls, each with a seq of its own', async () => {
        const entries = Array.from({ length: 400 }, () => entry())
        const inserted = await Promise.all(entries.map(each => store.insert([each])))
        expect(new Set(inserted.map(({ seq }) => seq)).size).toBe(400)
        expect((await stateOf(store)).size).toBe(400)
        expect(await store.lastSeq()).toBe(400)
      })
    })

    describe('an idempotency key', () => {
      test('returns the first result again without writing', async () => {
        const first = await store.insert([entry({ name: '天気' }), entry()], once())
        const again = await store.insert([entry(), entry()], once({ at: later(23 * HOUR_MS) }))
        expect(again).toEqual({ ...first, repeated: true })
        expect(await store.lastSeq()).toBe(2)
      })

      test('returns the first result even after the entry has changed', async () => {
        const kept = entry({ name: 'Before' })
        await store.insert([kept], once())
        await store.update([kept.id], each => rename(each, 'After'))
        expect((await store.insert([entry()], once())).entries).toEqual([kept])
      })

      test('registers once when the same request is in flight twice', async () => {
        const twins = await Promise.all([store.insert([entry()], once()), store.insert([entry()], once())])
        expect(twins[1]!.entries).toEqual(twins[0]!.entries)
        expect(twins.map(({ repeated }) => repeated)).toEqual([false, true])
        expect(await store.lastSeq()).toBe(1)
      })

      test('fails with a conflict for a different body, without affecting a concurrent call', async () => {
        await store.insert([entry()], once())
        const conflict = store.insert([entry()], once({ fingerprint: 'body-2' }))
        const beside = store.insert([entry()])
        await expect(conflict).rejects.toMatchObject({ code: 'idempotency_conflict' })
        expect((await beside).seq).toBe(2)
      })

      test('is separate for each caller', async () => {
        await store.insert([entry()], once())
        const { repeated } = await store.insert([entry()], once({ caller: 'key_b', fingerprint: 'body-2' }))
        expect(repeated).toBe(false)
      })

      test('can be reused after 24 hours with any body', async () => {
        await store.insert([entry()], once())
        const day = once({ fingerprint: 'body-2', at: later(24 * HOUR_MS) })
        expect((await store.insert([entry()], day)).repeated).toBe(false)
        expect((await store.insert([entry()], day)).repeated).toBe(true)
      })

      test('registers nothing twice while the clock is a day ahead, nor after it was set back', async () => {
        const dayAhead = later(24 * HOUR_MS + 1)
        await store.insert([entry()], once())
        // Each new key deletes some old ones.
        for (const key of ['a', 'b']) await store.insert([entry()], once({ key, at: dayAhead }))
        for (const at of [dayAhead, later(1_000)])
          expect((await store.insert([entry()], once({ at }))).repeated).toBe(true)
      })

      test('is not stored when the insert fails', async () => {
        const kept = await listed(store)
        await expect(store.insert([kept], once())).rejects.toThrow()
        expect((await store.insert([entry()], once())).repeated).toBe(false)
      })
    })

    describe('update', () => {
      test('always advances seq, and objectSeq only when the public object changes', async () => {
        const kept = await listed(store)
        const checked = { ...kept, standing: { ...kept.standing, lastChecked: AT.toISOString() } }
        expect(await store.update([kept.id], () => ({ entry: checked, events: [] }))).toBe(2)
        expect(await store.changes(0, 10)).toEqual([{ seq: 2, objectSeq: 1, id: kept.id, entry: checked }])
        const trusted = { ...checked, standing: { ...checked.standing, trustScore: 50 } }
        expect(await store.update([kept.id], () => ({ entry: trusted, events: [] }))).toBe(3)
        expect(await store.changes(0, 10)).toEqual([{ seq: 3, objectSeq: 3, id: kept.id, entry: trusted }])
      })

      test('passes the stored entry to the change and stores the result with its events', async () => {
        const kept = await listed(store)
        const event = {
          type: 'price',
          at: AT.toISOString(),
          reason: verbatim('It says so.'),
          before: '1',
          after: { a: 2 },
        }
        await store.update([kept.id], given => {
          expect(given).toEqual(kept)
          return { entry: { ...given, retired: 'Closed.' }, events: [event as never] }
        })
        expect((await stateOf(store)).get(kept.id)?.retired).toBe('Closed.')
        expect((await store.events.of(kept.id, 1))[0]).toEqual({
          ...event,
          number: 2,
          seq: 2,
          serviceId: kept.id,
        } as never)
      })

      test('writes nothing if the change returns undefined', async () => {
        const entries = [entry(), entry()]
        await store.insert(entries)
        expect(
          await store.update(
            entries.map(({ id }) => id),
            () => undefined,
          ),
        ).toBe(2)
        expect(await store.lastSeq()).toBe(2)
      })

      test('skips unknown and removed ids', async () => {
        const [kept, removed] = [entry(), entry()]
        await store.insert([kept, removed])
        await store.remove(removed.id, AT, null)
        const asked: string[] = []
        await store.update(['svc_unknown', removed.id, kept.id], each => {
          asked.push(each.id)
          return undefined
        })
        expect(asked).toEqual([kept.id])
      })

      test('rethrows an error from the change, rolls back that call and keeps concurrent ones', async () => {
        const entries = [entry(), entry()]
        await store.insert(entries)
        const broken = store.update(
          entries.map(({ id }) => id),
          each => {
            if (each.id === entries[1]!.id) throw new RangeError('no such price')
            return rename(each, 'Broken')
          },
        )
        const beside = store.update([entries[1]!.id], each => rename(each, 'Beside'))
        await expect(broken).rejects.toThrow(new RangeError('no such price'))
        await beside
        const names = [...(await stateOf(store)).values()].map(each => each?.name)
        expect(names).toEqual([entries[0]!.name, 'Beside'])
      })

      test('loses no concurrent change of the same entry', async () => {
        const kept = await listed(store)
        const count = (each: Entry): EditResult => ({
          entry: { ...each, standing: { ...each.standing, txCount: each.standing.txCount + 1 } },
          events: [],
        })
        await Promise.all(Array.from({ length: 50 }, () => store.update([kept.id], count)))
        expect((await stateOf(store)).get(kept.id)?.standing.txCount).toBe(50)
      })

      test('schedules the next probe in the same transaction, except for samples', async () => {
        const kept = entry()
        const sample = createEntry(draft(), { id: entry().id, now: AT, source: 'sample' })
        await store.insert([kept, sample])
        await store.schedule.leaseDue(new Date(Date.now() + 1_000), 10, lease(5 * 60_000))
        const due = (dueAt: Date | null) =>
          store.update([kept.id, sample.id], each => ({ entry: each, events: [], dueAt }))
        const claim = async (now: Date) =>
          (await store.schedule.leaseDue(now, 10, lease(1_000))).map(each => each.entry.id)
        await due(later(5_000))
        expect(await claim(later(4_999))).toEqual([])
        expect(await claim(later(5_000))).toEqual([kept.id])
        await due(null)
        expect(await claim(later(99 * HOUR_MS))).toEqual([])
        await store.update([kept.id], each => rename(each, 'Renamed'))
        expect(await claim(later(99 * HOUR_MS))).toEqual([])
      })

      test('deletes probe findings on request and keeps their history', async () => {
        const kept = await listed(store)
        await recordProbe(store, probe(kept.id, AT), each => judged(each))
        await store.update([kept.id], each => rename(each, 'Renamed'))
        expect(await store.find(kept.id)).toMatchObject({ facts, finding })
        await store.update([kept.id], each => ({ ...rename(each, 'Moved'), forget: ['probes'] }))
        expect(await store.find(kept.id)).toMatchObject({ facts: null, finding: null })
        expect(await store.probes.days(kept.id, 9)).toEqual([])
        expect(await store.probes.history(kept.id, 9)).toContainEqual({
          kind: 'probe',
          probe: probe(kept.id, AT),
        })
      })

      test('rejects a change of the id', async () => {
        const kept = await listed(store)
        const renamed = store.update([kept.id], each => ({ entry: { ...each, id: 'svc_other' }, events: [] }))
        await expect(renamed).rejects.toThrow('must not change the id')
      })
    })

    describe('remove', () => {
      test('stores no endpoint in the tombstone of an unverified entry', async () => {
        const kept = await listed(store)
        await store.remove(kept.id, AT, null)
        expect(await store.changes(0, 10)).toEqual([{ seq: 2, objectSeq: 2, id: kept.id, entry: null }])
      })

      test.each([say('removed_by_stranger'), say('removed_by_source', { url: 'https://a.example' })])(
        'stores no endpoint in the tombstone of an entry removed by a stranger or a source: $code',
        async reason => {
          const kept = await listed(store, {}, { standing: { status: 'verified' } })
          await store.remove(kept.id, AT, reason)
          expect(await store.changes(0, 10)).toEqual([{ seq: 2, objectSeq: 2, id: kept.id, entry: null }])
        },
      )

      test('leaves a tombstone and records the removed entry in the event', async () => {
        const kept = await listed(store, { name: 'Gone Soon' }, { standing: { status: 'verified' } })
        expect(await store.remove(kept.id, AT, say('retired', { message: null }))).toBe(2)
        expect(await store.changes(0, 10)).toEqual([
          // Who is asked to pay there can still be told.
          { seq: 2, objectSeq: 2, id: kept.id, entry: null, endpoint: kept.endpoint },
        ])
        const [removed, registered] = await store.events.of(kept.id, 10)
        expect(registered?.type).toBe('registered')
        expect(removed).toMatchObject({
          type: 'removed',
          seq: 2,
          at: AT.toISOString(),
          reason: say('retired', { message: null }),
          before: { id: kept.id, name: 'Gone Soon' },
          after: null,
        })
      })

      test('asks the judge in the same transaction and keeps the entry if the judge throws', async () => {
        const kept = await listed(store)
        const refused = store.remove(kept.id, AT, null, each => {
          expect(each).toEqual(kept)
          throw new RangeError('not yours')
        })
        await expect(refused).rejects.toThrow(new RangeError('not yours'))
        expect(await store.find(kept.id)).toMatchObject({ entry: kept })
        expect(await store.remove(kept.id, AT, null, () => 'for_now')).toBe(2)
      })

      test('returns undefined for a missing entry and writes nothing', async () => {
        const kept = await listed(store)
        await store.remove(kept.id, AT, null)
        expect(await store.remove(kept.id, AT, null)).toBeUndefined()
        expect(await store.remove('svc_unknown', AT, null)).toBeUndefined()
        expect(await store.lastSeq()).toBe(2)
        expect(await store.events.after(0, 10)).toHaveLength(2)
      })
    })

    describe('changes', () => {
      test('yield the current state for any interleaving of writes, page size and cursor', async () => {
        const command = fc.record({
          kind: fc.constantFrom('insert', 'insert', 'update', 'update', 'remove'),
          pick: fc.nat(),
          page: fc.integer({ min: 1, max: 4 }),
        })
        await fc.assert(
          fc.asyncProperty(fc.array(command, { maxLength: 30 }), fc.nat(), async (commands, someCursor) => {
            // Changes of earlier runs come before this position.
            const start = await store.lastSeq()
            const model = new Map<string, { seq: number; entry: Entry | null }>()
            const follower = new Map<string, Entry | null>()
            let cursor = start
            const follow = async (page: number) => {
              const changes = await store.changes(cursor, page)
              for (const { id, entry } of changes) follower.set(id, entry)
              cursor = changes.at(-1)?.seq ?? cursor
              return changes.length
            }
            for (const { kind, pick, page } of commands) {
              const ids = [...model.keys()]
              const id = ids[pick % ids.length]
              if (kind === 'insert' || id === undefined) {
                const added = entry()
                model.set(added.id, { entry: added, seq: (await store.insert([added])).seq })
              } else if (kind === 'update') {
                const before = model.get(id)!.entry
                const seq = await store.update([id], each => rename(each, `Name ${pick}`))
                if (before) model.set(id, { seq, entry: { ...before, name: `Name ${pick}` } })
              } else {
                const seq = await store.remove(id, AT, null)
                if (seq !== undefined) model.set(id, { seq, entry: null })
              }
              await follow(page)
            }
            while ((await follow(2)) > 0);
            expect(follower).toEqual(new Map([...model].map(([id, { entry }]) => [id, entry])))
            const since = start + (someCursor % (commands.length + 1))
            const expected = [...model.values()].filter(({ seq }) => seq > since).map(({ seq }) => seq)
            const seen = await readAll(store, { since, page: 2 })
            expect(seen.map(({ seq }) => seq)).toEqual(expected.sort((a, b) => a - b))
          }),
          { numRuns: cases },
        )
      })

      testShared('never skip a smaller seq while two stores write', async () => {
        const other = await reopen()
        const write = async (writer: Store) => {
          for (let i = 0; i < 60; i++) await writer.insert([entry(), entry()])
        }
        const seen: number[] = []
        let writing = true
        const writers = Promise.all([write(store), write(other)]).finally(() => {
          writing = false
        })
        const read = async () => {
          for (;;) {
            const done = !writing
            const changes = await other.changes(seen.at(-1) ?? 0, 7)
            seen.push(...changes.map(({ seq }) => seq))
            if (done && changes.length === 0) return
            await new Promise<void>(resolve => setImmediate(resolve))
          }
        }
        await Promise.all([writers, read()])
        expect(seen).toEqual(Array.from({ length: 240 }, (_, index) => index + 1))
      })
    })

    describe('watch', () => {
      const nextCall = (target: Store) =>
        new Promise<void>(resolve => {
          const stop = target.watch(() => {
            stop()
            resolve()
          })
        })

      test('calls the listener after a commit of this process', async () => {
        const called = nextCall(store)
        await store.insert([entry()])
        await called
      })

      testShared('calls the listener after a commit of another process', async () => {
        const other = await reopen()
        const kept = entry()
        const called = nextCall(other)
        await store.insert([kept])
        await called
        expect(await other.changes(0, 10)).toMatchObject([{ id: kept.id }])
      })

      test('does not call the listener for writes without a seq, nor after it is stopped', async () => {
        const kept = await listed(store)
        let calls = 0
        const stop = store.watch(() => calls++)
        await store.schedule.leaseDue(new Date(), 10, lease(1_000))
        await store.schedule.release(kept.id, HOLDER, AT)
        await store.leases.take('probing', { holder: HOLDER, now: AT, leaseMs: 1_000, note: '' })
        await store.probes.prune({ probes: AT, days: AT })
        await store.keys.insert(keyRecord('key_1'))
        await store.update([kept.id], () => undefined)
        expect(calls).toBe(0)
        await Promise.all([nextCall(store), store.insert([entry()])])
        expect(calls).toBe(1)
        stop()
        await Promise.all([nextCall(store), store.insert([entry()])])
        expect(calls).toBe(1)
      })
    })

    describe('events', () => {
      test('are numbered in commit order and readable from any number', async () => {
        const entries = [entry(), entry(), entry()]
        expect(await store.events.last()).toBe(0)
        await store.insert(entries)
        expect(await store.events.last()).toBe(3)
        const all = await store.events.after(0, 10)
        expect(all.map(({ number, seq, serviceId, type, at }) => [number, seq, serviceId, type, at])).toEqual(
          entries.map(({ id, createdAt }, i) => [i + 1, i + 1, id, 'registered', createdAt]),
        )
        expect(await store.events.after(1, 1)).toEqual([all[1]!])
      })

      test('of one service are returned newest first, in pages', async () => {
        const [kept, other] = [entry(), entry()]
        await store.insert([kept, other])
        await store.remove(kept.id, AT, null)
        const [newest] = await store.events.of(kept.id, 1)
        expect(newest?.type).toBe('removed')
        const older = await store.events.of(kept.id, 5, newest!.number)
        expect(older.map(({ type }) => type)).toEqual(['registered'])
      })
    })

    describe('recording a probe', () => {
      const kept = entry()
      const record = (record: ProbeRecord, parts: Partial<ScheduledJudgement> = {}) =>
        recordProbe(store, record, each => judged(each, parts))
      beforeEach(() => store.insert([kept]))

      test('stores the judged entry, its events, the findings and the next due time in one transaction', async () => {
        const reason = say('failed_in_a_row', { count: 3, seen: [say('answers', { status: 500 })] })
        const event = { type: 'status', at: AT.toISOString(), reason, before: 'a', after: 'b' }
        const trusted = {
          ...kept,
          standing: { ...kept.standing, trustScore: 40 },
          updatedAt: AT.toISOString(),
        }
        const settled = record(probe(kept.id, AT), { entry: trusted, events: [event as never] })
        expect(await settled).toBe(2)
        expect(await store.changes(0, 10)).toEqual([{ seq: 2, objectSeq: 2, id: kept.id, entry: trusted }])
        expect(await store.find(kept.id)).toEqual({ entry: trusted, facts, finding })
        expect((await store.events.of(kept.id, 1))[0]).toMatchObject({ ...event, seq: 2 } as never)
        expect(await store.schedule.leaseDue(later(HOUR_MS - 1), 1, lease(1))).toEqual([])
        expect(await store.schedule.leaseDue(later(HOUR_MS), 1, lease(1))).toEqual([
          { entry: trusted, facts, finding },
        ])
      })

      test('advances seq but not objectSeq when nothing public changes', async () => {
        const checked = { ...kept, standing: { ...kept.standing, lastChecked: AT.toISOString() } }
        await record(probe(kept.id, AT), { entry: checked })
        expect(await store.changes(0, 10)).toEqual([{ seq: 2, objectSeq: 1, id: kept.id, entry: checked }])
      })

      test('passes the newest counted probes, the totals and the previous findings to the judge', async () => {
        const other = await listed(store)
        await recordProbe(store, probe(other.id, AT), each => judged(each))
        const outcomes = ['mismatched', 'payable', 'unreachable', 'refused', 'unpayable', 'refused'] as const
        const records = outcomes.map((outcome, i) =>
          probe(kept.id, later(i * 10 * HOUR_MS), { outcome, latencyMs: i * 400, httpStatus: 200 }),
        )
        const histories: ProbeHistory[] = []
        for (const record of records) {
          await recordProbe(store, record, (each, history) => {
            histories.push(history)
            return judged(each)
          })
        }
        expect(histories[0]).toEqual({
          latest: [records[0]!],
          latencies: [0],
          tally: toTally(records[0]!),
          lastPayableDay: null,
          newestAt: records[0]!.at,
          payments: null,
          purchases: [],
          finding: null,
        })
        expect(histories.at(-1)).toEqual({
          latest: [records[4]!, records[2]!, records[1]!, records[0]!],
          // A refusal is no answer, nor is what could not be reached.
          latencies: [1600, 400, 0],
          tally: addTallies(records.map(toTally)),
          lastPayableDay: '2026-11-01',
          newestAt: records[5]!.at,
          payments: null,
          purchases: [],
          finding,
        })
      })

      test('passes the newest latencies to the judge and stores the resulting latency with the entry', async () => {
        for (let i = 0; i <= LATENCY_ANSWERS; i++)
          await record(probe(kept.id, later(i * HOUR_MS), { latencyMs: 100 + i }))
        const broken = probe(kept.id, later(999 * HOUR_MS), {
          outcome: 'unpayable',
          httpStatus: 503,
          latencyMs: 9,
        })
        let latencies: readonly number[] = []
        await recordProbe(store, broken, (each, history) => {
          latencies = history.latencies
          return judged({ ...each, latencyMs: 130 })
        })
        expect(latencies).toEqual(
          Array.from({ length: LATENCY_ANSWERS }, (_, i) => 100 + LATENCY_ANSWERS - i),
        )
        expect((await store.find(kept.id))!.entry.latencyMs).toBe(130)
        expect((await store.changes(0, 10)).at(-1)!.entry!.latencyMs).toBe(130)
      })

      test('stores, counts and judges a probe once if it is recorded twice', async () => {
        expect(await record(probe(kept.id, AT))).toBe(2)
        expect(await record(probe(kept.id, AT))).toBeUndefined()
        expect(await store.lastSeq()).toBe(2)
        expect(await store.probes.days(kept.id, 9)).toEqual([
          { day: '2026-11-01', ...toTally(probe(kept.id, AT)) },
        ])
      })

      test('stores nothing for an unknown or removed entry', async () => {
        await record(probe(kept.id, AT))
        await store.remove(kept.id, AT, null)
        expect(await record(probe(kept.id, later(1)))).toBeUndefined()
        expect(await record(probe('svc_unknown', AT))).toBeUndefined()
        expect(await store.find(kept.id)).toBeUndefined()
        expect(await store.probes.days('svc_unknown', 9)).toEqual([])
        expect(await store.schedule.leaseDue(later(99 * HOUR_MS), 9, lease(1))).toEqual([])
      })

      test('stores nothing if the judge throws', async () => {
        const broken = recordProbe(store, probe(kept.id, AT), () => {
          throw new RangeError('no such rule')
        })
        await expect(broken).rejects.toThrow(new RangeError('no such rule'))
        expect(await store.probes.days(kept.id, 9)).toEqual([])
        expect(await store.lastSeq()).toBe(1)
      })

      test('does not lose a concurrent change of the entry', async () => {
        const count = (each: Entry): Entry => ({
          ...each,
          standing: { ...each.standing, txCount: each.standing.txCount + 1 },
        })
        const writing = Array.from({ length: 20 }, (_, i) => [
          store.update([kept.id], each => ({ entry: count(each), events: [] })),
          recordProbe(store, probe(kept.id, later(i)), each => judged(count(each))),
        ])
        await Promise.all(writing.flat())
        expect((await store.find(kept.id))?.entry.standing.txCount).toBe(40)
      })
    })

    describe('the history of a service', () => {
      test('returns probes and events newest first, in contiguous pages', async () => {
        const [kept, other] = [entry({}, { now: later(-5) }), entry()]
        await store.insert([kept, other])
        const events = ['status', 'price', 'pay_to'].map(type => ({
          type: type as never,
          at: later(10).toISOString(),
          reason: verbatim(`Because of ${type}.`),
          before: null,
          after: { [type]: 1 },
        }))
        const records = [
          probe(kept.id, AT),
          probe(kept.id, later(10), { outcome: 'mismatched', asListed: false, priceSeen: null }),
          probe(kept.id, later(20), {
            outcome: 'unreachable',
            httpStatus: null,
            latencyMs: null,
            reasons: [],
          }),
        ]
        for (const [i, record] of records.entries()) {
          await recordProbe(store, record, each => judged(each, { events: i === 1 ? events : [] }))
        }
        const whole = await store.probes.history(kept.id, 100)
        expect(whole.map(item => (item.kind === 'probe' ? item.probe : item.event.type))).toEqual([
          records[2]!,
          'pay_to',
          'price',
          'status',
          records[1]!,
          records[0]!,
          'registered',
        ])
        expect(whole[1]).toEqual({
          kind: 'event',
          event: { ...events[2]!, number: 5, seq: 4, serviceId: kept.id },
        })
        const paged = []
        for (let before: { at: string; number: number } | undefined; ; ) {
          const page = await store.probes.history(kept.id, 2, before)
          const last = page.at(-1)
          if (!last) break
          paged.push(...page)
          before = last.kind === 'probe' ? { at: last.probe.at, number: 0 } : last.event
        }
        expect(paged).toEqual(whole)
      })

      test('keeps daily totals of pruned probes and prunes those later', async () => {
        const kept = await listed(store)
        const at = (day: number, hour: number) => later((day * 24 + hour - 12) * HOUR_MS)
        for (let day = 0; day < 5; day++) {
          for (let hour = 0; hour < 3; hour++) {
            const outcome = hour === 1 ? 'unreachable' : 'payable'
            await recordProbe(store, probe(kept.id, at(day, hour), { outcome }), each => judged(each))
          }
        }
        const days = await store.probes.days(kept.id, 100)
        expect(days.map(({ day, up, failed, fast }) => [day, up, failed, fast])).toEqual(
          [5, 4, 3, 2, 1].map(day => [`2026-11-0${day}`, 2, 1, 2]),
        )
        expect(await store.probes.days(kept.id, 2)).toEqual(days.slice(0, 2))
        expect(await store.probes.count(at(4, 0))).toEqual({
          byOutcome: { payable: 1, mismatched: 0, unpayable: 0, unreachable: 1, refused: 0 },
          newestAt: at(4, 2).toISOString(),
        })
        expect(await store.probes.prune({ probes: at(3, 0), days: at(0, 0) })).toBe(9)
        expect(await store.probes.prune({ probes: at(3, 0), days: at(0, 0) })).toBe(0)
        expect(await store.probes.days(kept.id, 100)).toEqual(days)
        const left = (await store.probes.history(kept.id, 100)).filter(({ kind }) => kind === 'probe')
        expect(left).toHaveLength(6)
        await store.probes.prune({ probes: at(3, 0), days: at(2, 5) })
        expect(await store.probes.days(kept.id, 100)).toEqual(days.slice(0, 3))
      })

      test('is pruned however long it is', async () => {
        // One more than go at once.
        const many = Array.from({ length: 1_001 }, () => entry())
        await using filled = await openStore('sqlite::memory:', { clock: systemClock })
        await filled.insert(many)
        for (const { id } of many) await recordProbe(filled, probe(id, AT), each => judged(each))
        await store.load(filled.dump())
        expect(await store.probes.prune({ probes: later(1), days: AT })).toBe(1_001)
        expect(await store.probes.history(many[1_000]!.id, 9)).toHaveLength(1)
      })
    })

    describeSchedule({ store: () => store, ...(shared && { reopen }) })
    describeLeases({ store: () => store })
    describeBudgets({ store: () => store, ...(shared && { reopen }) })
    describeMoves(() => store)
    describeStrangeIds(() => store)
    describeTerms(() => store)
    describeHiding(() => store)
    describeReports(() => store)
    describePurchases(() => store)
    describeAccuracy(() => store)
    describePayments({ store: () => store, cases, ...(shared && { reopen }) })
    describePayers(() => store)
    describeEmbeddings(() => store)
    describeWebhooks({ store: () => store, ...(shared && { reopen }) })
    describeSources({ store: () => store })
    describeTimelines({ store: () => store, reopen, testShared: testShared as typeof test })

    describe('keys', () => {
      test('are found by hash and listed by age', async () => {
        const young = keyRecord('key_2', { createdAt: later(1).toISOString(), scopes: ['register', 'admin'] })
        const old = keyRecord('key_1', { expiresAt: later(5).toISOString() })
        await store.keys.insert(young)
        await store.keys.insert(old)
        expect(await store.keys.find(young.hash)).toEqual(young)
        expect(await store.keys.find('another hash')).toBeUndefined()
        expect(await store.keys.list()).toEqual([old, young])
      })

      test('expire on request unless they have already ended', async () => {
        await store.keys.insert(keyRecord('key_1', { expiresAt: later(2).toISOString() }))
        expect(await store.keys.expire('key_1', later(1))).toBe(true)
        // Neither later nor by a clock that has been set back.
        for (const at of [later(1), AT, later(-1)]) expect(await store.keys.expire('key_1', at)).toBe(false)
        expect((await store.keys.list())[0]).toMatchObject({ expiresAt: AT.toISOString(), revokedAt: null })
        expect(await store.keys.expire('key_2', AT)).toBe(false)
      })

      test('can be revoked only once', async () => {
        await store.keys.insert(keyRecord('key_1'))
        expect(await store.keys.revoke('key_1', AT)).toBe(true)
        expect(await store.keys.revoke('key_1', later(1))).toBe(false)
        expect(await store.keys.revoke('key_2', AT)).toBe(false)
        expect((await store.keys.list())[0]?.revokedAt).toBe(AT.toISOString())
      })

      test('record their last use', async () => {
        await store.keys.insert(keyRecord('key_1'))
        await store.keys.touch('key_1', later(5))
        await store.keys.touch('key_1', AT)
        expect((await store.keys.list())[0]?.lastUsedAt).toBe(later(5).toISOString())
      })
    })

    test('of a wallet are listed by age, including the calling key', async () => {
      const wallet = 'solana:7Xk'
      const young = keyRecord('key_1', { wallet, createdAt: later(1).toISOString() })
      const old = keyRecord('key_2', { wallet })
      const other = keyRecord('key_3', { wallet: 'solana:8Xk' })
      const plain = keyRecord('key_4')
      for (const record of [young, old, other, plain]) await store.keys.insert(record)
      expect(await store.keys.own('key_1', wallet)).toEqual([old, young])
      expect(await store.keys.own('key_4', null)).toEqual([plain])
      expect(await store.keys.own('key_5', null)).toEqual([])
    })

    describe('a key of a wallet', () => {
      const wallet = 'solana:7Xk'
      const own = (id: string, parts: Partial<KeyRecord> = {}) => ({ ...keyRecord(id, parts), wallet })
      const bound = { most: 3, revokesOthers: false }
      const ids = async () => (await store.keys.own('', wallet)).map(({ id }) => id)

      test('is added while the wallet has fewer valid keys than the limit', async () => {
        await store.keys.insert({ ...keyRecord('key_0'), wallet: 'solana:8Xk' })
        await store.keys.insertOwn(own('key_1', { expiresAt: later(5).toISOString() }), bound)
        await store.keys.insertOwn(own('key_2'), bound)
        await store.keys.insertOwn(own('key_3'), bound)
        expect(await store.keys.insertOwn(own('key_4'), bound)).toBe(false)
        expect(await ids()).toEqual(['key_1', 'key_2', 'key_3'])
        expect(await store.keys.insertOwn(own('key_5', { createdAt: later(5).toISOString() }), bound)).toBe(
          true,
        )
        expect(await store.keys.insertOwn(own('key_6', { createdAt: later(5).toISOString() }), bound)).toBe(
          false,
        )
        await store.keys.revoke('key_2', later(6))
        expect(await store.keys.insertOwn(own('key_7', { createdAt: later(7).toISOString() }), bound)).toBe(
          true,
        )
        expect(await ids()).toEqual(['key_1', 'key_2', 'key_3', 'key_5', 'key_7'])
      })

      test('is added only once when concurrent calls compete for the last place', async () => {
        const added = await Promise.all(
          Array.from({ length: 12 }, (_, i) => store.keys.insertOwn(own(`key_${i}`), bound)),
        )
        expect(added.filter(Boolean)).toHaveLength(3)
        expect(await ids()).toHaveLength(3)
      })

      test('revokes all other keys of the wallet on request and keeps a limited number of expired ones', async () => {
        await store.keys.insert({ ...keyRecord('key_x'), wallet: 'solana:8Xk' })
        await store.keys.insert(keyRecord('key_y'))
        for (let i = 0; i < 10; i++) {
          const record = own(`key_${i}`, { createdAt: later(i).toISOString() })
          expect(await store.keys.insertOwn(record, { ...bound, revokesOthers: true })).toBe(true)
        }
        const kept = await store.keys.own('', wallet)
        expect(kept.map(({ id, revokedAt }) => [id, revokedAt])).toEqual([
          ['key_6', later(7).toISOString()],
          ['key_7', later(8).toISOString()],
          ['key_8', later(9).toISOString()],
          ['key_9', null],
        ])
        expect((await store.keys.list()).filter(({ revokedAt }) => revokedAt === null)).toHaveLength(3)
      })
    })

    describe('a sign-in challenge', () => {
      const challenge = (nonce: string, expiresAt = later(300_000)) => ({
        nonce,
        message: `directory.example wants you to sign in…\n標 ${nonce}`,
        address: '0xAb',
        wallet: 'eip155:0xab',
        expiresAt: expiresAt.toISOString(),
      })

      test('is returned to only one of several concurrent callers', async () => {
        await store.challenges.put(challenge('one'), AT)
        await store.challenges.put(challenge('two'), AT)
        const other = shared ? await reopen() : store
        for (let read = 0; read < 2; read++)
          expect(await other.challenges.find('one', AT)).toEqual(challenge('one'))
        const taken = await Promise.all([
          store.challenges.take('one', AT),
          other.challenges.take('one', AT),
          store.challenges.take('one', AT),
        ])
        expect(taken.filter(each => each !== undefined)).toEqual([challenge('one')])
        expect(await store.challenges.take('two', AT)).toEqual(challenge('two'))
        expect(await store.challenges.take('three', AT)).toBeUndefined()
        for (const nonce of ['one', 'three']) expect(await store.challenges.find(nonce, AT)).toBeUndefined()
      })

      test('is invalid from the moment it expires', async () => {
        await store.challenges.put(challenge('one', later(10)), AT)
        await store.challenges.put(challenge('two', later(10)), AT)
        expect(await store.challenges.find('one', later(9))).toEqual(challenge('one', later(10)))
        expect(await store.challenges.find('one', later(10))).toBeUndefined()
        expect(await store.challenges.take('one', later(10))).toBeUndefined()
        expect(await store.challenges.take('two', later(9))).toEqual(challenge('two', later(10)))
      })
    })

    describe('closing', () => {
      test('completes pending calls and rejects new ones', async () => {
        const inserting = store.insert([entry()])
        await store[Symbol.asyncDispose]()
        expect((await inserting).seq).toBe(1)
        await expect(store.insert([entry()])).rejects.toMatchObject({ code: 'store_unavailable' })
        await expect(store.changes(0, 1)).rejects.toMatchObject({ code: 'store_unavailable' })
        await store[Symbol.asyncDispose]()
      })

      testShared('leaves the data for the next store', async () => {
        const [kept, removed] = [entry(), entry()]
        await store.insert([kept, removed], once())
        await store.remove(removed.id, AT, null)
        await store.keys.insert(keyRecord('key_1'))
        const before = await readAll(store)
        await store[Symbol.asyncDispose]()
        const next = await reopen()
        expect(await readAll(next)).toEqual(before)
        expect(await next.lastSeq()).toBe(3)
        expect(await next.keys.list()).toHaveLength(1)
        expect((await next.insert([entry()], once())).repeated).toBe(true)
      })
    })
  })
}
