// Tests entries against filters: by their packed bits, and by their columns if the bits are inconclusive.
import { type AppliedFilters, FILTER_NAMES } from '../../domain/queries/filters.ts'
import { bitOf, lowestSlot, WORD_SHIFT } from '../../memory/bits.ts'
import type { Columns } from '../columns/columns.ts'
import {
  type BitsTest,
  combineTests,
  FAILS,
  PASSES,
  type PackedTest,
  UNSURE,
  verdictOf,
} from '../columns/packed-filter-bits.ts'
import { compileFilter, type SlotTest } from './column-filters.ts'

const WORD = 1 << WORD_SHIFT

type FilterPredicate = {
  /** Decides most entries by their packed bits. */
  readonly packed: BitsTest
  /** Decides entries whose bits are inconclusive. */
  readonly fallback: SlotTest
  /** Filters that the packed bits do not cover; undefined if there are none. */
  readonly residual: SlotTest | undefined
}

/**
 * A test for the filters, valid until the catalog changes; undefined if some value never occurred, so that nothing can pass. One
 * function for all kinds of filters, because it runs for thousands of slots.
 */
export function toAcceptor(columns: Columns, filters: AppliedFilters): SlotTest | undefined {
  const predicate = toPredicate(columns, filters)
  if (predicate === undefined) return undefined
  const { packed, fallback, residual } = predicate
  const { bits } = columns
  return slot => {
    const verdict = verdictOf(packed, bits[slot]!)
    if (verdict === FAILS || (verdict === UNSURE && !fallback(slot))) return false
    return residual === undefined || residual(slot)
  }
}

/** Writes the bitmap of passing slots for the words (32 slots each) from `from` to `to`. Bits of slots without an entry are undefined. */
export function markPassing(
  columns: Columns,
  filters: AppliedFilters,
  passing: Int32Array,
  from: number,
  to: number,
): void {
  const predicate = toPredicate(columns, filters)
  for (let word = from; word < to; word++)
    passing[word] = predicate === undefined ? 0 : passingOf(columns, predicate, word)
}

function passingOf({ bits }: Columns, { packed, fallback, residual }: FilterPredicate, word: number): number {
  const first = word * WORD
  const end = Math.min(first + WORD, bits.length)
  let passing = 0
  let unsure = 0
  for (let slot = first; slot < end; slot++) {
    const verdict = verdictOf(packed, bits[slot]!)
    if (verdict === PASSES) passing |= bitOf(slot)
    else if (verdict === UNSURE) unsure |= bitOf(slot)
  }
  for (; unsure !== 0; unsure &= unsure - 1)
    if (fallback(lowestSlot(unsure, word))) passing |= unsure & -unsure
  if (residual)
    for (let left = passing; left !== 0; left &= left - 1)
      if (!residual(lowestSlot(left, word))) passing &= ~(left & -left)
  return passing
}

/** undefined if some value never occurred. */
function toPredicate(columns: Columns, filters: AppliedFilters): FilterPredicate | undefined {
  const packed: PackedTest[] = []
  const fallback: SlotTest[] = []
  const residual: SlotTest[] = []
  for (const name of FILTER_NAMES) {
    const applied = filters[name]
    if (applied === undefined) continue
    const compiled = compileFilter(columns, name, applied)
    if (compiled === undefined) return undefined
    if (compiled.packed) packed.push(compiled.packed)
    ;(compiled.packed ? fallback : residual).push(compiled.passes)
  }
  return {
    packed: combineTests(packed),
    fallback: every(fallback),
    residual: residual.length === 0 ? undefined : every(residual),
  }
}

function every(tests: readonly SlotTest[]): SlotTest {
  const [first, second] = tests
  if (tests.length === 1) return first!
  if (tests.length === 2) return slot => first!(slot) && second!(slot)
  return slot => {
    for (let i = 0; i < tests.length; i++) if (!tests[i]!(slot)) return false
    return true
  }
}
