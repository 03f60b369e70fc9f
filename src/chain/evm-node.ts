// One EVM node over JSON-RPC, by viem: the operator's own, which may have a private address, so requests do not go through safe-fetch;
// or a public one.
import {
  BaseError,
  createClient,
  HttpRequestError,
  http,
  parseAbiItem,
  RpcRequestError,
  TransactionReceiptNotFoundError,
  type Chain as ViemChain,
} from 'viem'
import {
  getBlock,
  getChainId,
  getLogs,
  getTransaction,
  getTransactionReceipt,
  readContract,
} from 'viem/actions'
import type { Clock } from '../runtime/clock.ts'
import {
  type ChainNode,
  type Hex,
  type LogFilter,
  NodeError,
  type NodeTrouble,
  withoutSecrets,
} from './node.ts'

const TRANSFER = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')
const AUTHORIZATION_USED = parseAbiItem(
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
)
const AUTHORIZATION_STATE = parseAbiItem(
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
)
export const RESPONSE_TIMEOUT_MS = 20_000

/** The public node that viem names for the chain. Some forks and testnets have the number of another chain and come after it. */
export async function findPublicNode(chain: string): Promise<string | undefined> {
  const chains: readonly ViemChain[] = Object.values(await import('viem/chains'))
  const found = chains.find(({ id, testnet }) => `eip155:${id}` === chain && testnet !== true)
  return found?.rpcUrls.default.http[0]
}

export function createNode({
  url,
  clock,
  signal,
  gapMs = 0,
}: {
  url: string
  clock: Clock
  signal: AbortSignal
  /** Between the starts of two requests. */
  gapMs?: number
}): ChainNode {
  let nextAtMs = 0
  const untilFree = async () => {
    const nowMs = clock.now().getTime()
    const waitMs = Math.max(0, nextAtMs - nowMs)
    nextAtMs = nowMs + waitMs + gapMs
    if (waitMs > 0) await clock.sleep(waitMs, signal)
  }
  const fetchFn = async (input: string | URL | Request, init?: RequestInit) => {
    if (gapMs > 0) await untilFree()
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
    chainId: async () => `eip155:${await call(getChainId(client))}`,
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

/** Errors of the client become a NodeError without the secrets of the URL; our own faults are returned unchanged. */
export function toNodeError(error: unknown, url: string): unknown {
  if (!(error instanceof BaseError)) return error
  const own = error.walk(each => each instanceof NodeError)
  if (own) return own
  const cause = error.walk(each => each instanceof RpcRequestError || each instanceof HttpRequestError)
  const status = cause instanceof HttpRequestError && cause.status ? `status ${cause.status}` : ''
  const words = [error.shortMessage, status, error.details].filter(Boolean).join(' ')
  return new NodeError(troubleOf(error), withoutSecrets(words, url).slice(0, 300))
}

const RATE_LIMIT = /rate|too many requests|per second|throughput|capacity|quota/i

function troubleOf(error: BaseError): NodeTrouble {
  const is = <T extends Error>(kind: new (...args: never[]) => T) =>
    error.walk(each => each instanceof kind) as T | null
  const http = is(HttpRequestError)
  if (http) {
    if (http.status === 400 || http.status === 413) return 'refused'
    return http.status !== undefined && http.status >= 500 ? 'slow' : 'unavailable'
  }
  const answer = is(RpcRequestError)
  if (answer) return answer.code === 429 || RATE_LIMIT.test(answer.details) ? 'unavailable' : 'refused'
  // A response too large to read is treated as a refused range.
  return error.name === 'ResponseBodyTooLargeError' ? 'refused' : 'unavailable'
}
