// What entries are ordered by, a column for each kind of key, addressed by slot.
import { type PriceWords, toPriceWords, toRough } from '../domain/money.ts'
import { ORDERS, type Priced, SORT_KEYS, type SortKey } from '../domain/orders.ts'
import type { Rates } from '../domain/rates.ts'
import type { Entry } from '../domain/service.ts'
import { Arena, FIRST_SLOTS, grown } from '../memory/arena.ts'
import type { RadixSort } from '../memory/radix-sort.ts'
import type { Snapshot } from '../memory/snapshot.ts'

export interface KeyColumn {
  readonly bytes: number
  growTo(slots: number): void
  write(slot: number, entry: Entry): void
  release(slot: number): void
  /** Whether writing the entry would give the slot another key. */
  moves(slot: number, entry: Entry): boolean
  compare(a: number, b: number): number
  /** Whether every entry has a key. */
  readonly isTotal?: boolean
  /** Whether the entry has no such key; then it is above all others. */
  isMissing?(slot: number): boolean
  isMissingKey?(keys: readonly (string | number)[]): boolean
  /** Below zero where the slot's key is less than the one given. */
  comparisonTo(key: string | number): (slot: number) => number
  /** The key as it stands in a cursor. */
  cursorKeys(slot: number): readonly (string | number)[]
  comparisonToCursor(keys: readonly (string | number)[]): (slot: number) => number
  /** Slots with equal keys stay in the order they are in. */
  sort(slots: Uint32Array, radix: RadixSort): void
  carry(snapshot: Snapshot): Generator<void>
}

type Numbers = Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer>

/** With room for one number more, which stands for none. */
function numbersTo(max: number): Numbers {
  const count = FIRST_SLOTS.columns
  return max < 2 ** 8 - 1
    ? new Uint8Array(count)
    : max < 2 ** 16 - 1
      ? new Uint16Array(count)
      : new Uint32Array(count)
}

type NumberKey = {
  readonly of: (entry: Entry) => number | undefined
  readonly max: number
  readonly isTotal: boolean
}

export class NumberColumn implements KeyColumn {
  values: Numbers
  readonly #of: (entry: Entry) => number
  /** Stands for an entry without a number. */
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
    const { values } = this
    if (slots > values.length) this.values = grown(values, Math.max(slots, values.length * 2))
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

  isMissingKey([key]: readonly (string | number)[]): boolean {
    return key === this.#none
  }

  /** The number that was written; undefined where there is none. */
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

  cursorKeys(slot: number): readonly number[] {
    return [this.values[slot]!]
  }

  comparisonToCursor([key]: readonly (string | number)[]): (slot: number) => number {
    return this.comparisonTo(key!)
  }

  sort(slots: Uint32Array, radix: RadixSort): void {
    const { values } = this
    radix.sort(slots, slot => values[slot]!)
  }

  *carry(snapshot: Snapshot): Generator<void> {
    this.values = snapshot.array(this.values)
    yield
  }
}

type Decimal = (entry: Priced, rates: Rates) => string | undefined

/** No word of nine digits is as high. */
const NONE = 0xffff_ffff
const MISSING: PriceWords = [NONE, NONE, NONE, NONE]

/** Four words each, compared one after the other. */
export class DecimalColumn implements KeyColumn {
  #words = new Uint32Array(4 * FIRST_SLOTS.prices)
  readonly #of: (entry: Priced) => string | undefined

  constructor({ of }: { readonly of: Decimal }, rates: () => Rates) {
    this.#of = entry => of(entry, rates())
  }

  get bytes(): number {
    return this.#words.byteLength
  }

  growTo(slots: number): void {
    const words = this.#words
    if (4 * slots > words.length) this.#words = grown(words, Math.max(4 * slots, words.length * 2))
  }

  write(slot: number, entry: Priced): void {
    this.#words.set(this.#wordsOf(entry), 4 * slot)
  }

  release(): void {}

