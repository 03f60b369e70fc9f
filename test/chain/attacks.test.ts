// What costs nothing, or is not a payment, counts for nothing: planted on a real chain, read by the real indexer, judged by the real formula.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { openIndexer } from '../../src/chain/indexer.ts'
import { judge } from '../../src/domain/judge.ts'
import type { ProbeRecord } from '../../src/domain/probes.ts'
import type { Entry } from '../../src/domain/service.ts'
import { toTrust } from '../../src/domain/trust.ts'
import { type Clock, systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import { draft, entry } from '../entries.ts'
import { type EvmChain, openEvmChain } from './evm-chain.ts'

type Address = `0x${string}`

const CHAIN = 'eip155:8453'
const PRICE = 10_000n

let chain: EvmChain
let store: Store
let snapshot: Address
let running: AsyncDisposable | undefined
let probes = 0

beforeAll(async () => {
  chain = await openEvmChain()
})
afterAll(() => chain[Symbol.asyncDispose]())
beforeEach(async () => {
  snapshot = await chain.client.snapshot()
  store = await openStore('sqlite::memory:', { clock: systemClock })
})
afterEach(async () => {
  await running?.[Symbol.asyncDispose]()
  running = undefined
  await store[Symbol.asyncDispose]()
  await chain.client.revert({ id: snapshot })
})

const hurried: Clock = {
  now: systemClock.now,
  sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 10), signal),
}
const start = (facilitators: readonly string[] = []) => {
  running = openIndexer({
    store,
    clock: hurried,
    rpcUrls: { [CHAIN]: chain.url },
    settings: { confirmations: 0, backfillBlocks: 10_000 },
    facilitators: new Map([[CHAIN, new Set(facilitators.map(each => each.toLowerCase()))]]),
    report: () => {},
  })
}

/** A listing at a cent a request; `owner` claims it where it is the wallet itself. */
async function list(paymentAddress: string, owner: string | null, price = '0.01'): Promise<Entry> {
  const pricing = { currency: 'USDC', pricePerRequest: price, freeQuota: 0 }
  const made = entry(draft({ pricing, x402Config: { paymentAddress, network: 'base' } }), {
    standing: { status: 'verified' },
  })
  const listed = { ...made, owner }
  await store.insert([listed])
  return listed
}
const claim = (wallet: string, price?: string) => list(wallet, `eip155:${wallet.toLowerCase()}`, price)

const newWallet = (): LocalAccount => privateKeyToAccount(generatePrivateKey())

/** Everything on the chain is read, of everybody who is listed or claimed by now. */
async function caughtUp(sides: number): Promise<void> {
  const head = await chain.head()
  for (;;) {
    const cursor = await store.payments.cursor(CHAIN)
    const payees = await store.payments.payees(CHAIN)
    const isRead = payees.length >= sides && payees.every(({ readFrom, goal }) => readFrom <= goal)
    if (cursor && cursor.block >= head && isRead) return
    await new Promise<void>(resolve => setTimeout(resolve, 5))
  }
}

/** Probes it once with a good answer, and tells what it has. */
async function judged({ id }: Entry) {
  const at = new Date(Date.now() + ++probes).toISOString()
  const probe: ProbeRecord = {
    serviceId: id,
    at,
    outcome: 'payable',
    httpStatus: 402,
    latencyMs: 90,
    priceSeen: null,
    asListed: true,
    reasons: [],
  }
  await store.probes.settle(probe, (kept, history) => ({
    ...judge(kept, { probe, terms: undefined, resource: null }, history),
    dueAt: null,
  }))
  const { entry: kept, facts } = (await store.find(id))!
  const { components } = toTrust(kept, facts)
  const payers = components.find(({ name }) => name === 'payers')!
  const { txCount, totalRevenue, trustScore } = kept.standing
  return { txCount, totalRevenue, trustScore, points: payers.points, ...payers.values, code: payers.code }
}

/** What a service has that nobody ever paid. */
async function unpaidScore(): Promise<number> {
  return (await judged(await claim(newWallet().address))).trustScore
}

