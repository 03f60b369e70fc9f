import { describe, expect, test } from 'bun:test'
import {
  type EditContext,
  editEntry,
  restoreEntry,
  retireEntry,
  toDraft,
} from '../../../src/domain/listing/edit.ts'
import type { Entry, ServiceDraft } from '../../../src/domain/listing/service.ts'
import { isOwnPayment } from '../../../src/domain/standing/judge-delivery.ts'
import { initialStanding } from '../../../src/domain/standing/standing.ts'
import { TRUST_POINTS } from '../../../src/domain/standing/trust.ts'
import { entry } from '../../entries.ts'

const NOW = new Date('2026-11-10T09:00:00.000Z')
const PAYEE = `0x${'a'.repeat(40)}`
const ACTS: readonly EditContext[] = [
  { by: 'owner', now: NOW },
  { by: 'operator', now: NOW },
  { by: 'source', now: NOW },
]

const proved: Entry = {
  ...entry(
    { x402Config: { paymentAddress: PAYEE, network: 'base' } },
    { supportedChains: ['base', 'solana'] },
  ),
  standing: {
    status: 'verified',
    trustScore: 90,
    uptimeScore: 99.5,
    lastChecked: '2026-11-10T08:00:00.000Z',
    txCount: 12,
    totalRevenue: '0.024',
  },
}

const MOVES: Record<string, Partial<ServiceDraft>> = {
  'another endpoint': { endpoint: 'https://elsewhere.example/v1' },
  'another path': { endpoint: 'https://weather.example/v2' },
  'another address': { x402Config: { paymentAddress: `0x${'b'.repeat(40)}`, network: 'base' } },
  'another network': { x402Config: { paymentAddress: PAYEE, network: 'polygon' } },
}
const STAYS: Record<string, Partial<ServiceDraft>> = {
  'another name': { name: 'Kyoto Weather' },
  'another description': { description: 'Rain or not' },
  'another category': { category: 'data' },
  'another price': { pricing: { currency: 'USDC', pricePerRequest: '0.003', freeQuota: 0 } },
  'another spelling of the address': {
    x402Config: { paymentAddress: PAYEE.toUpperCase().replace('0X', '0x'), network: 'base' },
  },
  'another spelling of the network': { x402Config: { paymentAddress: PAYEE, network: 'eip155:8453' } },
}

const edit = (act: EditContext, parts: Partial<ServiceDraft>, before = proved) =>
  editEntry(before, { ...toDraft(before), ...parts }, act)!

