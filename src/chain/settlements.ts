// Finds the x402 settlements among the token transfers in a range of blocks, with as few lookups of single transactions as possible.
import type { Asset } from '../domain/chains/assets.ts'
import { toDecimal } from '../domain/money/money.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Sent, SettlementMethod, SettlementRecord } from '../store/payments.ts'
import type { ChainNode, TransferLog } from './node.ts'
import type { PermitPayment } from './permit2.ts'

/** A settlement not yet credited. */
type Settlement = Omit<SettlementRecord, 'serviceId'>

export type Range = {
  readonly chain: string
  readonly fromBlock: number
  readonly toBlock: number
  readonly assets: readonly Asset[]
  /** Addresses whose incoming transfers are read, and those whose outgoing ones are. */
  readonly payees: readonly string[]
  readonly senders: readonly string[]
  /** Addresses in lower case. */
  readonly facilitators: ReadonlySet<string>
  readonly lookups: Lookups
}

/** In chain order. */
export type RangeRead = { readonly settlements: readonly Settlement[]; readonly sent: readonly Sent[] }

/** Nodes accept at most a thousand values per filter field; some providers fewer. */
const ADDRESSES_AT_ONCE = 500
const BLOCKS_AT_ONCE = 8
/** The sender of minted tokens: not a payment. */
const ZERO_ADDRESS = `0x${'0'.repeat(40)}`

/** @throws NodeError */
export async function readRange(node: ChainNode, range: Range): Promise<RangeRead> {
  const { chain, payees, senders } = range
  const assets = new Map(range.assets.map(asset => [asset.address.toLowerCase(), asset]))
  const received = await readTransfers(node, range, { to: payees })
  const methods = await settlementMethods(node, received, range.facilitators, range.lookups)
  const settled = received.flatMap((log, index) => {
    const method = methods[index]
    return method ? [{ log, method }] : []
  })
  const times = await readTimes(
    node,
    settled.map(({ log }) => log),
  )
  const sent = await readTransfers(node, range, { from: senders })
  return {
    settlements: settled.flatMap(({ log, method }) => {
      const asset = assets.get(log.asset)
      return asset ? [toSettlement(chain, log, method, asset, log.at ?? times.get(log.block)!)] : []
    }),
    sent: sent.map(({ from, to, block }) => ({ payee: from, receiver: to, block })),
  }
}

const toSettlement = (
  chain: string,
  { from: payer, to: payee, value, asset, at: _, ...place }: TransferLog,
  method: SettlementMethod,
  { decimals }: Asset,
  at: string,
): Settlement => ({
  ...place,
  chain,
  asset,
  payer,
  payee,
  at,
  method,
  amount: toDecimal(value, decimals),
})

type Sides = { readonly to: readonly string[] } | { readonly from: readonly string[] }

async function readTransfers(node: ChainNode, range: Range, sides: Sides): Promise<TransferLog[]> {
  const { fromBlock, toBlock } = range
  const assets = range.assets.map(({ address }) => address.toLowerCase())
  const [[side, addresses]] = Object.entries(sides) as [[string, readonly string[]]]
  const logs: TransferLog[] = []
  for (let at = 0; at < addresses.length; at += ADDRESSES_AT_ONCE) {
    const batch = addresses.slice(at, at + ADDRESSES_AT_ONCE)
    for (const log of await node.transfers({ fromBlock, toBlock, assets, [side]: batch }))
      if (isPayment(log)) logs.push(log)
  }
  return logs.sort((a, b) => a.block - b.block || a.logIndex - b.logIndex)
}

/** Impostors send transfers of zero, to appear in the history of an account. */
const isPayment = ({ from, to, value }: TransferLog) => value > 0n && from !== to && from !== ZERO_ADDRESS

async function readTimes(node: ChainNode, logs: readonly TransferLog[]): Promise<Map<number, string>> {
  const blocks = [...new Set(logs.filter(({ at }) => at === undefined).map(({ block }) => block))]
  const times = new Map<number, string>()
  for (let at = 0; at < blocks.length; at += BLOCKS_AT_ONCE) {
    const read = async (block: number) => times.set(block, await node.timeOf(block))
    await Promise.all(blocks.slice(at, at + BLOCKS_AT_ONCE).map(read))
  }
  return times
}

type Part = RangeRead & { readonly toBlock: number }

/** Splits at block boundaries into parts of about the given size, so that the cursor can advance after each. */
export function cutAtBlocks({ settlements, sent }: RangeRead, size: number, end: number): Part[] {
  const parts: Part[] = []
  let from = 0
  let before = -1
  const cut = (to: number, toBlock: number) => {
    const isIn = ({ block }: Sent) => block > before && block <= toBlock
    parts.push({ settlements: settlements.slice(from, to), sent: sent.filter(isIn), toBlock })
    from = to
    before = toBlock
  }
  for (let at = size; at < settlements.length; at++) {
    const { block } = settlements[at - 1]!
    if (at - from >= size && settlements[at]!.block !== block) cut(at, block)
  }
  cut(settlements.length, end)
  return parts
}

// Distinguishes x402 settlements from other transfers.

/** Nodes accept at most a thousand values per filter field; some providers fewer. */
const PAYERS_AT_ONCE = 500
const TRANSACTIONS_AT_ONCE = 8

/** Limits the lookups for addresses that nobody has claimed. */
type Lookups = { readonly budget: LookupBudget; readonly isClaimed: (address: string) => boolean }

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

// Limits the transactions that are looked up for addresses that nobody has claimed: anybody can list the address of an exchange or a
// pool, whose transfers are countless and no settlements.

/** Lookups of one address a day that find nothing. */
const FRUITLESS = 100
/** Further ones for each settlement that was found. */
const PER_SETTLEMENT = 20

export class LookupBudget {
  readonly #clock: Clock
  readonly #left = new Map<string, number>()
  #day = ''

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** @returns whether another transfer to the address may be looked up */
  take(address: string): boolean {
    const day = this.#clock.now().toISOString().slice(0, 10)
    if (day !== this.#day) this.#left.clear()
    this.#day = day
    const left = this.#left.get(address) ?? FRUITLESS
    if (left > 0) this.#left.set(address, left - 1)
    return left > 0
  }

  onSettlement(address: string): void {
    this.#left.set(address, (this.#left.get(address) ?? FRUITLESS) + PER_SETTLEMENT)
  }
}
