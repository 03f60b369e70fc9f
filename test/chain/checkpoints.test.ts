import { describe, expect, test } from 'bun:test'
import { findCanonical, moveTo } from '../../src/chain/checkpoints.ts'
import type { ChainCursor } from '../../src/store/payments.ts'
import { fc } from '../fast-check.ts'

/** Reads a chain in steps; every block up to the fork has the same hash on both branches. */
function readInSteps(steps: readonly number[]): ChainCursor {
  let cursor: ChainCursor | undefined
  let block = 0
  for (const step of steps) {
    block += step
    cursor = moveTo({ block, hash: `a${block}` }, cursor)
  }
  return cursor!
}
const forkedAt = (fork: number) => async (block: number) => (block <= fork ? `a${block}` : `b${block}`)
const steps = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 400 })

describe('checkpoints', () => {
  test('stay few, are ordered newest first and reach back to the start', () => {
    fc.assert(
      fc.property(steps, each => {
        const { block, earlier } = readInSteps(each)
        const blocks = [block, ...earlier.map(place => place.block)]
        expect(blocks).toEqual([...new Set(blocks)].sort((a, b) => b - a))
        expect(earlier.length).toBeLessThanOrEqual(8 + 2 * Math.log2(block) + 2)
        expect(blocks.at(-1)).toBe(each[0]!)
      }),
    )
  })

  test('of an unchanged chain give the cursor itself', async () => {
    const cursor = readInSteps([5, 5, 5])
    expect(await findCanonical(cursor, 20, forkedAt(99))).toBe(cursor)
  })

  test('find a block shortly before a fork', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.nat(), async (each, pick) => {
        const cursor = readInSteps(each)
        const depth = 1 + (pick % cursor.block)
        const found = await findCanonical(cursor, cursor.block + 1, forkedAt(cursor.block - depth))
        if (cursor.block - depth < each[0]!) return expect(found).toBeUndefined()
        const place = found as ChainCursor
        expect(place.hash).toBe(`a${place.block}`)
        const deeper = cursor.block - place.block - depth
        expect(deeper).toBeGreaterThanOrEqual(0)
        expect(deeper).toBeLessThanOrEqual(depth + 50)
      }),
    )
  })

  test('distinguish a node that lags from a chain that was replaced', async () => {
    const cursor = readInSteps([5, 5, 5])
    expect(await findCanonical(cursor, 12, forkedAt(99))).toBe('behind')
    expect(await findCanonical(cursor, 2, forkedAt(99))).toBe('behind')
    expect(await findCanonical(cursor, 12, forkedAt(7))).toEqual({ block: 5, hash: 'a5', earlier: [] })
    expect(await findCanonical(cursor, 12, forkedAt(0))).toBeUndefined()
  })
})
