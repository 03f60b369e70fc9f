// How long does a start take, from the store and from an image of the catalog? Options: entries (100000), engine (sqlite, or postgres), rounds (3), cores (all; or like 0).
import { cpus } from 'node:os'
import { join } from 'node:path'
import { createCluster, createDatabase, freePort, startPostgres } from '../test/postgres.ts'
import { importInto, startShirube, temporaryFolder } from './processes.ts'

const [entriesText = '100000', engine = 'sqlite', roundsText = '3', core = `0-${cpus().length - 1}`] =
  process.argv.slice(2)
const [entries, rounds] = [Number(entriesText), Number(roundsText)]
/** What is written while no server runs, so that a start has to catch up with it. */
const LATE_SHARE = 0.05
const folder = temporaryFolder()
const server =
  engine === 'postgres' ? await startPostgres(await createCluster(), { port: await freePort() }) : undefined
const databaseUrl = server ? await createDatabase(server) : `sqlite:${join(folder, 'start.db')}`
const image = join(folder, 'catalog')

const importSeconds = await importInto(databaseUrl, folder, entries)
console.log(
  `${entries} entries in ${engine}, the server on core ${core}: import ${importSeconds.toFixed(1)} s`,
)
console.log('start                               to ready, s   CPU, s   memory, KiB an entry')
for (let round = 0; round < rounds; round++) await start('from the store alone', 'off')
await start('from the store, keeping an image', image)
for (let round = 0; round < rounds; round++) await start('from the image', image)
const late = Math.ceil(entries * LATE_SHARE)
await importInto(databaseUrl, folder, late, entries)
await start(`from the image, ${late} entries late`, image)
await server?.stop()
process.exit(0)

async function start(name: string, catalogFile: string): Promise<void> {
  using node = await startShirube(databaseUrl, { CATALOG_FILE: catalogFile }, { core })
  const memory = node.residentBytes() / 1024 / entries
  const cells = [node.readySeconds.toFixed(2), node.cpuSeconds().toFixed(2), memory.toFixed(2)]
  console.log(name.padEnd(36) + cells.map((cell, i) => cell.padStart([11, 9, 24][i]!)).join(''))
}
