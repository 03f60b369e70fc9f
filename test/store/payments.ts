// What every store promises about settlements on chain.
import { describe, expect, test } from 'bun:test'
import type { ChainCursor, Payee, SettlementRecord } from '../../src/store/payments.ts'
import type { Store } from '../../src/store/store.ts'
import { entry, listed } from '../entries.ts'
import { fc } from '../fast-check.ts'
import { paymentsTold } from '../probes.ts'

const CHAIN = 'eip155:8453'
const PAYEE = `0x${'1'.repeat(40)}`
const NOTHING = { txCount: 0, totalRevenue: '0', payers: 0, lastPaymentAt: null }

const timeOf = (block: number) => new Date(Date.UTC(2026, 10, 1) + block * 2_000).toISOString()
const cursorAt = (block: number): ChainCursor => ({ block })

let transactions = 0
const payment = (
  serviceId: string | null,
  block: number,
  parts: Partial<SettlementRecord> = {},
): SettlementRecord => ({
  chain: CHAIN,
  transaction: `0xtransaction${++transactions}`,
  logIndex: 0,
  block,
  at: timeOf(block),
  asset: `0x${'a'.repeat(40)}`,
  payer: `0x${'2'.repeat(40)}`,
  payee: PAYEE,
  amount: '0.002',
  method: 'authorization',
  serviceId,
  ...parts,
})
const payee = (address: string, readFrom: number, goal: number, parts: Partial<Payee> = {}): Payee => ({
  address,
  side: 'received',
  readFrom,
  goal,
  plan: 'plan',
  ...parts,
})

