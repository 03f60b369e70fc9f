// A column of texts, ordered by code point.
import type { Entry } from '../../domain/listing/service.ts'
import { Arena } from '../../memory/arena.ts'
import { grown } from '../../memory/growing.ts'
import type { RadixSort } from '../../memory/radix-sort.ts'
import type { KeyColumn } from './key-column.ts'

/** A byte order mark at the beginning is part of the text. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Fewer texts than MIN_RADIX, and texts equal in their first MAX_DEPTH words of four bytes, are sorted by comparison. */
const MIN_RADIX = 256
const MAX_DEPTH = 16

export class TextColumn implements KeyColumn {
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

  cursorKeys(slot: number): readonly string[] {
    return [this.text(slot)]
  }

  comparisonToCursor([key]: readonly (string | number)[]): (slot: number) => number {
    return this.comparisonTo(key!)
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
