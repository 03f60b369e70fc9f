// The payments among the transfers of a range of blocks.
import type { Asset } from '../domain/assets.ts'
import { toDecimal } from '../domain/money.ts'
import type { Checkpoint, Payment } from '../store/payments.ts'
import type { ChainNode, TransferLog } from './node.ts'

/** A payment that nobody has been found for yet. */
export type Transfer = Omit<Payment, 'serviceId'> & { readonly blockHash: string; readonly money: Asset }

/** Nodes take at most a thousand values in one place of a filter; some providers fewer. */
const PAYEES_AT_ONCE = 500
const BLOCKS_AT_ONCE = 8
/** The sender of newly minted units: nobody paid. */
const NOBODY = `0x${'0'.repeat(40)}`

/** In the order of the chain. Nodes throw NodeError. */
export async function readTransfers(
  node: ChainNode,
  range: {
    readonly chain: string
    readonly fromBlock: number
    readonly toBlock: number
    readonly assets: readonly Asset[]
    readonly payees: readonly string[]
  },
): Promise<Transfer[]> {
  const { chain, fromBlock, toBlock, payees } = range
  const assets = new Map(range.assets.map(asset => [asset.address.toLowerCase(), asset]))
  const logs: TransferLog[] = []
  for (let at = 0; at < payees.length; at += PAYEES_AT_ONCE) {
    const batch = payees.slice(at, at + PAYEES_AT_ONCE)
    const found = await node.transfers({ fromBlock, toBlock, assets: [...assets.keys()], payees: batch })
    for (const log of found) if (isPayment(log)) logs.push(log)
  }
  logs.sort((a, b) => a.block - b.block || a.logIndex - b.logIndex)
  const times = await readTimes(node, logs)
  return logs.flatMap(({ from: payer, to: payee, value, asset, at, ...place }) => {
    const money = assets.get(asset)
    if (!money) return []
    const time = at ?? times.get(place.block)!
    return [
      { ...place, chain, asset, payer, payee, money, at: time, amount: toDecimal(value, money.decimals) },
    ]
  })
}

/** Transfers of nothing are sent by impostors, to show up in the history of an account. */
const isPayment = ({ from, to, value }: TransferLog) => value > 0n && from !== to && from !== NOBODY

async function readTimes(node: ChainNode, logs: readonly TransferLog[]): Promise<Map<number, string>> {
  const blocks = [...new Set(logs.filter(({ at }) => at === undefined).map(({ block }) => block))]
  const times = new Map<number, string>()
  for (let at = 0; at < blocks.length; at += BLOCKS_AT_ONCE) {
    const read = async (block: number) => times.set(block, (await node.block(block)).at)
    await Promise.all(blocks.slice(at, at + BLOCKS_AT_ONCE).map(read))
  }
  return times
}

type Part = { readonly transfers: readonly Transfer[]; readonly reached: Checkpoint }

/** Parts of about the given size that end with a block, so that a cursor can follow each of them. */
export function cutAtBlocks(transfers: readonly Transfer[], size: number, end: Checkpoint): Part[] {
  const parts: Part[] = []
  let from = 0
  for (let at = size; at < transfers.length; at++) {
    const { block, blockHash: hash } = transfers[at - 1]!
    if (at - from < size || transfers[at]!.block === block) continue
    parts.push({ transfers: transfers.slice(from, at), reached: { block, hash } })
    from = at
  }
  return [...parts, { transfers: transfers.slice(from), reached: end }]
}
