import { describe, expect, test } from 'bun:test'
import { Postings } from '../../../src/search/index/postings.ts'
import { fc } from '../../fast-check.ts'

const TERM = 0
const SLOTS = 3_000

function leadersOf(postings: Postings) {
  const { slots, impacts } = postings
  return postings.bitmap(TERM)!.champions(slots, impacts, postings.start(TERM), postings.count(TERM))
}

/** Slot and impact of the leaders, and of every posting that must be among them. */
function compare(postings: Postings, kept: ReadonlyMap<number, number>): void {
  const { slots, impacts, size, floor } = leadersOf(postings)
  const leading = new Map(Array.from({ length: size }, (_, i) => [slots[i]!, impacts[i]!]))
  expect(leading.size).toBe(size)
  for (const [slot, impact] of leading) expect(kept.get(slot)).toBe(impact)
  for (const [slot, impact] of kept) if (impact > floor) expect(leading.has(slot)).toBe(true)
  const inOrder = Array.from(impacts.subarray(0, size))
  expect(inOrder).toEqual(inOrder.toSorted((a, b) => b - a))
}

describe('the champions of a term', () => {
  test('are its highest impacts after any additions, changes and removals', () => {
    const change = fc.record({ slot: fc.nat(SLOTS), impact: fc.option(fc.integer({ min: 1, max: 255 })) })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.array(change, { maxLength: 300 }), (step, changes) => {
        const postings = new Postings()
        const kept = new Map<number, number>()
        for (let slot = 0; slot < SLOTS; slot += 2) {
          kept.set(slot, 1 + ((slot * step) % 255))
          postings.put(TERM, slot, kept.get(slot)!)
        }
        compare(postings, kept)
        for (const { slot, impact } of changes) {
          if (impact === null) {
            postings.remove(TERM, slot)
            kept.delete(slot)
          } else {
            postings.put(TERM, slot, impact)
            kept.set(slot, impact)
          }
        }
        compare(postings, kept)
      }),
      { numRuns: 40 },
    )
  })

  test('are rebuilt when most of them are gone', () => {
    const postings = new Postings()
    const kept = new Map<number, number>()
    for (let slot = 0; slot < SLOTS; slot++) {
      kept.set(slot, 255 - Math.floor(slot / 20))
      postings.put(TERM, slot, kept.get(slot)!)
    }
    expect(leadersOf(postings).size).toBeLessThan(SLOTS)
    for (let slot = 0; slot < 1_000; slot++) {
      postings.remove(TERM, slot)
      kept.delete(slot)
    }
    compare(postings, kept)
    expect(leadersOf(postings).size).toBeGreaterThan(500)
  })
})
