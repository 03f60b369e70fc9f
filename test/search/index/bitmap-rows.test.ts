import { expect, test } from 'bun:test'
import { bitOf, lowestSlot, WORD_SHIFT } from '../../../src/memory/bits.ts'
import type { Borrowed } from '../../../src/memory/borrowed.ts'
import {
  BitmapRows,
  type Conjunct,
  MAX_BLOCKS,
  MAX_CONJUNCT_ROWS,
} from '../../../src/search/index/bitmap-rows.ts'
import { fc } from '../../fast-check.ts'

/** Rows beside plain sets that must alconjuncts hold the same. */
class Watched {
  readonly rows = new BitmapRows()
  readonly sets = new Map<number, Set<number>>()
  views = new Map<number, Int32Array>()

  constructor() {
    this.rows.add({ moved: () => this.look() })
  }

  look(): void {
    this.views = new Map([...this.sets.keys()].map(row => [row, this.rows.view(row)]))
  }

  take(): number {
    const row = this.rows.take()
    this.sets.set(row, new Set())
    this.look()
    return row
  }

  give(row: number): void {
    this.rows.give(row)
    this.sets.delete(row)
  }

  put(row: number, slot: number): void {
    this.rows.reserve((slot >> WORD_SHIFT) + 1)
    this.views.get(row)![slot >> WORD_SHIFT]! |= bitOf(slot)
    this.sets.get(row)!.add(slot)
  }
}

function toSlots(view: Int32Array): number[] {
  const slots: number[] = []
  view.forEach((bits, word) => {
    for (let left = bits; left !== 0; left &= left - 1) slots.push(lowestSlot(left, word))
  })
  return slots
}

/** The slots of a word that was met; there is at least one. */
function toSlotsOf(found: Borrowed<Int32Array>, place: number): number[] {
  const [word, bits] = found.slice(2 * place)
  expect(bits).not.toBe(0)
  const slots: number[] = []
  for (let left = bits!; left !== 0; left &= left - 1) slots.push(lowestSlot(left, word!))
  return slots
}

const ascending = (slots: Iterable<number>) => [...slots].sort((a, b) => a - b)

test('rows keep their slots while others are added and removed and all of them grow', () => {
  const step = fc.oneof(
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('take' as const) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('give' as const), row: fc.nat(50) }) },
    {
      weight: 8,
      arbitrary: fc.record({
        kind: fc.constant('put' as const),
        row: fc.nat(50),
        slot: fc.oneof(fc.nat(2_000), fc.nat(200_000)),
      }),
    },
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), steps => {
      const watched = new Watched()
      watched.take()
      for (const step of steps) {
        const rows = [...watched.sets.keys()]
        const row = 'row' in step ? rows[step.row % rows.length] : undefined
        if (step.kind === 'take') watched.take()
        else if (row === undefined) continue
        else if (step.kind === 'give') watched.give(row)
        else watched.put(row, step.slot)
      }
      for (const [row, slots] of watched.sets) {
        expect(toSlots(watched.rows.view(row))).toEqual(ascending(slots))
        expect(toSlots(watched.views.get(row)!)).toEqual(ascending(slots))
      }
    }),
    { numRuns: 20 },
  )
})

const ROWS = 5
const SLOTS = 3_000
const slot = fc.nat(SLOTS - 1)
const sets = fc.array(fc.array(slot, { maxLength: 400 }), { minLength: ROWS, maxLength: ROWS })

function toRows(sets: readonly (readonly number[])[]): { rows: BitmapRows; numbers: number[] } {
  const watched = new Watched()
  const numbers = sets.map(slots => {
    const row = watched.take()
    for (const slot of slots) watched.put(row, slot)
    return row
  })
  watched.rows.reserve((SLOTS >> WORD_SHIFT) + 1)
  return { rows: watched.rows, numbers }
}

test('exactly the slots of a conjunct are matched', () => {
  const row = fc.nat(ROWS - 1)
  const conjuncts = fc.array(fc.array(row, { minLength: 1, maxLength: MAX_CONJUNCT_ROWS }), {
    minLength: 1,
    maxLength: 8,
  })
  fc.assert(
    fc.property(sets, conjuncts, fc.nat(20), fc.nat(SLOTS >> WORD_SHIFT), (sets, conjuncts, first, last) => {
      const { rows, numbers } = toRows(sets)
      const from = 4 * first
      const to = Math.max(from + 1, last)
      const given = conjuncts.map((conjunct): Conjunct => conjunct.map(row => numbers[row]!))
      const found = rows.matchAny(given, from, to)
      const met = Array.from({ length: found.length / 2 }, (_, i) => toSlotsOf(found, i)).flat()
      const held = sets.map(slots => new Set(slots))
      const isMet = (slot: number) => conjuncts.some(conjunct => conjunct.every(row => held[row]!.has(slot)))
      // Words are looked through four at a time.
      const end = Math.ceil(to / 4) * 4
      const all = ascending(new Set(sets.flat())).filter(isMet)
      expect(met).toEqual(all.filter(slot => slot >> WORD_SHIFT >= from && slot >> WORD_SHIFT < end))
    }),
    { numRuns: 30 },
  )
})

test('every scanned word can match', () => {
  const rows = new BitmapRows()
  rows.reserve(MAX_BLOCKS)
  const [one, two] = [rows.take(), rows.take()]
  rows.view(one).fill(-1)
  rows.view(two).fill(1)
  expect(rows.matchAny([[one]], 0, MAX_BLOCKS).length).toBe(2 * MAX_BLOCKS)
  const found = rows.matchAny([[one, two]], 0, MAX_BLOCKS)
  expect(found.length).toBe(2 * MAX_BLOCKS)
  expect([...found.slice(0, 4)]).toEqual([0, 1, 1, 1])
  expect(rows.view(one).every(word => word === -1)).toBe(true)
})

test('slots in any of several rows are counted once', () => {
  fc.assert(
    fc.property(sets, fc.integer({ min: 1, max: ROWS }), (sets, count) => {
      const chosen = sets.slice(0, count)
      const { rows, numbers } = toRows(chosen)
      expect(rows.countAny(numbers)).toBe(new Set(chosen.flat()).size)
    }),
    { numRuns: 20 },
  )
})
