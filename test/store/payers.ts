// What every store promises about payers, and about the service that settlements are credited to.
import { describe, expect, test } from 'bun:test'
import type { Entry } from '../../src/domain/listing/service.ts'
import type { ChainCursor, Crediting, PaymentPlace, SettlementRecord } from '../../src/store/payments.ts'
import type { Store } from '../../src/store/store.ts'
import { entry } from '../entries.ts'
import { paymentsTold } from '../probes.ts'

const CHAIN = 'eip155:8453'
const AT = new Date('2026-11-01T00:00:00.000Z').toISOString()
const CURSOR: ChainCursor = { block: 1_000 }

/** Random, so that suites may share a database. */
const wallet = () => `0x${Buffer.from(crypto.getRandomValues(new Uint8Array(20))).toString('hex')}`
const listed = (payee: string, owner: string | null = `eip155:${payee}`): Entry => ({
  ...entry({ x402Config: { paymentAddress: payee, network: 'base' } }),
  owner,
})

let logs = 0
const paid = (payer: string, payee: string, amount: string, serviceId: string | null): SettlementRecord => ({
  chain: CHAIN,
  transaction: `0xt${++logs}`,
  logIndex: logs,
  block: 1 + (logs % 900),
  at: AT,
  asset: `0x${'a'.repeat(40)}`,
  payer,
  payee,
  amount,
  method: 'authorization',
  serviceId,
})