describe('counts as settled', () => {
  test('what an authorization moved, sent by anybody or fetched by the payee', async () => {
    const [, merchant, alice, bob] = chain.accounts as [never, Address, Address, Address]
    const service = await claim(merchant)
    await chain.settle(alice, merchant, PRICE)
    await chain.settle(bob, merchant, PRICE, bob)
    await chain.receive(bob, merchant, PRICE)
    start()
    await caughtUp(2)
    expect(await judged(service)).toMatchObject({ txCount: 3, totalRevenue: '0.03', payers: 2, counted: 1 })
    const methods = (await store.payments.received(CHAIN, merchant.toLowerCase(), 9)).map(each => each.method)
    expect(methods).toEqual(['authorization', 'authorization', 'authorization'])
  })

  test('what Permit2 moved through a proxy of x402', async () => {
    const [, merchant, alice] = chain.accounts as [never, Address, Address]
    const service = await claim(merchant)
    await chain.approve(alice)
    await chain.settleUpto(alice, merchant, PRICE)
    start()
    await caughtUp(2)
    expect(await judged(service)).toMatchObject({ txCount: 1, totalRevenue: '0.01' })
    expect(await store.payments.received(CHAIN, merchant.toLowerCase(), 9)).toMatchObject([
      { method: 'permit2', payer: alice.toLowerCase() },
    ])
  })

  test('what a known facilitator sent, and nothing that somebody with a similar address sent', async () => {
    const [, merchant, alice, facilitator, lookalike] = chain.accounts as [never, ...Address[]] as [
      never,
      Address,
      Address,
      Address,
      Address,
    ]
    const service = await claim(merchant)
    await chain.allowBatch(alice)
    const step = chain.steps.pay(alice, merchant, PRICE)
    await chain.batch(facilitator, [step])
    await chain.batch(lookalike, [step])
    // What a facilitator pays of its own is nobody's purchase.
    await chain.pay(facilitator, merchant, PRICE)
    start([facilitator, `${lookalike.slice(0, 8)}${'0'.repeat(28)}${lookalike.slice(-6)}`])
    await caughtUp(2)
    expect(await judged(service)).toMatchObject({ txCount: 1, totalRevenue: '0.01' })
  })
})

