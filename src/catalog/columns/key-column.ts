// A column of sort keys, addressed by slot.
import type { Entry } from '../../domain/listing/service.ts'
import type { RadixSort } from '../../memory/radix-sort.ts'

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
  isMissingKey?(keys: readonly (string | number)[]): boolean
  /** Negative if the slot's key is less than the given one. */
  comparisonTo(key: string | number): (slot: number) => number
  /** The key in the form of a cursor. */
  cursorKeys(slot: number): readonly (string | number)[]
  comparisonToCursor(keys: readonly (string | number)[]): (slot: number) => number
  /** A stable sort. */
  sort(slots: Uint32Array, radix: RadixSort): void
}
