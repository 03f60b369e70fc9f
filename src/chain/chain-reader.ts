// Reads one chain, step by step: forward from the cursor, and backward for addresses that are new.

import type { Asset } from '../domain/assets.ts'
import type { Chain } from '../domain/chains.ts'
import type { Clock } from '../runtime/clock.ts'
import type { ChainCursor, ChainStep, Checkpoint, Payee, Payment, Side } from '../store/payments.ts'
import type { Store } from '../store/store.ts'
import { BlockSpan } from './block-span.ts'
import { findStanding, moveTo } from './checkpoints.ts'
import type { Claims } from './claims.ts'
import { creditTo } from './credit.ts'
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

/** The payees by `keyOf`. */
type State = { readonly cursor: ChainCursor | undefined; readonly payees: Map<string, Payee> }
type Wanted = Pick<Payee, 'address' | 'side'>
type Blocks = Pick<Range, 'fromBlock' | 'toBlock'>

const keyOf = ({ side, address }: Wanted): string => `${side} ${address}`

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
    const { node, settings } = this.#parts
    const wanted = this.#wanted()
    this.#state ??= await this.#load()
    const { cursor, payees } = this.#state
    if (wanted.size === 0 && payees.size === 0) return false
    await this.#checkChain()
    const head = await node.head()
    const target = head - settings.confirmations
    if (target < 0) return false
    if (!cursor) return this.#begin(target)

    const standing = await findStanding(cursor, head, this.#hashAt)
    if (standing === 'behind') return false
    if (standing !== cursor) return this.#rewind(cursor, standing)
    if (await this.#adopt(cursor, wanted)) return true
    if (await this.#creditAnew(cursor)) return true
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
      payees: new Map(payees.map(payee => [keyOf(payee), payee])),
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

  /** What every listed address received, and of a claimed one also whom it pays: its payers are asked about. */
  #wanted(): Map<string, Wanted> {
    const { chain, claims } = this.#parts
    const of = (side: Side) => (address: string) => ({ address, side })
    const wanted = [
      ...claims.payees(chain.id).map(of('received')),
      ...claims.claimedPayees(chain.id).map(of('sent')),
    ]
    return new Map(wanted.map(each => [keyOf(each), each]))
  }

  /** Takes up addresses that were registered since, and lets go of those that nobody lists any more. */
  async #adopt(cursor: ChainCursor, wanted: ReadonlyMap<string, Wanted>): Promise<boolean> {
    const { chain, claims, settings } = this.#parts
    const { payees } = this.#state!
    const readFrom = cursor.block + 1
    const goal = Math.max(0, readFrom - settings.backfillBlocks)
    const added = [...wanted].filter(([key]) => !payees.has(key)).map(([, each]) => each)
    const dropped = [...payees].filter(([key]) => !wanted.has(key)).map(([, payee]) => payee)
    if (added.length === 0 && dropped.length === 0) return false
    await this.#commit(cursor, {
      payees: added.map(({ address, side }) => {
        const plan = side === 'received' ? claims.planOf(chain.id, address).name : ''
        return { address, side, readFrom, goal, plan }
      }),
      dropped,
    })
    return true
  }

  /** Whose an address is can change: a claim, a probe or a move credits all payments to it anew. */
  async #creditAnew(cursor: ChainCursor): Promise<boolean> {
    const { chain, claims, clock, store } = this.#parts
    const { payees } = this.#state!
    for (const [key, payee] of payees) {
      const { name, candidates } = claims.planOf(chain.id, payee.address)
      if (payee.side !== 'received' || payee.plan === name) continue
      const now = clock.now()
      const crediting = {
        payee: payee.address,
        plan: name,
        services: claims.servicesAt(chain.id, payee.address),
        creditTo: (payment: Payment) => creditTo(payment, candidates, now),
      }
      let next = await store.payments.credit(chain.id, cursor, crediting)
      while (typeof next === 'object') next = await store.payments.credit(chain.id, cursor, crediting, next)
      if (!next) {
        this.#state = undefined
        return true
      }
      payees.set(key, { ...payee, plan: name })
    }
    return false
  }

  async #readForward(cursor: ChainCursor, target: number): Promise<void> {
    const block = Math.min(target, cursor.block + this.#span.size)
    const end = { block, hash: await this.#hashAt(block) }
    const read = await this.#read(
      { fromBlock: cursor.block + 1, toBlock: block },
      this.#state!.payees.values(),
    )
    if (!read) return
    // The end first, then the beginning: both unmoved, the answer is of one chain.
    await this.#assertStill(end)
    await this.#assertStill(cursor)
    let from = cursor
    for (const { settlements, sent, reached } of cutAtBlocks(read, PAYMENTS_AT_ONCE, end)) {
      const next = moveTo(reached, from)
      if (!(await this.#commit(from, { payments: this.#credit(settlements), sent, cursor: next }))) return
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
    const read = await this.#read({ fromBlock, toBlock: readFrom - 1 }, group)
    if (!read) return
    await this.#assertStill(cursor)
    const { settlements, sent } = read
    for (let at = 0; at < settlements.length; at += PAYMENTS_AT_ONCE) {
      const payments = this.#credit(settlements.slice(at, at + PAYMENTS_AT_ONCE))
      if (!(await this.#commit(cursor, { payments }))) return
    }
    await this.#commit(cursor, { sent, payees: group.map(payee => ({ ...payee, readFrom: fromBlock })) })
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

  #credit(settlements: readonly Settlement[]): Payment[] {
    const { chain, claims, clock } = this.#parts
    const now = clock.now()
    return settlements.map(({ blockHash: _, ...settlement }) => {
      const { candidates } = claims.planOf(chain.id, settlement.payee)
      const payment = { ...settlement, serviceId: null }
      return { ...payment, serviceId: creditTo(payment, candidates, now) }
    })
  }

  /** False where another process was faster: what it has written is read first. */
  async #commit(from: ChainCursor | undefined, step: ChainStep): Promise<boolean> {
    const { chain, store } = this.#parts
    if (!(await store.payments.advance(chain.id, from, step))) {
      this.#state = undefined
      return false
    }
    const payees = this.#state?.payees ?? new Map<string, Payee>()
    for (const payee of step.payees ?? []) payees.set(keyOf(payee), payee)
    for (const payee of step.dropped ?? []) payees.delete(keyOf(payee))
    this.#state = { cursor: step.cursor ?? from, payees }
    return true
  }

  #isMoreLeft(target: number): boolean {
    const { cursor, payees } = this.#state ?? {}
    if (!cursor || !payees) return true
    return target > cursor.block || [...payees.values()].some(({ readFrom, goal }) => readFrom > goal)
  }
}
