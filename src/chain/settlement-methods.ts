// Tells an x402 settlement from any other transfer.
import type { SettlementMethod } from '../store/payments.ts'
import type { ChainNode, TransferLog } from './node.ts'
import type { PermitPayment } from './permit2.ts'

/** Nodes take at most a thousand values in one place of a filter; some providers fewer. */
const PAYERS_AT_ONCE = 500
const SENDINGS_AT_ONCE = 8

/**
 * How each transfer was settled; undefined where it was not by x402. The logs of the tokens tell most of it; only what they do not
 * explain is looked up, one transaction each.
 */
export async function settlementMethods(
  node: ChainNode,
  transfers: readonly TransferLog[],
  facilitators: ReadonlySet<string>,
): Promise<(SettlementMethod | undefined)[]> {
  const authorized = await findAuthorized(node, transfers)
  const others = new Set(transfers.filter(log => !authorized.has(log)).map(({ transaction }) => transaction))
  const sendings = await readSendings(node, [...others])
  return transfers.map(log => {
    if (authorized.has(log)) return 'authorization'
    const { sender, called, permitted } = sendings.get(log.transaction)!
    if (permitted && isPaidBy(permitted, log)) return 'permit2'
    // What a facilitator pays of its own money is nobody's purchase.
    const isByFacilitator = facilitators.has(sender) && sender !== log.from
    return isByFacilitator && isAnswerable(log, called, facilitators) ? 'facilitator' : undefined
  })
}

/**
 * A facilitator settles whatever token it is asked to, and a token of a stranger can make anybody's contract pay meanwhile. So it
 * must have called the token itself, the contract that held the money, or one that is in the table.
 */
const isAnswerable = (
  { asset, from }: TransferLog,
  called: string | undefined,
  facilitators: ReadonlySet<string>,
): boolean => called !== undefined && (called === asset || called === from || facilitators.has(called))

const isPaidBy = ({ asset, payer, payee, value }: PermitPayment, log: TransferLog): boolean =>
  asset === log.asset && payer === log.from && payee === log.to && value === log.value

/**
 * A token that keeps to EIP-3009 uses an authorization up and moves its money in one go, so the two logs stand side by side. An
 * event by another contract, of another payer, or beside another transfer proves nothing.
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

type Sending = {
  readonly sender: string
  readonly called: string | undefined
  /** What it moves by Permit2, where it calls a proxy of x402. */
  readonly permitted: PermitPayment | undefined
}

async function readSendings(node: ChainNode, transactions: readonly string[]): Promise<Map<string, Sending>> {
  const sendings = new Map<string, Sending>()
  const { readPermitCall } = await import('./permit2.ts')
  const read = async (hash: string) => {
    const receipt = await node.receipt(hash)
    const permitted = await readPermitCall(receipt.called, () => node.input(hash))
    sendings.set(hash, { ...receipt, permitted })
  }
  for (let at = 0; at < transactions.length; at += SENDINGS_AT_ONCE)
    await Promise.all(transactions.slice(at, at + SENDINGS_AT_ONCE).map(read))
  return sendings
}
