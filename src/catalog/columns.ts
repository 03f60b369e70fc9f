// The columns that lists filter and sort by, addressed by slot: integers, decimals and texts, and those of each entry together.
import { chainKey } from '../domain/chains/chains.ts'
import { categoryKey } from '../domain/listing/categories.ts'
import type { Entry } from '../domain/listing/service.ts'
import { currencyKey, type PriceWords, toPriceWords, toRough } from '../domain/money/money.ts'
import { type DollarPrice, isInDollars, NO_RATES, type Rates } from '../domain/money/rates.ts'
import { ORDERS, type Priced, SORT_KEYS, type SortKey } from '../domain/queries/filters.ts'
import { isMostlyUndelivered } from '../domain/standing/delivery.ts'
import { LEVELS, type Level, STATUSES, type Status } from '../domain/standing/standing.ts'
import { levelOf, proofOf } from '../domain/standing/trust.ts'
import { PROTOCOLS, protocolsOf } from '../domain/terms/terms.ts'
import { Arena } from '../memory/arena.ts'
import { grown } from '../memory/growing.ts'
import { memoize } from '../memory/memoize.ts'
import type { RadixSort } from '../memory/sorted-slots.ts'
import { Interner } from '../memory/string-table.ts'
import { toWeek } from '../search/ranking/prior.ts'

/** A column of sort keys, addressed by slot. */
export interface KeyColumn {
  readonly bytes: number
  growTo(slots: number): void
  write(slot: number, entry: Entry): void
  release(slot: number): void
  /** Whether writing the entry would change the key of the slot. */
  moves(slot: number, entry: Entry): boolean
  compare(a: number, b: number): number
  /** Whether every entry has a key. */
  readonly isTotal?: boolean
  /** Whether the entry has no key; it then sorts after all others. */
  isMissing?(slot: number): boolean
  /** Negative if the slot's key is less than the given one. */
  comparisonTo(key: string | number): (slot: number) => number
  /** A stable sort. */
  sort(slots: Uint32Array, radix: RadixSort): void
}

// A column of integers, as wide as the highest one needs.

type Numbers = Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer>

/** The type has room for one value above `max`, which marks a missing number. */
function numbersTo(max: number): Numbers {
  if (max < 2 ** 8 - 1) return new Uint8Array(0)
  return max < 2 ** 16 - 1 ? new Uint16Array(0) : new Uint32Array(0)
}

type NumberKey = {
  readonly of: (entry: Entry) => number | undefined
  readonly max: number
  readonly isTotal: boolean
}

class NumberColumn implements KeyColumn {
  values: Numbers
  readonly #of: (entry: Entry) => number
  /** Marks an entry without a number. */
  readonly #none: number

  readonly isTotal: boolean

  constructor({ of, max, isTotal }: NumberKey) {
    this.isTotal = isTotal
    this.values = numbersTo(max)
    const none = 2 ** (8 * this.values.BYTES_PER_ELEMENT) - 1
    this.#none = none
    this.#of = entry => of(entry) ?? none
  }

  get bytes(): number {
    return this.values.byteLength
  }

  growTo(slots: number): void {
    this.values = grown(this.values, slots)
  }

  write(slot: number, entry: Entry): void {
    this.values[slot] = this.#of(entry)
  }

  release(): void {}

  moves(slot: number, entry: Entry): boolean {
    return this.values[slot] !== this.#of(entry)
  }

  isMissing(slot: number): boolean {
    return this.values[slot] === this.#none
  }

  /** undefined if the entry has no number. */
  number(slot: number): number | undefined {
    return this.isMissing(slot) ? undefined : this.values[slot]
  }

  compare(a: number, b: number): number {
    return this.values[a]! - this.values[b]!
  }

  comparisonTo(key: string | number): (slot: number) => number {
    const { values } = this
    const number = Number(key)
    return slot => values[slot]! - number
  }

  sort(slots: Uint32Array, radix: RadixSort): void {
    const { values } = this
    radix.sort(slots, slot => values[slot]!)
  }
}

// A column of exact decimal amounts.

type Decimal = (entry: Priced, rates: Rates) => string | undefined

/** Greater than any word of nine digits. */
const NONE = 0xffff_ffff
const MISSING: PriceWords = [NONE, NONE, NONE, NONE]
/** Many entries have the same price. */
const priceWords = memoize(10_000, toPriceWords)

/** Four words per slot, compared in order. */
class DecimalColumn implements KeyColumn {
  #words = new Uint32Array(0)
  readonly #of: (entry: Priced) => string | undefined

  constructor({ of }: { readonly of: Decimal }, rates: () => Rates) {
    this.#of = entry => of(entry, rates())
  }

  get bytes(): number {
    return this.#words.byteLength
  }

