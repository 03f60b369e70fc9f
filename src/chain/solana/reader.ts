// Reads Solana in steps: new transactions since the cursor, and backward for new wallets. Only finalized data is read.

import type { Asset } from '../../domain/chains/assets.ts'
import type { ChainCursor, Payee, Sent } from '../../store/payments.ts'
import { Ledger, type LedgerParts } from '../ledger.ts'
import { NodeError } from '../node-error.ts'
import { SIGNATURES_AT_ONCE, type SignatureInfo, type SolanaNode } from './node.ts'
import { listTransactions, type RangeRead, readTransactions, type Settlement } from './settlements.ts'

type Parts = LedgerParts & {
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
/** A CAIP-2 id contains the start of the genesis hash. */
const GENESIS_CHARACTERS = 32
const WALLETS_AT_ONCE = 4

export class SolanaReader {
  readonly #parts: Parts
  readonly #ledger: Ledger
  readonly #maxRequests: number
  #isChecked = false
  #readAt = Number.NEGATIVE_INFINITY
  /** The last slot that was read of each side of a wallet, where that is after the cursor. */
  readonly #readTo = new Map<string, number>()
  /** Requests for old transactions since the last round. */
  #requestsBackward = 0

  constructor(parts: Parts) {
    this.#parts = parts
    this.#ledger = new Ledger(parts)
    this.#maxRequests = parts.maxRequests ?? MAX_REQUESTS
  }

  /**
   * Takes one step. After a failure the next call starts from the stored state.
   * @returns whether more can be read at once
   * @throws NodeError
   */
  async step(): Promise<boolean> {
    try {
      return await this.#step()
    } catch (error) {
      this.#ledger.reset()
      throw error
    }
  }

  async #step(): Promise<boolean> {
    const { clock } = this.#parts
    const ledger = this.#ledger
    await ledger.load()
    if (!ledger.isNeeded) return false
    await this.#checkChain()
    if (!ledger.cursor) {
      const block = await this.#parts.node.head()
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

  async #checkChain(): Promise<void> {
    if (this.#isChecked) return
    const hash = await this.#parts.node.genesisHash()
    const id = `solana:${hash.slice(0, GENESIS_CHARACTERS)}`
    if (id !== this.#parts.chain.id)
      throw new NodeError('unavailable', `The node is one of ${id}, not of ${this.#parts.chain.id}.`)
    this.#isChecked = true
  }

  /**
   * One round over the wallets, those first that were not read for the longest time. The end is fixed first: later transactions are
   * read the next time. The cursor moves to where every wallet has been read.
   */
  async #readForward(cursor: ChainCursor): Promise<void> {
    const head = await this.#parts.node.head()
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
    const { node, assets } = this.#parts
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
    const { node, assets } = this.#parts
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
    const { node, chain, assets, facilitators, clock } = this.#parts
    const context = { chain: chain.id, assets, facilitators, payees, now: clock.now(), mayBeGone }
    return readTransactions(node, listed, context)
  }
}

const sideKey = ({ side, address }: Payee): string => `${side} ${address}`
