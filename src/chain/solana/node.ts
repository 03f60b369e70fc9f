// One Solana node, for reading payments to listed wallets.
import { z } from 'zod'
import { createRpc, type RpcParts, UNSUPPORTED_VERSION } from './rpc.ts'
import { type Transaction, transactionSchema } from './transaction.ts'

/** A transaction that involves an account. */
export type SignatureInfo = {
  readonly signature: string
  readonly slot: number
  readonly isFailed: boolean
}

/** Every call throws a NodeError if the node fails, and returns only finalized data. */
export interface SolanaNode {
  genesisHash(): Promise<string>
  head(): Promise<number>
  /** Newest first, older than the given signature, at most `SIGNATURES_AT_ONCE`. */
  signatures(account: string, before?: string): Promise<SignatureInfo[]>
  /** undefined if the node does not have it (any more); unreadable: of an unknown version or form. */
  transaction(signature: string): Promise<Transaction | 'unreadable' | undefined>
}

/** The limit of nodes per response. */
export const SIGNATURES_AT_ONCE = 1_000
const FINAL = { commitment: 'finalized' }

const signaturesSchema = z.array(z.object({ signature: z.string(), slot: z.int().min(0), err: z.unknown() }))

export function createSolanaNode(parts: RpcParts): SolanaNode {
  const { call, read, fail } = createRpc(parts)
  return {
    genesisHash: () => read('getGenesisHash', [], z.string()),
    head: () => read('getSlot', [FINAL], z.int().min(0)),
    async signatures(account, before) {
      const options = { ...FINAL, limit: SIGNATURES_AT_ONCE, ...(before !== undefined && { before }) }
      const found = await read('getSignaturesForAddress', [account, options], signaturesSchema)
      return found.map(({ signature, slot, err }) => ({ signature, slot, isFailed: err !== null }))
    },
    async transaction(signature) {
      const options = { ...FINAL, encoding: 'jsonParsed', maxSupportedTransactionVersion: 0 }
      const answer = await call('getTransaction', [signature, options])
      if ('result' in answer) {
        const found = transactionSchema.nullable().safeParse(answer.result)
        return found.success ? (found.data ?? undefined) : 'unreadable'
      }
      const { code, message } = answer.error
      return code === UNSUPPORTED_VERSION
        ? 'unreadable'
        : fail('unavailable', `The node refuses a transaction: ${message}`)
    },
  }
}
