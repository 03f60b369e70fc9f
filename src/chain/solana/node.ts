// One node of Solana over JSON-RPC. It is the operator's own, so it may live on a private address: requests to it do not go through safe-fetch.
import { z } from 'zod'
import type { Clock } from '../../runtime/clock.ts'
import { NodeError, type NodeTrouble, withoutSecrets } from '../node-error.ts'
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
const ANSWER_WITHIN_MS = 20_000
const FINAL = { commitment: 'finalized' }
/** How a node says that a transaction is of a newer version than was asked for. */
const UNSUPPORTED_VERSION = -32_015

const answerSchema = z.union([
  z.object({ error: z.object({ code: z.number(), message: z.string() }) }),
  z.object({ result: z.unknown() }),
])
const signaturesSchema = z.array(z.object({ signature: z.string(), slot: z.int().min(0), err: z.unknown() }))

export function createSolanaNode({
  url,
  clock,
  signal,
}: {
  url: string
  clock: Clock
  signal: AbortSignal
}): SolanaNode {
  const fail = (trouble: NodeTrouble, message: string, cause?: unknown): never => {
    throw new NodeError(trouble, withoutSecrets(message, url).slice(0, 300), { cause })
  }
  const post = async (body: string): Promise<string> => {
    const ending = new AbortController()
    const tooLate = new NodeError('slow', `The node did not answer within ${ANSWER_WITHIN_MS / 1000} s.`)
    void clock.sleep(ANSWER_WITHIN_MS, signal).then(() => ending.abort(tooLate))
    const headers = { 'content-type': 'application/json' }
    try {
      const response = await fetch(url, { method: 'POST', headers, body, signal: ending.signal })
      if (!response.ok) return fail('away', `The node answered status ${response.status}.`)
      return await response.text()
    } catch (error) {
      if (error instanceof NodeError) throw error
      return fail('away', `The node cannot be reached: ${(error as Error).message}`, error)
    }
  }
  let calls = 0
  const ask = async (method: string, params: readonly unknown[]) => {
    const text = await post(JSON.stringify({ jsonrpc: '2.0', id: ++calls, method, params }))
    const answer = answerSchema.safeParse(parseJson(text)).data
    return answer ?? fail('away', `The node answered ${method} with something else than JSON-RPC.`)
  }
  const read = async <T>(method: string, params: readonly unknown[], schema: z.ZodType<T>): Promise<T> => {
    const answer = await ask(method, params)
    if ('error' in answer) return fail('away', `The node refuses ${method}: ${answer.error.message}`)
    const result = schema.safeParse(answer.result)
    return result.success ? result.data : fail('away', `The node's answer to ${method} cannot be understood.`)
  }
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
