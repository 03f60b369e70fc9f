// Limits the transactions that are looked up for addresses that nobody has claimed: anybody can list the address of an exchange or a
// pool, whose transfers are countless and no settlements.
import type { Clock } from '../runtime/clock.ts'

/** Lookups of one address a day that find nothing. */
const FRUITLESS = 100
/** Further ones for each settlement that was found. */
const PER_SETTLEMENT = 20

export class LookupBudget {
  readonly #clock: Clock
  readonly #left = new Map<string, number>()
  #day = ''

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** @returns whether another transfer to the address may be looked up */
  take(address: string): boolean {
    const day = this.#clock.now().toISOString().slice(0, 10)
    if (day !== this.#day) this.#left.clear()
    this.#day = day
    const left = this.#left.get(address) ?? FRUITLESS
    if (left > 0) this.#left.set(address, left - 1)
    return left > 0
  }

  onSettlement(address: string): void {
    this.#left.set(address, (this.#left.get(address) ?? FRUITLESS) + PER_SETTLEMENT)
  }
}
