import { describe, expect, test } from 'bun:test'
import { SortedSlots } from '../../src/memory/sorted-slots.ts'
import { fc } from '../fast-check.ts'

const walk = (slots: SortedSlots, from: number, step: 1 | -1): number[] => {
  const seen: number[] = []
  slots.scan(from, step, slot => seen.push(slot) > 0)
  return seen
}

describe('OrderedSlots', () => {
  test('keeps its order through any inserts and removals', () => {
    const operations = fc.array(fc.tuple(fc.boolean(), fc.nat(3000)), { minLength: 1, maxLength: 4000 })
    fc.assert(
      fc.property(operations, steps => {
        // An order that is not the order of the numbers themselves.
        const key = (slot: number) => (slot * 7919) % 3001
        const slots = new SortedSlots((a, b) => key(a) - key(b))
        const model = new Set<number>()
        for (const [adds, slot] of steps) {
          if (adds && !model.has(slot)) {
            slots.insert(slot)
            model.add(slot)
          } else if (!adds) {
            if (model.delete(slot)) slots.remove(slot)
            else expect(() => slots.remove(slot)).toThrow('not in the order')
          } else expect(() => slots.insert(slot)).toThrow('in the order already')
        }
        const sorted = [...model].sort((a, b) => key(a) - key(b))
        expect(slots.size).toBe(sorted.length)
        expect(walk(slots, 0, 1)).toEqual(sorted)
        expect(walk(slots, sorted.length - 1, -1)).toEqual(sorted.toReversed())
        const middle = sorted.length >> 1
        expect(walk(slots, middle, 1)).toEqual(sorted.slice(middle))
        expect(slots.countWhile(slot => key(slot) < 1500)).toBe(
          sorted.filter(slot => key(slot) < 1500).length,
        )
      }),
      { numRuns: 60 },
    )
  })

  test('splits blocks when thousands arrive in a bad order', () => {
    const slots = new SortedSlots((a, b) => a - b)
    for (let slot = 5000; slot > 0; slot--) slots.insert(slot)
    expect(walk(slots, 0, 1)).toEqual(Array.from({ length: 5000 }, (_, i) => i + 1))
  })

  test('reading from beyond the end gives nothing', () => {
    const slots = new SortedSlots((a, b) => a - b)
    slots.insert(1)
    expect(walk(slots, 1, 1)).toEqual([])
    expect(walk(slots, -1, -1)).toEqual([])
  })
})
