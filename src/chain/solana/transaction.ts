// Reads the token transfers of one transaction, in the encoding jsonParsed.
import { z } from 'zod'
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../domain/solana.ts'

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
