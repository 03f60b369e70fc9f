// What every store promises about purchases.
import { describe, expect, test } from 'bun:test'
import { placeOf } from '../../src/domain/hosts/endpoint.ts'
import { type Caps, type Purchase, payeeOf } from '../../src/domain/purchases/purchases.ts'
import { judgeDelivery } from '../../src/domain/standing/judge-delivery.ts'
import { say } from '../../src/messages/message.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import type { Conclusion } from '../../src/store/purchases.ts'
import type { Store } from '../../src/store/store.ts'
import { entry } from '../entries.ts'
import { probeOf, recordProbe, unchanged } from '../probes.ts'

const AT = new Date('2026-11-01T12:00:00.000Z')
const HOUR_MS = 3_600_000
const CAPS: Caps = { perCall: 100, perService: 1_000, perHost: 10_000, perDay: 100_000 }

let made = 0
export const purchase = (parts: Partial<Purchase> = {}): Purchase => ({
  id: `pur_${String(++made).padStart(6, '0')}`,
  source: 'operator',
  purpose: `purpose ${made}`,
  serviceId: 'svc_a',
  host: 'weather.example',
  at: AT.toISOString(),
  state: 'reserved',
  microUsd: 100,
  chain: 'eip155:8453',
  asset: `0x${'a'.repeat(40)}`,
  payTo: `0x${'1'.repeat(40)}`,
  payer: `0x${'2'.repeat(40)}`,
  amount: '100',
  nonce: null,
  validBefore: null,
  charged: null,
  transaction: null,
  outcome: null,
  detail: {
    url: 'https://weather.example/v1?q=\u0000東京',
    method: 'GET',
    x402Version: 2,
    price: '0.0001',
    currency: 'USDC',
    reasons: [say('answer_empty')],
  },
  ...parts,
})

/** A purchase that a payer reports. */
export const reported = (parts: Partial<Purchase> = {}): Purchase & { readonly serviceId: string } => {
  const { serviceId, ...given } = purchase({
    source: 'payer',
    state: 'settled',
    microUsd: 0,
    charged: '100',
    transaction: '0xabc',
    outcome: 'delivered',
    detail: { url: 'https://weather.example/v1', price: '0.0001', currency: 'USDC', reasons: [] },
    ...parts,
  })
  return { ...given, serviceId: serviceId! }
}

/** @param forgetBefore nothing, unless the test says otherwise */
export const report = (store: Store, of: ReturnType<typeof reported>, forgetBefore = new Date(0)) =>
  store.purchases.report(
    of,
    {
      type: 'purchase',
      at: of.at,
      reason: say('outcome_reported', { outcome: of.outcome! }),
      before: null,
      after: { id: of.id, source: of.source, outcome: of.outcome },
    },
    forgetBefore,
  )

const conclusion = (parts: Partial<Conclusion> = {}): Conclusion => ({
  state: 'settled',
  charged: '100',
  transaction: '0xabc',
  outcome: 'delivered',
  detail: purchase().detail,
  ...parts,
})

