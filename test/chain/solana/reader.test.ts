import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { openIndexer } from '../../../src/chain/indexer.ts'
import type { Entry } from '../../../src/domain/listing/service.ts'
import { tokenAccountOf } from '../../../src/domain/solana.ts'
import { type Clock, systemClock } from '../../../src/runtime/clock.ts'
import { openStore } from '../../../src/store/open.ts'
import type { Store } from '../../../src/store/store.ts'
import { draft, entry } from '../../entries.ts'
import { paymentsTold } from '../../probes.ts'
import { until } from '../../until.ts'
import { newAddress, openSolanaRpc, type Sent, USDC } from './rpc.ts'

const CHAIN = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const FACILITATOR = newAddress()
const PRICE = 10_000n

let rpc: ReturnType<typeof openSolanaRpc>
let store: Store
let running: AsyncDisposable | undefined
let reports: string[]
let minutes: number

beforeEach(async () => {
  rpc = openSolanaRpc()
  store = await openStore('sqlite::memory:', { clock: systemClock })
  reports = []
  minutes = 0
})
afterEach(async () => {
  await stop()
  await store[Symbol.asyncDispose]()
  await rpc[Symbol.asyncDispose]()
})

/** Each rest takes a minute of its time, and none of ours. */
const hurried: Clock = {
  now: () => new Date(Date.now() + minutes * 60_000),
  sleep: async (ms, signal) => {
    if (ms < 20_000) minutes++
    await systemClock.sleep(ms === 20_000 ? ms : Math.min(ms, 5), signal)
  },
}
const start = (backfillBlocks = 10_000, maxRequests = 3_000) => {
  running = openIndexer({
    store,
    clock: hurried,
    rpcUrls: { [CHAIN]: rpc.url },
    settings: { backfillBlocks, maxRequests },
    facilitators: new Map([[CHAIN, new Set([FACILITATOR])]]),
    report: (level, message, fields) => reports.push(`${level}: ${message} ${JSON.stringify(fields)}`),
  })
}
const stop = async () => {
  await running?.[Symbol.asyncDispose]()
  running = undefined
}

async function list(
  paymentAddress: string,
  owner: string | null = `solana:${paymentAddress}`,
): Promise<Entry> {
  const pricing = { currency: 'USDC', pricePerRequest: '0.01', freeQuota: 0 }
  const made = entry(draft({ pricing, x402Config: { paymentAddress, network: 'solana' } }), {
    standing: { status: 'verified' },
  })
  await store.insert([{ ...made, owner }])
  return made
}
const settle = (from: string, to: string, value = PRICE, parts: Partial<Sent> = {}) =>
  rpc.send({ feePayer: FACILITATOR, transfers: [{ from, to, value }], ...parts })

const standingOf = async ({ id }: Entry) => {
  const { txCount, totalRevenue } = (await store.find(id))!.entry.standing
  return { txCount, totalRevenue }
}
/** Everything that is final now is read, also of what is older than the listing. */
async function caughtUp(sides: number): Promise<void> {
  const slot = rpc.lastSlot
  await until(async () => {
    const cursor = await store.payments.cursor(CHAIN)
    const payees = await store.payments.payees(CHAIN)
    const isRead = payees.length === sides && payees.every(({ readFrom, goal }) => readFrom <= goal)
    return isRead && cursor !== undefined && cursor.block >= slot
  })
}
const factsOf = ({ id }: Entry) => paymentsTold(store, id, new Date(Date.now() + ++minutes).toISOString())

