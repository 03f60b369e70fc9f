// Reads one chain, step by step: forward from the cursor, and backward for addresses that are new.

import type { Asset } from '../domain/assets.ts'
import type { Chain } from '../domain/chains.ts'
import type { Clock } from '../runtime/clock.ts'
import type { ChainCursor, Checkpoint, Payee } from '../store/payments.ts'
import type { Store } from '../store/store.ts'
import { BlockSpan } from './block-span.ts'
import { findStanding, moveTo } from './checkpoints.ts'
import type { Claims } from './claims.ts'
import { Ledger, PAYMENTS_AT_ONCE } from './ledger.ts'
import type { ChainNode } from './node.ts'
import { NodeError } from './node-error.ts'
import { cutAtBlocks, type Range, type RangeRead, readRange, type Settlement } from './settlements.ts'

export type ReaderSettings = {
  /** A block counts when so many lie on top of it. */
  readonly confirmations: number
  /** How many blocks before its registration the payments to a new address are looked for. */
  readonly backfillBlocks: number
}

type Parts = {
  readonly chain: Chain
  readonly assets: readonly Asset[]
  /** Addresses in lower case. */
  readonly facilitators: ReadonlySet<string>
  readonly node: ChainNode
  readonly store: Pick<Store, 'payments'>
  readonly claims: Claims
  readonly clock: Clock
  readonly settings: ReaderSettings
  /** Told how deep a reorganisation went; null where nothing of what was read is on the chain any more. */
  readonly onReorganisation: (blocks: number | null) => void
}

type Blocks = Pick<Range, 'fromBlock' | 'toBlock'>

export class ChainReader {
  readonly #parts: Parts
  readonly #span = new BlockSpan()
  readonly #ledger: Ledger
  #isChecked = false

  constructor(parts: Parts) {
    this.#parts = parts
    this.#ledger = new Ledger({ ...parts, backfillBlocks: parts.settings.backfillBlocks })
  }

  /**
   * Takes one step; true where more is to be read at once. Whatever fails, the next call begins with what is kept.
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
    const { node, settings } = this.#parts
    const ledger = this.#ledger
    await ledger.load()
    if (!ledger.isNeeded) return false
    await this.#checkChain()
    const head = await node.head()
    const target = head - settings.confirmations
    if (target < 0) return false
    const { cursor } = ledger
    if (!cursor) return this.#begin(target)

    const standing = await findStanding(cursor, head, this.#hashAt)
    if (standing === 'behind') return false
    if (standing !== cursor) return this.#rewind(cursor, standing)
    if (await ledger.settleClaims(cursor)) return true
    if (ledger.payees.length === 0) return false
    if (target > cursor.block) await this.#readForward(cursor, target)
    else await this.#readBackward(cursor)
    return !ledger.cursor || target > ledger.cursor.block || ledger.wanting.length > 0
  }

  async #checkChain(): Promise<void> {
    if (this.#isChecked) return
    const number = await this.#parts.node.chainNumber()
    if (`eip155:${number}` !== this.#parts.chain.id) {
      throw new NodeError('away', `The node is one of eip155:${number}, not of ${this.#parts.chain.id}.`)
    }
    this.#isChecked = true
  }

  /** The first cursor is where the chain stands: what lies before is read backward, for everybody. */
  async #begin(target: number): Promise<boolean> {
    const { hash } = await this.#parts.node.block(target)
    return this.#ledger.commit(undefined, { cursor: { block: target, hash, earlier: [] } })
  }

  async #rewind(cursor: ChainCursor, to: ChainCursor | undefined): Promise<boolean> {
    const { chain, store, onReorganisation } = this.#parts
    this.#ledger.reset()
    if (await store.payments.rewind(chain.id, cursor, to))
      onReorganisation(to ? cursor.block - to.block : null)
    return true
  }

  readonly #hashAt = async (block: number): Promise<string> => (await this.#parts.node.block(block)).hash

  async #readForward(cursor: ChainCursor, target: number): Promise<void> {
    const block = Math.min(target, cursor.block + this.#span.size)
    const end = { block, hash: await this.#hashAt(block) }
    const read = await this.#read({ fromBlock: cursor.block + 1, toBlock: block }, this.#ledger.payees)
    if (!read) return
    // The end first, then the beginning: both unmoved, the answer is of one chain.
    await this.#assertStill(end)
    await this.#assertStill(cursor)
    let from = cursor
    for (const { settlements, sent, reached } of cutAtBlocks(read, PAYMENTS_AT_ONCE, end)) {
      const next = moveTo(reached, from)
      const payments = this.#ledger.credit(settlements.map(toSettled))
      if (!(await this.#ledger.commit(from, { payments, sent, cursor: next }))) return
      from = next
    }
  }

  async #readBackward(cursor: ChainCursor): Promise<void> {
    const { wanting } = this.#ledger
    if (wanting.length === 0) return
    const readFrom = wanting.reduce((most, payee) => Math.max(most, payee.readFrom), 0)
    const group = wanting.filter(payee => payee.readFrom === readFrom)
    const goal = group.reduce((least, payee) => Math.min(least, payee.goal), readFrom)
    const fromBlock = Math.max(goal, readFrom - this.#span.size)
    const read = await this.#read({ fromBlock, toBlock: readFrom - 1 }, group)
    if (!read) return
    await this.#assertStill(cursor)
    if (!(await this.#ledger.keep(cursor, read.settlements.map(toSettled)))) return
    const payees = group.map(payee => ({ ...payee, readFrom: fromBlock }))
    await this.#ledger.commit(cursor, { sent: read.sent, payees })
  }

  /** Nothing where the node refused so many blocks at once and fewer are left to try. */
  async #read(blocks: Blocks, of: Iterable<Payee>): Promise<RangeRead | undefined> {
    const { chain, assets, node, facilitators } = this.#parts
    const asked = blocks.toBlock - blocks.fromBlock + 1
    const { received = [], sent = [] } = Object.groupBy(of, ({ side }) => side)
    const payees = received.map(({ address }) => address)
    const senders = sent.map(({ address }) => address)
    try {
      const read = await readRange(node, {
        chain: chain.id,
        assets,
        facilitators,
        payees,
        senders,
        ...blocks,
      })
      this.#span.answered(asked)
      return read
    } catch (error) {
      if (!(error instanceof NodeError) || error.trouble === 'away') throw error
      if (this.#span.refused(asked) && error.trouble === 'refused') return undefined
      throw error
    }
  }

  async #assertStill({ block, hash }: Checkpoint): Promise<void> {
    if ((await this.#hashAt(block)) !== hash)
      throw new NodeError('away', `Block ${block} was replaced while payments were read.`)
  }
}

const toSettled = ({ blockHash: _, ...settlement }: Settlement) => settlement
