// What the buyer makes of sellers of every kind, on a real chain: each is classed right, and what the ledger says is what was paid.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { parseAbiItem } from 'viem'
import { type Bought, BUYER_LIMITS, type Buyer, createBuyer } from '../../src/buyer/buyer.ts'
import { openWallet } from '../../src/buyer/wallet.ts'
import { openAuthorizationReader } from '../../src/chain/authorizations.ts'
import { NO_RATES } from '../../src/domain/rates.ts'
import type { Limits } from '../../src/probe/exchange.ts'
import { createSafeFetch, type SafeRequest } from '../../src/probe/safe-fetch.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { Secret } from '../../src/runtime/secret.ts'
import { openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import { type EvmChain, openEvmChain } from '../chain/evm-chain.ts'
import { accountOf, type Facilitator, openFacilitator } from '../paid/facilitator.ts'
import { createShiftedClock } from './clock.ts'
import {
  AMOUNT,
  type HostileMerchant,
  type HostileServer,
  MERCHANTS,
  openHostileMerchants,
  payeeOf,
  USDC,
} from './hostile-merchants.ts'
import { toOrder } from './order.ts'

const payer = accountOf(5)
const parts = new AsyncDisposableStack()
const clock = createShiftedClock()
let chain: EvmChain
let facilitator: Facilitator
let server: HostileServer
let store: Store
let buyer: Buyer
/** Waits for nobody: what is settled after it has gone is seen on chain. */
let hasty: Buyer

beforeAll(async () => {
  chain = parts.use(await openEvmChain())
  facilitator = parts.use(openFacilitator(chain))
  server = parts.use(openHostileMerchants(facilitator))
  store = parts.use(await openStore('sqlite::memory:', { clock }))
  const shared = {
    wallets: [await openWallet(new Secret(payer.key))],
    purchases: store.purchases,
    caps: { perCall: 10_000, perService: 10_000, perHost: 1_000_000, perDay: 1_000_000 },
    clock,
    rates: () => NO_RATES,
    reader: parts.use(openAuthorizationReader({ 'eip155:8453': chain.url }, systemClock)),
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
}, 120_000)
afterAll(() => parts.disposeAsync())

const TRANSFER = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')

/** Everything that the buyer's wallet has paid, by payee. */
async function paidOnChain(): Promise<Map<string, bigint>> {
  const logs = await chain.client.getLogs({
    address: USDC,
    event: TRANSFER,
    args: { from: payer.address },
    fromBlock: 0n,
    strict: true,
  })
  const sums = new Map<string, bigint>()
  for (const { args } of logs) {
    const to = args.to.toLowerCase()
    sums.set(to, (sums.get(to) ?? 0n) + args.value)
  }
  return sums
}

const bought = new Map<HostileMerchant, Bought>()

test('are at least forty', () => expect(MERCHANTS.length).toBeGreaterThanOrEqual(40))

test('each is paid once at most, and told by what is known at once', async () => {
  const buy = async (merchant: HostileMerchant) => {
    const url = server.url(merchant)
    const by = merchant.isSilent ? hasty : buyer
    const result = await by.buy(
      toOrder(merchant, { url, payTo: payeeOf(MERCHANTS.indexOf(merchant)), clock }),
    )
    if (result.kind !== 'bought') throw new Error(`${merchant.name}: ${JSON.stringify(result)}`)
    bought.set(merchant, result)
    expect([merchant.name, server.asked(merchant)]).toEqual([merchant.name, ['unpaid', 'paid']])
  }
  // Those that are waited for are waited for together.
  await Promise.all(MERCHANTS.map(buy))
  await server.settled()
}, 120_000)

test('what is not settled counts until the chain says that it never can be', async () => {
  const counted = await store.purchases.spent(new Date(0))
  expect(counted).toEqual({ microUsd: MERCHANTS.length * Number(AMOUNT), count: MERCHANTS.length })
  clock.advance(10 * 60_000)
  await buyer.reconcile()
  const open = await store.purchases.open(100)
  // By the buyer's own clock they have expired, by the chain's not.
  expect(open.length).toBe(MERCHANTS.filter(({ outcome }) => outcome === 'not_settled').length)
  await chain.client.increaseTime({ seconds: 600 })
  await chain.client.mine({ blocks: 1 })
  await buyer.reconcile()
  expect(await store.purchases.open(100)).toEqual([])
}, 60_000)

test.each(MERCHANTS.map(merchant => [merchant.name, merchant] as const))('%s', async (_, merchant) => {
  const { purchase } = bought.get(merchant)!
  const kept = (await store.purchases.find(purchase.id))!
  expect({ outcome: kept.outcome, state: kept.state }).toEqual({
    outcome: merchant.outcome,
    state: merchant.state ?? 'settled',
  })
  expect(kept.charged).toBe(kept.state === 'settled' ? AMOUNT : null)
  if (kept.state === 'settled') expect(kept.transaction).toMatch(/^0x[0-9a-f]{64}$/)
  if (merchant.reason) expect(kept.detail.reasons.map(({ code }) => code)).toContain(merchant.reason)
})

test('the ledger is what the chain says, to the last unit', async () => {
  const onChain = await paidOnChain()
  const settled = (await store.purchases.list({ limit: 1_000 })).filter(({ state }) => state === 'settled')
  const inLedger = new Map(settled.map(({ payTo, charged }) => [payTo.toLowerCase(), BigInt(charged!)]))
  expect(Object.fromEntries(onChain)).toEqual(Object.fromEntries(inLedger))
  const { microUsd } = await store.purchases.spent(new Date(0))
  expect(BigInt(microUsd)).toBe([...onChain.values()].reduce((sum, value) => sum + value, 0n))
})

test('no signature, and nothing of the key, is kept', async () => {
  const kept = JSON.stringify(await Array.fromAsync(store.backup()))
  expect(kept).not.toContain(payer.key.slice(2))
  expect(kept).not.toMatch(/0x[0-9a-f]{130}/i)
})
