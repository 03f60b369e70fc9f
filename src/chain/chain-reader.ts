// Reads the final blocks of one chain in steps: forward from the cursor, and backward for new addresses.
import type { Asset } from '../domain/chains/assets.ts'
import type { Chain } from '../domain/chains/chains.ts'
import type { Clock } from '../runtime/clock.ts'
import type { ChainCursor, Payee } from '../store/payments.ts'
import type { Store } from '../store/store.ts'
import type { PayeeListings } from './credit.ts'
import { Ledger, PAYMENTS_AT_ONCE } from './ledger.ts'
import { assertChain, type ChainNode, NodeError } from './node.ts'
import { cutAtBlocks, LookupBudget, type Range, type RangeRead, readRange } from './settlements.ts'

export type ReaderSettings = {
  /** Blocks before its registration in which payments to a new address are read. */
  readonly backfillBlocks: number
  /** Requests of one round over the wallets of Solana. */
  readonly maxRequests?: number
}

type Deps = {
  readonly chain: Chain
  readonly assets: readonly Asset[]
  /** Addresses in lower case. */
  readonly facilitators: ReadonlySet<string>
  readonly node: ChainNode
  readonly store: Pick<Store, 'payments'>
  readonly listings: PayeeListings
  readonly clock: Clock
  readonly settings: ReaderSettings
}

type Blocks = Pick<Range, 'fromBlock' | 'toBlock'>

export class ChainReader {
  readonly #deps: Deps
  readonly #span = new BlockSpan()
  readonly #ledger: Ledger
  readonly #lookups: Range['lookups']
  #isChecked = false

  constructor(deps: Deps) {
    this.#deps = deps
    this.#ledger = new Ledger({ ...deps, backfillBlocks: deps.settings.backfillBlocks })
    this.#lookups = {
      budget: new LookupBudget(deps.clock),
      isClaimed: address => this.#ledger.isClaimed(address),
    }
  }

  /** Takes one step. @returns whether more can be read at once @throws NodeError */
  step(): Promise<boolean> {
    return this.#ledger.orReset(() => this.#step())
  }

  async #step(): Promise<boolean> {
    const ledger = this.#ledger
    await ledger.load()
    if (!ledger.isNeeded) return false
    if (!this.#isChecked) await assertChain(this.#deps.node, this.#deps.chain.id)
    this.#isChecked = true
    const target = await this.#deps.node.finalized()
    const { cursor } = ledger
    // The first cursor is the current block; earlier blocks are read backward, for every address.
    if (!cursor) return ledger.commit(undefined, { cursor: { block: target } })
    // The node lags behind one that was read before.
    if (target < cursor.block) return false
    if (await ledger.settleClaims(cursor)) return true
    if (ledger.payees.length === 0) return false
    // New blocks arrive while a slow node is asked: earlier ones come first, until a whole request of new ones waits.
    const behind = target - cursor.block
    const isForward = behind > 0 && (behind >= this.#span.size || ledger.incomplete.length === 0)
    if (isForward) await this.#readForward(cursor, target)
    else await this.#readBackward(cursor)
    return !ledger.cursor || target > ledger.cursor.block || ledger.incomplete.length > 0
  }

  async #readForward(cursor: ChainCursor, target: number): Promise<void> {
    const block = Math.min(target, cursor.block + this.#span.size)
    const read = await this.#read({ fromBlock: cursor.block + 1, toBlock: block }, this.#ledger.payees)
    if (!read) return
    let from = cursor
    for (const { settlements, sent, toBlock } of cutAtBlocks(read, PAYMENTS_AT_ONCE, block)) {
      const next = { block: toBlock }
      const payments = this.#ledger.credit(settlements)
      if (!(await this.#ledger.commit(from, { payments, sent, cursor: next }))) return
      from = next
    }
  }

  async #readBackward(cursor: ChainCursor): Promise<void> {
    const { incomplete } = this.#ledger
    if (incomplete.length === 0) return
    const readFrom = incomplete.reduce((max, payee) => Math.max(max, payee.readFrom), 0)
    const group = incomplete.filter(payee => payee.readFrom === readFrom)
    const goal = group.reduce((min, payee) => Math.min(min, payee.goal), readFrom)
    const fromBlock = Math.max(goal, readFrom - this.#span.size)
    const read = await this.#read({ fromBlock, toBlock: readFrom - 1 }, group)
    if (!read) return
    if (!(await this.#ledger.storeSettlements(cursor, read.settlements))) return
    const payees = group.map(payee => ({ ...payee, readFrom: fromBlock }))
    await this.#ledger.commit(cursor, { sent: read.sent, payees })
  }

  /** @returns undefined if the node refused the range and a smaller one is possible */
  async #read(blocks: Blocks, of: Iterable<Payee>): Promise<RangeRead | undefined> {
    const { chain, assets, node, facilitators } = this.#deps
    const blockCount = blocks.toBlock - blocks.fromBlock + 1
    const { received = [], sent = [] } = Object.groupBy(of, ({ side }) => side)
    const payees = received.map(({ address }) => address)
    const senders = sent.map(({ address }) => address)
    try {
      const read = await readRange(node, {
        chain: chain.id,
        assets,
        facilitators,
        lookups: this.#lookups,
        payees,
        senders,
        ...blocks,
      })
      this.#span.onSuccess(blockCount)
      return read
    } catch (error) {
      if (!(error instanceof NodeError) || error.trouble === 'unavailable') throw error
      if (this.#span.onRefusal(blockCount) && error.trouble === 'refused') return undefined
      throw error
    }
  }
}

// Adapts the number of blocks per request: nodes refuse ranges above undocumented limits.

const INITIAL_BLOCKS = 500
const MAX_BLOCKS = 10_000
/** A limit may depend on the number of logs and pass with a busy hour: a refused size is retried after this many successes. */
const SUCCESSES_UNTIL_RETRY = 64

export class BlockSpan {
  #size = INITIAL_BLOCKS
  #refused = Number.POSITIVE_INFINITY
  #successes = 0

  get size(): number {
    return this.#size
  }

  /** @param blocks covered by the request: a short one says nothing about longer ones */
  onSuccess(blocks: number): void {
    if (blocks < this.#size) return
    if (++this.#successes >= SUCCESSES_UNTIL_RETRY) {
      this.#successes = 0
      this.#refused = Number.POSITIVE_INFINITY
    }
    const next = Math.min(this.#size * 2, MAX_BLOCKS)
    if (next < this.#refused) this.#size = next
  }

  /** @returns whether a smaller request is possible */
  onRefusal(blocks: number): boolean {
    this.#successes = 0
    this.#refused = Math.min(this.#refused, blocks)
    this.#size = Math.max(1, Math.floor(Math.min(blocks, this.#size) / 2))
    return blocks > 1
  }
}
