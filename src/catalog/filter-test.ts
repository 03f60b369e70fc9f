// Tests entries for filters: by their packed bits, and by their columns where the bits do not tell.
import { type AppliedFilters, FILTER_NAMES } from '../domain/filters.ts'
import { bitOf, lowestSlot, WORD_SHIFT } from '../memory/bits.ts'
import { compileFilter, type SlotTest } from './column-filters.ts'
import type { Columns } from './columns.ts'
import {
  type BitsTest,
  combineTests,
  FAILS,
  judge,
  PASSES,
  type PackedTest,
  UNSURE,
} from './packed-filter-bits.ts'

const WORD = 1 << WORD_SHIFT

type FilterTest = {
  readonly said: BitsTest
  /** Of an entry whose bits do not tell. */
  readonly unsure: SlotTest
  /** What bits hold nothing of; undefined where they hold something of all that is asked. */
  readonly beyond: SlotTest | undefined
}

/**
 * A test for the filters, good until the catalog changes; undefined when some value never occurred, so that nothing can
 * pass. It is one function for all kinds of filters, because thousands of slots may be asked about.
 */
export function toAcceptor(columns: Columns, filters: AppliedFilters): SlotTest | undefined {
  const test = toTest(columns, filters)
  if (test === undefined) return undefined
  const { said, unsure, beyond } = test
  const { bits } = columns
  return slot => {
    const judged = judge(said, bits[slot]!)
    return judged !== FAILS && (judged === PASSES || unsure(slot)) && (beyond === undefined || beyond(slot))
  }
}

/** Finds which slots pass, as bits, for the words of 32 slots from `from` to `to`. Of slots without an entry it may say anything. */
export function markPassing(
  columns: Columns,
  filters: AppliedFilters,
  passing: Int32Array,
  from: number,
  to: number,
): void {
  const test = toTest(columns, filters)
  for (let word = from; word < to; word++)
    passing[word] = test === undefined ? 0 : passingOf(columns, test, word)
}

function passingOf({ bits }: Columns, { said, unsure, beyond }: FilterTest, word: number): number {
  const first = word * WORD
  const end = Math.min(first + WORD, bits.length)
  let passing = 0
  let open = 0
  for (let slot = first; slot < end; slot++) {
    const judged = judge(said, bits[slot]!)
    if (judged === PASSES) passing |= bitOf(slot)
    else if (judged === UNSURE) open |= bitOf(slot)
  }
  for (; open !== 0; open &= open - 1) if (unsure(lowestSlot(open, word))) passing |= open & -open
  if (beyond)
    for (let left = passing; left !== 0; left &= left - 1)
      if (!beyond(lowestSlot(left, word))) passing &= ~(left & -left)
  return passing
}

/** undefined when some value never occurred. */
function toTest(columns: Columns, filters: AppliedFilters): FilterTest | undefined {
  const packed: PackedTest[] = []
  const unsure: SlotTest[] = []
  const beyond: SlotTest[] = []
  for (const name of FILTER_NAMES) {
    const applied = filters[name]
    if (applied === undefined) continue
    const compiled = compileFilter(columns, name, applied)
    if (compiled === undefined) return undefined
    if (compiled.packed) packed.push(compiled.packed)
    ;(compiled.packed ? unsure : beyond).push(compiled.passes)
  }
  return {
    said: combineTests(packed),
    unsure: every(unsure),
    beyond: beyond.length === 0 ? undefined : every(beyond),
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
