import { describe, expect, test } from 'bun:test'
import { toLinkHeader } from '../../../src/http/pipeline/answer.ts'
import { fc } from '../../fast-check.ts'

const links = (page: { offset: number; limit: number; total: number | undefined; depth?: number }) =>
  Object.fromEntries(
    [
      ...toLinkHeader({ address: '/x', linkQuery: '', depth: Number.POSITIVE_INFINITY, ...page }).matchAll(
        /offset=(\d+)>; rel="(\w+)"/g,
      ),
    ].map(([, offset, rel]) => [rel!, Number(offset)]),
  )

describe('page links', () => {
  test('of a search stop at its depth, whatever the total', () => {
    expect(links({ offset: 0, limit: 20, total: undefined, depth: 10_000 })).toEqual({
      first: 0,
      next: 20,
      last: 9980,
    })
    expect(links({ offset: 9980, limit: 20, total: undefined, depth: 10_000 })).toEqual({
      first: 0,
      prev: 9960,
      last: 9980,
    })
    expect(links({ offset: 9960, limit: 30, total: undefined, depth: 10_000 })).toEqual({
      first: 0,
      prev: 9930,
      last: 9960,
    })
  })

  test('of an empty page link to the first one', () => {
    expect(links({ offset: 0, limit: 20, total: 0 })).toEqual({ first: 0, last: 0 })
  })

  test('never lead beyond the depth or the total, and next never skips an entry', () => {
    fc.assert(
      fc.property(
        fc.record({
          offset: fc.nat(12_000),
          limit: fc.integer({ min: 1, max: 100 }),
          total: fc.option(fc.nat(15_000), { nil: undefined }),
          isSearch: fc.boolean(),
        }),
        ({ offset, limit, total, isSearch }) => {
          const depth = isSearch ? 10_000 : Number.POSITIVE_INFINITY
          if (!isSearch && total === undefined) return
          const found = links({ offset, limit, total, depth })
          for (const at of Object.values(found)) {
            expect(at).toBeGreaterThanOrEqual(0)
            expect(at + limit).toBeLessThanOrEqual(depth)
          }
          if (total !== undefined && total > 0) expect(found.last).toBeLessThan(total)
          if (found.next !== undefined) expect(found.next).toBe(offset + limit)
          if (found.prev !== undefined) expect(found.prev).toBeLessThan(offset)
        },
      ),
    )
  })
})
