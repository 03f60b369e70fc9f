// What every store promises after a clock ran ahead for a while: nothing waits for a time that a fast clock recorded.
import { describe, expect, test } from 'bun:test'
import { MAX_AHEAD_MS } from '../../src/domain/ahead.ts'
import type { Challenge, KeyRecord } from '../../src/store/keys.ts'
import type { IdempotencyKey, Store } from '../../src/store/store.ts'
import { entry, listed } from '../entries.ts'
import { lease } from './schedule.ts'

const NOW = new Date('2026-11-01T12:00:00.000Z')
/** Later than the tests will ever run: the stores of some of them go by the clock of the machine. */
const AHEAD = new Date('2200-01-01T00:00:00.000Z')
const later = (ms: number) => new Date(NOW.getTime() + ms)

export function describeClockAhead(store: () => Store): void {
  const setDue = (id: string, dueAt: Date) =>
    store().update([id], each => ({ entry: each, events: [], dueAt }))
  const claim = async (now = NOW, leaseMs = 60_000) =>
    (await store().schedule.claimDue(now, 9, lease(leaseMs))).map(each => each.entry.id)

  describe('after a clock that ran ahead', () => {
    test('a probe scheduled implausibly far ahead is due, and a plausible one is not', async () => {
      const [far, near] = [entry(), entry()]
      await store().insert([far, near])
      await setDue(far.id, AHEAD)
      await setDue(near.id, later(MAX_AHEAD_MS.probe))
      expect(await store().schedule.countDue(NOW, 10)).toBe(1)
      expect(await store().schedule.countDue(NOW, 1)).toBe(1)
      expect(await claim()).toEqual([far.id])
      expect(await claim()).toEqual([])
      expect(await store().schedule.countDue(NOW, 10)).toBe(0)
    })

    test('a probe leased at that time can be claimed by another process', async () => {
      const kept = await listed(store())
      await setDue(kept.id, NOW)
      expect(await claim(AHEAD)).toEqual([kept.id])
      expect(await store().schedule.countDue(NOW, 10)).toBe(1)
      expect(await claim()).toEqual([kept.id])
      expect(await claim()).toEqual([])
    })

    test('a lease taken at that time can be taken over, and a current one cannot', async () => {
      const take = (holder: string, now: Date) =>
        store().leases.take('a turn', { holder, now, leaseMs: 15_000, note: '' })
      expect(await take('ahead', AHEAD)).toBe(true)
      expect(await take('a', NOW)).toBe(true)
      expect(await take('b', later(14_999))).toBe(false)
      const letGo = { holder: 'b', now: NOW, leaseMs: 0, note: '' }
      expect(await store().leases.take('a turn', letGo)).toBe(false)
    })

    test('a process that paused after reading the clock does not take a held lease', async () => {
      const terms = { leaseMs: 15_000, note: '' }
      const now = new Date(Date.now())
      expect(await store().leases.take('a turn', { holder: 'a', now, ...terms })).toBe(true)
      const longAgo = new Date(now.getTime() - 60 * 60_000)
      expect(await store().leases.take('a turn', { holder: 'b', now: longAgo, ...terms })).toBe(false)
    })

    test('a source claimed at that time can be read', async () => {
      const url = 'https://peer.example'
      expect(await store().sources.claim(url, AHEAD, 60_000)).toBeDefined()
      expect(await store().sources.claim(url, NOW, 60_000)).toBeDefined()
      expect(await store().sources.claim(url, later(59_999), 60_000)).toBeUndefined()
    })

    test('a webhook postponed or claimed at that time is due', async () => {
      const table = store().webhooks
      const claimAt = async (now: Date) => table.claim(now, { limit: 9, perOwner: 9, leaseMs: 60_000 })
      const idsAt = async (now: Date) => (await claimAt(now)).map(({ id }) => id).sort()
      const dates = { held: NOW, late: AHEAD, soon: later(MAX_AHEAD_MS.webhook) }
      for (const id of Object.keys(dates)) {
        const createdAt = NOW.toISOString()
        const about = { id, owner: 'key_a', secret: 'whsec_x', url: 'https://receiver.example', createdAt }
        await table.insert(
          { ...about, events: ['service.removed'], filter: {} },
          { most: 9, mostUnconfirmed: 9 },
        )
        await table.confirm(id, NOW)
      }
      await store().insert([entry()])
      for (const claimed of await claimAt(NOW)) {
        const dueAt = dates[claimed.id as keyof typeof dates]
        await table.record(claimed, { ...claimed.progress, dueAt })
      }
      expect(await idsAt(new Date(AHEAD.getTime() - 1_000))).toEqual(['held', 'soon'])
      expect(await idsAt(NOW)).toEqual(['held', 'late'])
      expect(await idsAt(NOW)).toEqual([])
    })

    test('a challenge issued at that time is invalid', async () => {
      const challenge = (nonce: string, expiresAt: Date): Challenge => ({
        nonce,
        message: 'Sign this.',
        address: '0x1',
        wallet: 'eip155:0x1',
        expiresAt: expiresAt.toISOString(),
      })
      await store().challenges.put(challenge('then', AHEAD), AHEAD)
      await store().challenges.put(challenge('now', later(300_000)), NOW)
      expect(await store().challenges.take('then', NOW)).toBeUndefined()
      expect(await store().challenges.take('now', NOW)).toMatchObject({ nonce: 'now' })
    })

    test('the last use of a key is recorded again', async () => {
      const record: KeyRecord = {
        id: 'key_a',
        name: 'A key',
        hash: 'ab'.repeat(32),
        scopes: ['register'],
        wallet: null,
        createdAt: NOW.toISOString(),
        expiresAt: null,
        revokedAt: null,
        lastUsedAt: AHEAD.toISOString(),
        policy: null,
      }
      await store().keys.insert(record)
      const lastUse = async () => (await store().keys.list())[0]!.lastUsedAt
      await store().keys.touch('key_a', NOW)
      expect(await lastUse()).toBe(NOW.toISOString())
      await store().keys.touch('key_a', later(-1_000))
      expect(await lastUse()).toBe(NOW.toISOString())
    })

    test('an idempotency key from that time is kept for a day from now', async () => {
      const once = (key: string, at: Date, fingerprint = 'body'): IdempotencyKey => ({
        caller: 'key_a',
        key,
        fingerprint,
        at,
      })
      await store().insert([entry()], once('then', AHEAD))
      await store().insert([entry()], once('now', NOW))
      expect((await store().insert([entry()], once('then', later(1_000)))).repeated).toBe(true)
      const dayLater = later(24 * 60 * 60_000 + 1)
      expect((await store().insert([entry()], once('then', dayLater, 'other'))).repeated).toBe(false)
    })

    test('a retry registers nothing twice, neither while the clock is a day ahead nor after', async () => {
      const once = (key: string, at: Date): IdempotencyKey => ({
        caller: 'key_b',
        key,
        fingerprint: 'body',
        at,
      })
      const dayAhead = later(24 * 60 * 60_000 + 1)
      await store().insert([entry()], once('first', NOW))
      // Each new key deletes some old ones.
      for (const key of ['a', 'b']) await store().insert([entry()], once(key, dayAhead))
      for (const at of [dayAhead, later(1_000)])
        expect((await store().insert([entry()], once('first', at))).repeated).toBe(true)
    })
  })
}