export function describeAccuracy(store: () => Store): void {
  test('accuracy counts verdicts that did not last a week, and purchases that a verified service failed', async () => {
    const day = (number: number) => new Date(AT.getTime() + number * 24 * HOUR_MS).toISOString()
    const status = (number: number, before: string, after: string, reason = say('failing')) => ({
      ...{ type: 'status' as const, at: day(number), reason, before, after },
    })
    const [lasting, withdrawn, late, edited] = [entry(), entry(), entry(), entry()]
    await store().insert([lasting, withdrawn, late, edited])
    const change = (id: string, ...events: ReturnType<typeof status>[]) =>
      store().update([id], kept => ({ entry: kept, events }))
    const given = status(1, 'unverified', 'verified')
    await change(lasting.id, given, status(3, 'verified', 'inactive'), status(4, 'inactive', 'verified'))
    await change(withdrawn.id, given, status(7, 'verified', 'unverified'))
    await change(late.id, given, status(9, 'verified', 'unverified'))
    await change(
      edited.id,
      given,
      status(2, 'verified', 'unverified', say('edited', { by: 'owner', what: 'price' })),
    )

    const buy = async (serviceId: string, number: number, parts: Partial<Conclusion>) => {
      const { detail, ...made } = purchase({ serviceId, at: day(number) })
      await store().purchases.reserve({ ...made, detail }, CAPS)
      await store().purchases.sign(made.id, made.id, 1)
      const told = { ...detail, ...parts.detail }
      await store().purchases.conclude(made.id, conclusion({ ...parts, detail: told }))
    }
    const madeUp = { detail: { ...purchase().detail, isMadeUp: true } } as const
    await buy(lasting.id, 2, { outcome: 'delivered' })
    await buy(lasting.id, 2, { outcome: 'settled_silent' })
    await buy(lasting.id, 2, { outcome: 'refused_after_payment', ...madeUp })
    await buy(lasting.id, 2, { outcome: 'not_settled' })
    await buy(lasting.id, 0.5, { outcome: 'settled_silent' })
    await buy(withdrawn.id, 8, { outcome: 'settled_silent' })
    const period = (since: number, until: number) => ({
      since: new Date(day(since)),
      until: new Date(day(until)),
    })
    expect(await store().accuracy(period(0, 30))).toEqual({
      purchases: 2,
      failed: 1,
      verified: 5,
      withdrawn: 1,
    })
    expect(await store().accuracy(period(0, 3))).toEqual({
      purchases: 2,
      failed: 1,
      verified: 4,
      withdrawn: 1,
    })
    expect(await store().accuracy(period(20, 30))).toEqual({
      purchases: 0,
      failed: 0,
      verified: 0,
      withdrawn: 0,
    })
  })
}

