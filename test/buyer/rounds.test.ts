// Which services are bought from, when, and what follows: over a real store, against sellers on a port.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type Buyer, createBuyer } from '../../packages/buyer/src/buyer.ts'
import { applyPurchases, openBuyingRounds, planPurchases } from '../../packages/buyer/src/rounds.ts'
import { openWallet, type Wallet } from '../../packages/buyer/src/wallet.ts'
import type { Entry } from '../../src/domain/listing/service.ts'
import { NO_RATES } from '../../src/domain/money/rates.ts'
import type { Caps } from '../../src/domain/purchases/purchases.ts'
import { Secret } from '../../src/runtime/secret.ts'
import { openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import { accountOf } from '../paid/facilitator.ts'
import { purchase } from '../store/purchases.ts'
import { createShiftedClock, type ShiftedClock } from './clock.ts'
import type { HostileMerchant } from './hostile-merchants.ts'
import { type HostileServer, openHostileMerchants, payeeOf } from './hostile-server.ts'
import { recordTerms, toBuyerParts, toListing } from './order.ts'

const told = { success: true, transaction: `0x${'ab'.repeat(32)}`, network: 'eip155:8453' }
let isBroken = false
const SELLERS: readonly HostileMerchant[] = Array.from({ length: 6 }, (_, i) => ({
  name: `seller ${i}`,
  paid: paid =>
    isBroken && i === 0
      ? new Response('', { status: 500, headers: paid.told(told) })
      : Response.json({ a: 1 }, { headers: paid.told(told) }),
  outcome: 'delivered',
}))
const DAY_MS = 24 * 3_600_000
const CAPS: Caps = { perCall: 5_000, perService: 1_000_000, perHost: 1_000_000, perDay: 1_000_000 }

let server: HostileServer
let wallet: Wallet
let clock: ShiftedClock
let store: Store
beforeAll(async () => {
  server = openHostileMerchants({ url: 'http://127.0.0.1:9' }, SELLERS)
  wallet = await openWallet(new Secret(accountOf(3).key))
})
afterAll(() => server[Symbol.asyncDispose]())
beforeEach(async () => {
  isBroken = false
  clock = createShiftedClock()
  store = await openStore('sqlite::memory:', { clock })
})
afterEach(() => store[Symbol.asyncDispose]())

/** A listing whose terms were seen. */
async function list(index: number, change: (entry: Entry) => Entry = entry => entry): Promise<string> {
  const seller = SELLERS[index]!
  const listed = change(toListing(seller, { url: server.url(seller), payTo: payeeOf(index), clock }))
  await store.insert([listed])
  await see(listed, index)
  return listed.id
}

const see = (listed: Pick<Entry, 'id' | 'endpoint'>, index: number) =>
  recordTerms(store, listed, { payTo: payeeOf(index), clock })

const open = (caps: Partial<Caps> = {}): Buyer =>
  createBuyer({
    ...toBuyerParts(store, { wallets: [wallet], caps: { ...CAPS, ...caps }, clock }),
    onConcluded: async ({ serviceId }) => applyPurchases(store, serviceId!, clock),
  })

const openRounds = (caps: Partial<Caps> = {}, refused: string[] = []) =>
  openBuyingRounds({
    store,
    buyer: open(caps),
    perCall: caps.perCall ?? CAPS.perCall,
    rates: () => NO_RATES,
    clock,
    onRefused: (_, reason) => refused.push(reason),
    onTrouble: (message, error) => {
      throw new Error(message, { cause: error })
    },
  })

const boughtFrom = async () =>
  (await store.purchases.list({ limit: 100 })).map(({ serviceId }) => serviceId).toReversed()

/** Lets minutes pass until so many were bought and told. */
async function untilBought(count: number): Promise<void> {
  const isDone = async () => {
    const all = await store.purchases.list({ limit: 100 })
    return all.length >= count && all.every(({ outcome }) => outcome !== null)
  }
  while (!(await isDone())) {
    clock.advance(61_000)
    await Bun.sleep(2)
  }
}

describe('the plan', () => {
  const plan = (parts: object = {}) =>
    planPurchases(store, {
      ...{ perCall: 5_000, rates: NO_RATES, now: clock.now() },
      isSkipped: () => false,
      ...parts,
    })
  const standing = (status: Entry['standing']['status']) => (entry: Entry) => ({
    ...entry,
    standing: { ...entry.standing, status },
  })

  /** As it is kept of a purchase so many hours ago. */
  async function buy(index: number, { hours, serviceId }: { hours: number; serviceId: string }) {
    const at = new Date(clock.now().getTime() - hours * 3_600_000).toISOString()
    const made = purchase({ serviceId, at, payTo: payeeOf(index) })
    const url = server.url(SELLERS[index]!)
    await store.purchases.reserve({ ...made, detail: { ...made.detail, url, endpoint: url } }, CAPS)
  }
  /** Somewhere else than where the sellers are; nothing is asked. */
  const at = (endpoint: string, payTo: string, owner: string | null = null) =>
    list(5, entry => ({
      ...entry,
      endpoint,
      owner,
      x402Config: { ...entry.x402Config, paymentAddress: payTo },
    }))
  const wallet1 = `0x${'1'.repeat(40)}`
  const wallet2 = `0x${'2'.repeat(40)}`

  test('contains one listing per endpoint and payee, that of its seller, and none within its interval', async () => {
    const place = 'https://api.weather.jp/v1'
    await at(place, wallet1, `eip155:0x${'8'.repeat(40)}`)
    const sellers = await at(`${place}?x=1`, wallet1, `eip155:${wallet1}`)
    await at(`${place}?x=2`, wallet1)
    const other = await at(place, wallet2)
    expect((await plan()).toSorted()).toEqual([sellers, other].toSorted())
    // Through whichever listing it was bought, also one that is gone.
    const made = purchase({ serviceId: 'svc_gone', at: clock.now().toISOString(), payTo: wallet1 })
    await store.purchases.reserve({ ...made, detail: { ...made.detail, url: place, endpoint: place } }, CAPS)
    expect(await plan()).toEqual([other])
  })

  test('alternates between sellers, whatever ports, names and listings they have', async () => {
    const greedy = [
      await at('https://a.greedy.jp/v1', wallet1),
      await at('https://b.greedy.jp:8443/v1', wallet1),
      await at('https://greedy.jp/v2', `0x${'3'.repeat(40)}`),
      await at('https://elsewhere.jp/v1', wallet1),
    ]
    const honest = await at('https://honest.jp/v1', wallet2)
    const planned = await plan()
    expect(planned[0]).toBe(greedy[0]!)
    expect(planned[1]).toBe(honest)
    expect(planned.slice(2)).toEqual(greedy.slice(1))
  })

  test('contains verified services within the price cap that may be called', async () => {
    const id = await list(0)
    await list(1, standing('unverified'))
    await list(2, standing('inactive'))
    await list(3, entry => ({ ...entry, sample: true }))
    await list(4, entry => ({ ...entry, retired: 'Closed.' }))
    await list(5, entry => ({ ...entry, pricing: { ...entry.pricing, pricePerRequest: '0.006' } }))
    expect(await plan()).toEqual([id])
    expect(await plan({ perCall: 1_999 })).toEqual([])
    expect(await plan({ isSkipped: (each: string) => each === id })).toEqual([])
  })

  test('begins with services never bought, then those bought longest ago', async () => {
    const [first, second, third, fourth] = [await list(0), await list(1), await list(2), await list(3)]
    await buy(0, { hours: 48, serviceId: first })
    await buy(1, { hours: 24, serviceId: second })
    expect(await plan()).toEqual([third, fourth])
    clock.advance(31 * DAY_MS)
    expect(await plan()).toEqual([third, fourth, first, second])
  })
})

describe('the rounds', () => {
  test('buy once a minute from each seller in turn, publish the result, and stop when the budget is spent', async () => {
    const ids = [await list(0), await list(1), await list(2), await list(3)]
    const refused: string[] = []
    await using _ = openRounds({ perDay: 7_000 }, refused)
    await untilBought(3)
    // The last one is asked for its price, and is too much.
    while (!server.asked(SELLERS[3]!).includes('unpaid')) {
      clock.advance(61_000)
      await Bun.sleep(2)
    }
    expect(await boughtFrom()).toEqual(ids.slice(0, 3))
    while (!refused.includes('cap_passed')) await Bun.sleep(2)
    const { entry } = (await store.find(ids[0]!))!
    // No node has seen the payment, so that it is told and gives nothing.
    expect(entry.delivery).toMatchObject({ purchases: 0, last: { outcome: 'delivered' } })
    expect((await store.events.of(ids[0]!, 9)).map(({ type }) => type)).toContain('purchase')
    // The next day there is money again, and the last one has its turn.
    clock.advance(DAY_MS)
    await untilBought(4)
    expect((await boughtFrom())[3]).toBe(ids[3]!)
  })

  test('of two processes one buys at a time, and nothing is bought twice', async () => {
    const ids = [await list(0), await list(1), await list(2)]
    await using _one = openRounds()
    await using _two = openRounds()
    await untilBought(3)
    expect((await boughtFrom()).sort()).toEqual(ids.sort())
  })

  test('a service that fails is bought again, loses verified, and gets another chance', async () => {
    const id = await list(0)
    isBroken = true
    await using _rounds = openRounds()
    const standing = async () => (await store.find(id))!.entry.standing.status
    await untilBought(1)
    expect(await standing()).toBe('verified')
    clock.advance(DAY_MS)
    await untilBought(2)
    while ((await standing()) === 'verified') await Bun.sleep(2)
    const reasons = (await store.events.of(id, 9)).map(({ reason }) => reason?.code)
    expect(reasons).toContain('not_delivering')

    isBroken = false
    clock.advance(8 * DAY_MS)
    await see((await store.find(id))!.entry, 0)
    await untilBought(3)
    while ((await store.find(id))!.entry.delivery?.failedInARow !== 0) await Bun.sleep(2)
    expect((await store.find(id))!.entry.delivery).toMatchObject({ purchases: 2, delivered: 0 })
  })
})
