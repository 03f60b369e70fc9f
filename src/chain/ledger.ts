// What is kept of one chain and whom its payments count for: the part of reading that is the same on every chain.
import type { Chain } from '../domain/chains.ts'
import type { Clock } from '../runtime/clock.ts'
import type { ChainCursor, ChainStep, Payee, SettlementRecord, Side } from '../store/payments.ts'
import type { Store } from '../store/store.ts'
import type { Claims } from './claims.ts'
import { creditTo } from './credit.ts'

export type LedgerParts = {
  readonly chain: Chain
  readonly store: Pick<Store, 'payments'>
  readonly claims: Claims
  readonly clock: Clock
  /** How many blocks before its registration the payments to a new address are looked for. */
  readonly backfillBlocks: number
}

type Wanted = Pick<Payee, 'address' | 'side'>

/** The payees by `keyOf`. */
type State = { readonly cursor: ChainCursor | undefined; readonly payees: Map<string, Payee> }

const keyOf = ({ side, address }: Wanted): string => `${side} ${address}`

/** How many payments one transaction keeps: about 13 ms of a processor, in which nothing else is answered. */
export const PAYMENTS_AT_ONCE = 250

export class Ledger {
  readonly #parts: LedgerParts
  #state: State | undefined

  constructor(parts: LedgerParts) {
    this.#parts = parts
  }

  /** Forgets what it holds in memory: the next `load` begins with what is kept. */
  reset(): void {
    this.#state = undefined
  }

  async load(): Promise<void> {
    const { chain, store } = this.#parts
    if (this.#state) return
    const payees = await store.payments.payees(chain.id)
    const cursor = await store.payments.cursor(chain.id)
    this.#state = { cursor, payees: new Map(payees.map(payee => [keyOf(payee), payee])) }
  }

  get cursor(): ChainCursor | undefined {
    return this.#state?.cursor
  }

  get payees(): Payee[] {
    return [...(this.#state?.payees.values() ?? [])]
  }

  /** Whether anybody is or was listed on the chain. */
  get isNeeded(): boolean {
    return this.#wanted().size > 0 || this.payees.length > 0
  }

  /** Payees whose earlier blocks are still to be read. */
  get wanting(): Payee[] {
    return this.payees.filter(({ readFrom, goal }) => readFrom > goal)
  }

  /** Brings payees and credits up to date with the listings; true where a step was taken. */
  async settleClaims(cursor: ChainCursor): Promise<boolean> {
    return (await this.#adopt(cursor)) || (await this.#creditAnew(cursor))
  }

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
  async #adopt(cursor: ChainCursor): Promise<boolean> {
    const { chain, claims, backfillBlocks } = this.#parts
    const { payees } = this.#state!
    const wanted = this.#wanted()
    const readFrom = cursor.block + 1
    const goal = Math.max(0, readFrom - backfillBlocks)
    const added = [...wanted].filter(([key]) => !payees.has(key)).map(([, each]) => each)
    const dropped = [...payees].filter(([key]) => !wanted.has(key)).map(([, payee]) => payee)
    if (added.length === 0 && dropped.length === 0) return false
    await this.commit(cursor, {
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
      if (payee.side !== 'received') continue
      const { name, candidates } = claims.planOf(chain.id, payee.address)
      if (payee.plan === name) continue
      const now = clock.now()
      const crediting = {
        payee: payee.address,
        plan: name,
        services: claims.servicesAt(chain.id, payee.address),
        creditTo: (payment: SettlementRecord) => creditTo(payment, candidates, now),
      }
      let next = await store.payments.credit(chain.id, cursor, crediting)
      while (typeof next === 'object') next = await store.payments.credit(chain.id, cursor, crediting, next)
      if (!next) {
        this.reset()
        return true
      }
      payees.set(key, { ...payee, plan: name })
    }
    return false
  }

  credit(settlements: readonly Omit<SettlementRecord, 'serviceId'>[]): SettlementRecord[] {
    const { chain, claims, clock } = this.#parts
    const now = clock.now()
    return settlements.map(settlement => {
      const { candidates } = claims.planOf(chain.id, settlement.payee)
      const payment = { ...settlement, serviceId: null }
      return { ...payment, serviceId: creditTo(payment, candidates, now) }
    })
  }

  /** False where another process was faster: what it has written is read first. */
  async commit(from: ChainCursor | undefined, step: ChainStep): Promise<boolean> {
    const { chain, store } = this.#parts
    if (!(await store.payments.advance(chain.id, from, step))) {
      this.reset()
      return false
    }
    const payees = this.#state?.payees ?? new Map<string, Payee>()
    for (const payee of step.payees ?? []) payees.set(keyOf(payee), payee)
    for (const payee of step.dropped ?? []) payees.delete(keyOf(payee))
    this.#state = { cursor: step.cursor ?? from, payees }
    return true
  }

  /** Keeps settlements a part at a time, without moving the cursor. False as of `commit`. */
  async keep(
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
