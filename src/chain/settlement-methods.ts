// Tells an x402 settlement from any other transfer.
import type { SettlementMethod } from '../store/payments.ts'
import type { ChainNode, Receipt, TransferLog } from './node.ts'

/**
 * The contracts of x402 that move money by Permit2 with the payee as the signed witness, for `exact` and for `upto`: the same on
 * every chain.
 */
const PERMIT2_PROXIES: ReadonlySet<string> = new Set([
  '0x402085c248eea27d92e8b30b2c58ed07f9e20001',
  '0x4020a4f3b7b90cca423b9fabcc0ce57c6c240002',
])

/** Nodes take at most a thousand values in one place of a filter; some providers fewer. */
const PAYERS_AT_ONCE = 500
const RECEIPTS_AT_ONCE = 8

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
  const receipts = await readReceipts(node, [...others])
  return transfers.map(log => {
    if (authorized.has(log)) return 'authorization'
    const receipt = receipts.get(log.transaction)!
    if (isByProxy(log, receipt)) return 'permit2'
    // What a facilitator pays of its own money is nobody's purchase.
    return facilitators.has(receipt.sender) && receipt.sender !== log.from ? 'facilitator' : undefined
  })
}

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

async function readReceipts(node: ChainNode, transactions: readonly string[]): Promise<Map<string, Receipt>> {
  const receipts = new Map<string, Receipt>()
  for (let at = 0; at < transactions.length; at += RECEIPTS_AT_ONCE) {
    const read = async (hash: string) => receipts.set(hash, await node.receipt(hash))
    await Promise.all(transactions.slice(at, at + RECEIPTS_AT_ONCE).map(read))
  }
  return receipts
}

/** A proxy tells of a settlement after it, and makes one transfer each: no other may stand between the two. */
function isByProxy({ logIndex }: TransferLog, { logs }: Receipt): boolean {
  const after = logs.filter(log => log.logIndex > logIndex).sort((a, b) => a.logIndex - b.logIndex)
  const next = after.find(
    ({ address, event }) => event === 'transfer' || (event === 'settled' && PERMIT2_PROXIES.has(address)),
  )
  return next?.event === 'settled'
}
