// One EVM node over JSON-RPC. It is the operator's own and may have a private address, so requests do not go through safe-fetch.
import { createClient, http, parseAbiItem, TransactionReceiptNotFoundError } from 'viem'
import {
  getBlock,
  getChainId,
  getLogs,
  getTransaction,
  getTransactionReceipt,
  readContract,
} from 'viem/actions'
import type { Clock } from '../runtime/clock.ts'
import { NodeError } from './node-error.ts'
import { toNodeError } from './to-node-error.ts'

/** The index counts within the block. */
type LogPosition = { readonly transaction: string; readonly logIndex: number }

/** An ERC-20 transfer: addresses in lower case, the value in the smallest unit. */
export type TransferLog = LogPosition & {
  readonly block: number
  /** undefined if the node does not include it in the log. */
  readonly at: string | undefined
  readonly asset: string
  readonly from: string
  readonly to: string
  readonly value: bigint
}

/** The log of a used EIP-3009 authorization. */
export type AuthorizationLog = LogPosition & { readonly asset: string; readonly authorizer: string }

export type Receipt = {
  /** Who sent the transaction. */
  readonly sender: string
  /** The contract called; undefined if the transaction creates one. */
  readonly called: string | undefined
}

type LogFilter = {
  readonly fromBlock: number
  readonly toBlock: number
  readonly assets: readonly string[]
}
/** By one side of the transfer. */
export type TransferFilter = LogFilter & {
  readonly to?: readonly string[]
  readonly from?: readonly string[]
}
export type AuthorizationFilter = LogFilter & { readonly authorizers: readonly string[] }

/** Every call throws a NodeError if the node fails. */
export interface ChainNode {
  chainNumber(): Promise<number>
  /** The newest block that cannot be replaced any more. */
  finalized(): Promise<number>
  /** When the block was made: ISO 8601 UTC. */
  timeOf(block: number): Promise<string>
  transfers(filter: TransferFilter): Promise<TransferLog[]>
  authorizations(filter: AuthorizationFilter): Promise<AuthorizationLog[]>
  receipt(transaction: string): Promise<Receipt>
  /** The block of a successful transaction; undefined if unknown or failed. */
  blockOf(transaction: string): Promise<number | undefined>
  /** The input data of the transaction. */
  input(transaction: string): Promise<Hex>
  /** Whether the authorization was used by the latest block, and when that block was. */
  isUsed(
    authorization: AuthorizationKey,
  ): Promise<{ readonly isUsed: boolean; readonly head: number; readonly atSeconds: number }>
  /** The transaction that used it, if between these blocks. */
  useOf(authorization: AuthorizationKey, fromBlock: number, toBlock: number): Promise<string | undefined>
}

/** Identifies an EIP-3009 authorization. */
export type AuthorizationKey = { readonly asset: string; readonly authorizer: string; readonly nonce: string }

export type Hex = `0x${string}`

const TRANSFER = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')
const AUTHORIZATION_USED = parseAbiItem(
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
)
const AUTHORIZATION_STATE = parseAbiItem(
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
)
export const RESPONSE_TIMEOUT_MS = 20_000

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
    const tooLate = new NodeError('slow', `The node did not respond within ${RESPONSE_TIMEOUT_MS / 1000} s.`)
    // Covers the whole response; the client's own timeout would end with the headers.
    void clock.sleep(RESPONSE_TIMEOUT_MS, signal).then(() => ending.abort(tooLate))
    return fetch(input, { ...init, signal: ending.signal })
  }
  // The indexer decides about retries.
  const client = createClient({ transport: http(url, { retryCount: 0, timeout: 0, fetchFn }), cacheTime: 0 })
  const call = async <T>(request: Promise<T>): Promise<T> => {
    try {
      return await request
    } catch (error) {
      throw toNodeError(error, url)
    }
  }
  const toRange = ({ fromBlock, toBlock, assets }: LogFilter) => ({
    address: assets as Hex[],
    fromBlock: BigInt(fromBlock),
    toBlock: BigInt(toBlock),
    strict: true as const,
  })
  return {
    chainNumber: () => call(getChainId(client)),
    finalized: async () => Number((await call(getBlock(client, { blockTag: 'finalized' }))).number),
    timeOf: async block => toTime((await call(getBlock(client, { blockNumber: BigInt(block) }))).timestamp),
    async transfers({ to, from, ...range }) {
      const args = { ...(to && { to: to as Hex[] }), ...(from && { from: from as Hex[] }) }
      const logs = await call(getLogs(client, { ...toRange(range), event: TRANSFER, args }))
      return logs.map(log => ({
        transaction: log.transactionHash,
        logIndex: log.logIndex,
        block: Number(log.blockNumber),
        at: log.blockTimestamp ? toTime(log.blockTimestamp) : undefined,
        asset: log.address.toLowerCase(),
        from: log.args.from.toLowerCase(),
        to: log.args.to.toLowerCase(),
        value: log.args.value,
      }))
    },
    async authorizations({ authorizers, ...range }) {
      const args = { authorizer: authorizers as Hex[] }
      const logs = await call(getLogs(client, { ...toRange(range), event: AUTHORIZATION_USED, args }))
      return logs.map(log => ({
        transaction: log.transactionHash,
        logIndex: log.logIndex,
        asset: log.address.toLowerCase(),
        authorizer: log.args.authorizer.toLowerCase(),
      }))
    },
    async isUsed({ asset, authorizer, nonce }) {
      const { number, timestamp } = await call(getBlock(client))
      const isUsed = await call(
        readContract(client, {
          address: asset as Hex,
          abi: [AUTHORIZATION_STATE],
          functionName: 'authorizationState',
          args: [authorizer as Hex, nonce as Hex],
          blockNumber: number,
        }),
      )
      return { isUsed, head: Number(number), atSeconds: Number(timestamp) }
    },
    async useOf({ asset, authorizer, nonce }, fromBlock, toBlock) {
      const args = { authorizer: authorizer as Hex, nonce: nonce as Hex }
      const range = toRange({ fromBlock, toBlock, assets: [asset] })
      const [log] = await call(getLogs(client, { ...range, event: AUTHORIZATION_USED, args }))
      return log?.transactionHash
    },
    async receipt(transaction) {
      const { from, to } = await call(getTransactionReceipt(client, { hash: transaction as Hex }))
      return { sender: from.toLowerCase(), called: to?.toLowerCase() }
    },
    async blockOf(transaction) {
      const found = getTransactionReceipt(client, { hash: transaction as Hex }).catch(error => {
        if (error instanceof TransactionReceiptNotFoundError) return undefined
        throw error
      })
      const receipt = await call(found)
      return receipt?.status === 'success' ? Number(receipt.blockNumber) : undefined
    },
    input: async transaction => (await call(getTransaction(client, { hash: transaction as Hex }))).input,
  }
}

const toTime = (seconds: bigint): string => new Date(Number(seconds) * 1000).toISOString()
