import { describe, expect, test } from 'bun:test'
import { editEntry } from '../../../src/domain/listing/edit.ts'
import type { Entry } from '../../../src/domain/listing/service.ts'
import type { Purchase, PurchaseOutcome } from '../../../src/domain/purchases/purchases.ts'
import { deliveryShare, isFailing, toDelivery } from '../../../src/domain/standing/delivery.ts'
import { judgeDelivery } from '../../../src/domain/standing/judge-delivery.ts'
import { TRUST_POINTS, toTrust } from '../../../src/domain/standing/trust.ts'
import { draft, entry } from '../../entries.ts'
import { purchase, reported } from '../../store/purchases.ts'

const NOW = new Date('2026-11-02T00:00:00.000Z')
/** Newest first. */
const bought = (...outcomes: readonly (PurchaseOutcome | null)[]): Purchase[] =>
  outcomes
    .map(outcome => purchase({ outcome, state: 'settled', charged: '100' }))
    .toReversed()
    .sort((a, b) => (a.id < b.id ? 1 : -1))
const verified = (): Entry => ({
  ...entry({}, { standing: { status: 'verified', trustScore: 10 } }),
  id: 'svc_a',
})
const judge = (before: Entry, purchases: readonly Purchase[]) => judgeDelivery(before, purchases, NOW)!

describe('delivery', () => {
  test('is worth more than any other component, and is unknown for a service that was never bought', () => {
    const { delivery, ...others } = TRUST_POINTS
    expect(Math.max(...Object.values(others))).toBeLessThan(delivery)
    expect(Object.values(TRUST_POINTS).reduce((sum, most) => sum + most, 0)).toBe(100)
    expect(deliveryShare(undefined)).toBe(0)
    const told = toTrust(verified(), null).components.find(({ name }) => name === 'delivery')
    expect(told).toMatchObject({ points: null, most: 40, code: 'never_bought' })
  })

  test('rises with every delivery, falls with every failure, and is 0 after two failures in a row and where most failed', () => {
    const shareOf = (...outcomes: PurchaseOutcome[]) =>
      deliveryShare(toDelivery(bought(...outcomes), [], NOW))
    expect(shareOf('delivered', 'delivered')).toBeGreaterThan(shareOf('delivered'))
    expect(shareOf('delivered', 'delivered', 'settled_silent')).toBeLessThan(
      shareOf('delivered', 'delivered'),
    )
    expect(shareOf('delivered', 'refused_after_payment', 'charged_other')).toBe(0)
    expect(shareOf('refused_after_payment', 'delivered')).toBeGreaterThan(0)
    expect(shareOf('refused_after_payment', 'settled_silent', 'delivered')).toBe(0)
  })

  test('does not count purchases that did not settle, are undecided, old, or only reported by payers', () => {
    const old = purchase({ outcome: 'settled_silent', at: '2026-01-01T00:00:00.000Z' })
    const told = [reported({ outcome: 'settled_silent' }), reported()]
    const delivery = toDelivery([...told, ...bought('delivered', 'not_settled', null), old], [], NOW)
    expect(delivery).toMatchObject({ purchases: 1, delivered: 1, failedInARow: 0 })
  })
})

