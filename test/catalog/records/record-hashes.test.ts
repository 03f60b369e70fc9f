import { expect, test } from 'bun:test'
import { RecordHashes } from '../../../src/catalog/records.ts'
import { fc } from '../../fast-check.ts'

const encoder = new TextEncoder()

/** Keeps the texts from the given slot on, one after the other, and answers the hash of all. */
function hashFrom(first: number, texts: readonly string[], hashes = new RecordHashes()): string {
  const slots = texts.map((_, i) => first + i)
  for (const [i, text] of texts.entries()) hashes.write(slots[i]!, encoder.encode(text))
  return hashes.of(slots)
}

test('the hash depends on the records and their order, not on their position', () => {
  const page = fc.array(fc.constantFrom('{"a":1}', '{"a":2}', '', '天気', 'x'.repeat(900)), { maxLength: 5 })
  fc.assert(
    fc.property(page, page, fc.nat(5_000), fc.nat(5_000), (one, two, here, there) => {
      const isSame = JSON.stringify(one) === JSON.stringify(two)
      expect(hashFrom(here, one) === hashFrom(there, two)).toBe(isSame)
    }),
    { numRuns: 2_000 },
  )
})

test('a rewritten record changes the hash', () => {
  const hashes = new RecordHashes()
  const before = hashFrom(7, ['one', 'two', 'three'], hashes)
  hashes.write(8, encoder.encode('2'))
  expect(hashes.of([7, 8, 9])).not.toBe(before)
  hashes.write(8, encoder.encode('two'))
  expect(hashes.of([7, 8, 9])).toBe(before)
  expect(hashes.of([9, 8, 7])).not.toBe(before)
})
