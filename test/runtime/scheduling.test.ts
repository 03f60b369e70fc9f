import { expect, test } from 'bun:test'
import { createBounded, mapBounded } from '../../src/runtime/scheduling.ts'

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

test('work beyond the limit waits in order, also behind work that fails', async () => {
  const bounded = createBounded(2)
  let [running, most] = [0, 0]
  const ended: number[] = []
  const work = (i: number) =>
    bounded(async () => {
      most = Math.max(most, ++running)
      await new Promise(setImmediate)
      running--
      ended.push(i)
      if (i % 3 === 0) throw new Error(String(i))
      return i
    })
  const settled = await Promise.allSettled(Array.from({ length: 9 }, (_, i) => work(i)))
  expect(settled.map(({ status }) => status === 'fulfilled')).toEqual(ended.map(i => i % 3 !== 0))
  expect([ended, most]).toEqual([[0, 1, 2, 3, 4, 5, 6, 7, 8], 2])
})
