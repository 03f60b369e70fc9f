// A column of integers, as wide as the highest one needs.
import type { Entry } from '../../domain/listing/service.ts'
import { grown } from '../../memory/growing.ts'
import type { RadixSort } from '../../memory/radix-sort.ts'
import type { KeyColumn } from './key-column.ts'

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

export class NumberColumn implements KeyColumn {
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

  isMissingKey([key]: readonly (string | number)[]): boolean {
    return key === this.#none
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
}
