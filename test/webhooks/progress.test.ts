import { describe, expect, test } from 'bun:test'
import { createProgress, toConfirmed, type WebhookProgress } from '../../src/domain/webhooks.ts'
import { say } from '../../src/messages/message.ts'
import { BACK_OFF_MS, type DeliveryRun, PACE_MS, toProgress } from '../../src/webhooks/deliveries.ts'

const AT = new Date('2026-11-01T12:00:00.000Z')
const DAY_MS = 24 * 60 * 60_000
const fresh = toConfirmed(createProgress(10, AT.toISOString()), AT)
const after = (ms: number) => new Date(AT.getTime() + ms)

const turn = (parts: Partial<DeliveryRun> = {}): DeliveryRun => ({
  at: AT,
  cursor: 20,
  delivered: 0,
  hasMore: false,
  failure: undefined,
  ...parts,
})
const failure = (parts: Partial<DeliveryRun['failure'] & object> = {}) => ({
  delivered: false,
  httpStatus: 500 as number | null,
  latencyMs: 3,
  message: say('delivery_not_received', { status: 500 }),
  retryAfterMs: null as number | null,
  ...parts,
})
const step = (before: WebhookProgress, parts: Partial<DeliveryRun>) =>
  toProgress(before, turn(parts), () => 0)

describe('after a delivery, a webhook', () => {
  test('continues after everything that was read, and reads again later', () => {
    expect(step(fresh, {})).toEqual({ ...fresh, cursor: 20, dueAt: after(PACE_MS) })
    const part = step(fresh, { cursor: 13, delivered: 2, hasMore: true })
    expect(part).toMatchObject({ cursor: 13, dueAt: AT, lastDeliveredAt: AT.toISOString() })
  })

  test('that could send nothing is not due at once', () => {
    const idle = step(fresh, { cursor: 10, hasMore: true })
    expect(idle).toMatchObject({ cursor: 10, dueAt: after(PACE_MS), failures: 0 })
  })

  test('that failed later in the same run counts that failure alone', () => {
    const failing = { ...fresh, failures: 7, failingSince: '2026-10-30T00:00:00.000Z' }
    const next = step(failing, { cursor: 12, delivered: 2, failure: failure() })
    expect(next).toMatchObject({ cursor: 12, failures: 1, failingSince: AT.toISOString() })
  })
})

describe('after a failure, a webhook', () => {
  test('is retried with growing delays and up to a fifth of jitter', () => {
    let progress = fresh
    for (const backOffMs of [...BACK_OFF_MS, BACK_OFF_MS.at(-1)!]) {
      const latest = toProgress(progress, turn({ cursor: 10, failure: failure() }), () => 0.999_999)
      progress = step(progress, { cursor: 10, failure: failure() })
      expect(progress.dueAt).toEqual(after(backOffMs))
      expect(latest.dueAt!.getTime()).toBeLessThanOrEqual(AT.getTime() + backOffMs * 1.2)
    }
    expect(progress).toMatchObject({
      cursor: 10,
      failures: BACK_OFF_MS.length + 1,
      failingSince: AT.toISOString(),
      reason: 'It answered with 500; only a 2xx status counts as received.',
    })
    const well = step(progress, { delivered: 1 })
    expect(well).toMatchObject({ cursor: 20, failures: 0, failingSince: null, reason: null })
  })

  test('waits as long as its receiver asks, a day at most', () => {
    const wait = (retryAfterMs: number) =>
      step(fresh, { cursor: 10, failure: failure({ httpStatus: 429, retryAfterMs }) }).dueAt!.getTime() -
      AT.getTime()
    expect(wait(1_000)).toBe(BACK_OFF_MS[0]!)
    expect(wait(90_000)).toBe(90_000)
    expect(wait(400 * DAY_MS)).toBe(DAY_MS)
  })

  test('that began to fail under a clock that ran ahead is not kept enabled for longer', () => {
    const ahead = step(fresh, { at: after(365 * DAY_MS), cursor: 10, failure: failure() })
    const next = step(ahead, { at: AT, cursor: 10, failure: failure() })
    expect(next).toMatchObject({ failures: 2, failingSince: AT.toISOString() })
  })

  test('is not disabled for days with hardly any attempt', () => {
    const once = step(fresh, { cursor: 10, failure: failure() })
    const next = step(once, { at: after(30 * DAY_MS), cursor: 10, failure: failure() })
    expect(next.dueAt).not.toBeNull()
  })
})
