import { expect, test } from 'bun:test'
import { createRandom } from '../../../bench/catalog.ts'
import { CandidatePairs, type Groups } from '../../../src/search/ranking/candidate-pairs.ts'
import {
  FINGERPRINT_WORDS,
  hasSketch,
  isSameName,
  PAYEE_AT,
  SKETCH_AT,
  SUFFIX_AT,
} from '../../../src/search/ranking/fingerprint.ts'

const COUNT = 120

/** Entries of which some share a part with another, by chance. */
function drawRows(random: (below: number) => number, share: number): Uint32Array {
  const rows = Uint32Array.from({ length: COUNT * FINGERPRINT_WORDS }, () => 1 + random(2 ** 31))
  for (let i = 0; i < COUNT; i++) {
    if (random(10) === 0) rows.fill(0, i * FINGERPRINT_WORDS + SKETCH_AT, (i + 1) * FINGERPRINT_WORDS)
    if (random(100) >= share) continue
    // Both words of a key, or one of its two, which makes no other's of it.
    const at = random(FINGERPRINT_WORDS)
    const other = random(COUNT) * FINGERPRINT_WORDS
    for (let n = 0; n < 1 + random(2) && at + n < FINGERPRINT_WORDS; n++)
      rows[i * FINGERPRINT_WORDS + at + n] = rows[other + at + n]!
  }
  return rows
}

const sharesKey =
  (rows: Uint32Array, at: number) =>
  (a: number, b: number): boolean =>
    rows[a + at] === rows[b + at] && rows[a + at + 1] === rows[b + at + 1]

const sharesPair =
  (rows: Uint32Array) =>
  (a: number, b: number): boolean =>
    hasSketch(rows, a) &&
    hasSketch(rows, b) &&
    [0, 1, 2, 3].some(word => {
      const difference = (rows[a + SKETCH_AT + word]! ^ rows[b + SKETCH_AT + word]!) >>> 0
      return (difference & 0xffff) === 0 || difference >>> 16 === 0
    })

test.each([0, 3, 30, 100])(
  'of entries that share parts in %d percent of cases, exactly the pairs that share a part are found',
  share => {
    const random = createRandom(share + 1)
    const table = new CandidatePairs()
    for (let round = 0; round < 20; round++) {
      const rows = drawRows(random, share)
      const entries = Int32Array.from({ length: COUNT }, (_, i) => i * FINGERPRINT_WORDS)
      const { payees, domains, names, texts } = table.find(rows, entries)
      const sizes = (groups: Groups) => Array.from(entries, (_, i) => groups.sizeOf(i))
      const firsts = (groups: Groups) => Array.from(entries, (_, i) => groups.first[i]!)
      for (const [groups, isSame] of [
        [payees, sharesKey(rows, PAYEE_AT)],
        [domains, sharesKey(rows, SUFFIX_AT)],
        [names, (a: number, b: number) => isSameName(rows, a, b)],
      ] as const) {
        expect(sizes(groups)).toEqual(Array.from(entries, own => entries.filter(o => isSame(own, o)).length))
        expect(firsts(groups)).toEqual(Array.from(entries, own => entries.findIndex(o => isSame(own, o))))
      }
      const isNear = sharesPair(rows)
      expect([...texts.subarray(0, COUNT)]).toEqual(
        Array.from(entries, (own, i) => (entries.some((o, k) => k !== i && isNear(own, o)) ? 1 : 0)),
      )
    }
  },
)
