// Finds the x402 settlements among the transactions of Solana wallets.
import type { Asset } from '../../domain/chains/assets.ts'
import { toDecimal } from '../../domain/money/money.ts'
import { tokenAccountOf } from '../../domain/solana.ts'
import type { Payee, Sent, SettlementRecord } from '../../store/payments.ts'
import { NodeError } from '../node-error.ts'
import { SIGNATURES_AT_ONCE, type SignatureInfo, type SolanaNode } from './node.ts'
import { feePayerOf, type Transaction, transfersOf } from './transaction.ts'

export type Settlement = Omit<SettlementRecord, 'serviceId'>
export type RangeRead = { readonly settlements: readonly Settlement[]; readonly sent: readonly Sent[] }

const TRANSACTIONS_AT_ONCE = 8
/** Pages of transactions that are listed of an account that nobody has claimed; it may be that of an exchange. */
const MAX_PAGES = 20

/**
 * Transactions of the wallet's token accounts in the slots from `from` to `to`, without duplicates, newest first; of one that nobody
 * has claimed not the oldest of very many.
 */
export async function listTransactions(
  node: SolanaNode,
  { address: wallet, isClaimed }: { readonly address: string; readonly isClaimed: boolean },
  assets: readonly Asset[],
  { from, to }: { readonly from: number; readonly to: number },
): Promise<SignatureInfo[]> {
  const found = new Map<string, SignatureInfo>()
  for (const { address: mint } of assets) {
    const account = tokenAccountOf(wallet, mint)
    if (account === undefined) continue
    let before: string | undefined
    for (let pages = 0; isClaimed || pages < MAX_PAGES; pages++) {
      const page = await node.signatures(account, before)
      for (const each of page)
        if (!each.isFailed && each.slot >= from && each.slot <= to) found.set(each.signature, each)
      before = page.at(-1)?.signature
      if (page.length < SIGNATURES_AT_ONCE || page.at(-1)!.slot < from) break
    }
  }
  return [...found.values()].sort((a, b) => b.slot - a.slot || (a.signature < b.signature ? -1 : 1))
}

type Context = {
  readonly chain: string
  readonly assets: readonly Asset[]
  readonly facilitators: ReadonlySet<string>
  readonly payees: readonly Pick<Payee, 'address' | 'side'>[]
  readonly now: Date
  /** Nodes delete old transactions, but must have new ones. */
  readonly mayBeGone: boolean
}

/** @throws NodeError */
export async function readTransactions(
  node: SolanaNode,
  listed: readonly SignatureInfo[],
  context: Context,
): Promise<RangeRead> {
  const settlements: Settlement[] = []
  const sent: Sent[] = []
  for (let at = 0; at < listed.length; at += TRANSACTIONS_AT_ONCE) {
    const part = listed.slice(at, at + TRANSACTIONS_AT_ONCE)
    const read = await Promise.all(part.map(({ signature }) => node.transaction(signature)))
    for (const [index, transaction] of read.entries()) {
      const { signature } = part[index]!
      // An unreadable transaction must not block the others.
      if (transaction === 'unreadable') continue
      if (transaction) {
        settlements.push(...settlementsOf(signature, transaction, context))
        sent.push(...sentOf(transaction, context))
      } else if (!context.mayBeGone)
        throw new NodeError(
          'unavailable',
          `The node lists the transaction ${signature} and does not have it.`,
        )
    }
  }
  return { settlements, sent }
}

/** The payer only signs: a known facilitator as fee payer distinguishes a settlement from other transfers. */
function settlementsOf(signature: string, transaction: Transaction, context: Context): Settlement[] {
  const { chain, facilitators, now } = context
  const feePayer = feePayerOf(transaction)
  if (!facilitators.has(feePayer)) return []
  const { slot, blockTime } = transaction
  const at = (typeof blockTime === 'number' ? new Date(blockTime * 1000) : now).toISOString()
  return transfersOf(transaction).flatMap(({ index, mint, destination, from, to, value }) => {
    const asset = context.assets.find(({ address }) => address === mint)
    const isPayee = context.payees.some(({ address, side }) => side === 'received' && address === to)
    // A facilitator's payment of its own money is not a purchase.
    const isPayment = value > 0n && from !== to && from !== feePayer
    if (!asset || !isPayee || !isPayment || tokenAccountOf(to, mint) !== destination) return []
    return [
      {
        chain,
        transaction: signature,
        logIndex: index,
        block: slot,
        at,
        asset: mint,
        payer: from,
        payee: to,
        amount: toDecimal(value, asset.decimals),
        method: 'facilitator' as const,
      },
    ]
  })
}

function sentOf(transaction: Transaction, { assets, payees }: Context): Sent[] {
  const mints = new Set(assets.map(({ address }) => address))
  const senders = new Set(payees.filter(({ side }) => side === 'sent').map(({ address }) => address))
  return transfersOf(transaction)
    .filter(({ mint, from, to, value }) => mints.has(mint) && senders.has(from) && from !== to && value > 0n)
    .map(({ from: payee, to: receiver }) => ({ payee, receiver, block: transaction.slot }))
}
