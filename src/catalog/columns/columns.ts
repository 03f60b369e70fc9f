// The columns that lists filter and sort by: one typed array per field, addressed by slot.

import { chainKey } from '../../domain/chains/chains.ts'
import { categoryKey } from '../../domain/listing/categories.ts'
import type { Entry } from '../../domain/listing/service.ts'
import { currencyKey } from '../../domain/money/money.ts'
import { type DollarPrice, isInDollars, NO_RATES, type Rates } from '../../domain/money/rates.ts'
import { SORT_KEYS } from '../../domain/queries/orders.ts'
import { STATUSES, type Status } from '../../domain/standing/standing.ts'
import { grown } from '../../memory/growing.ts'
import { Interner } from '../../memory/interner.ts'
import { memoize } from '../../memory/memoize.ts'
import { createKeyColumns } from './key-columns.ts'

/** Entries per step, so that a step delays no request. */
const REVALUED_AT_ONCE = 250

type Fields = Record<
  'category' | 'chainSet' | 'currency' | 'status' | 'freeQuota',
  Uint32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>
>
/** The filterable values of one entry, as numbers. */
export type FieldValues = { readonly [F in keyof Fields]: number }

export class Columns {
  readonly categories = new Interner()
  readonly chains = new Interner()
  readonly currencies = new Interner()
  /** Few combinations of chains occur, so each combination gets a number. */
  readonly #chainSets = new Interner()
  chainsOfSet: (readonly number[])[] = []

  readonly #fields: Fields = {
    category: new Uint32Array(0),
    chainSet: new Uint32Array(0),
    currency: new Uint32Array(0),
    status: new Uint8Array(0),
    freeQuota: new Uint8Array(0),
  }
  readonly #names = Object.keys(this.#fields) as (keyof Fields)[]
  #rates: Rates = NO_RATES
  /** The key column of each order. */
  readonly keys = createKeyColumns(() => this.#rates)

  get category(): ArrayLike<number> {
    return this.#fields.category
  }

  /** The number of its combination of chains. */
  get chainSet(): ArrayLike<number> {
    return this.#fields.chainSet
  }

  get currency(): ArrayLike<number> {
    return this.#fields.currency
  }

  /** Indexes in STATUSES. */
  get statuses(): ArrayLike<number> {
    return this.#fields.status
  }

  /** Exchange rates for dollar prices. */
  get rates(): Rates {
    return this.#rates
  }

  get bytes(): number {
    const filtered = this.#names.reduce((sum, name) => sum + this.#fields[name].byteLength, 0)
    return SORT_KEYS.reduce((sum, order) => sum + this.keys[order].bytes, filtered)
  }

  get trust(): Uint8Array {
    return this.keys.trustScore.values as Uint8Array
  }

  /** All slots are below this. */
  get capacity(): number {
    return this.#fields.category.length
  }

  /** Whether the slot has an entry. */
  holds(slot: number): boolean {
    return this.keys.name.holds(slot)
  }

  /** The filterable values of a slot. */
  at(slot: number): FieldValues {
    const { category, chainSet, currency, status, freeQuota } = this.#fields
    return {
      category: category[slot]!,
      chainSet: chainSet[slot]!,
      currency: currency[slot]!,
      status: status[slot]!,
      freeQuota: freeQuota[slot]!,
    }
  }

  /** The filterable values of an entry. */
  read(entry: Entry): FieldValues {
    return {
      category: this.categories.number(categoryKey(entry.category)),
      chainSet: this.#chainSetOf(entry.supportedChains),
      currency: this.currencies.number(currencyKey(entry.pricing.currency)),
      status: STATUSES.indexOf(entry.standing.status),
      freeQuota: entry.pricing.freeQuota > 0 ? 1 : 0,
    }
  }

  /** A slot that is in sorted indexes must be written through them (`SortedIndexes.write`). */
  write(slot: number, entry: Entry, values: FieldValues = this.read(entry)): void {
    this.#growTo(slot + 1)
    for (const name of this.#names) this.#fields[name][slot] = values[name]
    for (const order of SORT_KEYS) this.keys[order].write(slot, entry)
  }

  /**
   * Switches dollar prices to other rates. For each of the slots whose price changes, `change` is called with a function that writes
   * it. Yields after every REVALUED_AT_ONCE slots.
   */
  *revalue(
    rates: Rates,
    slots: Iterable<number>,
    change: (slot: number, write: () => void) => void,
  ): Generator<void> {
    this.#rates = rates
    const { price, usdPrice } = this.keys
    let count = 0
    for (const slot of slots) {
      const currency = this.currencies.texts[this.currency[slot]!]!
      if (!this.holds(slot) || isInDollars(currency)) continue
      // By the known cost, which may be higher than the listed price.
      const priced = { pricing: { currency, pricePerRequest: price.decimal(slot), freeQuota: 0 } }
      if (usdPrice.moves(slot, priced)) change(slot, () => usdPrice.write(slot, priced))
      if (++count % REVALUED_AT_ONCE === 0) yield
    }
  }

  release(slot: number): void {
    for (const order of SORT_KEYS) this.keys[order].release(slot)
  }

  /** The cost of a request in dollars; undefined without an exchange rate. */
  dollarPrice(slot: number): DollarPrice | undefined {
    const { usdPrice } = this.keys
    if (usdPrice.isMissing(slot)) return undefined
    const amount = usdPrice.decimal(slot)
    const needsRate = !isInDollars(this.currencies.texts[this.currency[slot]!]!)
    return { amount, rateDate: needsRate ? this.#rates.date : null }
  }

  status(slot: number): Status {
    return STATUSES[this.statuses[slot]!]!
  }

  hasFreeQuota(slot: number): boolean {
    return this.#fields.freeQuota[slot] === 1
  }

  #chainSetOf(networks: readonly string[]): number {
    const [only] = networks
    return networks.length === 1 ? this.#singleChainSet(only!) : this.#chainSetNumber(networks)
  }

  /** Memoized, as most entries have one network. */
  readonly #singleChainSet = memoize(1_024, network => this.#chainSetNumber([network]))

  #chainSetNumber(networks: readonly string[]): number {
    const chains = [...new Set(networks.map(network => this.chains.number(chainKey(network))))].sort(
      (a, b) => a - b,
    )
    const number = this.#chainSets.number(chains.join())
    this.chainsOfSet[number] ??= chains
    return number
  }

  #growTo(slots: number): void {
    for (const order of SORT_KEYS) this.keys[order].growTo(slots)
    for (const name of this.#names) this.#fields[name] = grown(this.#fields[name], slots)
  }
}