describe('purchases that do not count', () => {
  const answered = (status: number, isMadeUp: boolean): Purchase => {
    const made = purchase({ outcome: 'refused_after_payment', charged: '100' })
    return {
      ...made,
      detail: {
        ...made.detail,
        ...(isMadeUp && { isMadeUp }),
        answer: { status, second: null } as Purchase['detail']['answer'] & object,
      },
    }
  }

  test('a service that rejects generated values has not failed', () => {
    for (const status of [400, 404, 409, 410, 422]) {
      expect(toDelivery([answered(status, true)], [], NOW)).toMatchObject({ purchases: 0, failedInARow: 0 })
      expect(toDelivery([answered(status, false)], [], NOW)).toMatchObject({ failedInARow: 1 })
    }
    for (const status of [401, 403, 429, 500, 503])
      expect(toDelivery([answered(status, true)], [], NOW)).toMatchObject({ purchases: 1, failedInARow: 1 })
    const again = answered(400, true)
    const second = { amount: '100', payTo: '0x1', isSame: true }
    const detail = { ...again.detail, answer: { ...again.detail.answer!, second } }
    expect(toDelivery([{ ...again, detail }], [], NOW)).toMatchObject({ failedInARow: 1 })
  })

  test('a payment reported only by the seller gives no points, but resets failures; a failure reported by the seller counts', () => {
    const unseen = (outcome: PurchaseOutcome) => purchase({ outcome, state: 'settled', charged: null })
    const delivery = toDelivery([unseen('delivered'), unseen('settled_silent')], [], NOW)
    expect(delivery).toMatchObject({ purchases: 1, delivered: 0, failedInARow: 0 })
    expect(deliveryShare(delivery)).toBe(0)
  })
})

describe('a purchase', () => {
  test('is published once, with its evidence, and changes the score and the breakdown', () => {
    const purchases = bought('delivered')
    const { entry: after, events, extraProbeAt } = judge(verified(), purchases)
    expect(events).toMatchObject([
      {
        type: 'purchase',
        reason: { code: 'bought', values: { outcome: 'delivered', price: '0.0001 USDC' } },
        after: { id: purchases[0]!.id, outcome: 'delivered', amount: '100' },
      },
    ])
    expect(after.standing).toMatchObject({ status: 'verified', trustScore: 10 + 8 })
    expect(toTrust(after, null).components.at(-1)).toMatchObject({ name: 'delivery', points: 8 })
    expect(extraProbeAt).toBeUndefined()
    expect(judgeDelivery(after, purchases, NOW)).toBeUndefined()
  })

  test('that fails is published and costs points; a second failure in a row removes verified, with its reason', () => {
    const first = bought('delivered', 'settled_silent')
    const once = judge(verified(), first).entry
    expect(once.standing.status).toBe('verified')
    const again = [...bought('refused_after_payment'), ...first]
    const { entry: twice, events } = judge(once, again)
    expect(twice.standing).toMatchObject({ status: 'unverified', trustScore: 10 - TRUST_POINTS.verification })
    expect(events.map(({ type }) => type)).toEqual(['purchase', 'status'])
    expect(events[1]).toMatchObject({
      before: 'verified',
      after: 'unverified',
      reason: { code: 'not_delivering', values: { count: 2 } },
    })
    expect(toTrust(twice, null).components[0]).toMatchObject({ name: 'verification', code: 'not_delivering' })
    // One that delivers is probed at once.
    const back = judge(twice, [...bought('delivered'), ...again])
    expect(isFailing(back.entry.delivery)).toBe(false)
    expect(back.extraProbeAt).toEqual(NOW)
  })

  test('is published even if its outcome is known after that of a newer one', () => {
    const [newer, older] = bought(null, 'delivered') as [Purchase, Purchase]
    const once = judge(verified(), [newer, older]).entry
    const known = [newer, { ...older, outcome: 'settled_silent' as const }]
    const { events, entry: after } = judge(once, known)
    expect(events).toMatchObject([{ type: 'purchase', after: { id: older.id } }])
    expect(after.delivery).toMatchObject({ purchases: 2, delivered: 1, failedInARow: 0 })
  })

  test('at a previous endpoint does not count after a move', () => {
    const purchases = bought('settled_silent', 'settled_silent')
    const failing = judge(verified(), purchases).entry
    const moved = editEntry(failing, draft({ endpoint: 'https://elsewhere.example/v1' }), {
      by: 'owner',
      now: NOW,
    })!
    expect(moved.entry.delivery).toBeUndefined()
    expect(judgeDelivery(moved.entry, purchases, NOW)).toBeUndefined()
  })

  test('of a sample changes nothing', () => {
    expect(judgeDelivery({ ...verified(), sample: true }, bought('delivered'), NOW)).toBeUndefined()
  })
})
