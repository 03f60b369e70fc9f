// What the buyer refuses before anything is signed, and what it signs: without a chain, against a seller on a port.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Buyer, createBuyer, type Offer, type Order } from '../../packages/buyer/src/buyer.ts'
import { openWallet, openWallets } from '../../packages/buyer/src/wallet.ts'
import { type Caps, sellingDomain } from '../../src/domain/purchases/purchases.ts'
import type { Message } from '../../src/messages/message.ts'
import { createSafeFetch } from '../../src/probe/requests/safe-fetch.ts'
import { Secret } from '../../src/runtime/secret.ts'
import { openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import { accountOf } from '../paid/facilitator.ts'
import { purchase } from '../store/purchases.ts'
import { createShiftedClock } from './clock.ts'
import type { HostileMerchant } from './hostile-merchants.ts'
import { type HostileServer, openHostileMerchants, payeeOf } from './hostile-server.ts'
import { toBuyerParts, toOrder } from './order.ts'
import { USDC } from './sold.ts'

const OTHER = `0x${'77'.repeat(20)}`
const told = { success: true, transaction: `0x${'ab'.repeat(32)}`, network: 'eip155:8453' }
const seller = (parts: Partial<HostileMerchant>): HostileMerchant => ({
  name: 'a seller',
  paid: paid => Response.json({ a: 1 }, { headers: paid.told(told) }),
  outcome: 'delivered',
  ...parts,
})
const HONEST = seller({})
const SHY = seller({ paid: () => new Response('', { status: 500 }) })
const WAYS: readonly (readonly [string, object])[] = [
  ['for another wallet', { payTo: OTHER }],
  ['on another network', { network: 'eip155:137' }],
  ['in a token that is not known', { asset: OTHER }],
  ['by a maximum', { scheme: 'upto' }],
  ['by Permit2', { extra: { name: 'USD Coin', version: '2', assetTransferMethod: 'permit2' } }],
  ['without the name of the token', { extra: {} }],
  ['on Solana', { network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' }],
]
const UNPAYABLE = WAYS.map(([, terms]) => seller({ terms }))
const LONG = seller({ terms: { maxTimeoutSeconds: 86_400 } })
const DEAR = seller({ terms: { amount: '2001' } })
const ALL = [HONEST, SHY, LONG, DEAR, ...UNPAYABLE]

const parts = new AsyncDisposableStack()
const clock = createShiftedClock()
const payer = accountOf(7)
let server: HostileServer
let store: Store

beforeAll(async () => {
  server = parts.use(openHostileMerchants({ url: 'http://127.0.0.1:9' }, ALL))
  store = parts.use(await openStore('sqlite::memory:', { clock }))
})
afterAll(() => parts.disposeAsync())

const CAPS: Caps = { perCall: 5_000, perService: 1_000_000, perHost: 1_000_000, perDay: 1_000_000 }

type Parts = Parameters<typeof createBuyer>[0]

async function open(caps: Partial<Caps> = {}, parts: Partial<Parts> = {}): Promise<Buyer> {
  const wallets = [await openWallet(new Secret(payer.key))]
  return createBuyer({ ...toBuyerParts(store, { wallets, caps: { ...CAPS, ...caps }, clock }), ...parts })
}

const orderOf = (merchant: HostileMerchant, parts: Partial<Order> = {}): Order =>
  toOrder(merchant, { url: server.url(merchant), payTo: payeeOf(ALL.indexOf(merchant)), clock }, parts)

const count = async () => (await store.purchases.list({ limit: 1_000 })).length

/** The code of the refusal, after which nothing is kept and nothing was sent. */
async function refusalOf(merchant: HostileMerchant, parts: Partial<Order> = {}, caps: Partial<Caps> = {}) {
  const before = await count()
  const sent = server.asked(merchant).filter(each => each === 'paid').length
  const result = await (await open(caps)).buy(orderOf(merchant, parts))
  expect(await count()).toBe(before)
  expect(server.asked(merchant).filter(each => each === 'paid').length).toBe(sent)
  return result.kind === 'refused' ? result.reason.code : result.kind
}

test('a purchase has a later id than those that were made while the clock was a day ahead', async () => {
  const buy = async (purpose: string) => {
    const bought = await (await open()).buy(orderOf(HONEST, { purpose }))
    if (bought.kind !== 'bought') throw new Error(bought.kind)
    return bought.purchase.id
  }
  clock.advance(86_400_000)
  const ahead = await buy('while ahead')
  clock.advance(-86_400_000)
  expect((await buy('set back')) > ahead).toBe(true)
})

describe('a buyer with several wallets', () => {
  const accounts = [7, 8, 9].map(accountOf)
  const openSeveral = async (parts: Partial<Parts> = {}) =>
    open({}, { wallets: await openWallets(accounts.map(each => new Secret(each.key))), ...parts })

  test('pays each purpose with the wallet drawn for it, also on a retry', async () => {
    const buyer = await openSeveral()
    const payers: string[] = []
    for (let i = 0; i < 12; i++) {
      const purpose = `several ${i}`
      const bought = await buyer.buy(orderOf(HONEST, { purpose }))
      if (bought.kind !== 'bought') throw new Error(bought.kind)
      expect(bought.purchase.payer).toBe(buyer.payerFor(purpose, bought.offer))
      payers.push(bought.purchase.payer)
    }
    expect(new Set(payers).size).toBeGreaterThan(1)
    expect(buyer.addresses).toEqual(accounts.map(each => each.address))

    // As a process leaves it that ended before it signed.
    const purpose = 'several, ended'
    const order = orderOf(HONEST, { purpose })
    const sign = () => Promise.reject(new Error('ended'))
    const ends = await openSeveral({ purchases: { ...store.purchases, sign } })
    await ends.buy(order).catch(() => {})
    const [left] = await store.purchases.list({ limit: 1 })
    expect(left!.purpose).toBe(purpose)
    clock.advance(3_600_000)
    const later = await openSeveral()
    await later.reconcile()
    const again = await later.buy(orderOf(HONEST, { purpose }))
    expect(again).toMatchObject({ kind: 'bought', purchase: { purpose, payer: left!.payer } })
  })
})

describe('a payment option', () => {
  test.each(WAYS.map(([what], i) => [what, UNPAYABLE[i]!] as const))(
    '%s is not paid',
    async (what, merchant) => {
      const reasons: Readonly<Record<string, Message['code']>> = {
        'for another wallet': 'asks_other_wallet',
        'on another network': 'asks_other_network',
        'on Solana': 'asks_other_network',
      }
      expect(await refusalOf(merchant)).toBe(reasons[what] ?? 'way_not_payable')
    },
  )

  test('whose authorization would be valid too long is not signed', async () => {
    expect(await refusalOf(LONG)).toBe('authorization_too_long')
  })
})

describe('the guard', () => {
  test('stops a price above the listing, even if it is approved', async () => {
    expect(await refusalOf(DEAR)).toBe('guard_stopped')
    expect(await refusalOf(DEAR, { approve: async () => true })).toBe('guard_stopped')
  })

  test('allows a verdict other than clear only with approval', async () => {
    const doubtful: Partial<Order> = { guard: async ({ url }) => ({ url, verdict: 'caution', reasons: [] }) }
    expect(await refusalOf(HONEST, doubtful)).toBe('guard_stopped')
    expect(await refusalOf(HONEST, { ...doubtful, approve: async () => false })).toBe('payment_not_approved')
    const offers: Offer[] = []
    const approve = async (offer: Offer) => offers.push(offer) > 0
    expect(await (await open()).buy(orderOf(HONEST, { ...doubtful, approve }))).toMatchObject({
      kind: 'bought',
    })
    expect(offers).toMatchObject([{ usd: '0.002', microUsd: 2_000, resolution: { verdict: 'caution' } }])
  })

  test('receives the terms of the endpoint before approval is requested', async () => {
    const queries: unknown[] = []
    const order = orderOf(HONEST)
    const guard: Order['guard'] = query => {
      queries.push(query)
      return order.guard(query)
    }
    await (await open()).buy({ ...order, guard })
    expect(queries).toEqual([
      {
        url: server.url(HONEST),
        method: 'GET',
        payTo: payeeOf(0),
        amount: '2000',
        asset: USDC,
        network: 'eip155:8453',
        scheme: 'exact',
      },
    ])
  })
})

describe('caps', () => {
  test('apply to one call', async () => {
    expect(await refusalOf(HONEST, {}, { perCall: 1_999 })).toBe('cap_passed')
  })

  test('apply per service, host and day, across concurrent purchases', async () => {
    for (const [name, merchant] of [
      ['perService', HONEST],
      ['perHost', HONEST],
      ['perDay', HONEST],
    ] as const) {
      // What was bought before lies more than a day back.
      clock.advance(25 * 3_600_000)
      const serviceId = `svc_${name}`
      const buyer = await open({ [name]: 5_999 })
      const order = () => orderOf(merchant, { serviceId, guard: orderOf(merchant).guard })
      const results = await Promise.all(Array.from({ length: 6 }, () => buyer.buy(order())))
      expect(results.filter(({ kind }) => kind === 'bought')).toHaveLength(2)
      expect(
        results.filter(result => result.kind === 'refused' && result.reason.code === 'cap_passed'),
      ).toHaveLength(4)
    }
  })

  test.each([
    ['https://[2600:1f18:1:2::1]/', 'https://[2600:1f18:1:2:ffff::9]:8443/v2', true],
    ['https://[2600:1f18:1:2::1]/', 'https://[2600:1f18:1:3::1]/', false],
    ['https://52.1.2.3/', 'https://[::ffff:3401:203]:8443/', true],
    ['https://52.1.2.3/', 'https://0x34010203/', true],
    ['https://52.1.2.3/', 'https://52.1.2.4/', false],
  ])('of %s and %s are those of one host: %p', async (one, other, isOne) => {
    await using store = await openStore('sqlite::memory:', { clock })
    const of = (url: string, digit: string) =>
      purchase({
        ...{ id: `pur_${digit}`, purpose: digit, serviceId: `svc_${digit}`, payTo: `0x${digit.repeat(40)}` },
        ...{ host: sellingDomain(url), at: clock.now().toISOString(), microUsd: 600 },
      })
    const caps = { ...CAPS, perHost: 1_000 }
    expect(await store.purchases.reserve(of(one, '1'), caps)).toBeUndefined()
    expect((await store.purchases.findExceeded(of(other, '2'), caps)) !== undefined).toBe(isOne)
  })

  test('count a payment that the seller reports as not taken, if no node can confirm it', async () => {
    clock.advance(25 * 3_600_000)
    const buyer = await open()
    expect(await buyer.buy(orderOf(SHY))).toMatchObject({
      kind: 'bought',
      purchase: { state: 'unknown', outcome: null, charged: null },
    })
    const since = new Date(clock.now().getTime() - 60_000)
    expect(await store.purchases.spent(since)).toEqual({ microUsd: 2_000, count: 1 })
  })
})

describe('a purpose', () => {
  test('is paid once, also with concurrent calls', async () => {
    clock.advance(25 * 3_600_000)
    const buyer = await open()
    const order = orderOf(HONEST, { purpose: 'once' })
    const results = await Promise.all([1, 2, 3, 4].map(() => buyer.buy(order)))
    expect(results.filter(({ kind }) => kind === 'bought')).toHaveLength(1)
    expect(await refusalOf(HONEST, { purpose: 'once' })).toBe('purpose_taken')
  })
})

describe('a dry run', () => {
  test('shows what would be signed, and stores nothing', async () => {
    const before = await count()
    const quoted = await (await open()).quote(orderOf(HONEST))
    expect(quoted).toMatchObject({
      kind: 'quoted',
      offer: {
        usd: '0.002',
        requirements: { payTo: payeeOf(0), amount: '2000' },
        resolution: { verdict: 'clear' },
      },
    })
    expect(await count()).toBe(before)
  })
})

test('a seller on a private address is not contacted unless private addresses are allowed', async () => {
  const buyer = await open({}, { fetch: createSafeFetch({ allowPrivate: false }) })
  expect(await buyer.buy(orderOf(HONEST))).toMatchObject({ kind: 'refused', reason: { code: 'not_quoted' } })
})
