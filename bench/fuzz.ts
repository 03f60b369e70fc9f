// Does every answer to a random request keep the word of the OpenAPI document? Options: requests (10000), seed (another each time), entries (2000).
import { fuzz } from '../test/faults/fuzz.ts'
import { importCatalog, startShirube, temporaryFolder } from './processes.ts'

const [requests = 10_000, seed = Math.floor(Math.random() * 2 ** 31), entries = 2_000] = process.argv
  .slice(2)
  .map(Number)
const KEY = 'a-key-for-the-bench'

const { databaseUrl } = await importCatalog(temporaryFolder(), entries)
using server = await startShirube(databaseUrl, { API_KEYS: KEY })
const ids = ((await (await fetch(`${server.url}/api/services?limit=100`)).json()) as { id: string }[]).map(
  ({ id }) => id,
)
console.log(`${requests} requests with seed ${seed}`)
const began = performance.now()
const statuses = await fuzz({ url: server.url, key: KEY, ids, requests, seed })
const seconds = (performance.now() - began) / 1000

console.log('status   answers')
for (const [status, count] of [...statuses].sort(([a], [b]) => a - b)) {
  console.log(`${status}${String(count).padStart(13)}`)
}
const metrics = await (await fetch(`${server.url}/metrics`)).text()
const waiting = Number(/^shirube_http_requests_in_flight (\d+)$/m.exec(metrics)?.[1]) - 1
console.log(
  `${seconds.toFixed(1)} s; no 500, no hang, every answer as documented; ${waiting} requests left waiting; resident memory ${(server.residentBytes() / 2 ** 20).toFixed(0)} MiB`,
)
process.exitCode = waiting === 0 ? 0 : 1
