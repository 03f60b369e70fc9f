// How long does a start take, from the store and from a snapshot of the catalog? Options: entries (100000), engine (sqlite, or postgres), rounds (3), cores (all; or like 0).
import { cpus } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { freePort } from '../test/free-port.ts'
import { createCluster, createDatabase, startPostgres } from '../test/postgres.ts'
import { importInto, startShirube, temporaryFolder } from './processes.ts'

const [entriesText = '100000', engine = 'sqlite', roundsText = '3', core = `0-${cpus().length - 1}`] =
  process.argv.slice(2)
const [entries, rounds] = [Number(entriesText), Number(roundsText)]
/** What is written while no server runs, so that a start has to catch up with it. */
const LATE_SHARE = 0.05
/** No snapshot is made of fewer entries. */
const WORTH_AN_IMAGE = 2_000
const folder = temporaryFolder()
const server =
  engine === 'postgres' ? await startPostgres(await createCluster(), { port: await freePort() }) : undefined
const databaseUrl = server ? await createDatabase({ server }) : `sqlite:${join(folder, 'start.db')}`

let machines = 0
/** The file of a node that has none yet. */
const onNewMachine = (): string => join(folder, `catalog-${++machines}`)

const importSeconds = await importInto(databaseUrl, folder, entries)
console.log(
  `${entries} entries in ${engine}, the server on core ${core}: import ${importSeconds.toFixed(1)} s`,
)
console.log('start                                      to ready, s   CPU, s   memory, KiB an entry')
for (let round = 0; round < rounds; round++) await start('from the store alone', 'off')
for (let round = 0; round < rounds; round++) {
  if (server) await ask('DELETE FROM catalog_images')
  await start('the very first node, which keeps a snapshot', onNewMachine(), untilStored)
}
if (server)
  for (let round = 0; round < rounds; round++) await start('a node on another machine', onNewMachine())
if (server) for (let round = 0; round < rounds; round++) await start('a node that keeps no file', '')
const own = join(folder, `catalog-${machines}`)
for (let round = 0; round < rounds; round++) await start('the same node again', own)
const late = Math.ceil(entries * LATE_SHARE)
await importInto(databaseUrl, folder, late, entries)
await start(`the same node again, ${late} entries late`, own)
await server?.stop()
process.exit(0)

async function start(
  name: string,
  catalogFile: string,
  act: () => Promise<void> = async () => {},
): Promise<void> {
  using node = await startShirube(databaseUrl, { CATALOG_FILE: catalogFile }, { core })
  const memory = node.residentBytes() / 1024 / entries
  const cells = [node.readySeconds.toFixed(2), node.cpuSeconds().toFixed(2), memory.toFixed(2)]
  console.log(name.padEnd(43) + cells.map((cell, i) => cell.padStart([11, 9, 24][i]!)).join(''))
  await act()
  // Nothing of it runs beside the next one.
  node.process.kill('SIGTERM')
  await node.process.exited
}

/** The node serves meanwhile. */
async function untilStored(): Promise<void> {
  if (!server || entries < WORTH_AN_IMAGE) return
  const began = performance.now()
  while ((await ask('SELECT FROM catalog_images WHERE parts > 0')) === 0) await Bun.sleep(20)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(`  its snapshot was whole in the database ${seconds} s later`)
}

async function ask(statement: string): Promise<number> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  const { count } = await sql.unsafe(statement)
  await sql.end()
  return count
}