describe('on Solana', () => {
  test('a token account is where the libraries of Solana put it', () => {
    const wallet = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin'
    const usdt = 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'
    const pyusd = '2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo'
    expect(tokenAccountOf(wallet, USDC)).toBe('F4YA4H7HeXLCvjLRKdh56FgE4cyHpPqLP1VCM6fEqEmX')
    expect(tokenAccountOf(wallet, usdt)).toBe('EvyqfKMZEygXJ5Wk6RRUxc5yVRBp4iSgLYxFmoayXqqA')
    expect(tokenAccountOf(wallet, pyusd)).toBe('BWKrLmr9qRdfEK2xbPpeKb4CAo6Qd9gMR8kP3GxbGfmb')
    expect(tokenAccountOf('not an address', USDC)).toBeUndefined()
  })

  test('a settlement by a known facilitator counts, before and after the listing, whoever made the instruction', async () => {
    const [merchant, alice, bob] = [newAddress(), newAddress(), newAddress()]
    const first = settle(alice, merchant)
    const service = await list(merchant)
    start()
    await caughtUp(2)
    settle(bob, merchant, PRICE, { isInner: true })
    settle(bob, merchant, 5n * PRICE, { kind: 'transfer' })
    await caughtUp(2)
    expect(await standingOf(service)).toEqual({ txCount: 3, totalRevenue: '0.07' })
    const received = await store.payments.received(CHAIN, merchant, 9)
    expect(received.at(-1)).toMatchObject({
      transaction: first,
      payer: alice,
      method: 'facilitator',
      asset: USDC,
    })
    expect(await factsOf(service)).toMatchObject({ credited: 'claim', settlements: 3, payers: 2 })
  })

  test('no other transfer counts', async () => {
    const [merchant, alice] = [newAddress(), newAddress()]
    const service = await list(merchant)
    settle(alice, merchant, PRICE, { feePayer: alice })
    settle(alice, merchant, PRICE, {
      feePayer: `${FACILITATOR.slice(0, -1)}${FACILITATOR.endsWith('1') ? '2' : '1'}`,
    })
    settle(alice, merchant, PRICE, { isFailed: true })
    settle(alice, merchant, 0n)
    settle(alice, merchant, 999n)
    settle(FACILITATOR, merchant)
    settle(merchant, merchant)
    settle(alice, merchant, PRICE, { programId: newAddress() })
    settle(alice, merchant, PRICE, { destination: newAddress() })
    rpc.send({
      feePayer: FACILITATOR,
      transfers: [{ from: alice, to: merchant, value: PRICE, mint: newAddress() }],
    })
    start()
    await caughtUp(2)
    expect(await standingOf(service)).toEqual({ txCount: 0, totalRevenue: '0' })
    // Dust is kept, in case that the price comes down to it.
    expect(await store.payments.received(CHAIN, merchant, 9)).toMatchObject([{ amount: '0.000999' }])
  })

  test('a payer that got its money back is in a ring, and a stranger’s listing gets no points', async () => {
    const [merchant, friend, customer] = [newAddress(), newAddress(), newAddress()]
    const [copy, service] = [await list(merchant, 'key_1'), await list(merchant)]
    rpc.send({ feePayer: merchant, transfers: [{ from: merchant, to: friend, value: PRICE }] })
    for (const payer of [friend, customer]) settle(payer, merchant)
    start()
    await caughtUp(2)
    expect(await standingOf(copy)).toEqual({ txCount: 0, totalRevenue: '0' })
    expect(await factsOf(service)).toMatchObject({ payers: 2, inRing: 1, unrelated: 1 })
    expect(await factsOf(copy)).toMatchObject({ credited: null, unrelated: 0 })
  })

  test('many old transactions are read in steps, each once, without those that the node has lost', async () => {
    const [merchant, alice] = [newAddress(), newAddress()]
    settle(alice, merchant, 77n * PRICE)
    rpc.pass(10_000)
    const sent = Array.from({ length: 1_203 }, () => settle(alice, merchant))
    for (const signature of sent.slice(0, 3)) rpc.forget(signature)
    const service = await list(merchant, null)
    start(5_000)
    await caughtUp(1)
    expect(await standingOf(service)).toEqual({ txCount: 1_200, totalRevenue: '12' })
    const asked = rpc.calls.filter(({ method }) => method === 'getTransaction')
    expect(asked.length).toBe(1_203)
    await stop()
    settle(alice, merchant)
    start(5_000)
    await caughtUp(1)
    expect(await standingOf(service)).toEqual({ txCount: 1_201, totalRevenue: '12.01' })
  })

  test('an unreadable transaction is skipped and delays no other', async () => {
    const [merchant, alice] = [newAddress(), newAddress()]
    const service = await list(merchant, null)
    start()
    await caughtUp(1)
    const strange = [
      {
        error: {
          code: -32_015,
          message: 'Transaction version (1) is not supported by the requesting client',
        },
      },
      { result: { slot: 1, meta: {}, transaction: ['AQ==', 'base64'] } },
      { result: 'nothing' },
    ]
    for (const answer of strange) rpc.distort(settle(alice, merchant), answer)
    settle(alice, merchant)
    await caughtUp(1)
    expect(await standingOf(service)).toEqual({ txCount: 1, totalRevenue: '0.01' })
    expect(reports.filter(report => report.startsWith('warn'))).toEqual([])
  })

  test('a node of another cluster is refused, and a failing one is retried', async () => {
    const merchant = newAddress()
    const service = await list(merchant, null)
    settle(newAddress(), merchant)
    rpc.genesis = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG'
    start()
    const told = (words: string) => until(async () => reports.some(report => report.includes(words)))
    await told('solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1, not of')
    rpc.status = 503
    await told('status 503')
    rpc.status = 200
    rpc.genesis = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuKfmZBrTTj8'
    await caughtUp(1)
    expect(await standingOf(service)).toEqual({ txCount: 1, totalRevenue: '0.01' })
  })

  describe('junk listings', () => {
    const transactionsRead = () => rpc.calls.filter(({ method }) => method === 'getTransaction').length

    test('a wallet where nothing can be credited is not read', async () => {
      const [merchant, stranger] = [newAddress(), newAddress()]
      const service = await list(merchant, null)
      const config = { paymentAddress: stranger, network: 'solana' }
      await store.insert([entry(draft({ x402Config: config }), { standing: { status: 'unverified' } })])
      settle(newAddress(), merchant)
      start()
      await caughtUp(1)
      expect(await standingOf(service)).toEqual({ txCount: 1, totalRevenue: '0.01' })
      const asked = rpc.calls.flatMap(({ params }) => params)
      expect(asked).toContain(tokenAccountOf(merchant, USDC))
      expect(asked).not.toContain(tokenAccountOf(stranger, USDC))
    })

    test('of a busy wallet that nobody claimed and hardly anybody pays by x402, few transactions are read', async () => {
      const [exchange, merchant, alice] = [newAddress(), newAddress(), newAddress()]
      const trade = () => rpc.send({ feePayer: alice, transfers: [{ from: alice, to: exchange, value: 1n }] })
      for (let i = 0; i < 700; i++) trade()
      await list(exchange, null)
      const service = await list(merchant)
      start()
      await caughtUp(3)
      expect(transactionsRead()).toBe(500)
      await stop()
      for (let i = 0; i < 150; i++) trade()
      for (let i = 0; i < 150; i++) settle(alice, merchant)
      start()
      await caughtUp(3)
      expect(transactionsRead()).toBe(500 + 100 + 150)
      expect(await standingOf(service)).toEqual({ txCount: 150, totalRevenue: '1.5' })
    })

    test('a round with more wallets than requests is continued, and nothing is lost', async () => {
      const merchants = Array.from({ length: 60 }, newAddress)
      const services = await Promise.all(merchants.map(each => list(each, null)))
      const rounds: number[] = []
      const listings = () => rpc.calls.filter(({ method }) => method === 'getSignaturesForAddress').length
      start(10_000, 100)
      await caughtUp(60)
      rpc.onHead = () => rounds.push(listings())
      for (const merchant of merchants) settle(newAddress(), merchant)
      await caughtUp(60)
      rounds.push(listings())
      const requests = rounds.slice(1).map((count, at) => count - rounds[at]!)
      expect(requests.length).toBeGreaterThan(2)
      // Four wallets are read at once, each with its five mints.
      expect(Math.max(...requests)).toBeLessThanOrEqual(100 + 4 * 5)
      for (const service of services) expect((await standingOf(service)).txCount).toBe(1)
    })
  })
})