export function describePurchases(store: () => Store): void {
  describe('purchases', () => {
    const { reserve, sign, conclude, find, findForPurpose, open, list, spent, lastPaidAt } = {
      reserve: (...given: Parameters<Store['purchases']['reserve']>) => store().purchases.reserve(...given),
      sign: (...given: Parameters<Store['purchases']['sign']>) => store().purchases.sign(...given),
      conclude: (...given: Parameters<Store['purchases']['conclude']>) =>
        store().purchases.conclude(...given),
      find: (id: string) => store().purchases.find(id),
      findForPurpose: (purpose: string) => store().purchases.findForPurpose(purpose),
      open: (limit: number, after?: string) => store().purchases.open(limit, after),
      list: (...given: Parameters<Store['purchases']['list']>) => store().purchases.list(...given),
      spent: (since: Date) => store().purchases.spent(since),
      lastPaidAt: (...given: Parameters<Store['purchases']['lastPaidAt']>) =>
        store().purchases.lastPaidAt(...given),
    }

    test('go from reserved to signed to settled, each step once', async () => {
      const bought = purchase()
      expect(await find(bought.id)).toBeUndefined()
      expect(await reserve(bought, CAPS)).toBeUndefined()
      expect(await find(bought.id)).toEqual(bought)
      expect(await sign(bought.id, '0xn', 2_000_000_000)).toBe(true)
      expect(await sign(bought.id, '0xm', 2_000_000_001)).toBe(false)
      const signed = { ...bought, state: 'signed', nonce: '0xn', validBefore: 2_000_000_000 } as const
      expect(await open(9)).toEqual([signed])
      // What was answered can be kept while nobody knows what was taken.
      expect(await conclude(bought.id, conclusion({ state: 'signed', outcome: null }))).toBe(true)
      expect(await conclude(bought.id, conclusion())).toBe(true)
      expect(await conclude(bought.id, conclusion({ state: 'released' }))).toBe(false)
      expect(await find(bought.id)).toEqual({ ...signed, ...conclusion(), detail: bought.detail })
      expect(await open(9)).toEqual([])
      expect(await sign('pur_none', '0xn', 1)).toBe(false)
      expect(await conclude('pur_none', conclusion())).toBe(false)
    })

    test('cannot be signed with a nonce that was used before', async () => {
      const [first, second, later] = [purchase(), purchase(), purchase()]
      for (const each of [first, second, later]) await reserve(each, CAPS)
      const end = AT.getTime() / 1000 + 90
      const signed = await Promise.all([first, second].map(({ id }) => sign(id, 'twice', end)))
      expect(signed.filter(Boolean).length).toBe(1)
      const states = await Promise.all([first, second].map(async ({ id }) => (await find(id))!.state))
      expect(states.sort()).toEqual(['reserved', 'signed'])
      expect(await sign(later.id, 'once', end)).toBe(true)
    })

    test('cannot be signed after they are released', async () => {
      const bought = purchase()
      await reserve(bought, CAPS)
      expect(await conclude(bought.id, conclusion({ state: 'released', outcome: null }))).toBe(true)
      expect(await sign(bought.id, '0xn', 1)).toBe(false)
    })

    test('are unique per unreleased purpose, also with concurrent calls', async () => {
      const purpose = 'one and the same'
      const tried = await Promise.all(Array.from({ length: 5 }, () => reserve(purchase({ purpose }), CAPS)))
      expect(tried.filter(problem => problem === undefined)).toHaveLength(1)
      const [kept] = await open(9)
      expect(await findForPurpose(purpose)).toEqual(kept)
      expect(tried.filter(Boolean)).toEqual(
        Array.from({ length: 4 }, () => ({ kind: 'purpose', id: kept!.id })),
      )
      await conclude(kept!.id, conclusion({ state: 'released' }))
      expect(await findForPurpose(purpose)).toBeUndefined()
      expect(await reserve(purchase({ purpose }), CAPS)).toBeUndefined()
    })

    test('never exceed a cap, also with concurrent calls', async () => {
      expect(await reserve(purchase({ microUsd: 101 }), CAPS)).toEqual({
        kind: 'cap',
        cap: 'call',
        spent: 0,
        max: 100,
      })
      const some = (count: number, parts: Partial<Purchase>, caps: Partial<Caps>) =>
        Promise.all(Array.from({ length: count }, () => reserve(purchase(parts), { ...CAPS, ...caps })))
      const kept = (tried: readonly unknown[]) => tried.filter(problem => problem === undefined).length
      expect(kept(await some(6, { serviceId: 'svc_b' }, { perService: 399 }))).toBe(3)
      const [second, third] = [`0x${'c'.repeat(40)}`, `0x${'d'.repeat(40)}`]
      const ofOther = { serviceId: null, host: 'other.example', payTo: second }
      expect(kept(await some(6, ofOther, { perHost: 200 }))).toBe(2)
      // A payee is one seller under whatever domain, and on whatever chain.
      const sameWallet = {
        serviceId: null,
        host: 'third.example',
        payTo: second.toUpperCase().replace('X', 'x'),
      }
      expect(
        await reserve(purchase({ ...sameWallet, chain: 'eip155:137' }), { ...CAPS, perHost: 299 }),
      ).toEqual({ ...{ kind: 'cap', cap: 'payee', spent: 200, max: 299 } })
      // Five by now.
      const ofThird = { serviceId: 'svc_c', host: 'third.example', payTo: third }
      expect(kept(await some(6, ofThird, { perDay: 600 }))).toBe(1)
      expect(await spent(new Date(0))).toEqual({ microUsd: 600, count: 6 })
    })

    test('count for 24 hours, longer if a clock ran ahead, and not at all once released', async () => {
      const at = (ms: number) => new Date(AT.getTime() + ms).toISOString()
      const caps = { ...CAPS, perDay: 200 }
      const [first, second] = [purchase(), purchase({ at: at(HOUR_MS) })]
      for (const each of [first, second]) expect(await reserve(each, caps)).toBeUndefined()
      expect(await reserve(purchase({ at: at(23 * HOUR_MS) }), caps)).toMatchObject({
        cap: 'day',
        spent: 200,
      })
      expect(await reserve(purchase({ at: at(-50 * HOUR_MS) }), caps)).toMatchObject({
        cap: 'day',
        spent: 200,
      })
      expect(await reserve(purchase({ at: at(24 * HOUR_MS) }), caps)).toBeUndefined()
      await conclude(second.id, conclusion({ state: 'released' }))
      expect(await reserve(purchase({ at: at(24 * HOUR_MS) }), caps)).toBeUndefined()
      expect(await spent(AT)).toEqual({ microUsd: 200, count: 2 })
    })

    test('are listed newest first, for one service or all, with the last purchase of each', async () => {
      const [a, b, c] = [
        purchase({ at: new Date(AT.getTime() - HOUR_MS).toISOString() }),
        purchase({ serviceId: 'svc_b' }),
        purchase(),
      ]
      for (const each of [a!, b!, c!]) await reserve(each, CAPS)
      expect(await list({ limit: 2 })).toEqual([c!, b!])
      expect(await list({ limit: 2, before: b!.id })).toEqual([a!])
      expect(await list({ limit: 9, serviceId: 'svc_a' })).toEqual([c!, a!])
      expect(await list({ limit: 9, serviceId: 'svc_a', before: c!.id })).toEqual([a!])
      expect(await open(1, a!.id)).toEqual([b!])
      await conclude(b!.id, conclusion({ state: 'released' }))
      // By place and payee, through whichever listing; what is released does not count.
      const payee = `eip155:0x${'1'.repeat(40)}`
      const source = { serviceId: 'svc_x', payee, place: 'weather.example/v1' }
      const elsewhere = { ...source, serviceId: 'svc_y', place: 'weather.example' }
      const foreign = { ...source, serviceId: 'svc_z', payee: `eip155:0x${'2'.repeat(40)}` }
      expect(await lastPaidAt([source, elsewhere, foreign])).toEqual(new Map([['svc_x', AT.toISOString()]]))
      await conclude(c!.id, conclusion({ state: 'released' }))
      expect(await lastPaidAt([source])).toEqual(new Map([['svc_x', a!.at]]))
    })

    test('with an outcome are found by endpoint and payee, and always for the service itself', async () => {
      const at = (url: string, parts: Partial<Purchase>, endpoint = url) => {
        const made = purchase({ state: 'settled', ...parts })
        return { ...made, detail: { ...made.detail, url, endpoint } }
      }
      const [place, below] = ['https://weather.example/v1', 'https://weather.example/v1/quote']
      const own = at(place, { serviceId: 'svc_own', outcome: 'delivered' })
      const failed = at(`${place}?q=1`, { serviceId: 'svc_gone', outcome: 'settled_silent' })
      const resource = at(below, { serviceId: 'svc_gone', outcome: 'charged_other' }, place)
      const others = [
        at(place, { outcome: 'not_settled' }),
        at(place, { outcome: null }),
        at(place, { outcome: 'settled_silent', payTo: `0x${'3'.repeat(40)}` }),
        at('https://weather.example/v2', { outcome: 'settled_silent' }),
      ]
      for (const each of [own, failed, resource, ...others]) await reserve(each, CAPS)
      const source = {
        serviceId: 'svc_own',
        payee: `eip155:0x${'1'.repeat(40)}`,
        place: 'weather.example/v1',
      }
      const { evidence } = store().purchases
      expect(await evidence({ ...source, limit: 9 })).toEqual([resource, failed, own])
      expect(await evidence({ ...source, limit: 2 })).toEqual([resource, failed])
      expect(await evidence({ ...source, limit: 9, before: failed.id })).toEqual([own])
      expect(
        await evidence({ ...source, serviceId: 'svc_x', place: 'weather.example/v1/quote', limit: 9 }),
      ).toEqual([])
    })

    test('at the endpoint of a service are passed to its judge', async () => {
      const failed = purchase({ serviceId: 'svc_gone', state: 'settled', outcome: 'settled_silent' })
      await reserve(failed, CAPS)
      const listed = entry()
      await store().insert([listed])
      const given = probeOf(listed.id, { at: AT.toISOString() })
      const seen: (readonly Purchase[])[] = []
      await recordProbe(store(), given, (kept, history) => {
        seen.push(history.purchases)
        return unchanged(kept)
      })
      expect(seen).toEqual([[failed]])
    })

    test('are stored as delivery evidence with their service', async () => {
      const listed = entry()
      await store().insert([listed])
      const bought = purchase({ serviceId: listed.id })
      await reserve(bought, CAPS)
      await sign(bought.id, '0xn', 1)
      await conclude(bought.id, conclusion())
      const tell = async () =>
        store().update([listed.id], kept => judgeDelivery(kept, [{ ...bought, ...conclusion() }], AT))
      await tell()
      const { entry: told } = (await store().find(listed.id))!
      expect(told.delivery).toEqual({
        purchases: 1,
        delivered: 1,
        failedInARow: 0,
        deliveredAt: bought.at,
        last: { id: bought.id, at: bought.at, outcome: 'delivered' },
        told: [bought.id],
      })
      await tell()
      const events = await store().events.of(listed.id, 9)
      expect(events.map(({ type }) => type)).toEqual(['purchase', 'registered'])
      expect(events[0]).toMatchObject({ reason: { code: 'bought' }, after: { outcome: 'delivered' } })
    })
  })

  describe('purchases that payers report', () => {
    const places = { payee: 'nobody', place: '' }
    const list = (serviceId: string, parts: object = {}) =>
      store().purchases.evidence({ serviceId, ...places, limit: 100, ...parts })

    test('are stored once per payment, with an event, also when reported concurrently', async () => {
      const listed = entry()
      await store().insert([listed])
      const serviceId = listed.id
      const purpose = `paid once ${serviceId}`
      const kept = await Promise.all(
        [1, 2, 3, 4].map(() => report(store(), reported({ serviceId, purpose }))),
      )
      expect(new Set(kept.map(({ id }) => id)).size).toBe(1)
      expect(await list(serviceId)).toEqual([kept[0]!])
      const events = (await store().events.of(serviceId, 10)).filter(({ type }) => type === 'purchase')
      expect(events).toMatchObject([{ reason: { code: 'outcome_reported' }, after: { id: kept[0]!.id } }])
      // Of another service it is the same payment still.
      const elsewhere = reported({ serviceId: 'svc_elsewhere', purpose })
      expect((await report(store(), elsewhere)).serviceId).toBe(serviceId)
    })

    test('are listed with those of the directory, newest first, in pages and by source', async () => {
      const serviceId = 'svc_pages'
      const [a, b] = [reported({ serviceId }), purchase({ serviceId })]
      const c = reported({ serviceId })
      await report(store(), a)
      await store().purchases.reserve(b, CAPS)
      await report(store(), c)
      expect(await list(serviceId)).toEqual([c, b, a])
      expect(await list(serviceId, { limit: 1, before: c.id })).toEqual([b])
      expect(await list(serviceId, { of: 'payer' })).toEqual([c, a])
      expect(await list(serviceId, { of: 'operator' })).toEqual([b])
      expect(await store().purchases.list({ serviceId, limit: 9 })).toEqual([b])
    })

    test('neither count against caps nor are evidence', async () => {
      const at = new Date(AT.getTime() + 9_000 * HOUR_MS)
      const since = new Date(at.getTime() - HOUR_MS)
      const made = reported({ serviceId: 'svc_judged', at: at.toISOString(), outcome: 'settled_silent' })
      await report(store(), made)
      expect(await store().purchases.spent(since)).toEqual({ microUsd: 0, count: 0 })
      const source = {
        serviceId: 'svc_other',
        payee: payeeOf(made.payTo, made.chain),
        place: placeOf(made.detail.url),
      }
      const evidence = await store().purchases.evidence({ ...source, limit: 100 })
      expect(evidence.map(({ id }) => id)).not.toContain(made.id)
      const last = await store().purchases.lastPaidAt([source])
      expect(last.get('svc_other')).not.toBe(made.at)
    })

    test('count each payer once, by its newest outcome', async () => {
      const serviceId = 'svc_sums'
      for (const parts of [
        { payer: 'a', outcome: 'delivered' },
        { payer: 'a', outcome: 'settled_silent' },
        { payer: 'b', outcome: 'delivered' },
        { payer: 'c', outcome: 'delivered' },
      ] as const)
        await report(store(), reported({ serviceId, ...parts }))
      expect(await store().purchases.outcomeSums(serviceId, 'payer')).toEqual({
        delivered: 2,
        settled_silent: 1,
      })
      expect(await store().purchases.outcomeSums('svc_nobody', 'payer')).toEqual({})
      const later = new Date(AT.getTime() + 1).toISOString()
      expect(await store().purchases.outcomeSums(serviceId, 'payer', later)).toEqual({})
    })

    test('are kept while their payment can be reported, then limited to the newest 500', async () => {
      const serviceId = 'svc_many'
      await using filled = await openStore('sqlite::memory:', { clock: systemClock })
      await filled.purchases.reserve(purchase({ serviceId }), CAPS)
      for (let i = 0; i < 502; i++) await report(filled, reported({ serviceId }))
      await store().load(filled.dump())
      expect(await list(serviceId, { of: 'payer', limit: 1_000 })).toHaveLength(502)
      await report(store(), reported({ serviceId }), new Date(AT.getTime() + 1))
      expect(await list(serviceId, { of: 'payer', limit: 1_000 })).toHaveLength(500)
      expect(await list(serviceId, { of: 'operator' })).toHaveLength(1)
    })
  })
}
