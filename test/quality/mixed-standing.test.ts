// Floors for relevance if the standing of services differs as in a real directory. `maxLoss` is against equal standing, so a better
// ranking of texts widens it.
import { describe, expect, test } from 'bun:test'
import { openMixedStanding, readGraded } from './mixed-standing.ts'

const graded = await readGraded()

describe.each([
  { name: 'sample', seeds: [1, 2], minAll: 0.9, maxLoss: 0.013, maxOvertaken: 0.025 },
  { name: 'market', seeds: [1], minAll: 0.75, maxLoss: 0.025, maxOvertaken: 0.045 },
] as const)('in the $name', ({ name, seeds, minAll, maxLoss, maxOvertaken }) => {
  const { entries, queries } = graded[name]
  const measure = openMixedStanding(entries, queries)

  test.each([...seeds])('standing hardly changes the order of relevance (seed %p)', seed => {
    const { all, verified, verifiedAlike, overtaken } = measure(seed)
    expect(queries.length).toBeGreaterThan(200)
    expect(all).toBeGreaterThanOrEqual(minAll)
    expect(verified).toBeGreaterThanOrEqual(verifiedAlike - maxLoss)
    expect(overtaken).toBeLessThanOrEqual(maxOvertaken)
  })
})
