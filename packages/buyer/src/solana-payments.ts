// Payments made on Solana: the data to build one, and whether it was used, from the operator's own nodes.

import { assertChain, NodeError } from 'shirube/chain/node.ts'
import { createRpc, type RpcDeps, UNSUPPORTED_VERSION } from 'shirube/chain/solana/node.ts'
import { decodeBase58 } from 'shirube/domain/chains/addresses.ts'
import { findAsset } from 'shirube/domain/chains/assets.ts'
import type { Lifetime } from 'shirube/domain/purchases/purchases.ts'
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from 'shirube/domain/solana.ts'
import type { Clock } from 'shirube/runtime/clock.ts'
import { z } from 'zod'
import type { AuthorizationState, RecentChainState, SignedAuthorization } from './settlements.ts'
import { hashMessage, messageIn } from './solana-message.ts'

type Mint = Pick<RecentChainState, 'program' | 'decimals'>

export type SolanaPayments = {
  has(chain: string): boolean
  /** @throws NodeError */
  recent(chain: string, mint: string): Promise<RecentChainState>
  /** @throws NodeError */
  look(chain: string, signed: SignedTransaction): Promise<AuthorizationState>
}

const PROGRAMS: readonly string[] = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]

/** @param rpcUrls by CAIP-2 id */
export function createSolanaPayments(
  rpcUrls: Readonly<Record<string, string>>,
  clock: Clock,
  signal: AbortSignal,
): SolanaPayments {
  const urls = new Map(Object.entries(rpcUrls).filter(([chain]) => chain.startsWith('solana:')))
  const checked = new Map<string, PayingNode>()
  /** A node of another chain would return a useless blockhash, and miss the payment. */
  const nodeOf = async (chain: string): Promise<PayingNode> => {
    const url = urls.get(chain)
    if (url === undefined) throw new Error(`There is no node for ${chain}.`)
    const node = checked.get(chain) ?? createPayingNode({ url, clock, signal })
    if (!checked.has(chain)) await assertChain(node, chain)
    checked.set(chain, node)
    return node
  }
  const mints = new Map<string, Mint>()
  /** A mint never changes. */
  const mintOf = async (node: PayingNode, chain: string, address: string): Promise<Mint> => {
    const known = mints.get(`${chain} ${address}`)
    if (known) return known
    const mint = await node.mint(address)
    if (!mint || !PROGRAMS.includes(mint.program) || mint.decimals !== findAsset(chain, address)?.decimals)
      throw new NodeError('unavailable', `The node describes ${address} differently than the tables do.`)
    mints.set(`${chain} ${address}`, mint)
    return mint
  }
  return {
    has: chain => urls.has(chain),
    async recent(chain, address) {
      const node = await nodeOf(chain)
      const mint = await mintOf(node, chain, address)
      return { ...mint, ...(await node.blockhash()) }
    },
    look: async (chain, signed) => findUse(await nodeOf(chain), signed),
  }
}

// One Solana node, for making payments and checking their use.

/** confirmed: two thirds of the stake voted for it. finalized: irreversible. */
type Commitment = 'confirmed' | 'finalized'

type Blockhash = Omit<RecentChainState, keyof Mint>

/** Every call throws a NodeError if the node fails. */
interface PayingNode {
  chainId(): Promise<string>
  blockhash(): Promise<Blockhash>
  /** undefined if there is no such mint. */
  mint(address: string): Promise<Mint | undefined>
  /** The latest finalized block. */
  head(): Promise<{ readonly slot: number; readonly height: number }>
  /** Transactions that involve the account, newest first, from a node that has reached `minSlot`. */
  signatures(
    account: string,
    query: {
      readonly commitment: Commitment
      readonly minSlot?: number
      readonly before?: string | undefined
    },
  ): Promise<{ readonly signature: string; readonly slot: number; readonly isFailed: boolean }[]>
  /** The bytes of a successful transaction; undefined if the node does not have it. other: failed, or of a version not used here */
  transaction(signature: string, commitment: Commitment): Promise<Uint8Array | 'other' | undefined>
  /** The height of the finalized block in a slot; undefined if the node does not have it. */
  heightOf(slot: number): Promise<number | undefined>
  /** The slots of `count` finalized blocks from a slot on. */
  slots(from: number, count: number): Promise<number[]>
}

