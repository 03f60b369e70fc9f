import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { RESPONSE_TIMEOUT_MS } from '../../src/chain/evm-node.ts'
import { openIndexer } from '../../src/chain/indexer.ts'
import { addOperatorAssets } from '../../src/domain/chains/assets.ts'
import type { Entry } from '../../src/domain/listing/service.ts'
import { type Clock, systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import { draft, entry } from '../entries.ts'
import { until } from '../until.ts'
import { type EvmChain, openEvmChain } from './evm-chain.ts'
import { openRpcProxy, type RpcProxy, rangeOf, rpcError } from './rpc-proxy.ts'

const CHAIN = 'eip155:8453'

type Address = `0x${string}`

let chain: EvmChain
let alice: Address
let bob: Address
let proxy: RpcProxy
let store: Store
let running: AsyncDisposable | undefined
let reports: string[]
let addresses = 0
/** The state of the chain before each test. */
let snapshot: `0x${string}`

beforeAll(async () => {
  chain = await openEvmChain()
  ;[, alice, bob] = chain.accounts as [Address, Address, Address]
})
afterAll(() => chain[Symbol.asyncDispose]())
beforeEach(async () => {
  snapshot = await chain.client.snapshot()
  proxy = openRpcProxy(chain.url)
  store = await openStore('sqlite::memory:', { clock: systemClock })
  reports = []
})
afterEach(async () => {
  await stop()
  await store[Symbol.asyncDispose]()
  await proxy[Symbol.asyncDispose]()
  await chain.client.revert({ id: snapshot })
})

/** Hurries every rest, and keeps the time that a node is given to answer. */
const hurried: Clock = {
  now: systemClock.now,
  sleep: (ms, signal) => systemClock.sleep(ms === RESPONSE_TIMEOUT_MS ? ms : Math.min(ms, 10), signal),
}

const start = ({
  rpcUrl = proxy.url,
  clock = hurried,
  ...settings
}: {
  rpcUrl?: string
  clock?: Clock
  backfillBlocks?: number
} = {}) => {
  running = openIndexer({
    store,
    clock,
    rpcUrls: { [CHAIN]: rpcUrl },
    settings: { backfillBlocks: 1_000, ...settings },
    facilitators: new Map(),
    report: (level, message, fields) => reports.push(`${level}: ${message} ${JSON.stringify(fields)}`),
  })
}
const stop = async () => {
  await running?.[Symbol.asyncDispose]()
  running = undefined
}

const newAddress = () => `0x5${(++addresses).toString(16).padStart(39, '0')}` as const

async function register(paymentAddress: string, price = '0.002', currency = 'USDC'): Promise<Entry> {
  const pricing = { currency, pricePerRequest: price, freeQuota: 0 }
  const config = { paymentAddress, network: 'Base' }
  const made = entry(draft({ pricing, x402Config: config }), { standing: { status: 'verified' } })
  await store.insert([made])
  return made
}

/** A service at an address of its own. */
async function registerNew() {
  const payee = newAddress()
  return { payee, service: await register(payee) }
}

const standingOf = async ({ id }: Entry) => {
  const { txCount, totalRevenue } = (await store.find(id))!.entry.standing
  return { txCount, totalRevenue }
}

/** Several settlements in one transaction: each is a log of its own. */
const settleMany = async (
  from: Address,
  to: readonly Address[],
  values: readonly bigint[],
): Promise<string> => {
  const payments = to.map((payee, index) => ({ from, to: payee, value: values[index]! }))
  return chain.batch(chain.banker, await Promise.all(payments.map(chain.steps.settle)))
}

/** Everything on the chain up to now is read, forward and backward. */
async function caughtUp(): Promise<void> {
  const head = await chain.head()
  await until(async () => {
    const cursor = await store.payments.cursor(CHAIN)
    const payees = await store.payments.payees(CHAIN)
    const isRead = payees.length > 0 && payees.every(({ readFrom, goal }) => readFrom <= goal)
    return cursor !== undefined && cursor.block >= head && isRead
  })
}

/** A step that began after now is over: each begins with the question for the newest block. */
async function lookedAgain(): Promise<void> {
  const steps = () => proxy.calls.filter(({ params }) => params?.[0] === 'finalized').length
  const before = steps()
  await until(() => steps() >= before + 3)
}

const settled = (service: Entry, txCount: number, totalRevenue: string) =>
  until(async () => {
    const standing = await standingOf(service)
    return standing.txCount === txCount && standing.totalRevenue === totalRevenue
  })

describe('the indexer', () => {
  test('counts payments to a service, their payers and times', async () => {
    const payee = newAddress()
    // The listing and the chain may write one address in different case.
    const service = await register(payee.toUpperCase().replace('0X', '0x'))
    start()
    await caughtUp()
    await chain.settle(alice, payee, 2_000n)
    await settled(service, 1, '0.002')
    const paid = await chain.settle(bob, payee, 1_500_000n)
    await settleMany(alice, [payee, payee], [2_000n, 200n])
    await settled(service, 4, '1.5042')
    const { payers, lastPaymentAt } = await store.payments.totals(service.id)
    const { timestamp } = await chain.client.getBlock()
    expect(payers).toBe(2)
    expect(lastPaymentAt).toBe(new Date(Number(timestamp) * 1000).toISOString())
    const received = await store.payments.received(CHAIN, payee, 10)
    expect(received.map(({ amount }) => amount)).toEqual(['0.0002', '0.002', '1.5', '0.002'])
    expect(received[2]).toMatchObject({ transaction: paid, payer: bob.toLowerCase(), serviceId: service.id })
  })

  test('counts payments in an asset of the operator', async () => {
    const own = '0x00000000000000000000000000000000000a55e7'
    const asset = { chain: CHAIN, address: own, symbol: 'OwnUSD', decimals: 6, currency: 'USD' }
    expect(addOperatorAssets({ assets: [asset] })).toEqual([])
    const payee = newAddress()
    const service = await register(payee, '0.002', 'OwnUSD')
    await chain.settleIn(own, alice, payee, 2_000n)
    start()
    await caughtUp()
    expect(await standingOf(service)).toEqual({ txCount: 1, totalRevenue: '0.002' })
  })

  test('counts neither what the payee pays itself, nor transfers of nothing, nor newly minted units', async () => {
    const merchant = bob
    const service = await register(merchant)
    await chain.settle(merchant, merchant, 2_000n)
    await chain.settle(alice, merchant, 0n)
    await chain.mint(merchant, 2_000n)
    await chain.settle(alice, merchant, 3_000n)
    start({ backfillBlocks: 4 })
    await caughtUp()
    expect(await standingOf(service)).toEqual({ txCount: 1, totalRevenue: '0.003' })
  })

  test('distinguishes services of one owner at one address by their price, and ignores dust', async () => {
    const payee = newAddress()
    const cheap = await register(payee, '0.0020')
    const dear = await register(payee, '1')
    const inYen = await register(payee, '0.002', 'JPYC')
    start()
    await caughtUp()
    for (const value of [2_000n, 1_000_000n, 7_000n, 199n]) await chain.settle(alice, payee, value)
    await caughtUp()
    expect(await standingOf(cheap)).toEqual({ txCount: 2, totalRevenue: '0.009' })
    expect(await standingOf(dear)).toEqual({ txCount: 1, totalRevenue: '1' })
    expect(await standingOf(inYen)).toEqual({ txCount: 0, totalRevenue: '0' })
    const received = await store.payments.received(CHAIN, payee, 10)
    expect(received.map(({ serviceId }) => serviceId)).toEqual([null, cheap.id, dear.id, cheap.id])
  })

  test('reads nothing of an address where nothing can be credited', async () => {
    const [payee, stranger] = [newAddress(), newAddress()]
    const service = await register(payee)
    const config = { paymentAddress: stranger, network: 'Base' }
    await store.insert([entry(draft({ x402Config: config }), { standing: { status: 'unverified' } })])
    await chain.pay(alice, stranger, 2_000n)
    await chain.settle(alice, payee, 2_000n)
    start()
    await caughtUp()
    expect(await standingOf(service)).toEqual({ txCount: 1, totalRevenue: '0.002' })
    expect(JSON.stringify(proxy.calls)).not.toContain(stranger.slice(2).toLowerCase())
  })

  test('looks up few of the plain transfers to an address that nobody claimed, and all to a claimed one', async () => {
    const [exchange, merchant] = [newAddress(), newAddress()]
    const service = await register(exchange)
    const claimed = await register(merchant)
    await store.update([claimed.id], now => ({ entry: { ...now, owner: `eip155:${merchant}` }, events: [] }))
    for (let i = 0; i < 130; i++) await chain.pay(alice, exchange, 2_000n)
    await chain.settle(alice, exchange, 2_000n)
    for (let i = 0; i < 110; i++) await chain.pay(alice, merchant, 2_000n)
    start()
    await caughtUp()
    const receipts = proxy.calls.filter(({ method }) => method === 'eth_getTransactionReceipt')
    expect(receipts).toHaveLength(100 + 110)
    expect(await standingOf(service)).toEqual({ txCount: 1, totalRevenue: '0.002' })
  })

  test('waits until a block is final', async () => {
    const { payee, service } = await registerNew()
    start()
    await caughtUp()
    proxy.finalized = await chain.head()
    await chain.settle(alice, payee, 2_000n)
    await lookedAgain()
    expect(await standingOf(service)).toEqual({ txCount: 0, totalRevenue: '0' })
    proxy.finalized = undefined
    await settled(service, 1, '0.002')
  })

  test('waits for a node that lags behind the one before', async () => {
    const { payee, service } = await registerNew()
    start()
    await caughtUp()
    await chain.settle(alice, payee, 2_000n)
    await settled(service, 1, '0.002')
    proxy.finalized = 1
    await lookedAgain()
    proxy.finalized = undefined
    await chain.settle(alice, payee, 1_000n)
    await settled(service, 2, '0.003')
  })

  test('looks for earlier payments to an address that is registered later, as far back as configured', async () => {
    const [first, later] = [newAddress(), newAddress()]
    await register(first)
    start({ backfillBlocks: 10 })
    await chain.settle(alice, later, 5_000_000n)
    await chain.client.mine({ blocks: 9 })
    await chain.settle(alice, later, 2_000n)
    await caughtUp()
    const service = await register(later)
    await settled(service, 1, '0.002')
    await caughtUp()
    expect((await store.payments.received(CHAIN, later, 10)).map(({ amount }) => amount)).toEqual(['0.002'])
    await chain.settle(alice, later, 1_000n)
    await settled(service, 2, '0.003')
  })

  test('continues from its cursor after a restart, and counts nothing twice', async () => {
    const { payee, service } = await registerNew()
    start()
    await caughtUp()
    await chain.settle(alice, payee, 2_000n)
    await settled(service, 1, '0.002')
    const stopped = (await store.payments.cursor(CHAIN))!.block
    await stop()
    await chain.settle(alice, payee, 3_000n)
    proxy.calls.length = 0
    start()
    await settled(service, 2, '0.005')
    const ranges = proxy.calls.flatMap(call => rangeOf(call) ?? [])
    expect(ranges.length).toBeGreaterThan(0)
    expect(Math.min(...ranges.map(({ from }) => from))).toBe(stopped + 1)
  })

  test('finds out how many blocks a node gives at once', async () => {
    const { payee, service } = await registerNew()
    await chain.settle(alice, payee, 2_000n)
    await chain.client.mine({ blocks: 300 })
    await chain.settle(alice, payee, 3_000n)
    proxy.answer = call => {
      const range = rangeOf(call)
      const isTooMuch = range && range.to - range.from + 1 > 20
      return isTooMuch ? rpcError(call, -32_602, 'block range is limited to 20 blocks') : undefined
    }
    start({ backfillBlocks: 310 })
    await settled(service, 2, '0.005')
    await caughtUp()
    const asked = proxy.calls.flatMap(call => rangeOf(call) ?? []).map(({ from, to }) => to - from + 1)
    expect(asked.filter(blocks => blocks > 20).length).toBeLessThan(10)
    expect(asked.filter(blocks => blocks > 10 && blocks <= 20).length).toBeGreaterThan(10)
    expect(reports.filter(report => report.startsWith('warn'))).toEqual([])
  })

  test('asks for many addresses in batches', async () => {
    const services = await Promise.all(Array.from({ length: 1_100 }, () => register(newAddress())))
    const [first, last] = [services.at(0)!, services.at(-1)!]
    start({ backfillBlocks: 5 })
    await caughtUp()
    const asked = proxy.calls.filter(({ method }) => method === 'eth_getLogs')
    const sizes = asked.map(({ params }) => (params![0] as { topics: string[][] }).topics[2]!.length)
    expect(sizes.slice(0, 3)).toEqual([500, 500, 100])
    await settleMany(
      alice,
      [first, last].map(({ x402Config }) => x402Config.paymentAddress as Address),
      [1_000n, 2_000n],
    )
    await settled(first, 1, '0.001')
    await settled(last, 1, '0.002')
  })

  test('retries a failing node at growing intervals, and logs no secret of its address', async () => {
    const { payee, service } = await registerNew()
    const key = 'very-secret-account-key'
    proxy.answer = () => new Response(`no such account: ${key}`, { status: 503 })
    start({ rpcUrl: `${proxy.url}/v2/${key}` })
    await until(() => reports.filter(report => report.startsWith('warn')).length >= 11)
    const waits = reports.flatMap(report => /"retryMs":(\d+)/.exec(report)?.[1] ?? []).map(Number)
    expect(waits.slice(0, 4)).toEqual([1_000, 2_000, 4_000, 8_000])
    expect(waits[10]).toBe(300_000)
    expect(reports.join('\n')).toContain('status 503')
    expect(reports.join('\n')).not.toContain(key)
    proxy.answer = () => undefined
    await chain.settle(alice, payee, 2_000n)
    await settled(service, 1, '0.002')
  })

  test('runs in one process at a time: another continues when it ends, or cannot reach its node', async () => {
    const { payee, service } = await registerNew()
    await using parts = new AsyncDisposableStack()
    const open = () => {
      const own = parts.use(openRpcProxy(chain.url))
      const rpcUrls = { [CHAIN]: own.url }
      const settings = { backfillBlocks: 1_000 }
      const indexer = parts.use(
        openIndexer({ store, clock: hurried, rpcUrls, settings, facilitators: new Map(), report: () => {} }),
      )
      return { proxy: own, indexer }
    }
    const all = [open(), open(), open()]
    await chain.settle(alice, payee, 2_000n)
    await settled(service, 1, '0.002')
    const asking = () => all.filter(each => each.proxy.calls.length > 0)
    expect(asking()).toHaveLength(1)
    const [first] = asking()
    first!.proxy.answer = () => new Response('', { status: 503 })
    await chain.settle(alice, payee, 3_000n)
    await settled(service, 2, '0.005')
    expect(asking()).toHaveLength(2)
    const [second] = asking().filter(each => each !== first)
    await first!.indexer[Symbol.asyncDispose]()
    await second!.indexer[Symbol.asyncDispose]()
    await chain.settle(alice, payee, 4_000n)
    await settled(service, 3, '0.009')
    expect(asking()).toHaveLength(3)
  })

  test('gives up on an answer that does not end, and asks again', async () => {
    const { payee, service } = await registerNew()
    const endless = () => new Response(new ReadableStream({ start: body => body.enqueue(Buffer.from('{')) }))
    proxy.answer = endless
    start({ clock: { now: systemClock.now, sleep: (_, signal) => systemClock.sleep(50, signal) } })
    await until(() => reports.some(report => report.includes('did not respond within 20 s')))
    await stop()
    proxy.answer = () => undefined
    await chain.settle(alice, payee, 2_000n)
    start()
    await settled(service, 1, '0.002')
  })

  test('reads nothing from a node of another chain', async () => {
    await register(newAddress())
    proxy.answer = call =>
      call.method === 'eth_chainId'
        ? Response.json({ jsonrpc: '2.0', id: call.id, result: '0x1' })
        : undefined
    start()
    await until(() => reports.some(report => report.includes('eip155:1, not of eip155:8453')))
    expect(proxy.calls.every(({ method }) => method === 'eth_chainId')).toBe(true)
    expect(await store.payments.cursor(CHAIN)).toBeUndefined()
  })
})

describe('a public node', () => {
  const startPublic = (chains: readonly string[] = [CHAIN]) => {
    running = openIndexer({
      store,
      clock: hurried,
      rpcUrls: {},
      publicNodes: { chains, find: async () => proxy.url },
      settings: { backfillBlocks: 1_000 },
      facilitators: new Map(),
      report: (level, message, fields) => reports.push(`${level}: ${message} ${JSON.stringify(fields)}`),
    })
  }

  test('is asked once a service is listed on its chain, and not before', async () => {
    startPublic([CHAIN, 'eip155:137'])
    await until(() => reports.length > 0)
    await Bun.sleep(100)
    expect(proxy.calls).toEqual([])
    const { payee, service } = await registerNew()
    await chain.settle(alice, payee, 2_000n)
    await settled(service, 1, '0.002')
    expect(reports.filter(report => report.includes('"node"'))).toEqual([
      `info: reading payments {"chain":"base","node":"${proxy.url}"}`,
    ])
  })

  test('is told once if it fails, and asked again after growing pauses', async () => {
    let failures = 0
    const pauses: number[] = []
    proxy.answer = () => (++failures <= 4 ? new Response('', { status: 429 }) : undefined)
    const { payee, service } = await registerNew()
    const clock: Clock = {
      now: hurried.now,
      sleep: (ms, signal) => {
        if (ms >= 60_000 && ms % 60_000 === 0) pauses.push(ms / 60_000)
        return hurried.sleep(ms, signal)
      },
    }
    running = openIndexer({
      store,
      clock,
      rpcUrls: {},
      publicNodes: { chains: [CHAIN], find: async () => proxy.url },
      settings: { backfillBlocks: 1_000 },
      facilitators: new Map(),
      report: (level, message) => reports.push(`${level}: ${message}`),
    })
    await chain.settle(alice, payee, 2_000n)
    await settled(service, 1, '0.002')
    expect(reports.filter(report => report === 'warn: the node fails')).toHaveLength(1)
    expect(pauses.slice(0, 4)).toEqual([1, 2, 4, 8])
  })
})
