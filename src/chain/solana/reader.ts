// Reads the x402 settlements of Solana in steps: new transactions since the cursor, and backward for new wallets. Only finalized data
// is read.
import type { Asset } from '../../domain/chains/assets.ts'
import { toDecimal } from '../../domain/money/money.ts'
import { tokenAccountOf } from '../../domain/solana.ts'
import type { ChainCursor, Payee, Sent, SettlementRecord } from '../../store/payments.ts'
import { Ledger, type LedgerDeps } from '../ledger.ts'
import { assertChain, NodeError } from '../node.ts'
import {
  feePayerOf,
  SIGNATURES_AT_ONCE,
  type SignatureInfo,
  type SolanaNode,
  type Transaction,
  transfersOf,
} from './node.ts'

type Deps = LedgerDeps & {
  readonly assets: readonly Asset[]
  readonly facilitators: ReadonlySet<string>
  readonly node: SolanaNode
  readonly maxRequests?: number | undefined
}

/** Solana nodes need one request per wallet, so they are read less often than EVM nodes. */
const READ_EVERY_MS = 60_000
/**
 * Requests after which a round ends, and as many for old transactions until the next round: wallets cost nothing to list. Wallets that
 * are left come first in the next round.
 */
const MAX_REQUESTS = 3_000
/** Of a wallet that nobody has claimed, the newest transactions are read first, and the others only if it is paid by x402. */
const SAMPLE = 100
const MIN_SHARE = 0.05
/** Old transactions of a wallet read per step. */
const BACKWARD_AT_ONCE = 500
const WALLETS_AT_ONCE = 4

export class SolanaReader {
  readonly #deps: Deps
  readonly #ledger: Ledger
  readonly #maxRequests: number
  #isChecked = false
  #readAt = Number.NEGATIVE_INFINITY
  /** The last slot that was read of each side of a wallet, where that is after the cursor. */
  readonly #readTo = new Map<string, number>()
  /** Requests for old transactions since the last round. */
  #requestsBackward = 0

  constructor(deps: Deps) {
    this.#deps = deps
    this.#ledger = new Ledger(deps)
    this.#maxRequests = deps.maxRequests ?? MAX_REQUESTS
  }

  /** Takes one step. @returns whether more can be read at once @throws NodeError */
  step(): Promise<boolean> {
    return this.#ledger.orReset(() => this.#step())
  }