export function describePayers(store: () => Store): void {
  /** What a judge of the service is told. */
  const factsOf = ({ id }: Entry) =>
    paymentsTold(store(), id, new Date(Date.parse(AT) + ++logs * 1_000).toISOString())
  const keep = async (
    payments: readonly SettlementRecord[],
    sent: readonly (readonly [string, string])[] = [],
  ) => {
    const from = await store().payments.cursor(CHAIN)
    const step = {
      payments,
      sent: sent.map(([payee, receiver]) => ({ payee, receiver, block: 5 })),
      cursor: CURSOR,
    }
    expect(await store().payments.advance(CHAIN, from, step)).toBe(true)
  }

  describe('payers', () => {
    test('are returned only for a claimed wallet', async () => {
      const [payee, stranger] = [wallet(), wallet()]
      const [claimed, borrowed] = [listed(payee), listed(stranger, 'key_1')]
      await store().insert([claimed, borrowed])
      await keep([paid(wallet(), payee, '1', claimed.id), paid(wallet(), stranger, '1', borrowed.id)])
      expect(await factsOf(claimed)).toMatchObject({ credited: 'claim', payers: 1, unrelated: 1 })
      expect(await factsOf(borrowed)).toMatchObject({ credited: null, payers: 1, unrelated: 0 })
    })

    test('are a ring exactly if the payee paid them back, directly or through settlements', async () => {
      const [payee, first, second, third, fourth, honest, dusted] = [
        wallet(),
        wallet(),
        wallet(),
        wallet(),
        wallet(),
        wallet(),
        wallet(),
      ]
      const service = listed(payee)
      const others = [first, second, third, fourth].map(address => listed(address))
      await store().insert([service, ...others])
      const payers = [first, second, third, fourth, honest, dusted]
      await keep(
        [
          ...payers.map(payer => paid(payer, payee, '1', service.id)),
          paid(first, second, '1', others[1]!.id),
          paid(second, third, '1', others[2]!.id),
          paid(third, fourth, '1', others[3]!.id),
        ],
        // Whoever has been paid once can send dust to honest customers: that is no ring.
        [
          [payee, first],
          [first, dusted],
        ],
      )
      expect(await factsOf(service)).toMatchObject({ payers: 6, inRing: 3, unrelated: 3 })
    })

    test('are not a ring because another seller, paid by the payee, lists and pays their wallets', async () => {
      const [payee, attacker, listedOnly, dusted, bribed] = [wallet(), wallet(), wallet(), wallet(), wallet()]
      const service = listed(payee)
      const [shop, borrowed, claimed] = [listed(attacker), listed(listedOnly, 'key_1'), listed(dusted)]
      const [byKey, byWallet] = [listed(bribed, 'key_1'), listed(bribed, `eip155:${attacker}`)]
      await store().insert([service, shop, borrowed, claimed, byKey, byWallet])
      await keep([
        paid(listedOnly, payee, '1', service.id),
        paid(dusted, payee, '1', service.id),
        paid(bribed, payee, '1', service.id),
        paid(payee, attacker, '1', shop.id),
        // Whoever is paid there has not signed, though the endpoint names the wallet.
        paid(attacker, bribed, '1', byKey.id),
        paid(attacker, bribed, '1', byWallet.id),
        // Credited to nobody, whatever it is; and less than a payer must spend to count.
        paid(attacker, listedOnly, '1', null),
        paid(attacker, dusted, '0.000001', claimed.id),
      ])
      expect(await factsOf(service)).toMatchObject({ payers: 3, inRing: 0, unrelated: 3 })
    })

    test('include those who paid too little in total or most of the total', async () => {
      const payee = wallet()
      const service = listed(payee)
      await store().insert([service])
      const [whale, small, patient] = [wallet(), wallet(), wallet()]
      await keep([
        paid(whale, payee, '8', service.id),
        paid(small, payee, '0.009', service.id),
        ...Array.from({ length: 10 }, () => paid(patient, payee, '0.2', service.id)),
      ])
      const facts = await factsOf(service)
      expect(facts).toMatchObject({ settlements: 12, payers: 3, tooSmall: 1, unrelated: 2 })
      expect(facts!.largestShare).toBeCloseTo(0.8)
    })
  })

  describe('credit', () => {
    const creditAll = async (crediting: Crediting) => {
      let next: PaymentPlace | boolean = await store().payments.credit(CHAIN, CURSOR, crediting)
      let pages = 1
      for (; typeof next === 'object'; pages++)
        next = await store().payments.credit(CHAIN, CURSOR, crediting, next)
      return { done: next, pages }
    }
    const standingOf = async ({ id }: Entry) => {
      const { txCount, totalRevenue } = (await store().find(id))!.entry.standing
      return { txCount, totalRevenue }
    }

    test('moves with all payments from one service to another, page by page', async () => {
      const payee = wallet()
      const [copy, original] = [listed(payee, 'key_1'), listed(payee)]
      await store().insert([copy, original])
      const payers = Array.from({ length: 300 }, wallet)
      const payments = Array.from({ length: 1_200 }, (_, i) =>
        paid(payers[i % 300]!, payee, '0.1', i < 3 ? null : copy.id),
      )
      await keep(payments)
      await store().payments.advance(CHAIN, CURSOR, {
        payees: [{ address: payee, side: 'received', readFrom: 0, goal: 0, plan: 'old' }],
      })
      expect(await standingOf(copy)).toEqual({ txCount: 1_197, totalRevenue: '119.7' })
      const crediting = { payee, plan: 'new', services: [copy.id, original.id], creditTo: () => original.id }
      expect(await creditAll(crediting)).toEqual({ done: true, pages: 3 })
      expect(await standingOf(copy)).toEqual({ txCount: 0, totalRevenue: '0' })
      expect(await standingOf(original)).toEqual({ txCount: 1_200, totalRevenue: '120' })
      expect(await store().payments.totals(copy.id)).toMatchObject({ payers: 0, lastPaymentAt: null })
      expect(await factsOf(original)).toMatchObject({ settlements: 1_200, payers: 300 })
      expect(await store().payments.payees(CHAIN)).toContainEqual(
        expect.objectContaining({ address: payee, plan: 'new' }),
      )
      const seq = await store().lastSeq()
      await creditAll(crediting)
      expect(await store().lastSeq()).toBe(seq)
    })

    test('corrects a wrong total, and writes nothing if the cursor differs', async () => {
      const payee = wallet()
      const service = listed(payee)
      const standing = { ...service.standing, txCount: 9, totalRevenue: '15000000' }
      await store().insert([{ ...service, standing }])
      await keep([])
      const crediting = { payee, plan: 'new', services: [service.id], creditTo: () => null }
      const elsewhere = { block: 1, hash: '0xother' }
      expect(await store().payments.credit(CHAIN, elsewhere, crediting)).toBe(false)
      expect(await standingOf(service)).toEqual({ txCount: 9, totalRevenue: '15000000' })
      await creditAll(crediting)
      expect(await standingOf(service)).toEqual({ txCount: 0, totalRevenue: '0' })
    })

    test('is removed for an address that is no longer listed', async () => {
      const payee = wallet()
      const service = listed(payee)
      await store().insert([service])
      await keep([paid(wallet(), payee, '1', service.id)])
      await store().payments.advance(CHAIN, CURSOR, { dropped: [{ address: payee, side: 'received' }] })
      expect(await store().payments.received(CHAIN, payee, 10)).toEqual([])
      expect(await store().payments.totals(service.id)).toMatchObject({ txCount: 0, payers: 0 })
    })
  })
}
