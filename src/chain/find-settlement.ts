// Looks up one settlement by its transaction, with the operator's own nodes.
import { assetsOn } from '../domain/chains/assets.ts'
import { toDecimal } from '../domain/money/money.ts'
import type { Clock } from '../runtime/clock.ts'
import type { SettlementRecord } from '../store/payments.ts'
import type { Facilitators } from './facilitators.ts'
import type { ChainNode } from './node.ts'
import { settlementMethods } from './settlements.ts'

type NamedPayment = {
  readonly chain: string
  readonly transaction: string
  /** Normalized by `addressKey`. */
  readonly payer: string
  readonly payee: string
}

/** young: in a block that is not final yet. plain: a transfer that is not an x402 settlement. */
type FoundSettlement = SettlementRecord | 'missing' | 'young' | 'plain'

type SettlementFinder = Disposable & {
  reads(chain: string): boolean
  /** @throws NodeError */
  find(payment: NamedPayment): Promise<FoundSettlement>
}

const HASH = /^0x[0-9a-f]{64}$/i

/** @param rpcUrls by CAIP-2 id */
export function openSettlementFinder({
  rpcUrls,
  facilitators,
  clock,
}: {
  readonly rpcUrls: Readonly<Record<string, string>>
  readonly facilitators: Facilitators
  readonly clock: Clock
}): SettlementFinder {
  const nodes = openNodes(rpcUrls, clock)
  return {
    reads: chain => nodes.has(chain),
    async find({ chain, transaction, payer, payee }) {
      const node = await nodes.get(chain)
      const block = HASH.test(transaction) ? await node.blockOf(transaction) : undefined
      if (block === undefined) return 'missing'
      if (block > (await node.finalized())) return 'young'
      const assets = new Map(assetsOn(chain).map(asset => [asset.address.toLowerCase(), asset]))
      const within = { fromBlock: block, toBlock: block, assets: [...assets.keys()] }
      const logs = (await node.transfers({ ...within, from: [payer], to: [payee] })).filter(
        log => log.transaction.toLowerCase() === transaction.toLowerCase() && log.value > 0n,
      )
      if (logs.length === 0) return 'missing'
      const methods = await settlementMethods(node, logs, facilitators.get(chain) ?? new Set())
      const index = methods.findIndex(method => method !== undefined)
      const log = logs[index]
      if (!log) return 'plain'
      return {
        chain,
        transaction: log.transaction,
        logIndex: log.logIndex,
        block,
        at: log.at ?? (await node.timeOf(block)),
        asset: log.asset,
        payer,
        payee,
        amount: toDecimal(log.value, assets.get(log.asset)!.decimals),
        method: methods[index]!,
        serviceId: null,
      }
    },
    [Symbol.dispose]: () => nodes[Symbol.dispose](),
  }
}

/** The operator's own EVM nodes, one per chain. */
type Nodes = Disposable & {
  has(chain: string): boolean
  /** The client takes a fifth of a second to load, so it is loaded with the first request. */
  get(chain: string): Promise<ChainNode>
}

/** @param rpcUrls by CAIP-2 id */
export function openNodes(rpcUrls: Readonly<Record<string, string>>, clock: Clock): Nodes {
  const ending = new AbortController()
  const urls = new Map(Object.entries(rpcUrls).filter(([chain]) => chain.startsWith('eip155:')))
  return {
    has: chain => urls.has(chain),
    async get(chain) {
      const url = urls.get(chain)
      if (url === undefined) throw new Error(`There is no node for ${chain}.`)
      const { createNode } = await import('./evm-node.ts')
      return createNode({ url, clock, signal: ending.signal })
    },
    [Symbol.dispose]: () => ending.abort(),
  }
}
