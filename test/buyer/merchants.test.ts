// What the buyer makes of sellers of every kind, on a real chain: each is classed right, and what the ledger says is what was paid.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Bought } from '../../packages/buyer/src/buyer.ts'
import { MERCHANTS } from './hostile-merchants.ts'
import { type Market, openMarket, type Stall } from './market.ts'
import { AMOUNT } from './sold.ts'
import { TOOL_MERCHANTS } from './tool-merchants.ts'

let market: Market
const bought = new Map<string, Bought>()

beforeAll(async () => {
  market = await openMarket()
}, 120_000)
afterAll(() => market[Symbol.asyncDispose]())

test('are at least forty over HTTP, and thirty tools', () =>
  expect([MERCHANTS.length >= 40, TOOL_MERCHANTS.length >= 30]).toEqual([true, true]))

test('each is paid at most once, and classified by what is known at once', async () => {
  const buy = async (stall: Stall) => {
    bought.set(keyOf(stall), await market.buyFrom(stall))
    expect([stall.name, stall.asked()]).toEqual([stall.name, ['unpaid', 'paid']])
  }
  // Those that are waited for are waited for together.
  await Promise.all(market.stalls.map(buy))
  await market.settled()
}, 120_000)

const keyOf = ({ over, name }: Pick<Stall, 'over' | 'name'>) => `${over} ${name}`

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

describe.each([
  ['http', MERCHANTS],
  ['mcp', TOOL_MERCHANTS],
] as const)('over %s', (over, merchants) => {
  test.each(merchants.map(({ name }) => [name] as const))('%s', async name => {
    const { outcome, state, reason } = market.stalls.find(stall => keyOf(stall) === keyOf({ over, name }))!
    const { purchase } = bought.get(keyOf({ over, name }))!
    const kept = (await market.store.purchases.find(purchase.id))!
    expect({ outcome: kept.outcome, state: kept.state }).toEqual({ outcome, state })
    expect(kept.charged).toBe(kept.state === 'settled' ? AMOUNT : null)
    if (kept.state === 'settled') expect(kept.transaction).toMatch(/^0x[0-9a-f]{64}$/)
    if (reason) expect(kept.detail.reasons.map(({ code }) => code)).toContain(reason)
  })
})

test('the ledger equals the chain to the smallest unit', async () => {
  const onChain = await market.paidOnChain()
  const { purchases } = market.store
  const settled = (await purchases.list({ limit: 1_000 })).filter(({ state }) => state === 'settled')
  const inLedger = new Map(settled.map(({ payTo, charged }) => [payTo.toLowerCase(), BigInt(charged!)]))
  expect(Object.fromEntries(onChain)).toEqual(Object.fromEntries(inLedger))
  const { microUsd } = await purchases.spent(new Date(0))
  expect(BigInt(microUsd)).toBe([...onChain.values()].reduce((sum, value) => sum + value, 0n))
})

test('neither signatures nor the key are stored', async () => {
  const kept = JSON.stringify(await Array.fromAsync(market.store.dump()))
  expect(kept).not.toContain(market.payer.key.slice(2))
  expect(kept).not.toMatch(/0x[0-9a-f]{130}/i)
})
