// One Solana node, for making payments and checking their use.
import { z } from 'zod'
import { createRpc, type RpcParts, UNSUPPORTED_VERSION } from './rpc.ts'

/** confirmed: two thirds of the stake voted for it. finalized: irreversible. */
export type Commitment = 'confirmed' | 'finalized'

export type Blockhash = {
  readonly blockhash: string
  /** The slot of its block. */
  readonly slot: number
  /** Height of the last block in which it is valid. */
  readonly lastBlock: number
}

/** Every call throws a NodeError if the node fails. */
export interface PayingNode {
  genesisHash(): Promise<string>
  blockhash(): Promise<Blockhash>
  /** undefined if there is no such mint. */
  mint(address: string): Promise<{ readonly program: string; readonly decimals: number } | undefined>
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
  /** The bytes of a successful transaction; undefined if the node does not have it. other: of a version not used here */
  transaction(signature: string, commitment: Commitment): Promise<Uint8Array | 'failed' | 'other' | undefined>
  /** The height of the finalized block in a slot; undefined if the node does not have it. */
  heightOf(slot: number): Promise<number | undefined>
  /** The slots of `count` finalized blocks from a slot on. */
  slots(from: number, count: number): Promise<number[]>
}

export const MAX_SIGNATURES = 1_000
const FINAL = { commitment: 'finalized' }
/** Offset of the decimals in a mint account. */
const DECIMALS_AT = 44
/** Error codes for a missing block: skipped, cleaned up, or not in long-term storage. */
const NO_BLOCK = new Set([-32_001, -32_004, -32_007, -32_009])

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

export function createPayingNode(parts: RpcParts): PayingNode {
  const { call, read, fail } = createRpc(parts)
  return {
    genesisHash: () => read('getGenesisHash', [], z.string()),
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
      const answer = await call('getTransaction', [signature, options])
      if ('error' in answer) {
        const { code, message } = answer.error
        return code === UNSUPPORTED_VERSION
          ? 'other'
          : fail('unavailable', `The node refuses a transaction: ${message}`)
      }
      const found = transactionSchema.safeParse(answer.result)
      if (!found.success)
        return fail('unavailable', 'The response of the node to getTransaction cannot be read.')
      if (found.data === null) return undefined
      const { meta, transaction } = found.data
      return meta.err === null ? Buffer.from(transaction[0], 'base64') : 'failed'
    },
    async heightOf(at) {
      const options = {
        ...FINAL,
        transactionDetails: 'none',
        rewards: false,
        maxSupportedTransactionVersion: 0,
      }
      const answer = await call('getBlock', [at, options])
      if ('error' in answer) {
        const { code, message } = answer.error
        return NO_BLOCK.has(code) ? undefined : fail('unavailable', `The node refuses a block: ${message}`)
      }
      const found = blockSchema.safeParse(answer.result)
      if (!found.success) return fail('unavailable', 'The response of the node to getBlock cannot be read.')
      return found.data?.blockHeight
    },
    slots: (from, count) => read('getBlocksWithLimit', [from, count, FINAL], z.array(slot)),
  }
}
