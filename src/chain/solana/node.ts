// One Solana node over JSON-RPC, and the token transfers in its transactions. It is the operator's own and may have a private address,
// so requests do not go through safe-fetch. Time and response size are limited.
import { z } from 'zod'
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../domain/solana.ts'
import type { Clock } from '../../runtime/clock.ts'
import { NodeError, type NodeTrouble, withoutSecrets } from '../node.ts'

/** A transaction that involves an account. */
export type SignatureInfo = {
  readonly signature: string
  readonly slot: number
  readonly isFailed: boolean
}

/** Every call throws a NodeError if the node fails, and returns only finalized data. */
export interface SolanaNode {
  /** CAIP-2. */
  chainId(): Promise<string>
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

export function createSolanaNode(deps: RpcDeps): SolanaNode {
  const { read, maybeRead, chainId } = createRpc(deps)
  return {
    chainId,
    head: () => read('getSlot', [FINAL], z.int().min(0)),
    async signatures(account, before) {
      const options = { ...FINAL, limit: SIGNATURES_AT_ONCE, ...(before !== undefined && { before }) }
      const found = await read('getSignaturesForAddress', [account, options], signaturesSchema)
      return found.map(({ signature, slot, err }) => ({ signature, slot, isFailed: err !== null }))
    },
    async transaction(signature) {
      const options = { ...FINAL, encoding: 'jsonParsed', maxSupportedTransactionVersion: 0 }
      const schema = transactionSchema.nullable().or(z.literal('unreadable')).catch('unreadable')
      const found = await maybeRead([UNSUPPORTED_VERSION], 'getTransaction', [signature, options], schema)
      return found === undefined ? 'unreadable' : (found ?? undefined)
    },
  }
}

// JSON-RPC.

export type RpcDeps = { readonly url: string; readonly clock: Clock; readonly signal: AbortSignal }

export type Rpc = {
  /** @returns the validated result @throws NodeError, also for an error of the node */
  read<T>(method: string, params: readonly unknown[], schema: z.ZodType<T>): Promise<T>
  /** undefined for an error of these codes. */
  maybeRead<T>(
    codes: readonly number[],
    method: string,
    params: readonly unknown[],
    schema: z.ZodType<T>,
  ): Promise<T | undefined>
  chainId(): Promise<string>
}

/** The error code for a transaction of a newer version than requested. */
export const UNSUPPORTED_VERSION = -32_015
/** A CAIP-2 id contains the start of the genesis hash. */
const GENESIS_CHARACTERS = 32
const RESPONSE_TIMEOUT_MS = 20_000
const MAX_ANSWER_BYTES = 16 * 1024 * 1024

const answerSchema = z.union([
  z.object({ error: z.object({ code: z.number(), message: z.string() }) }),
  z.object({ result: z.unknown() }),
])

export function createRpc({ url, clock, signal }: RpcDeps): Rpc {
  const fail = (trouble: NodeTrouble, message: string, cause?: unknown): never => {
    throw new NodeError(trouble, withoutSecrets(message, url).slice(0, 300), { cause })
  }
  const post = async (body: string): Promise<string> => {
    const ending = new AbortController()
    const tooLate = new NodeError('slow', `The node did not respond within ${RESPONSE_TIMEOUT_MS / 1000} s.`)
    void clock.sleep(RESPONSE_TIMEOUT_MS, signal).then(() => ending.abort(tooLate))
    const headers = { 'content-type': 'application/json' }
    try {
      const response = await fetch(url, { method: 'POST', headers, body, signal: ending.signal })
      if (!response.ok) return fail('unavailable', `The node responded with status ${response.status}.`)
      return (await readText(response)) ?? fail('unavailable', 'The response of the node is too large.')
    } catch (error) {
      if (error instanceof NodeError) throw error
      return fail('unavailable', `The node cannot be reached: ${(error as Error).message}`, error)
    }
  }
  let calls = 0
  const call = async (method: string, params: readonly unknown[]) => {
    const text = await post(JSON.stringify({ jsonrpc: '2.0', id: ++calls, method, params }))
    const answer = answerSchema.safeParse(parseJson(text)).data
    return answer ?? fail('unavailable', `The response of the node to ${method} is not JSON-RPC.`)
  }
  const maybeRead: Rpc['maybeRead'] = async (codes, method, params, schema) => {
    const answer = await call(method, params)
    if ('error' in answer && codes.includes(answer.error.code)) return undefined
    if ('error' in answer) return fail('unavailable', `The node refuses ${method}: ${answer.error.message}`)
    const result = schema.safeParse(answer.result)
    return result.success
      ? result.data
      : fail('unavailable', `The response of the node to ${method} cannot be read.`)
  }
  const read: Rpc['read'] = async (method, params, schema) => (await maybeRead([], method, params, schema))!
  return {
    read,
    maybeRead,
    chainId: async () =>
      `solana:${(await read('getGenesisHash', [], z.string())).slice(0, GENESIS_CHARACTERS)}`,
  }
}

/** @returns undefined if too long */
async function readText(response: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > MAX_ANSWER_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

// Reads the token transfers of one transaction, in the encoding jsonParsed.

const instructionSchema = z.object({ programId: z.string(), parsed: z.unknown().optional() })
const balanceSchema = z.object({
  accountIndex: z.int().min(0),
  mint: z.string(),
  owner: z.string().optional(),
})
const balances = z.array(balanceSchema).nullish()

/** The part of a getTransaction result that transfers are read from. */
export const transactionSchema = z.object({
  slot: z.int().min(0),
  blockTime: z.int().nullish(),
  meta: z
    .object({
      err: z.unknown(),
      innerInstructions: z
        .array(z.object({ index: z.int().min(0), instructions: z.array(instructionSchema) }))
        .nullish(),
      preTokenBalances: balances,
      postTokenBalances: balances,
    })
    .nullable(),
  transaction: z.object({
    message: z.object({
      accountKeys: z.array(z.object({ pubkey: z.string() })).min(1),
      instructions: z.array(instructionSchema),
    }),
  }),
})
export type Transaction = z.output<typeof transactionSchema>

const amount = z.string().regex(/^\d{1,20}$/)
const sides = { source: z.string(), destination: z.string() }
/** `transfer` does not name the mint; the token balances do. */
const transferSchema = z.union([
  z.object({
    type: z.literal('transferChecked'),
    info: z.object({ ...sides, mint: z.string(), tokenAmount: z.object({ amount }) }),
  }),
  z.object({ type: z.literal('transfer'), info: z.object({ ...sides, amount }) }),
])

export type TokenTransfer = {
  /** Unique within the transaction. */
  readonly index: number
  readonly mint: string
  /** The token accounts, and their owners below. */
  readonly source: string
  readonly destination: string
  readonly from: string
  readonly to: string
  readonly value: bigint
}

/** Above the number of inner instructions of any transaction. */
const INNER_MAX = 1_000

/** The first account pays the fee. */
export const feePayerOf = ({ transaction }: Transaction): string => transaction.message.accountKeys[0]!.pubkey

/** @returns none for a failed transaction; unreadable instructions are skipped */
export function transfersOf({ meta, transaction }: Transaction): TokenTransfer[] {
  if (meta === null || meta.err !== null) return []
  const { accountKeys, instructions } = transaction.message
  const accounts = new Map(
    [...(meta.preTokenBalances ?? []), ...(meta.postTokenBalances ?? [])].flatMap(balance => {
      const key = accountKeys[balance.accountIndex]?.pubkey
      return key === undefined ? [] : [[key, balance] as const]
    }),
  )
  const inner = (meta.innerInstructions ?? []).flatMap(group =>
    group.instructions.map((instruction, at) => ({ index: group.index * INNER_MAX + at + 1, instruction })),
  )
  const outer = instructions.map((instruction, at) => ({ index: at * INNER_MAX, instruction }))
  return [...outer, ...inner].flatMap(({ index, instruction: { programId, parsed } }) => {
    if (programId !== TOKEN_PROGRAM && programId !== TOKEN_2022_PROGRAM) return []
    const read = transferSchema.safeParse(parsed)
    if (!read.success) return []
    const { info } = read.data
    const { source, destination } = info
    const [paying, paid] = [accounts.get(source), accounts.get(destination)]
    // Accounts without a known owner, or of different mints, are not a transfer that can be read.
    if (!paying?.owner || !paid?.owner || paying.mint !== paid.mint) return []
    if ('mint' in info && info.mint !== paid.mint) return []
    const value = BigInt('tokenAmount' in info ? info.tokenAmount.amount : info.amount)
    return [{ index, mint: paid.mint, source, destination, from: paying.owner, to: paid.owner, value }]
  })
}
