// What lists filter and sort by, one typed array a field, addressed by slot.
import { categoryKey } from '../domain/categories.ts'
import { chainKey } from '../domain/chains.ts'
import { currencyKey, type PriceWords, toPriceWords, toRough } from '../domain/money.ts'
import type { Entry } from '../domain/service.ts'
import { STATUSES, type Status } from '../domain/standing.ts'
import { nameKey } from '../domain/text.ts'
import { Arena, FIRST_SLOTS, grown } from '../memory/arena.ts'
import { Interner } from '../memory/interner.ts'
import { remember } from '../memory/remember.ts'
import type { Image } from '../memory/snapshot.ts'
import { hasFreeQuotaIn, levelOf, statusIn, toTraits } from './packed-filter-bits.ts'

/** A mark at the beginning of a name is part of it. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

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
  trust = new Uint8Array(FIRST_SLOTS.columns)
  traits = new Uint16Array(FIRST_SLOTS.columns)
  #price = new Uint32Array(4 * FIRST_SLOTS.prices)
  /** The first four bytes of the folded name decide most comparisons; read from where the name lies, so that both say the same. */
  #nameHead = new Uint32Array(FIRST_SLOTS.columns)
  /** Kept as UTF-8, whose byte order is the order of code points on every machine. */
  readonly #names = new Arena()
  #currencyCounts: number[] = []

  get bytes(): number {
    const arrays = [
      this.category,
      this.chainSet,
      this.currency,
      this.trust,
      this.traits,
      this.#price,
      this.#nameHead,
    ]
    return arrays.reduce((sum, array) => sum + array.byteLength, this.#names.bytes)
  }

  /** No slot is as high. */
  get capacity(): number {
    return this.trust.length
  }

  /** Answers whether any filter may judge the slot otherwise than before. */
  write(slot: number, entry: Entry): boolean {
    this.#growTo(slot + 1)
    const category = this.categories.number(categoryKey(entry.category))
    const chainSet = this.#chainSetOf(entry.supportedChains)
    const currency = this.currencies.number(currencyKey(entry.pricing.currency))
    const price = toPriceWords(entry.pricing.pricePerRequest)
    const traits = toTraits({
      status: STATUSES.indexOf(entry.standing.status),
      chainSet,
      currency,
      hasFreeQuota: entry.pricing.freeQuota > 0,
      level: levelOf(price),
    })
    const isSame =
      this.category[slot] === category &&
      this.chainSet[slot] === chainSet &&
      this.currency[slot] === currency &&
      this.traits[slot] === traits &&
      this.comparePriceTo(slot, price) === 0
    this.#countCurrency(slot, -1)
    this.category[slot] = category
    this.chainSet[slot] = chainSet
    this.currency[slot] = currency
    this.trust[slot] = entry.standing.trustScore
    this.#price.set(price, 4 * slot)
    this.traits[slot] = traits
    this.#names.write(slot, nameKey(entry.name))
    this.#nameHead[slot] = this.#names.word(slot, 0)
    this.#countCurrency(slot, 1)
    return !isSame
  }

  /** Whether writing the entry would move it in an order or a filter set. */
  moves(slot: number, entry: Entry): boolean {
    const words = toPriceWords(entry.pricing.pricePerRequest)
    return (
      this.category[slot] !== this.categories.number(categoryKey(entry.category)) ||
      this.chainSet[slot] !== this.#chainSetOf(entry.supportedChains) ||
      this.status(slot) !== entry.standing.status ||
      this.trust[slot] !== entry.standing.trustScore ||
      words.some((word, i) => this.#price[4 * slot + i] !== word) ||
      this.foldedName(slot) !== nameKey(entry.name)
    )
  }

  release(slot: number): void {
    this.#countCurrency(slot, -1)
    this.#names.release(slot)
  }

  /** How many entries are priced in it. @param number of the currency */
  countOfCurrency(number: number): number {
    return this.#currencyCounts[number] ?? 0
  }

  /** Its place among all. */
  statusNumber(slot: number): number {
    return statusIn(this.traits[slot]!)
  }

  status(slot: number): Status {
    return STATUSES[this.statusNumber(slot)]!
  }

  hasFreeQuota(slot: number): boolean {
    return hasFreeQuotaIn(this.traits[slot]!)
  }

  comparePrices(a: number, b: number): number {
    const price = this.#price
    for (let i = 4 * a, j = 4 * b, end = i + 4; i < end; i++, j++) {
      const difference = price[i]! - price[j]!
      if (difference !== 0) return difference
    }
    return 0
  }

  compareNames(a: number, b: number): number {
    return this.#nameHead[a]! - this.#nameHead[b]! || this.#names.compare(a, b)
  }

  /** The words that names are compared by, four bytes each. */
  nameWord(slot: number, place: number): number {
    return place === 0 ? this.#nameHead[slot]! : this.#names.word(slot, 4 * place)
  }

  /** The words that prices are compared by. */
  priceWord(slot: number, place: number): number {
    return this.#price[4 * slot + place]!
  }

  compareNameTo(slot: number, folded: Uint8Array): number {
    return Buffer.compare(this.#names.text(slot), folded)
  }

  priceWords(slot: number): number[] {
    return [...this.#price.subarray(4 * slot, 4 * slot + 4)]
  }

  foldedName(slot: number): string {
    return decoder.decode(this.#names.text(slot))
  }

  isPricedUpTo(slot: number, max: PriceWords): boolean {
    return this.comparePriceTo(slot, max) <= 0
  }

  /** Roughly, for leaning and for charts. */
  roughPrice(slot: number): number {
    const price = this.#price
    const at = 4 * slot
    return toRough(price[at]!, price[at + 1]!, price[at + 2]!, price[at + 3]!)
  }

  /** Negative, 0 or positive; whole. */
  comparePriceTo(slot: number, words: PriceWords): number {
    const price = this.#price
    const at = 4 * slot
    return (
      price[at]! - words[0] ||
      price[at + 1]! - words[1] ||
      price[at + 2]! - words[2] ||
      price[at + 3]! - words[3]
    )
  }

  *carry(image: Image): Generator<void> {
    for (const interner of [this.categories, this.chains, this.currencies, this.#chainSets])
      interner.carry(image)
    // The text of a combination is the list of its numbers.
    if (image.isReading)
      this.chainsOfSet = this.#chainSets.texts.map(text => text.split(',').filter(Boolean).map(Number))
    this.category = image.array(this.category)
    this.chainSet = image.array(this.chainSet)
    this.currency = image.array(this.currency)
    this.trust = image.array(this.trust)
    this.traits = image.array(this.traits)
    this.#price = image.array(this.#price)
    this.#nameHead = image.array(this.#nameHead)
    this.#currencyCounts = image.numbers(this.#currencyCounts)
    yield* this.#names.carry(image)
  }

  /** A slot without an entry counts for nothing. */
  #countCurrency(slot: number, step: 1 | -1): void {
    if (!this.#names.holds(slot)) return
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
    if (4 * slots > this.#price.length)
      this.#price = grown(this.#price, Math.max(4 * slots, this.#price.length * 2))
    if (slots <= this.category.length) return
    const capacity = Math.max(slots, this.category.length * 2)
    this.category = grown(this.category, capacity)
    this.chainSet = grown(this.chainSet, capacity)
    this.currency = grown(this.currency, capacity)
    this.trust = grown(this.trust, capacity)
    this.traits = grown(this.traits, capacity)
    this.#nameHead = grown(this.#nameHead, capacity)
  }
}
