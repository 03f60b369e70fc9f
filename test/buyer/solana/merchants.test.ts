// The same sellers of every kind, paid on Solana: transactions are executed by the virtual machine of its validators, and the official
// facilitator settles them. Each is classed as on an EVM chain, and what the ledger says is what was paid.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Bought, BUYER_LIMITS, type Buyer, createBuyer } from '../../../packages/buyer/src/buyer.ts'
import { NO_RATES } from '../../../src/domain/money/rates.ts'
import type { Limits } from '../../../src/probe/requests/exchange.ts'
import { createSafeFetch, type SafeRequest } from '../../../src/probe/requests/safe-fetch.ts'
import { openStore } from '../../../src/store/open.ts'
import type { Store } from '../../../src/store/store.ts'
import { solanaAccountOf } from '../../chain/solana/facilitator.ts'
import type { SvmNode } from '../../chain/solana/svm-node.ts'
import { createShiftedClock } from '../clock.ts'
import { type HostileMerchant, MERCHANTS } from '../hostile-merchants.ts'
import type { HostileServer } from '../hostile-server.ts'
import { toOrder } from '../order.ts'
import { AMOUNT } from '../sold.ts'
import { openSolanaGround, payeeOf, type SolanaGround, toTerms } from './ground.ts'

// A few want something noted.
const sellers: readonly HostileMerchant[] = MERCHANTS.map((merchant, index) =>
  index % 5 === 0 ? { ...merchant, terms: toTerms(merchant, index, { memo: `order ${index}` }) } : merchant,
)
const parts = new AsyncDisposableStack()
const clock = createShiftedClock()
let ground: SolanaGround
let node: SvmNode
let server: HostileServer
let store: Store
let buyer: Buyer
/** Waits for nobody: what is settled after it has gone is seen on chain. */
let hasty: Buyer

beforeAll(async () => {
  ground = parts.use(await openSolanaGround(clock, sellers))
  ;({ node, server } = ground)
  store = parts.use(await openStore('sqlite::memory:', { clock }))
  const shared = {
    wallets: [ground.wallet],
    purchases: store.purchases,
    caps: { perCall: 10_000, perService: 10_000, perHost: 1_000_000, perDay: 1_000_000 },
    clock,
    rates: () => NO_RATES,
    reader: ground.reader,
  }
  const within = (limits: Partial<Limits>) => createSafeFetch({ allowPrivate: true, limits })
  const patient = within(BUYER_LIMITS)
  const brief = within({ firstByteMs: 1_500, totalMs: 1_500 })
  const isPaid = ({ headers = {} }: SafeRequest) => 'payment-signature' in headers
  buyer = createBuyer({ ...shared, fetch: patient })
  hasty = createBuyer({
    ...shared,
    fetch: (url, request = {}) => (isPaid(request) ? brief : patient)(url, request),
  })
}, 60_000)
afterAll(() => parts.disposeAsync())

const bought = new Map<HostileMerchant, Bought>()

test('each is paid at most once, and only the node of the operator is queried', async () => {
  const buy = async (merchant: HostileMerchant) => {
    const placed = ground.sellers.placed[sellers.indexOf(merchant)]!
    const result = await (merchant.isSilent ? hasty : buyer).buy(toOrder(merchant, placed))
    if (result.kind !== 'bought') throw new Error(`${merchant.name}: ${JSON.stringify(result)}`)
    bought.set(merchant, result)
    expect([merchant.name, server.asked(merchant)]).toEqual([merchant.name, ['unpaid', 'paid']])
  }
  await Promise.all(sellers.map(buy))
  await server.settled()
  expect(node.calls.filter(method => method === 'getLatestBlockhash').length).toBe(sellers.length)
  expect(node.calls.filter(method => method === 'getAccountInfo').length).toBeLessThanOrEqual(sellers.length)
}, 60_000)

test('an unsettled payment counts until the last block that could include it has passed', async () => {
  const counted = await store.purchases.spent(new Date(0))
  expect(counted).toEqual({ microUsd: sellers.length * Number(AMOUNT), count: sellers.length })
  clock.advance(10 * 60_000)
  await buyer.reconcile()
  const open = await store.purchases.open(100)
  // By the buyer's own clock they are old, by the chain's not.
  expect(open.length).toBe(sellers.filter(({ outcome }) => outcome === 'not_settled').length)
  node.chain.pass(400)
  await buyer.reconcile()
  expect(await store.purchases.open(100)).toEqual([])
}, 60_000)

test.each(sellers.map(merchant => [merchant.name, merchant] as const))('%s', async (_, merchant) => {
  const { purchase } = bought.get(merchant)!
  const kept = (await store.purchases.find(purchase.id))!
  expect({ outcome: kept.outcome, state: kept.state }).toEqual({
    outcome: merchant.outcome,
    state: merchant.state ?? 'settled',
  })
  expect(kept.charged).toBe(kept.state === 'settled' ? AMOUNT : null)
  if (kept.state === 'settled')
    expect(node.chain.processed.map(({ signature }) => signature)).toContain(kept.transaction!)
  if (merchant.reason) expect(kept.detail.reasons.map(({ code }) => code)).toContain(merchant.reason)
})

test('the ledger equals the chain to the smallest unit', async () => {
  const settled = (await store.purchases.list({ limit: 1_000 })).filter(({ state }) => state === 'settled')
  const received = sellers.map((_, index) => [payeeOf(index), node.chain.balance(payeeOf(index))] as const)
  const inLedger = new Map(settled.map(({ payTo, charged }) => [payTo, BigInt(charged!)]))
  expect(Object.fromEntries(received.filter(([, amount]) => amount > 0n))).toEqual(
    Object.fromEntries(inLedger),
  )
  expect((await store.purchases.spent(new Date(0))).microUsd).toBe(await ground.paid())
  expect(settled.length).toBeGreaterThan(30)
  // Nothing but the token ever left the wallet: it has no SOL, and needs none.
  expect(node.chain.lamports(ground.payer)).toBe(0n)
})

test('neither signatures nor the key are stored', async () => {
  const kept = JSON.stringify(await Array.fromAsync(store.dump()))
  expect(kept).not.toContain(solanaAccountOf(5).key)
  for (const { wire } of node.chain.processed) {
    expect(kept).not.toContain(Buffer.from(wire.subarray(65, 129)).toString('base64').slice(0, 40))
    expect(kept).not.toContain(Buffer.from(wire.subarray(65, 129)).toString('hex'))
  }
})
