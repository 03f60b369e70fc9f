// A node of Solana for tests, on loopback. Its answers are constructed, in the shape that the documentation of the JSON-RPC methods gives:
// a validator is not among the packages, and LiteSVM, which pays in the tests of the buyer, does not tell transactions in parsed form.

import { COMPUTE_BUDGET_PROGRAM, MEMO_PROGRAM } from '../../../packages/buyer/src/solana-message.ts'
import { encodeBase58 } from '../../../src/domain/chains/addresses.ts'
import { TOKEN_PROGRAM, tokenAccountOf } from '../../../src/domain/solana.ts'

export const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuKfmZBrTTj8'

export const newAddress = (): string => encodeBase58(crypto.getRandomValues(new Uint8Array(32)))

type Transfer = { readonly from: string; readonly to: string; readonly value: bigint; readonly mint?: string }
export type Sent = {
  readonly feePayer: string
  readonly transfers: readonly Transfer[]
  readonly isFailed?: boolean
  /** Made by a program, not by the transaction itself. */
  readonly isInner?: boolean
  readonly kind?: 'transferChecked' | 'transfer'
  /** A program that only calls itself a token. */
  readonly programId?: string
  /** The account that receives, where it is not the one that belongs to the wallet. */
  readonly destination?: string
}

type Kept = {
  readonly signature: string
  readonly slot: number
  readonly accounts: readonly string[]
  readonly answer: object
}

export function openSolanaRpc() {
  const kept: Kept[] = []
  const calls: { method: string; params: unknown[] }[] = []
  let slot = 1_000
  let genesis = GENESIS
  const gone = new Set<string>()
  const unreadable = new Map<string, object>()
  let status = 200
  let onHead = () => {}

  const answerTo = (method: string, params: unknown[]): unknown => {
    if (method === 'getGenesisHash') return genesis
    if (method === 'getSlot') {
      onHead()
      return slot
    }
    if (method === 'getTransaction') {
      const [signature] = params as [string]
      return gone.has(signature) ? null : (kept.find(each => each.signature === signature)?.answer ?? null)
    }
    const [account, { before, limit }] = params as [string, { before?: string; limit: number }]
    const own = kept.filter(({ accounts }) => accounts.includes(account)).toReversed()
    const from = before === undefined ? 0 : own.findIndex(each => each.signature === before) + 1
    return own.slice(from, from + limit).map(({ signature, slot: at, answer }) => ({
      signature,
      slot: at,
      err: (answer as { meta: { err: unknown } }).meta.err,
      memo: null,
      blockTime: toTime(at),
      confirmationStatus: 'finalized',
    }))
  }
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { method, params, id } = (await request.json()) as {
        method: string
        params: unknown[]
        id: number
      }
      calls.push({ method, params })
      if (status !== 200) return new Response('no', { status })
      const strange = method === 'getTransaction' ? unreadable.get(String(params[0])) : undefined
      if (strange) return Response.json({ jsonrpc: '2.0', id, ...strange })
      return Response.json({ jsonrpc: '2.0', id, result: answerTo(method, params) })
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    calls,
    /** One transaction in a slot of its own; it returns its signature. */
    send(sent: Sent): string {
      const signature = encodeBase58(crypto.getRandomValues(new Uint8Array(64)))
      slot++
      const { accounts, answer } = toAnswer(sent, slot, signature)
      kept.push({ signature, slot, accounts, answer })
      return signature
    },
    get lastSlot(): number {
      return slot
    },
    pass(slots: number): void {
      slot += slots
    },
    /** What the node says of a transaction instead. */
    distort: (signature: string, answer: object) => void unreadable.set(signature, answer),
    forget: (signature: string) => void gone.add(signature),
    set genesis(hash: string) {
      genesis = hash
    },
    /** Called with every question for the newest slot. */
    set onHead(react: () => void) {
      onHead = react
    },
    set status(code: number) {
      status = code
    },
    [Symbol.asyncDispose]: () => server.stop(true),
  }
}

const toTime = (slot: number) => 1_790_000_000 + Math.floor(slot * 0.4)

function toAnswer(sent: Sent, slot: number, signature: string) {
  const { feePayer, transfers, isFailed = false, isInner = false, kind = 'transferChecked' } = sent
  const moves = transfers.map(({ from, to, value, mint = USDC }) => ({
    from,
    to,
    value,
    mint,
    source: tokenAccountOf(from, mint)!,
    destination: sent.destination ?? tokenAccountOf(to, mint)!,
  }))
  const keys = [
    ...new Set([feePayer, ...moves.flatMap(({ from, source, destination }) => [from, source, destination])]),
    TOKEN_PROGRAM,
  ]
  const balances = moves.flatMap(({ from, to, mint, source, destination }) =>
    [
      [source, from],
      [destination, to],
    ].map(([account, owner]) => ({
      accountIndex: keys.indexOf(account!),
      mint,
      owner,
      programId: TOKEN_PROGRAM,
      uiTokenAmount: { amount: '1000000', decimals: 6, uiAmount: 1, uiAmountString: '1' },
    })),
  )
  const instructions = moves.map(({ from, mint, source, destination, value }) => ({
    program: 'spl-token',
    programId: sent.programId ?? TOKEN_PROGRAM,
    parsed: {
      type: kind,
      info:
        kind === 'transfer'
          ? { amount: String(value), authority: from, destination, source }
          : {
              authority: from,
              destination,
              mint,
              source,
              tokenAmount: { amount: String(value), decimals: 6, uiAmount: null, uiAmountString: '' },
            },
    },
    stackHeight: null,
  }))
  const budget = { programId: COMPUTE_BUDGET_PROGRAM, accounts: [], data: '3fUqJGcULkz5', stackHeight: null }
  const memo = { program: 'spl-memo', programId: MEMO_PROGRAM, parsed: 'nonce', stackHeight: null }
  return {
    accounts: keys,
    answer: {
      slot,
      blockTime: toTime(slot),
      version: 0,
      meta: {
        err: isFailed ? { InstructionError: [2, { Custom: 1 }] } : null,
        fee: 10_000,
        innerInstructions: isInner ? [{ index: 1, instructions }] : [],
        logMessages: [],
        preTokenBalances: balances,
        postTokenBalances: balances,
      },
      transaction: {
        signatures: [signature],
        message: {
          accountKeys: keys.map((pubkey, index) => ({
            pubkey,
            signer: index === 0,
            writable: true,
            source: 'transaction',
          })),
          instructions: [budget, ...(isInner ? [memo] : instructions), memo],
        },
      },
    },
  }
}
