// Relevance where services stand as differently as in real life, at least. A floor may rise; it never falls.
import { describe, expect, test } from 'bun:test'
import { openMixedStanding, readGraded } from './mixed-standing.ts'

const graded = await readGraded()

describe.each([
  { name: 'sample', seeds: [1, 2], minAll: 0.89, maxLoss: 0.01, maxOvertaken: 0.025 },
  { name: 'market', seeds: [1], minAll: 0.68, maxLoss: 0.02, maxOvertaken: 0.045 },
] as const)('in the $name', ({ name, seeds, minAll, maxLoss, maxOvertaken }) => {
  const { entries, queries } = graded[name]
  const measure = openMixedStanding(entries, queries)

  test.each([...seeds])('standing leaves the order of relevance nearly as it is, drawn by %p', seed => {
    const { all, verified, verifiedAlike, overtaken } = measure(seed)
    expect(queries.length).toBeGreaterThan(200)
    expect(all).toBeGreaterThanOrEqual(minAll)
    expect(verified).toBeGreaterThanOrEqual(verifiedAlike - maxLoss)
    expect(overtaken).toBeLessThanOrEqual(maxOvertaken)
  })
})
