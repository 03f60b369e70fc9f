// A column of keys that entries are ordered by, addressed by slot.
import type { Entry } from '../domain/service.ts'
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
  serialize(snapshot: Snapshot): Generator<void>
}
