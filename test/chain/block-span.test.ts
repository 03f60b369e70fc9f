import { describe, expect, test } from 'bun:test'
import { BlockSpan } from '../../src/chain/chain-reader.ts'
import { fc } from '../fast-check.ts'

/** Asks a node with a limit, full spans only; tells how many blocks were asked for each time. */
function ask(span: BlockSpan, limit: number, times: number): number[] {
  return Array.from({ length: times }, () => {
    const { size } = span
    if (size <= limit) span.onSuccess(size)
    else span.onRefusal(size)
    return size
  })
}

describe('the span of blocks', () => {
  test('grows while the node answers', () => {
    expect(ask(new BlockSpan(), Number.POSITIVE_INFINITY, 7)).toEqual([
      500, 1000, 2000, 4000, 8000, 10_000, 10_000,
    ])
  })

  test('reaches more than half of any limit, and is then refused at most once in 64 requests', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), limit => {
        const span = new BlockSpan()
        ask(span, limit, 40)
        expect(span.size).toBeLessThanOrEqual(limit)
        expect(span.size).toBeGreaterThan(limit / 2 - 1)
        const later = ask(span, limit, 640)
        expect(later.filter(size => size > limit).length).toBeLessThanOrEqual(10)
      }),
    )
  })

  test('finds a limit that has risen', () => {
    const span = new BlockSpan()
    ask(span, 10, 40)
    ask(span, 5_000, 200)
    expect(span.size).toBeGreaterThan(2_500)
  })

  test('does not grow after short requests, and cannot shrink below one block', () => {
    const span = new BlockSpan()
    span.onSuccess(3)
    expect(span.size).toBe(500)
    while (span.onRefusal(span.size));
    expect(span.size).toBe(1)
    expect(span.onRefusal(1)).toBe(false)
  })
})