describe('gives nothing', () => {
  test('a plain transfer, however large, also beside claims that it was a settlement', async () => {
    const [, merchant, alice, mallory] = chain.accounts as [never, Address, Address, Address]
    const service = await claim(merchant)
    const other = newWallet().address
    await chain.pay(alice, merchant, 900_000_000_000n)
    await chain.allowBatch(alice)
    await chain.approve(mallory)
    const plain = chain.steps.pay(alice, merchant, PRICE)
    // Events of other contracts, before and after.
    await chain.batch(mallory, [chain.steps.claimAuthorization(alice), plain])
    await chain.batch(mallory, [plain, chain.steps.claimSettlement()])
    // A true authorization, and a true settlement by Permit2, of other transfers in the same transaction.
    const elsewhere = () => chain.steps.settle({ from: alice, to: other, value: 1n })
    await chain.batch(mallory, [await elsewhere(), plain])
    await chain.batch(mallory, [plain, await elsewhere()])
    await chain.batch(mallory, [plain, await chain.steps.settleUpto(mallory, other, 1n)])
    start()
    await caughtUp(2)
    expect(await judged(service)).toMatchObject({ txCount: 0, totalRevenue: '0', points: 0 })
    expect(await store.payments.received(CHAIN, merchant.toLowerCase(), 9)).toEqual([])
  })

  test('dust from a hundred wallets', async () => {
    const [, merchant] = chain.accounts as [never, Address]
    const service = await claim(merchant)
    // An asking price of nearly nothing does not make customers of them either.
    const cheapMerchant = newWallet().address
    const cheap = await claim(cheapMerchant, '0.000001')
    const wallets = Array.from({ length: 100 }, newWallet)
    const values = wallets.map(() => 1_000n)
    await chain.payMany(
      chain.banker,
      wallets.map(({ address }) => address),
      values,
    )
    for (const dust of wallets) {
      await chain.batch(chain.banker, [
        await chain.steps.settle({ from: dust, to: merchant, value: 500n }),
        await chain.steps.settle({ from: dust, to: cheapMerchant, value: 500n }),
      ])
    }
    start()
    await caughtUp(4)
    const unpaid = await unpaidScore()
    expect(await judged(service)).toMatchObject({ txCount: 0, points: 0, trustScore: unpaid })
    expect(await judged(cheap)).toMatchObject({
      txCount: 100,
      payers: 100,
      tooSmall: 100,
      points: 0,
      trustScore: unpaid,
    })
  })

  test('paying oneself, and a circle of wallets to which the money comes back', async () => {
    const [, merchant] = chain.accounts as [never, Address]
    const service = await claim(merchant)
    await chain.settle(merchant, merchant, PRICE)
    const ring = Array.from({ length: 5 }, newWallet)
    for (const { address } of ring) await chain.pay(merchant, address, 2n * PRICE)
    for (const wallet of ring) await chain.settle(wallet, merchant, PRICE)
    start()
    await caughtUp(2)
    const trustScore = await unpaidScore()
    const nothing = { inRing: 5, counted: 0, points: 0, trustScore }
    expect(await judged(service)).toMatchObject({ txCount: 5, ...nothing })
  })

  test('a circle of services that buy from each other', async () => {
    const members = Array.from({ length: 3 }, newWallet)
    const services: Entry[] = []
    for (const { address } of members) {
      await chain.mint(address, 10n * PRICE)
      services.push(await claim(address))
    }
    for (const [index, member] of members.entries())
      for (const other of members.filter((_, at) => at !== index))
        await chain.settle(member, other.address, PRICE)
    start()
    await caughtUp(6)
    for (const service of services)
      expect(await judged(service)).toMatchObject({ txCount: 2, inRing: 2, counted: 0, points: 0 })
  })

  test('one customer who pays most of it; the others count', async () => {
    const [, merchant, whale, alice, bob] = chain.accounts as [never, Address, Address, Address, Address]
    const service = await claim(merchant)
    await chain.settle(whale, merchant, 100n * PRICE)
    start()
    await caughtUp(2)
    expect(await judged(service)).toMatchObject({ counted: 0, largestPercent: 100, points: 0 })
    for (const each of [alice, bob]) await chain.settle(each, merchant, PRICE)
    await caughtUp(2)
    for (;;) if ((await judged(service)).txCount === 3) break
    expect(await judged(service)).toMatchObject({ counted: 2, largestPercent: 98 })
  })

  test('the wallet of another: a stranger’s listing shows none of its points, and loses the sums to its claim', async () => {
    const [, merchant, alice, bob] = chain.accounts as [never, Address, Address, Address]
    const borrowed = await list(merchant, 'key_stranger')
    const named = await list(merchant, null)
    await store.update([named.id], each => ({
      entry: { ...each, standing: { ...each.standing, status: 'unverified' } },
      events: [],
    }))
    for (const each of [alice, bob]) await chain.settle(each, merchant, PRICE)
    start()
    await caughtUp(1)
    expect(await judged(borrowed)).toMatchObject({ txCount: 2, points: 0, code: 'payers_unclaimed' })
    expect((await store.find(named.id))!.entry.standing).toMatchObject({ txCount: 0, totalRevenue: '0' })
    const original = await claim(merchant)
    await caughtUp(2)
    for (;;) if ((await judged(original)).txCount === 2) break
    expect(await judged(original)).toMatchObject({ txCount: 2, counted: 2, totalRevenue: '0.02' })
    expect(await judged(borrowed)).toMatchObject({ txCount: 0, totalRevenue: '0', points: 0 })
    // Nor does a copy that comes later freeze the count.
    await list(merchant, 'key_other')
    await chain.settle(alice, merchant, PRICE)
    for (;;) if ((await judged(original)).txCount === 3) break
  })
})

test('wash trading costs gas for each wallet, and the payers’ points of those wallets alone', async () => {
  const [, merchant, funder] = chain.accounts as [never, Address, Address]
  const service = await claim(merchant)
  const wallets = Array.from({ length: 4 }, newWallet)
  let gas = 0n
  const spend = async (hash: Promise<string>) => {
    gas += (await chain.client.getTransactionReceipt({ hash: (await hash) as Address })).gasUsed
  }
  for (const wallet of wallets) {
    await spend(chain.pay(funder, wallet.address, PRICE))
    await spend(chain.settle(wallet, merchant, PRICE))
  }
  // It goes on to a wallet that nobody knows: a way back to a payer would be seen.
  await spend(chain.pay(merchant, newWallet().address, 4n * PRICE))
  start()
  await caughtUp(2)
  expect(await judged(service)).toMatchObject({ counted: 4, points: 6 })
  // docs/trust.md tells about 120,000.
  const perWallet = Number(gas) / wallets.length
  expect(perWallet).toBeGreaterThan(100_000)
  expect(perWallet).toBeLessThan(150_000)
})