  growTo(slots: number): void {
    this.#words = grown(this.#words, 4 * slots)
  }

  write(slot: number, entry: Priced): void {
    const words = this.#wordsOf(entry)
    for (let i = 0; i < 4; i++) this.#words[4 * slot + i] = words[i]!
  }

  release(): void {}

  moves(slot: number, entry: Priced): boolean {
    return this.compareTo(slot, this.#wordsOf(entry)) !== 0
  }

  isMissing(slot: number): boolean {
    return this.#words[4 * slot] === NONE
  }

  compare(a: number, b: number): number {
    const words = this.#words
    for (let i = 4 * a, j = 4 * b, end = i + 4; i < end; i++, j++) {
      const difference = words[i]! - words[j]!
      if (difference !== 0) return difference
    }
    return 0
  }

  /** Negative, 0 or positive; an integer. */
  compareTo(slot: number, key: PriceWords): number {
    const words = this.#words
    const at = 4 * slot
    return (
      words[at]! - key[0] || words[at + 1]! - key[1] || words[at + 2]! - key[2] || words[at + 3]! - key[3]
    )
  }

  comparisonTo(key: string | number): (slot: number) => number {
    const words = toPriceWords(String(key))
    return slot => this.compareTo(slot, words)
  }

  sort(slots: Uint32Array, radix: RadixSort): void {
    const words = this.#words
    for (const place of [3, 2, 1, 0]) radix.sort(slots, slot => words[4 * slot + place]!)
  }

  #wordsOf(entry: Priced): PriceWords {
    const decimal = this.#of(entry)
    return decimal === undefined ? MISSING : priceWords(decimal)
  }

  /** The decimal in its shortest form. */
  decimal(slot: number): string {
    const words = [...this.#words.subarray(4 * slot, 4 * slot + 4)]
    const [a, b, c, d] = words.map(word => String(word).padStart(9, '0'))
    return `${a}${b}.${c}${d}`.replace(/^0+(?=\d)|\.?0+$/g, '')
  }

  /** Approximation as a double, for ranking priors and charts. */
  rough(slot: number): number {
    const words = this.#words
    const at = 4 * slot
    return toRough(words[at]!, words[at + 1]!, words[at + 2]!, words[at + 3]!)
  }
}

// A column of texts, ordered by code point.

/** A byte order mark at the beginning is part of the text. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Fewer texts than MIN_RADIX, and texts equal in their first MAX_DEPTH words of four bytes, are sorted by comparison. */
const MIN_RADIX = 256
const MAX_DEPTH = 16

class TextColumn implements KeyColumn {
  /** Stored as UTF-8, whose byte order is the order of code points. */
  readonly #texts = new Arena()
  /** The first four bytes, which decide most comparisons; read from the stored text, so that both agree. */
  #heads = new Uint32Array(0)
  readonly #of: (entry: Entry) => string

  constructor({ of }: { readonly of: (entry: Entry) => string }) {
    this.#of = of
  }

  get bytes(): number {
    return this.#texts.bytes + this.#heads.byteLength
  }

  growTo(slots: number): void {
    this.#heads = grown(this.#heads, slots)
  }

  write(slot: number, entry: Entry): void {
    this.#texts.write(slot, this.#of(entry))
    this.#heads[slot] = this.#texts.word(slot, 0)
  }

  release(slot: number): void {
    this.#texts.release(slot)
  }

  /** Whether the slot has an entry. */
  holds(slot: number): boolean {
    return this.#texts.holds(slot)
  }

  moves(slot: number, entry: Entry): boolean {
    return this.text(slot) !== this.#of(entry)
  }