export function describePayments({
  store,
  cases,
  reopen,
}: {
  store: () => Store
  cases: number
  reopen?: () => Promise<Store>
}): void {
  const standingOf = async (id: string) => {
    const { txCount, totalRevenue } = (await store().find(id))!.entry.standing
    return { txCount, totalRevenue }
  }

  describe('payments', () => {
    test('count for no service once it drops their address, also after a reorganisation', async () => {
      const kept = await listed(store())
      const payments = [payment(kept.id, 5), payment(kept.id, 6)]
      await store().payments.advance(CHAIN, undefined, { payments, cursor: cursorAt(6) })
      const standing = { ...kept.standing, txCount: 0, totalRevenue: '0' }
      await store().update([kept.id], each => ({
        entry: { ...each, standing },
        events: [],
        forget: ['payments'],
      }))
      expect(await store().payments.totals(kept.id)).toEqual(NOTHING)
      expect(await store().payments.received(CHAIN, PAYEE, 9)).toMatchObject([
        { serviceId: null },
        { serviceId: null },
      ])
      const again = { payments: [payment(kept.id, 7)], cursor: cursorAt(7) }
      expect(await store().payments.advance(CHAIN, cursorAt(6), again)).toBe(true)
      expect(await standingOf(kept.id)).toEqual({ txCount: 1, totalRevenue: '0.002' })
    })

    test('update the standing of their service in the same commit, without an event', async () => {
      const kept = await listed(store())
      const payments = [
        payment(kept.id, 5, { amount: '0.1' }),
        payment(kept.id, 6, { amount: '0.2', payer: '0xother' }),
        payment(kept.id, 7, { amount: '123456789012345678901.000000000000000001' }),
      ]
      expect(await store().payments.advance(CHAIN, undefined, { payments, cursor: cursorAt(7) })).toBe(true)
      const totalRevenue = '123456789012345678901.300000000000000001'
      expect(await standingOf(kept.id)).toEqual({ txCount: 3, totalRevenue })
      expect(await store().payments.totals(kept.id)).toEqual({
        txCount: 3,
        totalRevenue,
        payers: 2,
        lastPaymentAt: timeOf(7),
      })
      expect(await store().changes(1, 10)).toMatchObject([{ seq: 2, objectSeq: 1, id: kept.id }])
      expect(await store().events.after(1, 10)).toEqual([])
      expect(await store().payments.received(CHAIN, PAYEE, 2)).toEqual([payments[2]!, payments[1]!])
    })

    test('are counted once however often they are added; two logs of one transaction count as two', async () => {
      const kept = await listed(store())
      const first = payment(kept.id, 5)
      const second = { ...first, logIndex: 1 }
      const elsewhere = { ...first, chain: 'eip155:137' }
      await store().payments.advance(CHAIN, undefined, { payments: [first, first], cursor: cursorAt(5) })
      await store().payments.advance(CHAIN, cursorAt(5), { payments: [first, second] })
      await store().payments.advance('eip155:137', undefined, { payments: [elsewhere] })
      const seq = await store().lastSeq()
      await store().payments.advance(CHAIN, cursorAt(5), { payments: [second] })
      expect(await standingOf(kept.id)).toEqual({ txCount: 3, totalRevenue: '0.006' })
      expect(await store().lastSeq()).toBe(seq)
    })

    test('of unknown payees are stored and count for no service', async () => {
      const kept = await listed(store())
      await store().payments.advance(CHAIN, undefined, { payments: [payment(null, 5)] })
      expect(await standingOf(kept.id)).toEqual({ txCount: 0, totalRevenue: '0' })
      expect(await store().payments.received(CHAIN, PAYEE, 10)).toMatchObject([{ serviceId: null }])
      expect(await store().lastSeq()).toBe(1)
    })

    test('of a removed service are accepted without effect', async () => {
      const kept = await listed(store())
      await store().remove(kept.id, new Date(), null)
      const payments = [payment(kept.id, 5)]
      expect(await store().payments.advance(CHAIN, undefined, { payments, cursor: cursorAt(5) })).toBe(true)
      expect(await store().lastSeq()).toBe(2)
    })

    test('are passed to the judge of a probe if the chain of the service is read', async () => {
      const [paid, unread] = [entry(), entry({ x402Config: { paymentAddress: PAYEE, network: 'polygon' } })]
      await store().insert([paid, unread])
      const paymentsOf = (id: string, at: string) => paymentsTold(store(), id, at)
      expect(await paymentsOf(paid.id, timeOf(1))).toBeNull()
      await store().payments.advance(CHAIN, undefined, { cursor: cursorAt(1) })
      expect(await paymentsOf(paid.id, timeOf(2))).toMatchObject({ settlements: 0, payers: 0 })
      const payments = [payment(paid.id, 1), payment(paid.id, 1)]
      await store().payments.advance(CHAIN, cursorAt(1), { payments })
      expect(await paymentsOf(paid.id, timeOf(3))).toMatchObject({ settlements: 2, payers: 1 })
      expect(await paymentsOf(unread.id, timeOf(3))).toBeNull()
    })

    test('have correct totals after additions in any order', async () => {
      const command = fc.record({
        service: fc.nat({ max: 2 }),
        payer: fc.nat({ max: 3 }),
        block: fc.nat({ max: 20 }),
        amount: fc.stringMatching(/^\d{1,20}(\.\d{1,18})?$/),
      })
      await fc.assert(
        fc.asyncProperty(fc.array(command, { maxLength: 25 }), async commands => {
          const chain = `eip155:${++transactions}`
          const entries = [entry(), entry(), entry()]
          await store().insert(entries)
          const left: SettlementRecord[] = []
          const cursor = cursorAt(20)
          await store().payments.advance(chain, undefined, { cursor })
          for (const each of commands) {
            const made = payment(entries[each.service]!.id, each.block, {
              chain,
              payer: `0xpayer${each.payer}`,
              amount: each.amount,
            })
            left.push(made)
            await store().payments.advance(chain, cursor, { payments: [made] })
          }
          for (const { id } of entries) {
            const own = left.filter(({ serviceId }) => serviceId === id)
            const { txCount, totalRevenue, payers, lastPaymentAt } = await store().payments.totals(id)
            expect(await standingOf(id)).toEqual({ txCount, totalRevenue })
            expect(txCount).toBe(own.length)
            expect(toUnits(totalRevenue)).toBe(own.reduce((sum, { amount }) => sum + toUnits(amount), 0n))
            expect(payers).toBe(new Set(own.map(({ payer }) => payer)).size)
            expect(lastPaymentAt).toBe(
              own
                .map(({ at }) => at)
                .sort()
                .at(-1) ?? null,
            )
          }
        }),
        { numRuns: Math.min(cases, 25) },
      )
    })
  })

  describe('the cursor of a chain', () => {
    test('is stored with its earlier blocks, and each payee with its progress', async () => {
      expect(await store().payments.cursor(CHAIN)).toBeUndefined()
      expect(await store().payments.payees(CHAIN)).toEqual([])
      const cursor = { block: 9 }
      const payees = [payee('0xa', 10, 0), payee('0xb', 10, 3)]
      await store().payments.advance(CHAIN, undefined, { cursor, payees })
      expect(await store().payments.cursor(CHAIN)).toEqual(cursor)
      expect(await store().payments.payees(CHAIN)).toEqual(payees)
      const lower = payee('0xb', 5, 3)
      await store().payments.advance(CHAIN, cursor, { payees: [lower], dropped: [payee('0xa', 10, 0)] })
      expect(await store().payments.payees(CHAIN)).toEqual([lower])
      expect(await store().payments.cursor('eip155:137')).toBeUndefined()
    })

    test('guards every write: nothing is written if it differs from the expected one', async () => {
      const kept = await listed(store())
      await store().payments.advance(CHAIN, undefined, { cursor: cursorAt(5) })
      const step = { payments: [payment(kept.id, 6)], cursor: cursorAt(6) }
      for (const stale of [undefined, cursorAt(4)]) {
        expect(await store().payments.advance(CHAIN, stale, step)).toBe(false)
      }
      expect(await store().payments.cursor(CHAIN)).toEqual(cursorAt(5))
      expect(await store().payments.totals(kept.id)).toEqual(NOTHING)
      expect(await store().payments.advance(CHAIN, cursorAt(5), step)).toBe(true)
    })

    test.if(reopen !== undefined)('is moved by only one of two concurrent writers', async () => {
      const kept = await listed(store())
      const other = await reopen!()
      const step = { payments: [payment(kept.id, 5)], cursor: cursorAt(5) }
      const results = await Promise.all([
        store().payments.advance(CHAIN, undefined, step),
        other.payments.advance(CHAIN, undefined, step),
      ])
      expect(results.sort()).toEqual([false, true])
      expect(await other.payments.totals(kept.id)).toMatchObject({ txCount: 1 })
    })
  })
}

const toUnits = (decimal: string): bigint => {
  const [whole, fraction = ''] = decimal.split('.') as [string, string?]
  return BigInt(whole + fraction.padEnd(18, '0'))
}
