// Reads one chain, step by step: forward from the cursor, and backward for addresses that are new.

import type { Asset } from '../domain/assets.ts'
import type { Chain } from '../domain/chains.ts'
import type { Clock } from '../runtime/clock.ts'
import type { ChainCursor, ChainStep, Checkpoint, Payee, Payment } from '../store/payments.ts'
import type { Store } from '../store/store.ts'
import { attribute } from './attribute.ts'
import { BlockSpan } from './block-span.ts'
import { findStanding, moveTo } from './checkpoints.ts'
import type { Claims } from './claims.ts'
import type { ChainNode } from './node.ts'
import { NodeError } from './node-error.ts'
import { cutAtBlocks, readTransfers, type Transfer } from './transfers.ts'

export type ReaderSettings = {
  /** A block counts when so many lie on top of it. */
  readonly confirmations: number
  /** How many blocks before its registration the payments to a new address are looked for. */
  readonly backfillBlocks: number
}

type Parts = {
  readonly chain: Chain
  readonly assets: readonly Asset[]
  readonly node: ChainNode
  readonly store: Pick<Store, 'payments'>
  readonly claims: Claims
  readonly clock: Clock
  readonly settings: ReaderSettings
  /** Told how deep a reorganisation went; null where nothing of what was read is on the chain any more. */
  readonly onReorganisation: (blocks: number | null) => void
}

type State = { readonly cursor: ChainCursor | undefined; readonly payees: Map<string, Payee> }
type Range = { readonly fromBlock: number; readonly toBlock: number; readonly payees: readonly string[] }

/** How many payments one transaction keeps: about 13 ms of a processor, in which nothing else is answered. */
const PAYMENTS_AT_ONCE = 250

export class ChainReader {
  readonly #parts: Parts
  readonly #span = new BlockSpan()
  #isChecked = false
  #state: State | undefined

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /**
   * Takes one step; true where more is to be read at once. Whatever fails, the next call begins with what is kept.
   * @throws NodeError
   */
  async step(): Promise<boolean> {
    try {
      return await this.#step()
    } catch (error) {
      this.#state = undefined
      throw error
    }
  }

  async #step(): Promise<boolean> {
    const { chain, node, claims, settings } = this.#parts
    const claimed = new Set(claims.payees(chain.id))
    this.#state ??= await this.#load()
    const { cursor, payees } = this.#state
    if (claimed.size === 0 && payees.size === 0) return false
    await this.#checkChain()
    const head = await node.head()
    const target = head - settings.confirmations
    if (target < 0) return false
    if (!cursor) return this.#begin(target)

    const standing = await findStanding(cursor, head, this.#hashAt)
    if (standing === 'behind') return false
    if (standing !== cursor) return this.#rewind(cursor, standing)
    if (await this.#adopt(cursor, claimed)) return true
    if (payees.size === 0) return false
    if (target > cursor.block) await this.#readForward(cursor, target)
    else await this.#readBackward(cursor)
    return this.#isMoreLeft(target)
  }

  async #load(): Promise<State> {
    const { chain, store } = this.#parts
    const payees = await store.payments.payees(chain.id)
    return {
      cursor: await store.payments.cursor(chain.id),
      payees: new Map(payees.map(payee => [payee.address, payee])),
    }
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
    return this.#commit(undefined, { cursor: { block: target, hash, earlier: [] } })
  }

