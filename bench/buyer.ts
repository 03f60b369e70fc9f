// Is a cap passed, or something paid twice, when a process is killed at any step of a purchase? Options: runs (1000, on Base and on Solana each), seed (1), engine (sqlite, or postgres), kills (20: rounds of eight real processes that are killed).
import { join } from 'node:path'
import { runCrashes } from '../test/buyer/crashes.ts'
import { runKills } from '../test/buyer/kills.ts'
import { seededRandom } from '../test/buyer/random.ts'
import { openSolanaGround } from '../test/buyer/solana/ground.ts'
import { freePort } from '../test/free-port.ts'
import { createCluster, createDatabase, startPostgres } from '../test/postgres.ts'
import { temporaryFolder } from './processes.ts'

const [runs = '1000', seed = '1', engine = 'sqlite', rounds = '20'] = process.argv.slice(2)
const postgres =
  engine === 'postgres' ? await startPostgres(await createCluster(), { port: await freePort() }) : undefined
const openDatabase = (name: string): Promise<string> | string =>
  postgres ? createDatabase({ server: postgres }) : `sqlite:${join(temporaryFolder(), name)}`

const began = performance.now()
const crash = async (chain: string, open?: Parameters<typeof runCrashes>[3]) => {
  const database = await openDatabase(`${chain}.db`)
  const report = await runCrashes(Number(runs), seededRandom(Number(seed)), database, open)
  const { crashes, paid, mostForOnePurpose, onChain, inLedger, cap, refusedByCap, violations } = report
  console.log(
    `${runs} purchases on ${chain} with seed ${seed} on ${engine}: ${crashes} ended in the middle, ${refusedByCap} refused by a cap`,
  )
  console.log(`${paid} paid, at most ${mostForOnePurpose} for one purpose; ${violations} violations`)
  console.log(`millionths of a dollar: ${onChain} on chain, ${inLedger} in the ledger, ${cap} the cap`)
  return report
}
const reports = [await crash('base'), await crash('solana', openSolanaGround)]

const kills = await runKills(Number(rounds), seededRandom(Number(seed)), await openDatabase('kills.db'))
console.log(
  `${kills.started} processes, eight at once: ${kills.killed} killed, ${kills.refusedByCap} refused by a cap, ${kills.paid} paid, at most ${kills.mostForOnePurpose} for one purpose; ${kills.violations} violations; ${kills.onChain} on chain, ${kills.inLedger} in the ledger`,
)
await postgres?.stop()
console.log(`${Math.round((performance.now() - began) / 1000)} s`)
const isRight = [...reports, kills].every(
  each => each.violations === 0 && each.mostForOnePurpose <= 1 && each.onChain === each.inLedger,
)
process.exit(isRight ? 0 : 1)
