// How long do import and boot take from PostgreSQL? Options: entries (100000).
import { join } from 'node:path'
import { createCluster, createDatabase, freePort, startPostgres } from '../test/postgres.ts'
import { writeCatalog } from './catalog.ts'
import { startShirube, temporaryFolder } from './processes.ts'

const [entries = 100_000] = process.argv.slice(2).map(Number)
const MAIN = join(import.meta.dir, '../src/cli/main.ts')
const file = join(temporaryFolder(), 'catalog.ndjson')
await writeCatalog(file, entries)
const server = await startPostgres(await createCluster(), { port: await freePort() })
const databaseUrl = await createDatabase(server)

const began = performance.now()
const { exitCode } = Bun.spawnSync([process.execPath, MAIN, 'import', file], {
  env: { ...process.env, DATABASE_URL: databaseUrl },
  stdio: ['ignore', 'ignore', 'inherit'],
})
if (exitCode !== 0) throw new Error(`import ended with ${exitCode}`)
const importSeconds = (performance.now() - began) / 1000
console.log(`${entries} entries: import ${importSeconds.toFixed(1)} s`)
for (let round = 1; round <= 3; round++) {
  using node = await startShirube(databaseUrl)
  const memory = (node.residentBytes() / 2 ** 20).toFixed(0)
  console.log(
    `start to ready ${node.readySeconds.toFixed(2)} s, ${node.cpuSeconds().toFixed(2)} s of CPU, ${memory} MiB`,
  )
}
await server.stop()
process.exit(0)
