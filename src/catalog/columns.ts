// What lists filter and sort by, one typed array a field, addressed by slot.
import { categoryKey } from '../domain/categories.ts'
import { chainKey } from '../domain/chains.ts'
import { FILTER_NAMES, filterOf } from '../domain/filters.ts'
import { currencyKey, toPriceWords } from '../domain/money.ts'
import { SORT_KEYS } from '../domain/orders.ts'
import { type DollarPrice, isInDollars, NO_RATES, type Rates } from '../domain/rates.ts'
import type { Entry } from '../domain/service.ts'
import { STATUSES, type Status } from '../domain/standing.ts'
import { costOf } from '../domain/terms.ts'
import { FIRST_SLOTS, resized } from '../memory/arena.ts'
import { Interner } from '../memory/interner.ts'
import { remember } from '../memory/remember.ts'
import type { Snapshot } from '../memory/snapshot.ts'
import { createKeyColumns } from './key-columns.ts'
import { hasFreeQuotaIn, levelOf, packBits, statusIn } from './packed-filter-bits.ts'

/** The orders that filters bound: with the key of one of them an entry may pass or no longer pass. */
const BOUNDED = new Set(FILTER_NAMES.flatMap(name => filterOf(name).bound?.order ?? []))

export class Columns {
  readonly categories = new Interner()
  readonly chains = new Interner()
  readonly currencies = new Interner()
  /** Most entries share one of few combinations of chains, so the combination is what gets a number. */
  readonly #chainSets = new Interner()
  chainsOfSet: (readonly number[])[] = []

  category = new Uint32Array(FIRST_SLOTS.columns)
  chainSet = new Uint32Array(FIRST_SLOTS.columns)
  currency = new Uint32Array(FIRST_SLOTS.columns)
  bits = new Uint16Array(FIRST_SLOTS.columns)
  /** What prices are told in dollars by. Whoever sets others writes the keys of `usdPrice` anew. */
  rates: Rates = NO_RATES
  /** What each order goes by. */
  readonly keys = createKeyColumns(() => this.rates)
  #currencyCounts: number[] = []

  get bytes(): number {
    const arrays = [this.category, this.chainSet, this.currency, this.bits]
    const filtered = arrays.reduce((sum, array) => sum + array.byteLength, 0)
    return SORT_KEYS.reduce((sum, order) => sum + this.keys[order].bytes, filtered)
  }

  get trust(): Uint8Array {
    return this.keys.trustScore.values as Uint8Array
  }

  /** No slot is as high. */
  get capacity(): number {
    return this.category.length
  }

  /** Returns whether any filter may judge the slot otherwise than before. */
  write(slot: number, entry: Entry): boolean {
    this.#growTo(slot + 1)
    const category = this.categories.number(categoryKey(entry.category))
    const chainSet = this.#chainSetOf(entry.supportedChains)
    const currency = this.currencies.number(currencyKey(entry.pricing.currency))
    const bits = packBits({
      status: STATUSES.indexOf(entry.standing.status),
      chainSet,
      currency,
      hasFreeQuota: entry.pricing.freeQuota > 0,
      level: levelOf(toPriceWords(costOf(entry))),
    })
    const isSame =
      this.category[slot] === category &&
      this.chainSet[slot] === chainSet &&
      this.currency[slot] === currency &&
      this.bits[slot] === bits &&
      SORT_KEYS.every(order => !BOUNDED.has(order) || !this.keys[order].moves(slot, entry))
    this.#countCurrency(slot, -1)
    this.category[slot] = category
    this.chainSet[slot] = chainSet
    this.currency[slot] = currency
    this.bits[slot] = bits
    for (const order of SORT_KEYS) this.keys[order].write(slot, entry)
    this.#countCurrency(slot, 1)
    return !isSame
  }

  /** Whether writing the entry would move it in an order or a filter set. */
  moves(slot: number, entry: Entry): boolean {
    return (
      this.category[slot] !== this.categories.number(categoryKey(entry.category)) ||
      this.chainSet[slot] !== this.#chainSetOf(entry.supportedChains) ||
      this.status(slot) !== entry.standing.status ||
      SORT_KEYS.some(order => this.keys[order].moves(slot, entry))
    )
  }

  release(slot: number): void {
    this.#countCurrency(slot, -1)
    for (const order of SORT_KEYS) this.keys[order].release(slot)
  }

  /** What a request costs in dollars; undefined where no rate tells it. */
  dollarPrice(slot: number): DollarPrice | undefined {
    const { usdPrice } = this.keys
    if (usdPrice.isMissing(slot)) return undefined
    const amount = usdPrice.decimal(slot)
    const needsRate = !isInDollars(this.currencies.texts[this.currency[slot]!]!)
    return { amount, rateDate: needsRate ? this.rates.date : null }
  }

  /** How many entries are priced in it. @param number of the currency */
  countOfCurrency(number: number): number {
    return this.#currencyCounts[number] ?? 0
  }

  /** Its place among all. */
  statusNumber(slot: number): number {
    return statusIn(this.bits[slot]!)
  }

  status(slot: number): Status {
    return STATUSES[this.statusNumber(slot)]!
  }

  hasFreeQuota(slot: number): boolean {
    return hasFreeQuotaIn(this.bits[slot]!)
  }

  *serialize(snapshot: Snapshot): Generator<void> {
    for (const interner of [this.categories, this.chains, this.currencies, this.#chainSets])
      interner.serialize(snapshot)
    // The text of a combination is the list of its numbers.
    if (snapshot.isReading)
      this.chainsOfSet = this.#chainSets.texts.map(text => text.split(',').filter(Boolean).map(Number))
    this.category = snapshot.array(this.category)
    this.chainSet = snapshot.array(this.chainSet)
    this.currency = snapshot.array(this.currency)
    this.bits = snapshot.array(this.bits)
    this.#currencyCounts = snapshot.numbers(this.#currencyCounts)
    for (const order of SORT_KEYS) yield* this.keys[order].serialize(snapshot)
  }

  /** A slot without an entry counts for nothing. */
  #countCurrency(slot: number, step: 1 | -1): void {
    if (!this.keys.name.holds(slot)) return
    const currency = this.currency[slot]!
    this.#currencyCounts[currency] = this.countOfCurrency(currency) + step
  }

  #chainSetOf(networks: readonly string[]): number {
    const [only] = networks
    return networks.length === 1 ? this.#chainAlone(only!) : this.#chainSetNumber(networks)
  }

  /** Most entries name one network. */
  readonly #chainAlone = remember(1_024, network => this.#chainSetNumber([network]))

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
    if (slots <= this.category.length) return
    const capacity = Math.max(slots, this.category.length * 2)
    this.category = resized(this.category, capacity)
    this.chainSet = resized(this.chainSet, capacity)
    this.currency = resized(this.currency, capacity)
    this.bits = resized(this.bits, capacity)
  }
}