const MAX_SIGNATURES = 1_000
const FINAL = { commitment: 'finalized' }
/** Offset of the decimals in a mint account. */
const DECIMALS_AT = 44
/** Error codes for a missing block: skipped, cleaned up, or not in long-term storage. */
const NO_BLOCK = [-32_001, -32_004, -32_007, -32_009]

const slot = z.int().min(0)
const blockhashSchema = z.object({
  context: z.object({ slot }),
  value: z.object({ blockhash: z.string(), lastValidBlockHeight: z.int().min(0) }),
})
const accountSchema = z.object({
  value: z.object({ owner: z.string(), data: z.tuple([z.string(), z.literal('base64')]) }).nullable(),
})
const epochSchema = z.object({ absoluteSlot: slot, blockHeight: z.int().min(0) })
const signaturesSchema = z.array(z.object({ signature: z.string(), slot, err: z.unknown() }))
const transactionSchema = z
  .object({
    meta: z.object({ err: z.unknown() }),
    transaction: z.tuple([z.base64(), z.literal('base64')]),
  })
  .nullable()
const blockSchema = z.object({ blockHeight: z.int().min(0) }).nullable()

function createPayingNode(deps: RpcDeps): PayingNode {
  const { read, maybeRead, chainId } = createRpc(deps)
  return {
    chainId,
    async blockhash() {
      const { context, value } = await read('getLatestBlockhash', [FINAL], blockhashSchema)
      return { blockhash: value.blockhash, slot: context.slot, lastBlock: value.lastValidBlockHeight }
    },
    async mint(address) {
      const options = { ...FINAL, encoding: 'base64', dataSlice: { offset: DECIMALS_AT, length: 1 } }
      const { value } = await read('getAccountInfo', [address, options], accountSchema)
      const [decimals] = value ? Buffer.from(value.data[0], 'base64') : []
      return value && decimals !== undefined ? { program: value.owner, decimals } : undefined
    },
    async head() {
      const { absoluteSlot, blockHeight } = await read('getEpochInfo', [FINAL], epochSchema)
      return { slot: absoluteSlot, height: blockHeight }
    },
    async signatures(account, { commitment, minSlot, before }) {
      const options = {
        commitment,
        limit: MAX_SIGNATURES,
        ...(minSlot !== undefined && { minContextSlot: minSlot }),
        ...(before !== undefined && { before }),
      }
      const found = await read('getSignaturesForAddress', [account, options], signaturesSchema)
      return found.map(({ signature, slot, err }) => ({ signature, slot, isFailed: err !== null }))
    },
    async transaction(signature, commitment) {
      const options = { commitment, encoding: 'base64', maxSupportedTransactionVersion: 0 }
      const codes = [UNSUPPORTED_VERSION]
      const found = await maybeRead(codes, 'getTransaction', [signature, options], transactionSchema)
      if (found === null) return undefined
      return found?.meta.err === null ? Buffer.from(found.transaction[0], 'base64') : 'other'
    },
    async heightOf(at) {
      const options = {
        ...FINAL,
        transactionDetails: 'none',
        rewards: false,
        maxSupportedTransactionVersion: 0,
      }
      return (await maybeRead(NO_BLOCK, 'getBlock', [at, options], blockSchema))?.blockHeight
    },
    slots: (from, count) => read('getBlocksWithLimit', [from, count, FINAL], z.array(slot)),
  }
}

/**
 * Checks whether a signed transaction was used. Its holder can submit it as long as its blockhash is valid. A chain accepts each
 * message once, so the hash of the message identifies the payment. It has expired once the last block in which it was valid is final,
 * and none of those blocks contains it.
 */

type SignedTransaction = Pick<SignedAuthorization, 'payer' | 'nonce' | 'claimed'> & {
  readonly lifetime: Lifetime
}