  async #rewind(cursor: ChainCursor, to: ChainCursor | undefined): Promise<boolean> {
    const { chain, store, onReorganisation } = this.#parts
    this.#state = undefined
    if (await store.payments.rewind(chain.id, cursor, to))
      onReorganisation(to ? cursor.block - to.block : null)
    return true
  }

  readonly #hashAt = async (block: number): Promise<string> => (await this.#parts.node.block(block)).hash

  /** Takes up addresses that were registered since, and lets go of those that nobody claims any more. */
  async #adopt(cursor: ChainCursor, claimed: ReadonlySet<string>): Promise<boolean> {
    const { payees } = this.#state!
    const readFrom = cursor.block + 1
    const goal = Math.max(0, readFrom - this.#parts.settings.backfillBlocks)
    const added = [...claimed].filter(address => !payees.has(address))
    const dropped = [...payees.keys()].filter(address => !claimed.has(address))
    if (added.length === 0 && dropped.length === 0) return false
    await this.#commit(cursor, { payees: added.map(address => ({ address, readFrom, goal })), dropped })
    return true
  }

  async #readForward(cursor: ChainCursor, target: number): Promise<void> {
    const block = Math.min(target, cursor.block + this.#span.size)
    const end = { block, hash: await this.#hashAt(block) }
    const payees = [...this.#state!.payees.keys()]
    const transfers = await this.#read({ fromBlock: cursor.block + 1, toBlock: block, payees })
    if (!transfers) return
    // The end first, then the beginning: both unmoved, the answer is of one chain.
    await this.#assertStill(end)
    await this.#assertStill(cursor)
    let from = cursor
    for (const { transfers: part, reached } of cutAtBlocks(transfers, PAYMENTS_AT_ONCE, end)) {
      const next = moveTo(reached, from)
      if (!(await this.#commit(from, { payments: this.#attribute(part), cursor: next }))) return
      from = next
    }
  }

  async #readBackward(cursor: ChainCursor): Promise<void> {
    const wanting = [...this.#state!.payees.values()].filter(({ readFrom, goal }) => readFrom > goal)
    if (wanting.length === 0) return
    const readFrom = wanting.reduce((most, payee) => Math.max(most, payee.readFrom), 0)
    const group = wanting.filter(payee => payee.readFrom === readFrom)
    const goal = group.reduce((least, payee) => Math.min(least, payee.goal), readFrom)
    const fromBlock = Math.max(goal, readFrom - this.#span.size)
    const payees = group.map(({ address }) => address)
    const transfers = await this.#read({ fromBlock, toBlock: readFrom - 1, payees })
    if (!transfers) return
    await this.#assertStill(cursor)
    for (let at = 0; at < transfers.length; at += PAYMENTS_AT_ONCE) {
      const payments = this.#attribute(transfers.slice(at, at + PAYMENTS_AT_ONCE))
      if (!(await this.#commit(cursor, { payments }))) return
    }
    await this.#commit(cursor, { payees: group.map(payee => ({ ...payee, readFrom: fromBlock })) })
  }

  /** Nothing where the node refused so many blocks at once and fewer are left to try. */
  async #read(range: Range): Promise<Transfer[] | undefined> {
    const { chain, assets, node } = this.#parts
    const asked = range.toBlock - range.fromBlock + 1
    try {
      const transfers = await readTransfers(node, { chain: chain.id, assets, ...range })
      this.#span.answered(asked)
      return transfers
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

  #attribute(transfers: readonly Transfer[]): Payment[] {
    const { chain, claims, clock } = this.#parts
    const now = clock.now()
    return transfers.map(({ money, blockHash: _, ...transfer }) => ({
      ...transfer,
      serviceId: attribute(transfer.amount, money, claims.on(chain.id, transfer.payee, transfer.at, now)),
    }))
  }

  /** False where another process was faster: what it has written is read first. */
  async #commit(from: ChainCursor | undefined, step: ChainStep): Promise<boolean> {
    const { chain, store } = this.#parts
    if (!(await store.payments.advance(chain.id, from, step))) {
      this.#state = undefined
      return false
    }
    const payees = this.#state?.payees ?? new Map<string, Payee>()
    for (const payee of step.payees ?? []) payees.set(payee.address, payee)
    for (const address of step.dropped ?? []) payees.delete(address)
    this.#state = { cursor: step.cursor ?? from, payees }
    return true
  }

  #isMoreLeft(target: number): boolean {
    const { cursor, payees } = this.#state ?? {}
    if (!cursor || !payees) return true
    return target > cursor.block || [...payees.values()].some(({ readFrom, goal }) => readFrom > goal)
  }
}
