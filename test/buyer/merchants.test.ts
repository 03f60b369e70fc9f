// What the buyer makes of sellers of every kind, on real chains: each is classed right, and what the ledger says is what was paid. On
// Solana, transactions are executed by the virtual machine of its validators, and the official facilitator settles them.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Bought } from '../../packages/buyer/src/buyer.ts'
import { MERCHANTS } from './hostile-merchants.ts'
import { type Market, openMarket, type Stall } from './market.ts'
import { openSolanaGround, type SolanaGround, toTerms } from './solana/ground.ts'
import { AMOUNT } from './sold.ts'
import { TOOL_MERCHANTS } from './tool-merchants.ts'

// A few want something noted.
const ON_SOLANA = MERCHANTS.map((merchant, index) =>
  index % 5 === 0 ? { ...merchant, terms: toTerms(merchant, index, { memo: `order ${index}` }) } : merchant,
)
let solana: SolanaGround

test('are at least forty over HTTP, and thirty tools', () =>
  expect([MERCHANTS.length >= 40, TOOL_MERCHANTS.length >= 30]).toEqual([true, true]))

const keyOf = ({ over, name }: Pick<Stall, 'over' | 'name'>) => `${over} ${name}`

describe.each([
  ['Base', () => openMarket(), TOOL_MERCHANTS],
  [
    'Solana',
    () =>
      openMarket({
        open: async (clock, merchants) => (solana = await openSolanaGround(clock, merchants)),
        merchants: ON_SOLANA,
        tools: [],
      }),
    [],
  ],
] as const)('on %s', (network, open, tools) => {
  let market: Market
  const bought = new Map<string, Bought>()
  beforeAll(async () => {
    market = await open()
  }, 120_000)
  afterAll(() => market[Symbol.asyncDispose]())

  test('each is paid at most once, and classified by what is known at once', async () => {
    const buy = async (stall: Stall) => {
      bought.set(keyOf(stall), await market.buyFrom(stall))
      expect([stall.name, stall.asked()]).toEqual([stall.name, ['unpaid', 'paid']])
    }
    // Those that are waited for are waited for together.
    await Promise.all(market.stalls.map(buy))
    await market.sellers.settled()
  }, 120_000)

  test('an unsettled payment counts until the chain shows that it can never settle', async () => {
    const { store, stalls, clock, buyer } = market
    const counted = await store.purchases.spent(new Date(0))
    expect(counted).toEqual({ microUsd: stalls.length * Number(AMOUNT), count: stalls.length })
    clock.advance(10 * 60_000)
    await buyer.reconcile()
    const open = await store.purchases.open(100)
    // By the buyer's own clock they have expired, by the chain's not.
    expect(open.length).toBe(stalls.filter(({ outcome }) => outcome === 'not_settled').length)
    await market.expire()
    await buyer.reconcile()
    expect(await store.purchases.open(100)).toEqual([])
  }, 60_000)

  test.each([
    ...MERCHANTS.map(({ name }) => ['http', name] as const),
    ...tools.map(({ name }) => ['mcp', name] as const),
  ])('over %s: %s', async (over, name) => {
    const { outcome, state, reason } = market.stalls.find(stall => keyOf(stall) === keyOf({ over, name }))!
    const { purchase } = bought.get(keyOf({ over, name }))!
    const kept = (await market.store.purchases.find(purchase.id))!
    expect({ outcome: kept.outcome, state: kept.state }).toEqual({ outcome, state })
    expect(kept.charged).toBe(kept.state === 'settled' ? AMOUNT : null)
    if (kept.state === 'settled') expect(await market.isOnChain(kept.transaction!)).toBe(true)
    if (reason) expect(kept.detail.reasons.map(({ code }) => code)).toContain(reason)
  })

  test('the ledger equals the chain to the smallest unit', async () => {
    const { purchases } = market.store
    const settled = (await purchases.list({ limit: 1_000 })).filter(({ state }) => state === 'settled')
    const received = await market.received()
    const toKey = (payTo: string) => (payTo in received ? payTo : payTo.toLowerCase())
    const inLedger = settled.map(({ payTo, charged }) => [toKey(payTo), BigInt(charged!)] as const)
    expect(received).toEqual(Object.fromEntries(inLedger))
    expect(settled.length).toBeGreaterThan(30)
    expect((await purchases.spent(new Date(0))).microUsd).toBe(await market.paid())
  })

  test('neither signatures nor the key are stored', async () => {
    const kept = JSON.stringify(await Array.fromAsync(market.store.dump()))
    expect(kept).not.toContain(market.key.replace(/^0x/, ''))
    expect(kept).not.toMatch(/0x[0-9a-f]{130}/i)
    for (const { wire } of network === 'Solana' ? solana.node.chain.processed : []) {
      const signature = Buffer.from(wire.subarray(65, 129))
      expect(kept).not.toContain(signature.toString('base64').slice(0, 40))
      expect(kept).not.toContain(signature.toString('hex'))
    }
  })
})

test('on Solana only the node of the operator is queried, and nothing but the token leaves the wallet', async () => {
  const { node, payer } = solana
  const callsOf = (method: string) => node.calls.filter(each => each === method).length
  expect(callsOf('getLatestBlockhash')).toBe(ON_SOLANA.length)
  expect(callsOf('getAccountInfo')).toBeLessThanOrEqual(ON_SOLANA.length)
  // It has no SOL, and needs none.
  expect(node.chain.lamports(payer)).toBe(0n)
})