/**
 * The block after the last valid height may still contain it, because its age counts from the block before. And a node lists
 * transactions a moment after it has their block.
 */
const MARGIN_BLOCKS = 150
/** More blocks than the lifetime of any transaction. */
const MAX_LIFETIME_BLOCKS = 1_000
/** Anyone can involve an account in a transaction; beyond these limits the result is unknown. */
const MAX_PAGES = 50
const MAX_READ = 1_000
const SIGNATURE_BYTES = 64
/** Characters of a base58 signature. */
const MAX_SIGNATURE = 88

/** @throws NodeError if the node cannot answer */
async function findUse(node: PayingNode, signed: SignedTransaction): Promise<AuthorizationState> {
  const { claimed, nonce, lifetime } = signed
  // The seller's claim may be false: then the chain is searched as without it.
  const isNamed = claimed !== null && (await isIn(node, claimed, nonce, 'confirmed').catch(() => false))
  if (isNamed) return { state: 'used', transaction: claimed }
  const { slot, height } = await node.head()
  const end = lifetime.lastBlock + MARGIN_BLOCKS
  if (height < end) {
    const transaction = await search(node, signed, { commitment: 'confirmed' })
    return transaction === undefined ? { state: 'unused' } : { state: 'used', transaction }
  }
  const lastSlot = await findLastSlot(node, lifetime.slot, end)
  const transaction = await search(node, signed, { commitment: 'finalized', minSlot: slot, lastSlot })
  if (transaction !== undefined) return { state: 'used', transaction }
  if (lastSlot === undefined)
    throw new NodeError('unavailable', `The node does not have all blocks from slot ${lifetime.slot} on.`)
  return { state: 'expired' }
}

async function isIn(
  node: PayingNode,
  signature: string,
  nonce: string,
  commitment: Commitment,
): Promise<boolean | undefined> {
  if (signature.length > MAX_SIGNATURE || decodeBase58(signature)?.length !== SIGNATURE_BYTES) return false
  const found = await node.transaction(signature, commitment)
  if (found === undefined) return undefined
  const message = typeof found === 'string' ? undefined : messageIn(found)
  return message !== undefined && hashMessage(message) === nonce
}

async function search(
  node: PayingNode,
  { payer, nonce, lifetime }: SignedTransaction,
  {
    lastSlot = Number.POSITIVE_INFINITY,
    ...query
  }: {
    readonly commitment: Commitment
    readonly minSlot?: number
    readonly lastSlot?: number | undefined
  },
): Promise<string | undefined> {
  let reads = 0
  let before: string | undefined
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const page = await node.signatures(payer, { ...query, before })
    for (const { signature, slot, isFailed } of page) {
      if (isFailed || slot <= lifetime.slot || slot > lastSlot) continue
      if (++reads > MAX_READ) throw tooMany(payer)
      const isThis = await isIn(node, signature, nonce, query.commitment)
      if (isThis === undefined)
        throw new NodeError(
          'unavailable',
          `The node lists the transaction ${signature} and does not have it.`,
        )
      if (isThis) return signature
    }
    const last = page.at(-1)
    if (!last || page.length < MAX_SIGNATURES || last.slot <= lifetime.slot) return undefined
    before = last.signature
  }
  throw tooMany(payer)
}

const tooMany = (payer: string) =>
  new NodeError('unavailable', `More transactions name ${payer} than can be searched.`)

/**
 * @returns the slot of the block at this height; undefined if the node lost earlier blocks, or was offline for them: then it cannot
 * prove that they did not contain the transaction
 */
async function findLastSlot(node: PayingNode, slot: number, end: number): Promise<number | undefined> {
  const height = await node.heightOf(slot)
  if (height === undefined || height > end || end - height > MAX_LIFETIME_BLOCKS) return undefined
  const count = end - height + 1
  const slots = await node.slots(slot, count)
  const last = slots.at(-1)
  if (last === undefined || slots[0] !== slot || slots.length !== count) return undefined
  return (await node.heightOf(last)) === end ? last : undefined
}
