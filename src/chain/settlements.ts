// Finds the x402 settlements among the transfers in a range of blocks.
import type { Asset } from '../domain/chains/assets.ts'
import { toDecimal } from '../domain/money/money.ts'
import type { Sent, SettlementMethod, SettlementRecord } from '../store/payments.ts'
import type { ChainNode, TransferLog } from './node.ts'
import { type Lookups, settlementMethods } from './settlement-methods.ts'

/** A settlement not yet credited. */
export type Settlement = Omit<SettlementRecord, 'serviceId'>

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
