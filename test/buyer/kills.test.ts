// Real processes that buy and are killed by the system; calling/attacks.test.ts kills those whose ledger is a file. `npm run bench -- buyer` is the long form.
import { expect, test } from 'bun:test'
import { createReadyDatabase } from '../postgres.ts'
import { LATE_ENDS, runKills } from './kills.ts'
import { seededRandom } from './random.ts'

test('four that are killed at once never pass a cap, nor pay twice', async () => {
  // With this seed two of the four, one of them at a tool, pay before they are killed, so that one does if the cap refuses the other.
  const report = await runKills(1, seededRandom(9), await createReadyDatabase(), LATE_ENDS)
  expect(report).toMatchObject({ started: 4, violations: 0, mostForOnePurpose: 1 })
  expect(report.inLedger).toBe(report.onChain)
  expect(report.onChain).toBeLessThanOrEqual(report.cap)
  // Otherwise nothing was tried: one may be refused by the cap before it gets to its end.
  expect(report.killed).toBeGreaterThanOrEqual(3)
  expect(report.paid).toBeGreaterThan(0)
}, 240_000)
