// The stored state of one chain and the credit of its payments: what reading has in common on every chain.
import type { Chain } from '../domain/chains/chains.ts'
import type { Clock } from '../runtime/clock.ts'
import type { ChainCursor, ChainStep, Payee, SettlementRecord, Side } from '../store/payments.ts'
import type { Store } from '../store/store.ts'
import { creditTo, type PayeeListings } from './credit.ts'

export type LedgerDeps = {
  readonly chain: Chain
  readonly store: Pick<Store, 'payments'>
  readonly listings: PayeeListings
  readonly clock: Clock
  /** Blocks before its registration in which payments to a new address are read. */
  readonly backfillBlocks: number
}

type WatchedAddress = Pick<Payee, 'address' | 'side'>

/** Payees by `payeeKey`. */
type State = { readonly cursor: ChainCursor | undefined; readonly payees: Map<string, Payee> }

const payeeKey = ({ side, address }: WatchedAddress): string => `${side} ${address}`

/** Payments per transaction: about 13 ms of processor time, during which no request is served. */
export const PAYMENTS_AT_ONCE = 250

/**
 * How much longer than it took to credit the payments of an address again, the next time waits: anybody can list the address of a
 * seller with many payments, and change the listing over and over.
 */
const CREDIT_REST = 20

export class Ledger {
  readonly #deps: LedgerDeps
  #state: State | undefined
  /** When payments may be credited again, in milliseconds since the epoch, by `payeeKey`. */
  readonly #creditableAt = new Map<string, number>()

  constructor(deps: LedgerDeps) {
    this.#deps = deps
  }

  /** After a failure the state in memory is dropped: the next `load` reads the stored one. */
  async orReset<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      this.#state = undefined
      throw error
    }
  }

  async load(): Promise<void> {
    const { chain, store } = this.#deps
    if (this.#state) return
    const payees = await store.payments.payees(chain.id)
    const cursor = await store.payments.cursor(chain.id)
    this.#state = { cursor, payees: new Map(payees.map(payee => [payeeKey(payee), payee])) }
  }

  get cursor(): ChainCursor | undefined {
    return this.#state?.cursor
  }

  get payees(): Payee[] {
    return [...(this.#state?.payees.values() ?? [])]
  }

  /** Whether any address is or was listed on the chain. */
  get isNeeded(): boolean {
    return this.#watched().size > 0 || this.payees.length > 0
  }

  /** Payees with earlier blocks left to read. */
  get incomplete(): Payee[] {
    return this.payees.filter(({ readFrom, goal }) => readFrom > goal)
  }

  /** Brings payees and credits up to date with the listings. @returns whether a step was taken */
  async settleClaims(cursor: ChainCursor): Promise<boolean> {
    return (await this.#adopt(cursor)) || (await this.#recredit(cursor))
  }

  /** See `PayeeListings.isClaimed`. */
  isClaimed(address: string): boolean {
    const { chain, listings } = this.#deps
    return listings.isClaimed(chain.id, address)
  }

  /**
   * Payments received by the addresses where they can be credited, and payments sent by credited ones, to recognise payers that they
   * fund. An address without anything to credit is read on as long as it is listed, so that nothing has to be read again.
   */
  #watched(): Map<string, WatchedAddress> {
    const { chain, listings } = this.#deps
    const of = (side: Side) => (address: string) => ({ address, side })
    const isRead = (each: WatchedAddress) =>
      listings.planOf(chain.id, each.address).candidates.length > 0 ||
      this.#state?.payees.has(payeeKey(each)) === true
    const watched = [
      ...listings.payees(chain.id).map(of('received')).filter(isRead),
      ...listings.creditedPayees(chain.id).map(of('sent')),
    ]
    return new Map(watched.map(each => [payeeKey(each), each]))
  }

  /** Adds newly listed addresses and drops those no longer listed. */
  async #adopt(cursor: ChainCursor): Promise<boolean> {
    const { chain, listings, backfillBlocks } = this.#deps
    const { payees } = this.#state!
    const watched = this.#watched()
    const readFrom = cursor.block + 1
    const goal = Math.max(0, readFrom - backfillBlocks)
    const added = [...watched].filter(([key]) => !payees.has(key)).map(([, each]) => each)
    const dropped = [...payees].filter(([key]) => !watched.has(key)).map(([, payee]) => payee)
    if (added.length === 0 && dropped.length === 0) return false
    await this.commit(cursor, {
      payees: added.map(({ address, side }) => {
        const plan = side === 'received' ? listings.planOf(chain.id, address).name : ''
        return { address, side, readFrom, goal, plan }
      }),
      dropped,
    })
    return true
  }

  /** The owner of an address can change by a claim, a probe or a move: all payments to it are credited again. */
  async #recredit(cursor: ChainCursor): Promise<boolean> {
    const { chain, listings, clock, store } = this.#deps
    const { payees } = this.#state!
    for (const [key, payee] of payees) {
      if (payee.side !== 'received') continue
      const { name, candidates } = listings.planOf(chain.id, payee.address)
      const now = clock.now()
      if (payee.plan === name || now.getTime() < (this.#creditableAt.get(key) ?? 0)) continue
      const startedAt = performance.now()
      const crediting = {
        payee: payee.address,
        plan: name,
        services: listings.servicesAt(chain.id, payee.address),
        creditTo: (payment: SettlementRecord) => creditTo(payment, candidates),
      }
      let next = await store.payments.credit(chain.id, cursor, crediting)
      while (typeof next === 'object') next = await store.payments.credit(chain.id, cursor, crediting, next)
      this.#creditableAt.set(key, now.getTime() + (1 + CREDIT_REST) * (performance.now() - startedAt))
      if (!next) {
        this.#state = undefined
        return true
      }
      payees.set(key, { ...payee, plan: name })
    }
    return false
  }

  credit(settlements: readonly Omit<SettlementRecord, 'serviceId'>[]): SettlementRecord[] {
    const { chain, listings } = this.#deps
    return settlements.map(settlement => {
      const { candidates } = listings.planOf(chain.id, settlement.payee)
      const payment = { ...settlement, serviceId: null }
      return { ...payment, serviceId: creditTo(payment, candidates) }
    })
  }

  /** @returns false if another process was faster: its state has to be read first */
  async commit(from: ChainCursor | undefined, step: ChainStep): Promise<boolean> {
    const { chain, store } = this.#deps
    if (!(await store.payments.advance(chain.id, from, step))) {
      this.#state = undefined
      return false
    }
    const payees = this.#state?.payees ?? new Map<string, Payee>()
    for (const payee of step.payees ?? []) payees.set(payeeKey(payee), payee)
    for (const payee of step.dropped ?? []) {
      payees.delete(payeeKey(payee))
      this.#creditableAt.delete(payeeKey(payee))
    }
    this.#state = { cursor: step.cursor ?? from, payees }
    return true
  }

  /** Stores settlements in batches, without moving the cursor. @returns as `commit` */
  async storeSettlements(
    from: ChainCursor,
    settlements: readonly Omit<SettlementRecord, 'serviceId'>[],
  ): Promise<boolean> {
    for (let at = 0; at < settlements.length; at += PAYMENTS_AT_ONCE) {
      const payments = this.credit(settlements.slice(at, at + PAYMENTS_AT_ONCE))
      if (!(await this.commit(from, { payments }))) return false
    }
    return true
  }
}