  text(slot: number): string {
    return decoder.decode(this.#texts.text(slot))
  }

  compare(a: number, b: number): number {
    return this.#heads[a]! - this.#heads[b]! || this.#texts.compare(a, b)
  }

  comparisonTo(key: string | number): (slot: number) => number {
    const bytes = new TextEncoder().encode(String(key))
    return slot => Buffer.compare(this.#texts.text(slot), bytes)
  }

  /** Radix sort by four bytes, then recursively within groups of equal ones. */
  sort(slots: Uint32Array, radix: RadixSort, place = 0): void {
    if (slots.length < MIN_RADIX || place === MAX_DEPTH) {
      slots.sort((a, b) => this.compare(a, b))
      return
    }
    const word = (slot: number) => (place === 0 ? this.#heads[slot]! : this.#texts.word(slot, 4 * place))
    radix.sort(slots, word)
    for (let start = 0; start < slots.length; ) {
      const own = word(slots[start]!)
      let end = start + 1
      while (end < slots.length && word(slots[end]!) === own) end++
      if (end - start > 1) this.sort(slots.subarray(start, end), radix, place + 1)
      start = end
    }
  }
}

// Creates the key column of each order.

type Kinds = { readonly number: NumberColumn; readonly decimal: DecimalColumn; readonly text: TextColumn }
type KeyColumns = { readonly [K in SortKey]: Kinds[(typeof ORDERS)[K]['key']['kind']] }

const createKeyColumn = (order: SortKey, rates: () => Rates): KeyColumn => {
  const { key } = ORDERS[order]
  switch (key.kind) {
    case 'number':
      return new NumberColumn(key)
    case 'decimal':
      return new DecimalColumn(key, rates)
    case 'text':
      return new TextColumn(key)
  }
}

/** @param rates returns the exchange rates when a key is written */
const createKeyColumns = (rates: () => Rates): KeyColumns =>
  Object.fromEntries(SORT_KEYS.map(order => [order, createKeyColumn(order, rates)])) as unknown as KeyColumns

// The columns that lists filter and sort by: one typed array per field, addressed by slot.

/** Entries per step, so that a step delays no request. */
const REVALUED_AT_ONCE = 250

type Fields = Record<
  | 'category'
  | 'chainSet'
  | 'currency'
  | 'status'
  | 'level'
  | 'undelivered'
  | 'proof'
  | 'since'
  | 'freeQuota'
  | 'protocols',
  Uint32Array<ArrayBuffer> | Uint16Array<ArrayBuffer> | Uint8Array<ArrayBuffer>
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

  /** `status` and `level`: indexes in STATUSES and LEVELS; `proof`: 0 to 100; `since`: a week; `protocols`: a bit for each of PROTOCOLS. */
  readonly fields: Fields = {
    category: new Uint32Array(0),
    chainSet: new Uint32Array(0),
    currency: new Uint32Array(0),
    status: new Uint8Array(0),
    level: new Uint8Array(0),
    undelivered: new Uint8Array(0),
    proof: new Uint8Array(0),
    since: new Uint16Array(0),
    freeQuota: new Uint8Array(0),
    protocols: new Uint8Array(0),
  }
  readonly #names = Object.keys(this.fields) as (keyof Fields)[]
  #rates: Rates = NO_RATES
  /** The key column of each order. */
  readonly keys = createKeyColumns(() => this.#rates)

  /** Exchange rates for dollar prices. */
  get rates(): Rates {
    return this.#rates
  }

  get bytes(): number {
    const filtered = this.#names.reduce((sum, name) => sum + this.fields[name].byteLength, 0)
    return SORT_KEYS.reduce((sum, order) => sum + this.keys[order].bytes, filtered)
  }

  get trust(): Uint8Array {
    return this.keys.trustScore.values as Uint8Array
  }

  /** All slots are below this. */
  get capacity(): number {
    return this.fields.category.length
  }

  /** Whether the slot has an entry. */
  holds(slot: number): boolean {
    return this.keys.name.holds(slot)
  }

  /** The filterable values of a slot. */
  at(slot: number): FieldValues {
    return Object.fromEntries(
      this.#names.map(name => [name, this.fields[name][slot]!]),
    ) as unknown as FieldValues
  }

  /** The filterable values of an entry. */
  read(entry: Entry): FieldValues {
    return {
      category: this.categories.number(categoryKey(entry.category)),
      chainSet: this.#chainSetOf(entry.supportedChains),
      currency: this.currencies.number(currencyKey(entry.pricing.currency)),
      status: STATUSES.indexOf(entry.standing.status),
      level: LEVELS.indexOf(levelOf(entry)),
      undelivered: isMostlyUndelivered(entry.delivery) ? 1 : 0,
      proof: proofOf(entry),
      since: toWeek(entry.standing.payers?.since),
      freeQuota: entry.pricing.freeQuota > 0 ? 1 : 0,
      protocols: protocolsOf(entry.seen).reduce((bits, each) => bits | (1 << PROTOCOLS.indexOf(each)), 0),
    }
  }

  /** A slot that is in sorted indexes must be written through them (`SortedIndexes.write`). */
  write(slot: number, entry: Entry, values: FieldValues = this.read(entry)): void {
    this.#growTo(slot + 1)
    for (const name of this.#names) this.fields[name][slot] = values[name]
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
      const currency = this.currencies.texts[this.fields.currency[slot]!]!
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
    const needsRate = !isInDollars(this.currencies.texts[this.fields.currency[slot]!]!)
    return { amount, rateDate: needsRate ? this.#rates.date : null }
  }

  status(slot: number): Status {
    return STATUSES[this.fields.status[slot]!]!
  }

  level(slot: number): Level {
    return LEVELS[this.fields.level[slot]!]!
  }

  hasFreeQuota(slot: number): boolean {
    return this.fields.freeQuota[slot] === 1
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
    for (const name of this.#names) this.fields[name] = grown(this.fields[name], slots)
  }
}
