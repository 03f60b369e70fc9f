// All sellers of the tests on one chain, and a buyer that goes from one to the next: for the tests once, for the bench in rounds.
import { type Bought, type Buyer, createBuyer, type Order } from '../../packages/buyer/src/buyer.ts'
import type { PurchaseOutcome, PurchaseState } from '../../src/domain/purchases/purchases.ts'
import type { Code } from '../../src/messages/message.ts'
import { createSafeFetch } from '../../src/probe/requests/safe-fetch.ts'
import { openStore } from '../../src/store/open.ts'
import { createShiftedClock, type ShiftedClock } from './clock.ts'
import { isPaid } from './ends.ts'
import { type Ground, openBase } from './ground.ts'
import { MERCHANTS } from './hostile-merchants.ts'
import { toBuyerParts, toOrder, toToolOrder } from './order.ts'
import { AMOUNT } from './sold.ts'
import { TOOL_MERCHANTS } from './tool-merchants.ts'

/** A seller, and what must come of buying from it. */
export type Stall = {
  readonly name: string
  readonly over: 'http' | 'mcp'
  readonly outcome: PurchaseOutcome | null
  readonly state: PurchaseState
  readonly reason: Code | undefined
  readonly order: () => Order
  readonly asked: () => readonly ('unpaid' | 'paid')[]
  readonly isSilent: boolean
}

export type Market = Awaited<ReturnType<typeof openMarket>>

type Open = (
  clock: ShiftedClock,
  merchants: typeof MERCHANTS,
  tools: typeof TOOL_MERCHANTS,
) => Promise<Ground>

/** @param silentMs how long is waited for those that never answer */
export async function openMarket({
  rounds = 1,
  silentMs = 1_500,
  open = openBase as Open,
  merchants = MERCHANTS,
  tools = TOOL_MERCHANTS,
} = {}) {
  await using opening = new AsyncDisposableStack()
  const clock = createShiftedClock()
  const ground = opening.use(await open(clock, merchants, tools))
  const { placed, asked } = ground.sellers
  const store = opening.use(await openStore('sqlite::memory:', { clock }))
  const most = placed.length * rounds * Number(AMOUNT)
  const caps = { perCall: 10_000, perService: 10_000, perHost: most, perDay: most }
  const shared = toBuyerParts(store, { ...ground, caps, clock })
  const brief = createSafeFetch({ allowPrivate: true, limits: { firstByteMs: silentMs, totalMs: silentMs } })
  const buyer = createBuyer(shared)
  /** Waits for nobody: what is settled after it has gone is seen on chain. */
  const hasty: Buyer = createBuyer({
    ...shared,
    fetch: (url, request = {}) => (isPaid(request) ? brief : shared.fetch)(url, request),
  })
  const stalls: readonly Stall[] = [
    ...merchants.map((merchant, i) => ({
      ...toExpected(merchant, 'http'),
      order: () => toOrder(merchant, placed[i]!),
      asked: () => asked(i),
    })),
    ...tools.map((merchant, i) => ({
      ...toExpected(merchant, 'mcp'),
      order: () => toToolOrder(placed[merchants.length + i]!),
      asked: () => asked(merchants.length + i),
    })),
  ]
  const parts = opening.move()
  return {
    ...ground,
    clock,
    store,
    buyer,
    stalls,
    async buyFrom(stall: Stall): Promise<Bought> {
      const result = await (stall.isSilent ? hasty : buyer).buy(stall.order())
      if (result.kind !== 'bought') throw new Error(`${stall.name}: ${JSON.stringify(result)}`)
      return result
    },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}

type Expected = Pick<Stall, 'name' | 'outcome'> & {
  readonly state?: PurchaseState
  readonly reason?: Code
  readonly isSilent?: true
}

const toExpected = (expected: Expected, over: Stall['over']) => ({
  name: expected.name,
  over,
  outcome: expected.outcome,
  state: expected.state ?? 'settled',
  reason: expected.reason,
  isSilent: expected.isSilent === true,
})
