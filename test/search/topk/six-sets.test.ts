import { expect, test } from 'bun:test'
import { inAtLeast, inAtLeastOfSix, toSix } from '../../../src/search/topk/six-sets.ts'

/** Of 64 slots each set has those whose number has its bit, so that every combination of sets occurs once. */
const SETS = Array.from({ length: 6 }, (_, set) => {
  const words = new Int32Array(2)
  for (let slot = 0; slot < 64; slot++) if (slot & (1 << set)) words[slot >> 5]! |= 1 << (slot & 31)
  return words
})

const isIn = (slots: number, slot: number) => (slots & (1 << (slot & 31))) !== 0
const setsOf = (slot: number, sets: number) => slot.toString(2).slice(-sets).replaceAll('0', '').length

test.each([1, 2, 3, 4, 5, 6])('slots in at least so many of %d sets are told apart', count => {
  const six = toSix(SETS.slice(0, count), 2)
  for (let least = 0; least <= 7; least++) {
    for (let slot = 0; slot < 64; slot++) {
      const found = inAtLeastOfSix(least, six, slot >> 5)
      expect(isIn(found, slot)).toBe(setsOf(slot, count) >= least)
    }
  }
})

test('no set has any slot where none is given', () => {
  expect(inAtLeast(1, 0, 0, 0, 0, 0, 0)).toBe(0)
  expect(inAtLeastOfSix(1, toSix([], 1), 0)).toBe(0)
})
