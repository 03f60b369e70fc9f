// What is asked of an EVM node, and how nodes of any chain fail. The client is evm-node.ts.

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

export type LogFilter = {
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
  /** CAIP-2. */
  chainId(): Promise<string>
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

/** refused: a smaller range may succeed; slow: a smaller range or waiting; unavailable: only waiting. */
export type NodeTrouble = 'refused' | 'slow' | 'unavailable'

export class NodeError extends Error {
  override readonly name = 'NodeError'

  constructor(
    readonly trouble: NodeTrouble,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** A node of another chain would answer all that it is asked. @throws NodeError */
export async function assertChain(node: { chainId(): Promise<string> }, chain: string): Promise<void> {
  const id = await node.chainId()
  if (id !== chain) throw new NodeError('unavailable', `The node is one of ${id}, not of ${chain}.`)
}

/** Removes the API keys that providers put into the path or query. */
export function withoutSecrets(text: string, url: string): string {
  const { href, pathname, searchParams, username, password } = new URL(url)
  const parts = [url, href, username, password, ...pathname.split('/'), ...searchParams.values()]
  return parts
    .filter(part => part.length >= 6)
    .sort((a, b) => b.length - a.length)
    .reduce((clean, part) => clean.replaceAll(part, '…'), text)
}
