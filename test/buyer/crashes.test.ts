// A process may be killed at any moment of a purchase: no cap is passed, and nothing is paid twice. bench/buyer.ts is the long form.
import { expect, test } from 'bun:test'
import { temporaryPath } from '../store/temporary-path.ts'
import { runCrashes } from './crashes.ts'
import { seededRandom } from './random.ts'
import { openSolanaGround } from './solana/ground.ts'

test.each([
  ['Base', undefined],
  ['Solana', openSolanaGround],
])(
  'crashes at every step never pass a cap, nor pay twice, on %s',
  async (_, open) => {
    const report = await runCrashes(24, seededRandom(24), `sqlite:${temporaryPath('ledger.db')}`, open)
    expect(report).toMatchObject({ runs: 24, violations: 0, mostForOnePurpose: 1 })
    expect(report.inLedger).toBe(report.onChain)
    expect(report.onChain).toBeLessThanOrEqual(report.cap)
    // Otherwise nothing was tried.
    expect(report.crashes).toBeGreaterThan(6)
    expect(report.paid).toBeGreaterThan(3)
    expect(report.refusedByCap).toBeGreaterThan(0)
  },
  120_000,
)
