// How long does a start take? Options: entries (100000), engine (sqlite, or postgres), rounds (3), cores (all; or like 0).
import { cpus } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../test/free-port.ts'
import { createCluster, createDatabase, startPostgres } from '../test/postgres.ts'
import { importInto, startShirube, temporaryFolder } from './processes.ts'

const [entriesText = '100000', engine = 'sqlite', roundsText = '3', core = `0-${cpus().length - 1}`] =
  process.argv.slice(2)
const [entries, rounds] = [Number(entriesText), Number(roundsText)]
const folder = temporaryFolder()
const server =
  engine === 'postgres' ? await startPostgres(await createCluster(), { port: await freePort() }) : undefined
const databaseUrl = server ? await createDatabase({ server }) : `sqlite:${join(folder, 'start.db')}`

const importSeconds = await importInto(databaseUrl, folder, entries)
console.log(
  `${entries} entries in ${engine}, the server on core ${core}: import ${importSeconds.toFixed(1)} s`,
)
console.log('to ready, s   CPU, s   memory, KiB an entry')
for (let round = 0; round < rounds; round++) {
  using node = await startShirube(databaseUrl, {}, { core })
  const memory = node.residentBytes() / 1024 / entries
  const cells = [node.readySeconds.toFixed(2), node.cpuSeconds().toFixed(2), memory.toFixed(2)]
  console.log(cells.map((cell, i) => cell.padStart([11, 9, 24][i]!)).join(''))
  // Nothing of it runs beside the next one.
  node.process.kill('SIGTERM')
  await node.process.exited
}
await server?.stop()
process.exit(0)
