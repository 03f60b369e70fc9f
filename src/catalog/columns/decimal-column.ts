// A column of exact decimal amounts.
import { type PriceWords, toPriceWords, toRough } from '../../domain/money/money.ts'
import type { Rates } from '../../domain/money/rates.ts'
import type { Priced } from '../../domain/queries/orders.ts'
import { grown } from '../../memory/growing.ts'
import type { RadixSort } from '../../memory/radix-sort.ts'
import type { KeyColumn } from './key-column.ts'

type Decimal = (entry: Priced, rates: Rates) => string | undefined

/** Greater than any word of nine digits. */
const NONE = 0xffff_ffff
const MISSING: PriceWords = [NONE, NONE, NONE, NONE]

/** Four words per slot, compared in order. */
export class DecimalColumn implements KeyColumn {
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

  /** The decimal in its shortest form. */
  decimal(slot: number): string {
    const [a, b, c, d] = this.cursorKeys(slot).map(word => String(word).padStart(9, '0'))
    return `${a}${b}.${c}${d}`.replace(/^0+(?=\d)|\.?0+$/g, '')
  }

  /** Approximation as a double, for ranking priors and charts. */
  rough(slot: number): number {
    const words = this.#words
    const at = 4 * slot
    return toRough(words[at]!, words[at + 1]!, words[at + 2]!, words[at + 3]!)
  }
}
