// One EVM node over JSON-RPC. It is the operator's own, so it may live on a private address: requests to it do not go through safe-fetch.
import { createClient, http, parseAbiItem } from 'viem'
import { getBlock, getBlockNumber, getChainId, getLogs } from 'viem/actions'
import type { Clock } from '../runtime/clock.ts'
import { NodeError } from './node-error.ts'
import { toNodeError } from './to-node-error.ts'

export type Block = { readonly hash: string; readonly at: string }

/** An ERC-20 transfer as the chain tells it: addresses in lower case, the value in the smallest unit. */
export type TransferLog = {
  readonly transaction: string
  readonly logIndex: number
  readonly block: number
  readonly blockHash: string
  /** undefined where the node does not tell it with the log. */
  readonly at: string | undefined
  readonly asset: string
  readonly from: string
  readonly to: string
  readonly value: bigint
}

export type TransferFilter = {
  readonly fromBlock: number
  readonly toBlock: number
  readonly assets: readonly string[]
  readonly payees: readonly string[]
}

/** Every call throws a NodeError where the node fails. */
export interface ChainNode {
  chainNumber(): Promise<number>
  head(): Promise<number>
  block(number: number): Promise<Block>
  transfers(filter: TransferFilter): Promise<TransferLog[]>
}

const TRANSFER = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')
export const ANSWER_WITHIN_MS = 20_000

export function createNode({
  url,
  clock,
  signal,
}: {
  url: string
  clock: Clock
  signal: AbortSignal
}): ChainNode {
  const fetchFn = (input: string | URL | Request, init?: RequestInit) => {
    const ending = new AbortController()
    const tooLate = new NodeError('slow', `The node did not answer within ${ANSWER_WITHIN_MS / 1000} s.`)
    // Covers the whole answer; the client's own limit would end with the headers.
    void clock.sleep(ANSWER_WITHIN_MS, signal).then(() => ending.abort(tooLate))
    return fetch(input, { ...init, signal: ending.signal })
  }
  // Who waits between attempts, and for how long, is decided by the indexer.
  const client = createClient({ transport: http(url, { retryCount: 0, timeout: 0, fetchFn }), cacheTime: 0 })
  const asking = async <T>(request: Promise<T>): Promise<T> => {
    try {
      return await request
    } catch (error) {
      throw toNodeError(error, url)
    }
  }
  return {
    chainNumber: () => asking(getChainId(client)),
    head: async () => Number(await asking(getBlockNumber(client, { cacheTime: 0 }))),
    async block(number) {
      const { hash, timestamp } = await asking(getBlock(client, { blockNumber: BigInt(number) }))
      return { hash, at: toTime(timestamp) }
    },
    async transfers({ fromBlock, toBlock, assets, payees }) {
      const logs = await asking(
        getLogs(client, {
          address: assets as `0x${string}`[],
          event: TRANSFER,
          args: { to: payees as `0x${string}`[] },
          fromBlock: BigInt(fromBlock),
          toBlock: BigInt(toBlock),
          strict: true,
        }),
      )
      return logs.map(log => ({
        transaction: log.transactionHash,
        logIndex: log.logIndex,
        block: Number(log.blockNumber),
        blockHash: log.blockHash,
        at: log.blockTimestamp ? toTime(log.blockTimestamp) : undefined,
        asset: log.address.toLowerCase(),
        from: log.args.from.toLowerCase(),
        to: log.args.to.toLowerCase(),
        value: log.args.value,
      }))
    },
  }
}

const toTime = (seconds: bigint): string => new Date(Number(seconds) * 1000).toISOString()
