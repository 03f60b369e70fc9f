// Distinguishes x402 settlements from other transfers.
import type { SettlementMethod } from '../store/payments.ts'
import type { LookupBudget } from './lookup-budget.ts'
import type { ChainNode, TransferLog } from './node.ts'
import type { PermitPayment } from './permit2.ts'

/** Nodes accept at most a thousand values per filter field; some providers fewer. */
const PAYERS_AT_ONCE = 500
const TRANSACTIONS_AT_ONCE = 8

/** Limits the lookups for addresses that nobody has claimed. */
export type Lookups = { readonly budget: LookupBudget; readonly isClaimed: (address: string) => boolean }

/**
 * @returns how each transfer was settled; undefined if not by x402. Token logs explain most; the others take one lookup per
 * transaction.
 */
export async function settlementMethods(
  node: ChainNode,
  transfers: readonly TransferLog[],
  facilitators: ReadonlySet<string>,
  lookups?: Lookups,
): Promise<(SettlementMethod | undefined)[]> {
  const authorized = await findAuthorized(node, transfers)
  const others = transfers.filter(
    log => !authorized.has(log) && (!lookups || lookups.isClaimed(log.to) || lookups.budget.take(log.to)),
  )
  const infos = await readTransactionInfos(node, [...new Set(others.map(({ transaction }) => transaction))])
  return transfers.map(log => {
    if (authorized.has(log)) return 'authorization'
    const method = lookedUpMethod(log, infos.get(log.transaction), facilitators)
    if (method) lookups?.budget.onSettlement(log.to)
    return method
  })
}

/** @param info undefined if it was not looked up */
function lookedUpMethod(
  log: TransferLog,
  info: TransactionInfo | undefined,
  facilitators: ReadonlySet<string>,
): SettlementMethod | undefined {
  if (!info) return undefined
  const { sender, called, permitted } = info
  if (permitted && isPaidBy(permitted, log)) return 'permit2'
  // A facilitator's payment of its own money is not a purchase.
  const isByFacilitator = facilitators.has(sender) && sender !== log.from
  return isByFacilitator && isTrustedCall(log, called, facilitators) ? 'facilitator' : undefined
}

/**
 * A facilitator settles any token on request, and a malicious token can make any contract pay meanwhile. So the facilitator must have
 * called the token itself, the contract that held the money, or a contract in the table.
 */
const isTrustedCall = (
  { asset, from }: TransferLog,
  called: string | undefined,
  facilitators: ReadonlySet<string>,
): boolean => called !== undefined && (called === asset || called === from || facilitators.has(called))

const isPaidBy = ({ asset, payer, payee, value }: PermitPayment, log: TransferLog): boolean =>
  asset === log.asset && payer === log.from && payee === log.to && value === log.value

/**
 * An EIP-3009 token uses the authorization and moves the money in one step, so the two logs are adjacent. An event by another contract,
 * for another payer, or next to another transfer proves nothing.
 */
async function findAuthorized(node: ChainNode, transfers: readonly TransferLog[]): Promise<Set<TransferLog>> {
  const found = new Set<string>()
  const payers = [...new Set(transfers.map(({ from }) => from))]
  const [fromBlock, toBlock] = [transfers[0]?.block ?? 0, transfers.at(-1)?.block ?? 0]
  const assets = [...new Set(transfers.map(({ asset }) => asset))]
  for (let at = 0; at < payers.length; at += PAYERS_AT_ONCE) {
    const authorizers = payers.slice(at, at + PAYERS_AT_ONCE)
    for (const log of await node.authorizations({ fromBlock, toBlock, assets, authorizers }))
      found.add(toKey(log.transaction, log.logIndex, log.asset, log.authorizer))
  }
  return new Set(
    transfers.filter(({ transaction, logIndex, asset, from }) =>
      found.has(toKey(transaction, logIndex - 1, asset, from)),
    ),
  )
}

const toKey = (transaction: string, logIndex: number, asset: string, payer: string) =>
  `${transaction} ${logIndex} ${asset} ${payer}`

type TransactionInfo = {
  readonly sender: string
  readonly called: string | undefined
  /** The Permit2 payment, if the transaction calls an x402 proxy. */
  readonly permitted: PermitPayment | undefined
}

async function readTransactionInfos(
  node: ChainNode,
  transactions: readonly string[],
): Promise<Map<string, TransactionInfo>> {
  const infos = new Map<string, TransactionInfo>()
  const { readPermitCall } = await import('./permit2.ts')
  const read = async (hash: string) => {
    const receipt = await node.receipt(hash)
    const permitted = await readPermitCall(receipt.called, () => node.input(hash))
    infos.set(hash, { ...receipt, permitted })
  }
  for (let at = 0; at < transactions.length; at += TRANSACTIONS_AT_ONCE)
    await Promise.all(transactions.slice(at, at + TRANSACTIONS_AT_ONCE).map(read))
  return infos
}
