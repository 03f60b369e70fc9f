// Reads Solana in steps: new transactions since the cursor, and backward for new wallets. Only finalized data is read.

import type { Asset } from '../../domain/assets.ts'
import type { ChainCursor, Payee } from '../../store/payments.ts'
import { Ledger, type LedgerParts } from '../ledger.ts'
import { NodeError } from '../node-error.ts'
import type { SignatureInfo, SolanaNode } from './node.ts'
import { listTransactions, type RangeRead, readTransactions } from './settlements.ts'

type Parts = LedgerParts & {
  readonly assets: readonly Asset[]
  readonly facilitators: ReadonlySet<string>
  readonly node: SolanaNode
}

/** Solana nodes need one request per wallet, so they are read less often than EVM nodes. */
const READ_EVERY_MS = 60_000
/** Old transactions of a wallet read per step. */
const BACKWARD_AT_ONCE = 500
/** A CAIP-2 id contains the start of the genesis hash. */
const GENESIS_CHARACTERS = 32
const WALLETS_AT_ONCE = 4

export class SolanaReader {
  readonly #parts: Parts
  readonly #ledger: Ledger
  #genesis: string | undefined
  #readAt = Number.NEGATIVE_INFINITY

  constructor(parts: Parts) {
    this.#parts = parts
    this.#ledger = new Ledger(parts)
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
    const hash = await this.#checkChain()
    if (!ledger.cursor) {
      const block = await this.#parts.node.head()
      return ledger.commit(undefined, { cursor: { block, hash, earlier: [] } })
    }
    if (await ledger.settleClaims(ledger.cursor)) return true
    if (ledger.payees.length === 0) return false
    const nowMs = clock.now().getTime()
    // A clock set back does not stop reading.
    if (Math.abs(nowMs - this.#readAt) >= READ_EVERY_MS) {
      await this.#readForward(ledger.cursor)
      this.#readAt = nowMs
    } else {
      await this.#readBackward(ledger.cursor)
    }
    return !ledger.cursor || ledger.incomplete.length > 0
  }

  async #checkChain(): Promise<string> {
    if (this.#genesis !== undefined) return this.#genesis
    const hash = await this.#parts.node.genesisHash()
    const id = `solana:${hash.slice(0, GENESIS_CHARACTERS)}`
    if (id !== this.#parts.chain.id)
      throw new NodeError('unavailable', `The node is one of ${id}, not of ${this.#parts.chain.id}.`)
    this.#genesis = hash
    return hash
  }

  /** The end is fixed first: later transactions are read the next time. */
  async #readForward(cursor: ChainCursor): Promise<void> {
    const { node, assets } = this.#parts
    const head = await node.head()
    if (head <= cursor.block) return
    const { payees } = this.#ledger
    const wallets = [...new Set(payees.map(({ address }) => address))]
    const range = { from: cursor.block + 1, to: head }
    const listed: SignatureInfo[] = []
    for (let at = 0; at < wallets.length; at += WALLETS_AT_ONCE) {
      const part = wallets.slice(at, at + WALLETS_AT_ONCE)
      const found = await Promise.all(part.map(wallet => listTransactions(node, wallet, assets, range)))
      listed.push(...found.flat())
    }
    const each = new Map(listed.map(info => [info.signature, info]))
    const { settlements, sent } = await this.#read([...each.values()], payees, false)
    if (!(await this.#ledger.storeSettlements(cursor, settlements))) return
    await this.#ledger.commit(cursor, { sent, cursor: { ...cursor, block: head } })
  }

  /** One wallet per step, from its newest unread transaction. */
  async #readBackward(cursor: ChainCursor): Promise<void> {
    const [payee] = this.#ledger.incomplete
    if (!payee) return
    const { node, assets } = this.#parts
    const range = { from: payee.goal, to: payee.readFrom - 1 }
    const listed = await listTransactions(node, payee.address, assets, range)
    const last = listed[BACKWARD_AT_ONCE - 1]
    // Reads whole slots, so that the next step can start below.
    const part =
      last && listed.length > BACKWARD_AT_ONCE ? listed.filter(({ slot }) => slot >= last.slot) : listed
    const readFrom = part.length < listed.length ? last!.slot : payee.goal
    const { settlements, sent } = await this.#read(part, [payee], true)
    if (!(await this.#ledger.storeSettlements(cursor, settlements))) return
    await this.#ledger.commit(cursor, { sent, payees: [{ ...payee, readFrom }] })
  }

  #read(listed: readonly SignatureInfo[], payees: readonly Payee[], mayBeGone: boolean): Promise<RangeRead> {
    const { node, chain, assets, facilitators, clock } = this.#parts
    const context = { chain: chain.id, assets, facilitators, payees, now: clock.now(), mayBeGone }
    return readTransactions(node, listed, context)
  }
}
