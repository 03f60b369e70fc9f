// What every store promises about webhooks.
import { describe, expect, test } from 'bun:test'
import { createProgress, FIRST_CHALLENGE_MS, type WebhookProgress } from '../../src/domain/webhooks.ts'
import type { Store } from '../../src/store/store.ts'
import type { NewWebhook } from '../../src/store/webhooks.ts'
import { entry } from '../entries.ts'

const AT = new Date('2026-11-01T12:00:00.000Z')
const LEASE_MS = 1_000
const BOUNDS = { most: 9, mostUnconfirmed: 9 }
const later = (ms: number) => new Date(AT.getTime() + ms)

const webhook = (id: string, parts: Partial<NewWebhook> = {}): NewWebhook => ({
  id,
  owner: 'key_a',
  secret: `whsec_of_${id}`,
  url: 'https://receiver.example/標?a=1',
  events: ['service.price_changed', 'service.removed'],
  filter: { category: ['weather', '天気'], chain: 'base' },
  createdAt: AT.toISOString(),
  ...parts,
})

export function describeWebhooks({
  store,
  reopen,
}: {
  store: () => Store
  reopen?: () => Promise<Store>
}): void {
  const happen = async (count = 1) => {
    await store().insert(Array.from({ length: count }, () => entry()))
    return store().events.last()
  }
  const leaseDue = (now = AT, limit = 10, from = store(), perOwner = 10) =>
    from.webhooks.leaseDue(now, { limit, perOwner, leaseMs: LEASE_MS })
  /** One whose receiver has agreed. */
  const add = async (id: string, parts: Partial<NewWebhook> = {}) => {
    const made = webhook(id, parts)
    await store().webhooks.insert(made, BOUNDS)
    await store().webhooks.confirm(id, new Date(made.createdAt))
    return (await store().webhooks.find(id))!
  }
  const idsOf = (webhooks: readonly { id: string }[]) => webhooks.map(({ id }) => id)
  const moved = (progress: WebhookProgress, parts: Partial<WebhookProgress>): WebhookProgress => ({
    ...progress,
    ...parts,
  })

  describe('webhooks', () => {
    test('are returned unchanged, by age, to their owner only', async () => {
      const last = await happen(3)
      const table = store().webhooks
      const progress = createProgress(last, AT.toISOString())
      expect(progress.dueAt).toEqual(later(FIRST_CHALLENGE_MS))
      expect(await table.insert(webhook('w2', { createdAt: later(5).toISOString() }), BOUNDS)).toMatchObject({
        id: 'w2',
      })
      expect(await table.insert(webhook('w1'), BOUNDS)).toEqual({ ...webhook('w1'), progress })
      await table.insert(webhook('w3', { owner: 'key_b', filter: {} }), BOUNDS)
      expect(idsOf(await table.list('key_a'))).toEqual(['w1', 'w2'])
      expect((await table.list('key_a'))[0]).toEqual({ ...webhook('w1'), progress })
      expect(await table.find('w3')).toMatchObject(webhook('w3', { owner: 'key_b', filter: {} }))
      expect(await table.find('w4')).toBeUndefined()
      expect(await table.list('nobody')).toEqual([])
    })

    test('are limited per owner, also with concurrent requests', async () => {
      const other = reopen ? await reopen() : store()
      const made = await Promise.all(
        Array.from({ length: 6 }, (_, i) =>
          (i % 2 ? other : store()).webhooks.insert(webhook(`w${i}`), { most: 4, mostUnconfirmed: 9 }),
        ),
      )
      expect(made.filter(each => each === 'most')).toHaveLength(2)
      expect(await store().webhooks.list('key_a')).toHaveLength(4)
      const bounds = { most: 4, mostUnconfirmed: 9 }
      expect(await store().webhooks.insert(webhook('of b', { owner: 'key_b' }), bounds)).toMatchObject({})
      const [first] = await store().webhooks.list('key_a')
      expect(await store().webhooks.remove(first!.id)).toBe(true)
      expect(await store().webhooks.remove(first!.id)).toBe(false)
      expect(await store().webhooks.insert(webhook('again'), bounds)).toMatchObject({ id: 'again' })
    })

    test('have a lower limit while their receivers are unconfirmed', async () => {
      const table = store().webhooks
      const bounds = { most: 9, mostUnconfirmed: 2 }
      await Promise.all(['w1', 'w2'].map(id => table.insert(webhook(id), bounds)))
      expect(await table.insert(webhook('w3'), bounds)).toBe('mostUnconfirmed')
      await table.confirm('w1', AT)
      expect(await table.insert(webhook('w3'), bounds)).toMatchObject({ id: 'w3' })
      expect(await table.insert(webhook('w4'), bounds)).toBe('mostUnconfirmed')
    })

    test('with unconfirmed receivers are leased for their challenge', async () => {
      const table = store().webhooks
      await table.insert(webhook('w1'), BOUNDS)
      await happen(3)
      const due = later(FIRST_CHALLENGE_MS)
      expect(await leaseDue(later(FIRST_CHALLENGE_MS - 1))).toEqual([])
      const [held] = await leaseDue(due)
      expect(held).toMatchObject({ id: 'w1', progress: { confirmedAt: null, cursor: 0 } })
      // Who was asked in the meantime and agrees need not wait for what is under way, which changes nothing then.
      await table.confirm('w1', due)
      expect(await table.record(held!, { ...held!.progress, dueAt: null })).toBe(false)
      const [confirmed] = await leaseDue(due)
      expect(confirmed?.progress).toEqual({ ...held!.progress, confirmedAt: due.toISOString(), dueAt: due })
      await table.confirm('unknown', AT)
    })

    test('are leased one per owner before a second, and a few per owner at a time', async () => {
      const add3 = async (owner: string, ms: number) => {
        for (const n of [1, 2, 3])
          await add(`${owner}${n}`, { owner, createdAt: later(ms + n).toISOString() })
      }
      await add3('a', 0)
      await add3('b', 10)
      await add3('c', 20)
      await happen()
      const now = later(100)
      expect(idsOf(await leaseDue(now, 4, store(), 2))).toEqual(['a1', 'b1', 'c1', 'a2'])
      // What a has in hand counts.
      expect(idsOf(await leaseDue(now, 2, store(), 3))).toEqual(['b2', 'c2'])
      expect(idsOf(await leaseDue(now, 9, store(), 2))).toEqual([])
      expect(idsOf(await leaseDue(now, 9, store(), 3))).toEqual(['a3', 'b3', 'c3'])
    })

    test('are leased only if there are new events, by one process at a time', async () => {
      await happen()
      for (const id of ['w1', 'w2', 'w3']) await add(id)
      expect(await leaseDue()).toEqual([])
      await happen()
      const other = reopen ? await reopen() : store()
      const taken = await Promise.all([leaseDue(AT, 2), leaseDue(AT, 2, other), leaseDue(AT, 2)])
      expect(idsOf(taken.flat()).toSorted()).toEqual(['w1', 'w2', 'w3'])
      expect(await leaseDue(later(LEASE_MS - 1), 10, other)).toEqual([])
      expect(idsOf(await leaseDue(later(LEASE_MS), 10, other)).toSorted()).toEqual(['w1', 'w2', 'w3'])
    })

    test('are leased when due, the longest overdue first', async () => {
      for (const [id, ms] of [
        ['w1', 200],
        ['w2', 100],
        ['w3', 300],
      ] as const) {
        await add(id, { createdAt: later(ms).toISOString() })
      }
      await happen()
      expect(await leaseDue(later(99))).toEqual([])
      expect(idsOf(await leaseDue(later(299)))).toEqual(['w2', 'w1'])
      expect(idsOf(await leaseDue(later(300)))).toEqual(['w3'])
    })

    test('continue from their recorded position', async () => {
      const table = store().webhooks
      await add('w1')
      const last = await happen(5)
      const [held] = await leaseDue()
      const progress = moved(held!.progress, {
        cursor: last - 3,
        dueAt: later(10),
        failures: 2,
        failingSince: AT.toISOString(),
        reason: '標 does not answer.',
        lastDeliveredAt: AT.toISOString(),
      })
      expect(await table.record(held!, progress)).toBe(true)
      expect((await table.find('w1'))?.progress).toEqual(progress)
      expect(await leaseDue(later(9))).toEqual([])
      const [again] = await leaseDue(later(10))
      expect(again).toMatchObject({ ...webhook('w1'), progress })
      expect(await table.record(again!, moved(progress, { cursor: last }))).toBe(true)
      expect(await leaseDue(later(60_000))).toEqual([])
    })

    test('are not updated by a process that lost the lease, nor after removal', async () => {
      const table = store().webhooks
      await add('w1')
      const last = await happen()
      const [slow] = await leaseDue()
      const [quick] = await leaseDue(later(LEASE_MS))
      const done = moved(slow!.progress, { cursor: last })
      expect(await table.record(slow!, moved(done, { reason: 'late' }))).toBe(false)
      expect((await table.find('w1'))?.progress).toEqual(slow!.progress)
      expect(await table.record(quick!, done)).toBe(true)
      expect(await table.record(quick!, done)).toBe(false)
      await happen()
      const [held] = await leaseDue(later(5_000))
      await table.remove('w1')
      expect(await table.record(held!, done)).toBe(false)
      expect(await table.find('w1')).toBeUndefined()
    })

    test('pause while disabled and resume where they stopped', async () => {
      const table = store().webhooks
      await add('w1')
      await happen(2)
      const [held] = await leaseDue()
      const failed = moved(held!.progress, {
        dueAt: null,
        failures: 12,
        failingSince: AT.toISOString(),
        reason: 'Gone.',
      })
      // What is under way decides for itself.
      await table.revive('w1', later(1))
      expect((await table.find('w1'))?.progress).toEqual(held!.progress)
      await table.record(held!, failed)
      expect(await leaseDue(later(99_000))).toEqual([])
      await table.revive('w1', later(5_000))
      const revived = moved(failed, {
        dueAt: later(5_000),
        failures: 0,
        failingSince: null,
        reason: null,
        lastDeliveredAt: later(5_000).toISOString(),
      })
      expect((await table.find('w1'))?.progress).toEqual(revived)
      expect(await leaseDue(later(5_000))).toMatchObject([{ id: 'w1', progress: revived }])
      await table.revive('unknown', AT)
    })
  })
}
