import { expect, test } from 'bun:test'
import { ChainedHash } from '../../src/memory/hash-table.ts'
import { fc } from '../fast-check.ts'

/** All numbers that are listed with the hash. */
function listed(table: ChainedHash, hashes: readonly number[], hash: number): number[] {
  const found: number[] = []
  for (let number = table.first(hash); number >= 0; number = table.next(number))
    if (hashes[number] === hash) found.push(number)
  return found.sort((a, b) => a - b)
}

test('numbers are found by their hash through any additions and removals', () => {
  const step = fc.record({ number: fc.nat(40), adds: fc.boolean() })
  const hash = fc.oneof(fc.nat(3), fc.integer({ min: -(2 ** 31), max: 2 ** 32 - 1 }))
  fc.assert(
    fc.property(fc.array(hash, { minLength: 41, maxLength: 41 }), fc.array(step), (hashes, steps) => {
      const table = new ChainedHash(number => hashes[number]!)
      const present = new Set<number>()
      for (const { number, adds } of steps) {
        if (adds === present.has(number)) continue
        if (adds) table.add(number)
        else table.remove(number)
        if (adds) present.add(number)
        else present.delete(number)
      }
      for (const hash of hashes) {
        const expected = [...present].filter(number => hashes[number] === hash).sort((a, b) => a - b)
        expect(listed(table, hashes, hash)).toEqual(expected)
      }
    }),
  )
})

test('many numbers are found while tables are split, and after half of them are removed', () => {
  const hashes = Array.from({ length: 20_000 }, (_, i) => Math.imul(i % 9_000, 0x9e3779b1))
  const table = new ChainedHash(number => hashes[number]!)
  for (let number = 0; number < hashes.length; number++) {
    table.add(number)
    const first = number % 9_000
    if (number % 500 === 0)
      expect(listed(table, hashes, hashes[number]!)).toEqual(
        [first, first + 9_000, first + 18_000].filter(other => other <= number),
      )
  }
  for (let number = 0; number < hashes.length; number += 2) table.remove(number)
  for (let number = 1; number < 9_000; number += 97)
    expect(listed(table, hashes, hashes[number]!)).toEqual(
      [number, number + 9_000, number + 18_000].filter(other => other < 20_000 && other % 2 === 1),
    )
})

test('a missing number, or one whose hash has changed, is not removed', () => {
  const hashes = [1, 1, 1, 2]
  const table = new ChainedHash(number => hashes[number]!)
  for (const number of [0, 1, 2]) table.add(number)
  expect(() => table.remove(3)).toThrow('not in the chain')
  table.remove(1)
  expect(() => table.remove(1)).toThrow('not in the chain')
  hashes[2] = 5
  expect(() => table.remove(2)).toThrow('not in the chain')
  hashes[2] = 1
  expect(listed(table, hashes, 1)).toEqual([0, 2])
})
