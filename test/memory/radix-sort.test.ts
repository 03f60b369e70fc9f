import { expect, test } from 'bun:test'
import { RadixSort } from '../../src/memory/sorted-slots.ts'
import { fc } from '../fast-check.ts'

test('slots are sorted by their keys, and stay in order where these are equal', () => {
  const radix = new RadixSort()
  const keys = fc.array(
    fc.oneof(fc.nat(3), fc.nat(2 ** 32 - 1), fc.constantFrom(0, 2047, 2048, 2 ** 22, 2 ** 32 - 1)),
  )
  fc.assert(
    fc.property(keys, given => {
      const slots = Uint32Array.from(given.keys()).reverse()
      const expected = [...slots].sort((a, b) => given[a]! - given[b]!)
      radix.sort(slots, slot => given[slot]!)
      expect([...slots]).toEqual(expected)
    }),
  )
})
