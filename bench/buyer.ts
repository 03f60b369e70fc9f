// Is a cap passed, or something paid twice, when a process is killed at any step of a purchase? Options: runs (1000), seed (1).
import { join } from 'node:path'
import { runCrashes } from '../test/buyer/crashes.ts'
import { seededRandom } from '../test/buyer/random.ts'
import { temporaryFolder } from './processes.ts'

const [runs = 1_000, seed = 1] = process.argv.slice(2).map(Number)
const began = performance.now()
const report = await runCrashes(runs, seededRandom(seed), `sqlite:${join(temporaryFolder(), 'ledger.db')}`)
const { crashes, paid, mostForOnePurpose, onChain, inLedger, cap, refusedByCap, violations } = report
console.log(
  `${runs} purchases with seed ${seed}: ${crashes} ended in the middle, ${refusedByCap} refused by a cap`,
)
console.log(`${paid} paid, at most ${mostForOnePurpose} for one purpose; ${violations} violations`)
console.log(`millionths of a dollar: ${onChain} on chain, ${inLedger} in the ledger, ${cap} the cap`)
console.log(`${Math.round((performance.now() - began) / 1000)} s`)
process.exitCode = violations === 0 && mostForOnePurpose <= 1 && onChain === inLedger ? 0 : 1
