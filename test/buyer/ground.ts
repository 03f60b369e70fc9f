// A chain with sellers and a wallet on it.
import { parseAbiItem } from 'viem'
import { openAuthorizationReader } from '../../packages/buyer/src/payment-use.ts'
import type { SettlementReader } from '../../packages/buyer/src/settlements.ts'
import { openWallet, type Wallet } from '../../packages/buyer/src/wallet.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { Secret } from '../../src/runtime/secret.ts'
import { type EvmChain, openEvmChain } from '../chain/evm-chain.ts'
import { accountOf, openFacilitator } from '../paid/facilitator.ts'
import type { ShiftedClock } from './clock.ts'
import { SELLERS, TOOLS } from './crash-sellers.ts'
import { openHostileMerchants, payeeOf } from './hostile-server.ts'
import { type Placed, toListing } from './order.ts'
import { USDC } from './sold.ts'
import { openToolMerchants, toolPayeeOf } from './tool-server.ts'

export type Ground = AsyncDisposable & {
  /** One. */
  readonly wallets: readonly Wallet[]
  /** Of the wallet. */
  readonly key: string
  readonly rpcUrl: string
  readonly reader: SettlementReader
  /** By their number: those over HTTP, then tools. */
  readonly sellers: {
    readonly placed: readonly Placed[]
    /** Of their listings. */
    readonly ids: readonly string[]
    /** Unpaid and paid requests of each, in turn. */
    asked(seller: number): readonly ('unpaid' | 'paid')[]
    /** Resolves when nothing is being settled any more. */
    settled(): Promise<unknown>
  }
  /** All that the wallet has paid. */
  paid(): Promise<number>
  /** The same by payee. */
  received(): Promise<Record<string, bigint>>
  isOnChain(transaction: string): Promise<boolean>
  /** From now on nothing that was signed before can be used. */
  expire(): Promise<void>
}

/** @param merchants over HTTP */
export async function openBase(clock: ShiftedClock, merchants = SELLERS, tools = TOOLS): Promise<Ground> {
  await using opened = new AsyncDisposableStack()
  const chain = opened.use(await openEvmChain())
  const facilitator = opened.use(openFacilitator(chain))
  const http = opened.use(openHostileMerchants(facilitator, merchants))
  const mcp = opened.use(openToolMerchants(facilitator, tools))
  const { key, address } = accountOf(6)
  const placed = [
    ...merchants.map((merchant, i) => ({ url: http.url(merchant), payTo: payeeOf(i), clock })),
    ...tools.map((tool, i) => ({ url: mcp.url(tool), payTo: toolPayeeOf(i), clock })),
  ]
  const wallets = [await openWallet(new Secret(key))]
  const reader = opened.use(openAuthorizationReader({ 'eip155:8453': chain.url }, systemClock))
  const kept = opened.move()
  return {
    wallets,
    key,
    rpcUrl: chain.url,
    reader,
    sellers: {
      placed,
      ids: placed.map((place, i) => toListing(merchants[i] ?? { method: 'POST' }, place).id),
      asked: i =>
        i < merchants.length ? http.asked(merchants[i]!) : mcp.asked(tools[i - merchants.length]!),
      settled: () => Promise.all([http.settled(), mcp.settled()]),
    },
    paid: () => readPaid(chain.client, address),
    async received() {
      const sums: Record<string, bigint> = {}
      for (const { to, value } of await readTransfers(chain.client, address))
        sums[to.toLowerCase()] = (sums[to.toLowerCase()] ?? 0n) + value
      return sums
    },
    async isOnChain(transaction) {
      const hash = transaction as `0x${string}`
      return (await chain.client.getTransactionReceipt({ hash })).status === 'success'
    },
    async expire() {
      clock.advance(10 * 60_000)
      await chain.client.increaseTime({ seconds: 600 })
      await chain.client.mine({ blocks: 1 })
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

const TRANSFER = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')

async function readTransfers(client: EvmChain['client'], from: `0x${string}`) {
  const filter = { address: USDC, event: TRANSFER, args: { from }, fromBlock: 0n, strict: true } as const
  return (await client.getLogs(filter)).map(({ args }) => args)
}

export const readPaid = async (client: EvmChain['client'], from: `0x${string}`): Promise<number> =>
  Number((await readTransfers(client, from)).reduce((sum, { value }) => sum + value, 0n))
