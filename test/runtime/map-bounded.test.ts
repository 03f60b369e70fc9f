import { expect, test } from 'bun:test'
import { mapBounded } from '../../src/runtime/scheduling.ts'

test('never more calls than the limit are in progress, and results keep the order of the items', async () => {
  let running = 0
  let most = 0
  const turns = [5, 1, 4, 0, 3, 2, 1]
  const results = await mapBounded(turns, 3, async (turn, i) => {
    most = Math.max(most, ++running)
    for (let each = 0; each < turn; each++) await Promise.resolve()
    running--
    return `${i}: ${turn}`
  })
  expect(results).toEqual(turns.map((turn, i) => `${i}: ${turn}`))
  expect(most).toBe(3)
  expect(await mapBounded([], 3, async () => 1)).toEqual([])
})

test('an error of one call is the error of all', async () => {
  const failing = mapBounded([1, 2, 3], 2, async each => {
    if (each === 2) throw new Error('two')
    return each
  })
  await expect(failing).rejects.toThrow('two')
})