  async #step(): Promise<boolean> {
    const { clock } = this.#deps
    const ledger = this.#ledger
    await ledger.load()
    if (!ledger.isNeeded) return false
    if (!this.#isChecked) await assertChain(this.#deps.node, this.#deps.chain.id)
    this.#isChecked = true
    if (!ledger.cursor) {
      const block = await this.#deps.node.head()
      return ledger.commit(undefined, { cursor: { block } })
    }
    if (await ledger.settleClaims(ledger.cursor)) {
      this.#forgetDropped()
      return true
    }
    if (ledger.payees.length === 0) return false
    const nowMs = clock.now().getTime()
    // A clock set back does not stop reading.
    if (Math.abs(nowMs - this.#readAt) >= READ_EVERY_MS) {
      await this.#readForward(ledger.cursor)
      this.#readAt = nowMs
      this.#requestsBackward = 0
    } else if (this.#requestsBackward < this.#maxRequests) {
      await this.#readBackward(ledger.cursor)
    }
    return !ledger.cursor || (ledger.incomplete.length > 0 && this.#requestsBackward < this.#maxRequests)
  }

  /**
   * One round over the wallets, those first that were not read for the longest time. The end is fixed first: later transactions are
   * read the next time. The cursor moves to where every wallet has been read.
   */
  async #readForward(cursor: ChainCursor): Promise<void> {
    const head = await this.#deps.node.head()
    if (head <= cursor.block) return
    const { payees } = this.#ledger
    const readToOf = (payee: Payee) => Math.max(this.#readTo.get(sideKey(payee)) ?? 0, cursor.block)
    const wallets = [...Map.groupBy(payees, ({ address }) => address).values()]
      .map(sides => ({ sides, readTo: Math.min(...sides.map(readToOf)) }))
      .sort((a, b) => a.readTo - b.readTo)
    const settlements: Settlement[] = []
    const sent: Sent[] = []
    const done: Payee[] = []
    for (
      let at = 0, requests = 0;
      at < wallets.length && requests < this.#maxRequests;
      at += WALLETS_AT_ONCE
    ) {
      const part = wallets.slice(at, at + WALLETS_AT_ONCE)
      const read = await Promise.all(
        part.map(({ sides, readTo }) => this.#readWallet(sides, { from: readTo + 1, to: head })),
      )
      for (const each of read) {
        settlements.push(...each.settlements)
        sent.push(...each.sent)
        requests += each.requests
      }
      done.push(...part.flatMap(({ sides }) => sides))
    }
    if (!(await this.#ledger.storeSettlements(cursor, settlements))) return
    const read = new Set(done)
    const block = payees.reduce(
      (min, payee) => (read.has(payee) ? min : Math.min(min, readToOf(payee))),
      head,
    )
    if (!(await this.#ledger.commit(cursor, { sent, cursor: { ...cursor, block } }))) return
    for (const payee of done) this.#readTo.set(sideKey(payee), head)
  }

  /** A wallet that is listed again is read anew. */
  #forgetDropped(): void {
    const kept = new Set(this.#ledger.payees.map(sideKey))
    for (const key of this.#readTo.keys()) if (!kept.has(key)) this.#readTo.delete(key)
  }

  /** @param sides of one wallet */
  async #readWallet(
    sides: readonly Payee[],
    range: { readonly from: number; readonly to: number },
  ): Promise<RangeRead & { readonly requests: number }> {
    const { node, assets } = this.#deps
    const { address } = sides[0]!
    const isClaimed = this.#ledger.isClaimed(address)
    const listed = await listTransactions(node, { address, isClaimed }, assets, range)
    const sampled = isClaimed ? listed : listed.slice(0, SAMPLE)
    const sample = await this.#read(sampled, sides, false)
    const isPaid = sample.settlements.length >= MIN_SHARE * sampled.length
    const rest = isPaid ? listed.slice(sampled.length) : []
    const others = await this.#read(rest, sides, false)
    return {
      settlements: [...sample.settlements, ...others.settlements],
      sent: [...sample.sent, ...others.sent],
      requests: assets.length + Math.floor(listed.length / SIGNATURES_AT_ONCE) + sampled.length + rest.length,
    }
  }

  /** One wallet per step, from its newest unread transaction. */
  async #readBackward(cursor: ChainCursor): Promise<void> {
    const [payee] = this.#ledger.incomplete
    if (!payee) return
    const { node, assets } = this.#deps
    const range = { from: payee.goal, to: payee.readFrom - 1 }
    const isClaimed = this.#ledger.isClaimed(payee.address)
    const listed = await listTransactions(node, { address: payee.address, isClaimed }, assets, range)
    const last = listed[BACKWARD_AT_ONCE - 1]
    // Reads whole slots, so that the next step can start below.
    const part =
      last && listed.length > BACKWARD_AT_ONCE ? listed.filter(({ slot }) => slot >= last.slot) : listed
    this.#requestsBackward += assets.length + part.length
    const { settlements, sent } = await this.#read(part, [payee], true)
    const isPaid = isClaimed || settlements.length >= MIN_SHARE * part.length
    const readFrom = part.length < listed.length && isPaid ? last!.slot : payee.goal
    if (!(await this.#ledger.storeSettlements(cursor, settlements))) return
    await this.#ledger.commit(cursor, { sent, payees: [{ ...payee, readFrom }] })
  }

  #read(listed: readonly SignatureInfo[], payees: readonly Payee[], mayBeGone: boolean): Promise<RangeRead> {
    const { node, chain, assets, facilitators, clock } = this.#deps
    const context = { chain: chain.id, assets, facilitators, payees, now: clock.now(), mayBeGone }
    return readTransactions(node, listed, context)
  }
}

const sideKey = ({ side, address }: Payee): string => `${side} ${address}`

// Finds the x402 settlements among the transactions of Solana wallets.

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
