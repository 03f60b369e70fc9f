import { expect, test } from 'bun:test'
import { createRandom } from '../../../bench/catalog.ts'
import { LIKENESS_WORDS, NAME_AT, PAYEE_AT, SKETCH_AT, SUFFIX_AT } from '../../../src/search/ranking/alike.ts'
import { markMeetings } from '../../../src/search/ranking/meeting-table.ts'

const COUNT = 120

/** Entries of which some share a part with another, by chance. */
function drawRows(random: (below: number) => number, share: number): Uint32Array {
  const rows = Uint32Array.from({ length: COUNT * LIKENESS_WORDS }, () => 1 + random(2 ** 31))
  for (let i = 0; i < COUNT; i++) {
    if (random(10) === 0) rows.fill(0, i * LIKENESS_WORDS + SKETCH_AT, (i + 1) * LIKENESS_WORDS)
    if (random(100) >= share) continue
    const at = random(LIKENESS_WORDS)
    rows[i * LIKENESS_WORDS + at] = rows[random(COUNT) * LIKENESS_WORDS + at]!
  }
  return rows
}

/** The keys of an entry, as the table is told to compare them. */
function keysOf(rows: Uint32Array, row: number): Set<string> {
  const keys = [PAYEE_AT, SUFFIX_AT, NAME_AT].map(at => `${at} ${rows[row + at]}`)
  if (rows[row + SKETCH_AT] !== 0)
    for (let at = SKETCH_AT; at < LIKENESS_WORDS; at++) {
      const word = rows[row + at]!
      keys.push(`${at} low ${word & 0xffff}`, `${at} high ${word >>> 16}`)
    }
  return new Set(keys)
}

test.each([0, 3, 30, 100])(
  'of entries that share parts by %d in a hundred, exactly those that meet are marked',
  share => {
    const random = createRandom(share + 1)
    for (let round = 0; round < 20; round++) {
      const rows = drawRows(random, share)
      const entries = Int32Array.from({ length: COUNT }, (_, i) => i * LIKENESS_WORDS)
      const keys = [...entries].map(row => keysOf(rows, row))
      const expected = keys.map((own, i) =>
        keys.some((other, o) => o !== i && [...own].some(key => other.has(key))) ? 1 : 0,
      )
      const marks = new Uint8Array(COUNT)
      const marked = markMeetings(rows, entries, marks)
      expect([...marks]).toEqual(expected)
      expect(marked).toBe(expected.filter(Boolean).length)
    }
  },
)