describe('A listing', () => {
  test.each(Object.keys(MOVES))('with %s loses its findings, whoever changed it', name => {
    for (const act of ACTS) {
      const { entry: moved, forget, dueAt } = edit(act, MOVES[name]!)
      expect(moved.standing).toEqual(initialStanding(NOW.toISOString()))
      expect(moved.supportedChains).toEqual([moved.x402Config.network])
      expect(moved.movedAt).toBe(NOW.toISOString())
      expect(forget).toEqual(['probes', 'payments'])
      expect(dueAt).toEqual(NOW)
    }
  })

  test.each(Object.keys(STAYS))('with %s keeps its findings', name => {
    const { entry: edited, forget = [], dueAt, extraProbeAt } = edit(ACTS[0]!, STAYS[name]!)
    expect(edited.standing).toEqual(proved.standing)
    expect(edited.movedAt).toBeUndefined()
    expect(forget).toEqual([])
    // Whether the new price is the one that is asked is looked at soon, and the probe that was drawn comes as well.
    expect(dueAt).toBeUndefined()
    expect(extraProbeAt).toEqual(name === 'another price' ? NOW : undefined)
  })

  test('with another currency keeps its probes, and its payments no longer count', () => {
    const { entry: edited, forget } = edit(ACTS[0]!, {
      pricing: { currency: 'EURC', pricePerRequest: '0.002', freeQuota: 0 },
    })
    expect(edited.standing).toEqual({ ...proved.standing, txCount: 0, totalRevenue: '0' })
    expect(forget).toEqual(['payments'])
  })

  describe('that was seen asking 0.002 USDC', () => {
    const asks = { amount: '0.002', currency: 'USDC' }
    const seen: Entry = { ...proved, seen: { at: proved.createdAt, price: 'same', asks, resources: [] } }
    const reprice = (pricePerRequest: string, currency = 'USDC') =>
      edit(ACTS[0]!, { pricing: { currency, pricePerRequest, freeQuota: 0 } }, seen)

    test.each([
      ['0.0019', 'USDC', 'unverified', 'higher'],
      ['0.0021', 'USDC', 'verified', 'lower'],
      ['0.00200', 'USDT', 'verified', 'same'],
      ['0.002', 'EURC', 'unverified', 'unknown'],
    ] as const)(
      'and is now listed at %s %s is %s at once, and its price is %s',
      (amount, currency, status, price) => {
        const { entry: edited, events, dueAt, extraProbeAt } = reprice(amount, currency)
        expect(edited.standing.status).toBe(status)
        expect(edited.seen?.price).toBe(price)
        expect(events.some(({ type }) => type === 'status')).toBe(status === 'unverified')
        expect({ dueAt, extraProbeAt }).toEqual({ dueAt: undefined, extraProbeAt: NOW })
        const lost = status === 'verified' ? 0 : TRUST_POINTS.verification
        expect(edited.standing.trustScore).toBe(seen.standing.trustScore - lost)
      },
    )

    test('loses what was seen when it moves', () => {
      expect(edit(ACTS[0]!, MOVES['another endpoint']!, seen).entry.seen).toBeUndefined()
    })
  })

  test('that is retired stays retired when it moves, and is not probed', () => {
    const retired: Entry = {
      ...proved,
      retired: 'Closed',
      standing: { ...proved.standing, status: 'inactive' },
    }
    const { entry: moved, dueAt, events } = edit(ACTS[0]!, MOVES['another endpoint']!, retired)
    expect(moved.standing).toEqual({ ...initialStanding(NOW.toISOString()), status: 'inactive' })
    expect(dueAt).toBeUndefined()
    expect(events.map(({ type }) => type)).toEqual(['updated'])
  })

  test.each([
    ['an hour ago', '2026-11-10T08:00:00.000Z', NOW],
    ['ten seconds ago', '2026-11-10T08:59:50.000Z', new Date('2026-11-10T09:00:50.000Z')],
  ])('that was probed %s is probed at most once a minute after being restored', (_, lastChecked, dueAt) => {
    const retired: Entry = { ...proved, retired: 'Closed', standing: { ...proved.standing, lastChecked } }
    expect(restoreEntry(retired, ACTS[0]!)?.dueAt).toEqual(dueAt)
  })

  test('never gets an earlier updatedAt by a change, whatever the clock says', () => {
    const ahead: Entry = { ...proved, updatedAt: '2027-01-01T00:00:00.000Z' }
    const [act] = ACTS as [EditContext]
    const changed = [
      edit(act, MOVES['another endpoint']!, ahead),
      edit(act, STAYS['another name']!, ahead),
      retireEntry(ahead, 'Closed', act)!,
      restoreEntry({ ...ahead, retired: 'Closed' }, act)!,
    ]
    for (const { entry: each } of changed) expect(each.updatedAt).toBe(ahead.updatedAt)
  })
})

describe('A payment', () => {
  const paid = { chain: 'eip155:8453', payee: PAYEE, at: '2026-11-10T08:00:00.000Z' }

  test('counts for a service if made to its present payee since it has its present endpoint', () => {
    expect(isOwnPayment(proved, paid)).toBe(true)
    const { entry: moved } = edit(ACTS[0]!, MOVES['another endpoint']!)
    expect(isOwnPayment(moved, paid)).toBe(false)
    expect(isOwnPayment(moved, { ...paid, at: '2026-11-10T09:00:01.000Z' })).toBe(true)
    for (const name of ['another address', 'another network'])
      expect(isOwnPayment(edit(ACTS[0]!, MOVES[name]!).entry, paid)).toBe(false)
  })
})
