// One node of Solana, as payments to listed wallets are read from it.
import { z } from 'zod'
import { createRpc, type RpcParts, UNSUPPORTED_VERSION } from './rpc.ts'
import { type Transaction, transactionSchema } from './transaction.ts'

/** A transaction that names an account. */
export type SignatureInfo = {
  readonly signature: string
  readonly slot: number
  readonly isFailed: boolean
}

/** Every call throws a NodeError where the node fails, and tells only what is final: nothing of it is ever taken back. */
export interface SolanaNode {
  genesisHash(): Promise<string>
  head(): Promise<number>
  /** Newest first, after the given signature or from the newest, at most `SIGNATURES_AT_ONCE`. */
  signatures(account: string, before?: string): Promise<SignatureInfo[]>
  /** undefined where the node has it not, or not any more; unreadable: of a version or form that is not known here. */
  transaction(signature: string): Promise<Transaction | 'unreadable' | undefined>
}

/** As many as a node gives in one answer. */
export const SIGNATURES_AT_ONCE = 1_000
const FINAL = { commitment: 'finalized' }

const signaturesSchema = z.array(z.object({ signature: z.string(), slot: z.int().min(0), err: z.unknown() }))

export function createSolanaNode(parts: RpcParts): SolanaNode {
  const { ask, read, fail } = createRpc(parts)
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
      const answer = await ask('getTransaction', [signature, options])
      if ('result' in answer) {
        const found = transactionSchema.nullable().safeParse(answer.result)
        return found.success ? (found.data ?? undefined) : 'unreadable'
      }
      const { code, message } = answer.error
      return code === UNSUPPORTED_VERSION
        ? 'unreadable'
        : fail('away', `The node refuses a transaction: ${message}`)
    },
  }
}
