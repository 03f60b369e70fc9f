import { describe, expect, test } from 'bun:test'
import { createTimelineId, readCursor, type Timeline, Timelines } from '../../src/domain/feed.ts'

const timeline = (id: string, fork: number, start = fork): Timeline => ({
  id,
  fork: { seq: fork, event: fork },
  start: { seq: start, event: start },
})
const [A, B, C] = ['a'.repeat(16), 'b'.repeat(16), 'c'.repeat(16)] as const
/** B went on where A ended; C after a gap. */
const history = new Timelines([timeline(A, 0), timeline(B, 10), timeline(C, 20, 1_000)])

describe('A cursor', () => {
  test.each([
    ['0', { number: 0 }],
    ['17', { number: 17 }],
    [17, { number: 17 }],
    [`17-${A}`, { number: 17, timeline: A }],
    ['99999999999999999999', { number: Number.MAX_SAFE_INTEGER }],
  ])('%s is parsed', (text, cursor) => {
    expect(readCursor(text)).toEqual(cursor as never)
  })

  test.each([
    '',
    '-1',
    '1.5',
    'x',
    `17-${A}0`,
    `17-${'A'.repeat(16)}`,
    `-${A}`,
    '1-',
    ' 1',
    '1\n',
    -1,
    1.5,
    Number.NaN,
  ])('%p is rejected', text => {
    expect(readCursor(text)).toBeUndefined()
  })

  test('names the timeline of its number', () => {
    const texts = [0, 1, 10, 11, 20, 21, 1_000, 1_001].map(number => history.toCursor('seq', number))
    expect(texts).toEqual([
      '0',
      ...[`1-${A}`, `10-${A}`, `11-${B}`, `20-${B}`, `21-${C}`, `1000-${C}`, `1001-${C}`],
    ])
    expect(new Timelines().toCursor('seq', 5)).toBe('5')
  })

  test('of a number before all known timelines names the oldest of them', () => {
    const later = new Timelines([timeline(B, 10), timeline(C, 20)])
    expect(later.toCursor('event', 3)).toBe(`3-${B}`)
    expect(later.has('event', { number: 3, timeline: B }, 30)).toBe(true)
  })

  test('belongs to the history up to the fork of the next timeline, and no further', () => {
    const isOf = (number: number, timeline?: string) => history.has('seq', { number, timeline }, 1_010)
    expect([isOf(10, A), isOf(11, A), isOf(20, B), isOf(21, B)]).toEqual([true, false, true, false])
    expect([isOf(1_010, C), isOf(1_011, C), isOf(5, 'd'.repeat(16))]).toEqual([true, false, false])
    // Whoever knows a timeline has all that came before it.
    expect(isOf(5, C)).toBe(true)
  })

  test('without a timeline is valid unless its number was never assigned', () => {
    const isOf = (number: number) => history.has('seq', { number }, 1_010)
    expect([0, 1, 15, 20, 1_001, 1_010].map(isOf)).toEqual(Array(6).fill(true))
    expect([21, 500, 1_000, 1_011].map(isOf)).toEqual(Array(4).fill(false))
  })
})

test('timelines have unique names', () => {
  const ids = Array.from({ length: 100 }, createTimelineId)
  expect(new Set(ids).size).toBe(100)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{16}$/)
})
