// All sellers of the tests on one chain, and a buyer that goes from one to the next: for the tests once, for the bench in rounds.
import { parseAbiItem } from 'viem'
import {
  type Bought,
  BUYER_LIMITS,
  type Buyer,
  createBuyer,
  type Order,
} from '../../packages/buyer/src/buyer.ts'
import { openAuthorizationReader } from '../../packages/buyer/src/payment-use.ts'
import { openWallet } from '../../packages/buyer/src/wallet.ts'
import { NO_RATES } from '../../src/domain/money/rates.ts'
import type { PurchaseOutcome, PurchaseState } from '../../src/domain/purchases/purchases.ts'
import type { Code } from '../../src/messages/message.ts'
import type { Limits } from '../../src/probe/requests/exchange.ts'
import { createSafeFetch } from '../../src/probe/requests/safe-fetch.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { Secret } from '../../src/runtime/secret.ts'
import { openStore } from '../../src/store/open.ts'
import { openEvmChain } from '../chain/evm-chain.ts'
import { accountOf, openFacilitator } from '../paid/facilitator.ts'
import { createShiftedClock } from './clock.ts'
import { isPaid } from './ends.ts'
import { MERCHANTS } from './hostile-merchants.ts'
import { openHostileMerchants, payeeOf } from './hostile-server.ts'
import { toOrder, toToolOrder } from './order.ts'
import { AMOUNT, USDC } from './sold.ts'
import { TOOL_MERCHANTS } from './tool-merchants.ts'
import { openToolMerchants, toolPayeeOf } from './tool-server.ts'

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

const TRANSFER = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')

/** @param silentMs how long is waited for those that never answer */
export async function openMarket({ rounds = 1, silentMs = 1_500 } = {}) {
  await using opening = new AsyncDisposableStack()
  const clock = createShiftedClock()
  const payer = accountOf(5)
  const chain = opening.use(await openEvmChain())
  const facilitator = opening.use(openFacilitator(chain))
  const http = opening.use(openHostileMerchants(facilitator))
  const mcp = opening.use(openToolMerchants(facilitator))
  const store = opening.use(await openStore('sqlite::memory:', { clock }))
  const count = MERCHANTS.length + TOOL_MERCHANTS.length
  const most = count * rounds * Number(AMOUNT)
  const shared = {
    wallets: [await openWallet(new Secret(payer.key))],
    purchases: store.purchases,
    caps: { perCall: 10_000, perService: 10_000, perHost: most, perDay: most },
    clock,
    rates: () => NO_RATES,
    reader: opening.use(openAuthorizationReader({ 'eip155:8453': chain.url }, systemClock)),
  }
  const within = (limits: Partial<Limits>) => createSafeFetch({ allowPrivate: true, limits })
  const patient = within(BUYER_LIMITS)
  const brief = within({ firstByteMs: silentMs, totalMs: silentMs })
  const buyer = createBuyer({ ...shared, fetch: patient })
  /** Waits for nobody: what is settled after it has gone is seen on chain. */
  const hasty: Buyer = createBuyer({
    ...shared,
    fetch: (url, request = {}) => (isPaid(request) ? brief : patient)(url, request),
  })
  const stalls: readonly Stall[] = [
    ...MERCHANTS.map((merchant, i) => ({
      ...toExpected(merchant, 'http'),
      order: () => toOrder(merchant, { url: http.url(merchant), payTo: payeeOf(i), clock }),
      asked: () => http.asked(merchant),
    })),
    ...TOOL_MERCHANTS.map((merchant, i) => ({
      ...toExpected(merchant, 'mcp'),
      order: () => toToolOrder({ url: mcp.url(merchant), payTo: toolPayeeOf(i), clock }),
      asked: () => mcp.asked(merchant),
    })),
  ]
  const parts = opening.move()
  return {
    payer,
    clock,
    chain,
    store,
    buyer,
    stalls,
    async buyFrom(stall: Stall): Promise<Bought> {
      const result = await (stall.isSilent ? hasty : buyer).buy(stall.order())
      if (result.kind !== 'bought') throw new Error(`${stall.name}: ${JSON.stringify(result)}`)
      return result
    },
    settled: async () => {
      await Promise.all([http.settled(), mcp.settled()])
    },
    /** By the chain's own time. */
    async expire() {
      await chain.client.increaseTime({ seconds: 600 })
      await chain.client.mine({ blocks: 1 })
    },
    /** Everything that the buyer's wallet has paid, by payee. */
    async paidOnChain(): Promise<Map<string, bigint>> {
      const args = { from: payer.address }
      const filter = { address: USDC, event: TRANSFER, args, fromBlock: 0n, strict: true } as const
      const sums = new Map<string, bigint>()
      for (const { args } of await chain.client.getLogs(filter)) {
        const to = args.to.toLowerCase()
        sums.set(to, (sums.get(to) ?? 0n) + args.value)
      }
      return sums
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