  moves(slot: number, entry: Priced): boolean {
    return this.compareTo(slot, this.#wordsOf(entry)) !== 0
  }

  isMissing(slot: number): boolean {
    return this.#words[4 * slot] === NONE
  }

  isMissingKey([first]: readonly (string | number)[]): boolean {
    return first === NONE
  }

  compare(a: number, b: number): number {
    const words = this.#words
    for (let i = 4 * a, j = 4 * b, end = i + 4; i < end; i++, j++) {
      const difference = words[i]! - words[j]!
      if (difference !== 0) return difference
    }
    return 0
  }

  /** Negative, 0 or positive; whole. */
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

  cursorKeys(slot: number): readonly number[] {
    return [...this.#words.subarray(4 * slot, 4 * slot + 4)]
  }

  comparisonToCursor(keys: readonly (string | number)[]): (slot: number) => number {
    const words = keys as unknown as PriceWords
    return slot => this.compareTo(slot, words)
  }

  sort(slots: Uint32Array, radix: RadixSort): void {
    const words = this.#words
    for (const place of [3, 2, 1, 0]) radix.sort(slots, slot => words[4 * slot + place]!)
  }

  #wordsOf(entry: Priced): PriceWords {
    const decimal = this.#of(entry)
    return decimal === undefined ? MISSING : toPriceWords(decimal)
  }

  /** The decimal that was written, in its shortest form. */
  decimal(slot: number): string {
    const [a, b, c, d] = this.cursorKeys(slot).map(word => String(word).padStart(9, '0'))
    return `${a}${b}.${c}${d}`.replace(/^0+(?=\d)|\.?0+$/g, '')
  }

  /** As a double, for leaning and for charts. */
  rough(slot: number): number {
    const words = this.#words
    const at = 4 * slot
    return toRough(words[at]!, words[at + 1]!, words[at + 2]!, words[at + 3]!)
  }

  *carry(snapshot: Snapshot): Generator<void> {
    this.#words = snapshot.array(this.#words)
    yield
  }
}

/** A mark at the beginning of a text is part of it. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** So few texts are compared with each other, and all that are the same for so many words. */
const FEW = 256
const DEEPEST = 16

export class TextColumn implements KeyColumn {
  /** Kept as UTF-8, whose byte order is the order of code points on every machine. */
  readonly #texts = new Arena()
  /** The first four bytes decide most comparisons; read from where the text lies, so that both say the same. */
  #heads = new Uint32Array(FIRST_SLOTS.columns)
  readonly #of: (entry: Entry) => string

  constructor({ of }: { readonly of: (entry: Entry) => string }) {
    this.#of = of
  }

  get bytes(): number {
    return this.#texts.bytes + this.#heads.byteLength
  }

  growTo(slots: number): void {
    const heads = this.#heads
    if (slots > heads.length) this.#heads = grown(heads, Math.max(slots, heads.length * 2))
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

  cursorKeys(slot: number): readonly string[] {
    return [this.text(slot)]
  }

  comparisonToCursor([key]: readonly (string | number)[]): (slot: number) => number {
    return this.comparisonTo(key!)
  }

  /** By four bytes, and those that share them by the next four. */
  sort(slots: Uint32Array, radix: RadixSort, place = 0): void {
    if (slots.length < FEW || place === DEEPEST) {
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

  *carry(snapshot: Snapshot): Generator<void> {
    this.#heads = snapshot.array(this.#heads)
    yield* this.#texts.carry(snapshot)
  }
}

type Kinds = { readonly number: NumberColumn; readonly decimal: DecimalColumn; readonly text: TextColumn }
export type KeyColumns = { readonly [K in SortKey]: Kinds[(typeof ORDERS)[K]['key']['kind']] }

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

/** @param rates those of the moment at which a key is written */
export const createKeyColumns = (rates: () => Rates): KeyColumns =>
  Object.fromEntries(SORT_KEYS.map(order => [order, createKeyColumn(order, rates)])) as unknown as KeyColumns
