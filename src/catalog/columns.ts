// What lists filter and sort by, one typed array a field, addressed by slot.
import { categoryKey } from '../domain/categories.ts'
import { chainKey } from '../domain/chains.ts'
import type { Image } from '../domain/image.ts'
import type { IntentFilter } from '../domain/intent-filter.ts'
import { currencyKey, type PriceWords, toPriceWords, toRough } from '../domain/money.ts'
import { remember } from '../domain/remember.ts'
import type { Entry } from '../domain/service.ts'
import { STATUSES, type Status } from '../domain/standing.ts'
import { bitOf, lowestSlot, WORD_SHIFT } from '../search/bits.ts'
import { Arena, FIRST_SLOTS, grown } from './arena.ts'
import { Interner } from './interner.ts'
import {
  FAILS,
  hasFreeQuotaIn,
  judge,
  levelOf,
  PASSES,
  statusIn,
  type TraitsTest,
  toTraits,
  toTraitsTest,
  UNSURE,
} from './traits.ts'

const encoder = new TextEncoder()
const WORD = 1 << WORD_SHIFT
/** Where no value is asked for. */
const ANY = -1

type SlotTest = (slot: number) => boolean

type FilterTest = {
  readonly said: TraitsTest
  /** The number of the one that is wanted, or ANY. */
  readonly category: number
  /** Of an entry whose traits do not tell. */
  readonly passes: SlotTest
}

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
  #traits = new Uint16Array(FIRST_SLOTS.columns)
  #price = new Uint32Array(4 * FIRST_SLOTS.prices)
  /** The first bytes of the folded name decide most comparisons. */
  #nameHead = new Uint32Array(FIRST_SLOTS.columns)
  readonly #names = new Arena()
  readonly #head = new Uint8Array(16)

  get bytes(): number {
    const arrays = [
      this.category,
      this.chainSet,
      this.currency,
      this.trust,
      this.#traits,
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
      this.#traits[slot] === traits &&
      this.comparePriceTo(slot, price) === 0
    this.category[slot] = category
    this.chainSet[slot] = chainSet
    this.currency[slot] = currency
    this.trust[slot] = entry.standing.trustScore
    this.#price.set(price, 4 * slot)
    this.#traits[slot] = traits
    const name = foldName(entry.name)
    this.#names.write(slot, name)
    this.#nameHead[slot] = this.#headOf(name)
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
      this.foldedName(slot) !== foldName(entry.name)
    )
  }

  release(slot: number): void {
    this.#names.release(slot)
  }

  /** Its place among all. */
  statusNumber(slot: number): number {
    return statusIn(this.#traits[slot]!)
  }

  status(slot: number): Status {
    return STATUSES[this.statusNumber(slot)]!
  }

  hasFreeQuota(slot: number): boolean {
    return hasFreeQuotaIn(this.#traits[slot]!)
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
    return new TextDecoder().decode(this.#names.text(slot))
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

  /**
   * A test for the filter, good until the catalog changes; undefined when some value never occurred, so that nothing can
   * pass. It is one function for all kinds of filters, because thousands of slots may be asked about.
   */
  acceptor(filter: IntentFilter): SlotTest | undefined {
    const test = this.#toTest(filter)
    if (test === undefined) return undefined
    const { said, category, passes } = test
    const traits = this.#traits
    const categories = this.category
    return slot => {
      const judged = judge(said, traits[slot]!)
      return (
        judged !== FAILS &&
        (judged === PASSES || passes(slot)) &&
        (category === ANY || categories[slot] === category)
      )
    }
  }

  /** Finds which slots pass, as bits, for the words of 32 slots from `from` to `to`. Of slots without an entry it may say anything. */
  markPassing(filter: IntentFilter, passing: Int32Array, from: number, to: number): void {
    const test = this.#toTest(filter)
    for (let word = from; word < to; word++)
      passing[word] = test === undefined ? 0 : this.#passingOf(test, word)
  }

  #passingOf({ said, category, passes }: FilterTest, word: number): number {
    const traits = this.#traits
    const first = word * WORD
    const end = Math.min(first + WORD, traits.length)
    let passing = 0
    let unsure = 0
    for (let slot = first; slot < end; slot++) {
      const judged = judge(said, traits[slot]!)
      if (judged === PASSES) passing |= bitOf(slot)
      else if (judged === UNSURE) unsure |= bitOf(slot)
    }
    for (; unsure !== 0; unsure &= unsure - 1)
      if (passes(lowestSlot(unsure, word))) passing |= unsure & -unsure
    if (category !== ANY)
      for (let left = passing; left !== 0; left &= left - 1)
        if (this.category[lowestSlot(left, word)] !== category) passing &= ~(left & -left)
    return passing
  }

  /** undefined when some value never occurred. */
  #toTest({ category, chain, status, currencies, maxPrice, free }: IntentFilter): FilterTest | undefined {
    const wantedCategory = category === undefined ? ANY : this.categories.find(categoryKey(category))
    const isWantedChain = chain === undefined ? undefined : this.#chainSetsWith(chain)
    const isWantedCurrency = currencies && this.#currenciesAmong(currencies)
    if (wantedCategory === undefined) return undefined
    if ((chain !== undefined && !isWantedChain) || (currencies && !isWantedCurrency)) return undefined
    const max = maxPrice && toPriceWords(maxPrice.amount)
    const highest = maxPrice?.below ? -1 : 0
    const said = toTraitsTest({
      statuses: status && STATUSES.map(other => (other === status ? 1 : 0)),
      chainSets: isWantedChain,
      currencies: isWantedCurrency,
      free,
      maxLevel: max && levelOf(max),
    })
    const { chainSet, currency } = this
    const passes: SlotTest = slot =>
      (isWantedChain === undefined || isWantedChain[chainSet[slot]!] === 1) &&
      (isWantedCurrency === undefined || isWantedCurrency[currency[slot]!] === 1) &&
      (max === undefined || this.comparePriceTo(slot, max) <= highest)
    return { said, category: wantedCategory, passes }
  }

  /** For each combination of chains whether the chain is in it; undefined where it never occurred. */
  #chainSetsWith(chain: string): Uint8Array | undefined {
    const wanted = this.chains.find(chainKey(chain))
    if (wanted === undefined) return undefined
    return Uint8Array.from(this.chainsOfSet, chains => (chains.includes(wanted) ? 1 : 0))
  }

  /** For each currency whether it is one of these; undefined where none of them ever occurred. */
  #currenciesAmong(currencies: readonly string[]): Uint8Array | undefined {
    const isWanted = new Uint8Array(this.currencies.texts.length)
    for (const currency of currencies) {
      const number = this.currencies.find(currency)
      if (number !== undefined) isWanted[number] = 1
    }
    return isWanted.includes(1) ? isWanted : undefined
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
    this.#traits = image.array(this.#traits)
    this.#price = image.array(this.#price)
    this.#nameHead = image.array(this.#nameHead)
    yield* this.#names.carry(image)
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

  #headOf(name: string): number {
    this.#head.fill(0, 0, 4)
    encoder.encodeInto(name.slice(0, 4), this.#head)
    return ((this.#head[0]! << 24) | (this.#head[1]! << 16) | (this.#head[2]! << 8) | this.#head[3]!) >>> 0
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
    this.#traits = grown(this.#traits, capacity)
    this.#nameHead = grown(this.#nameHead, capacity)
  }
}

/** Case-folded; kept as UTF-8, whose byte order is the order of code points on every machine. */
const foldName = (name: string): string => name.toLowerCase()
