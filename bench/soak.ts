// Do memory and p99 stay flat at half load? Options: minutes (10), entries (100000).
import { join } from 'node:path'
import { createRandom, registration, word, zipfRank } from './catalog.ts'
import { readLines, sendScripted } from './load.ts'
import { importCatalog, startShirube, temporaryFolder } from './processes.ts'

const [minutes = 10, entries = 100_000] = process.argv.slice(2).map(Number)
const KEY = 'a-key-for-the-bench'
const CONNECTIONS = 64
const PROBE_SECONDS = 10

const folder = temporaryFolder()
const { databaseUrl } = await importCatalog(folder, entries)
using server = await startShirube(databaseUrl, { API_KEYS: KEY })
const random = createRandom(11)
await Bun.write(join(folder, 'requests.txt'), (await createRequests()).join('\n'))

load(0, PROBE_SECONDS)
const full = load(0, PROBE_SECONDS)
// With this pause each connection asks half as often as it could: one more turn for every turn of work.
const pauseMs = Math.max(1, Math.round((2 * CONNECTIONS * 1000) / full.perSecond))
console.log(
  `${entries} entries, ${CONNECTIONS} connections; full load ${full.perSecond.toFixed(0)} requests/s, p99 ${full.p99Ms.toFixed(2)} ms; a pause of ${pauseMs} ms between two requests`,
)
console.log('minute   requests/s   p50 ms   p99 ms   failed   CPU %   resident MiB')
const measured: { p99Ms: number; resident: number }[] = []
for (let minute = 1; minute <= minutes; minute++) {
  const cpuBefore = server.cpuSeconds()
  const { requests, perSecond, p50Ms, p99Ms, failed } = load(pauseMs, 60)
  const cpu = (server.cpuSeconds() - cpuBefore) / (requests / perSecond)
  const resident = server.residentBytes()
  measured.push({ p99Ms, resident })
  const cells = [
    minute,
    perSecond.toFixed(0),
    p50Ms.toFixed(2),
    p99Ms.toFixed(2),
    failed,
    (cpu * 100).toFixed(0),
  ]
  const mebibytes = (resident / 2 ** 20).toFixed(1)
  console.log(
    [...cells, mebibytes].map((cell, i) => String(cell).padStart([6, 13, 9, 9, 9, 8, 15][i]!)).join(''),
  )
}
// The first minute fills caches and pools; from then on nothing may grow.
const [first, last] = [measured[Math.min(1, minutes - 1)]!, measured.at(-1)!]
console.log(
  `from the second minute to the last: memory × ${(last.resident / first.resident).toFixed(3)}, p99 × ${(last.p99Ms / first.p99Ms).toFixed(2)}`,
)

/** What a directory is asked, and a registration sent again and again: it goes through the store and adds nothing. */
async function createRequests(): Promise<string[]> {
  const offset = () => random(Math.max(1, entries - 100))
  const page = await fetch(`${server.url}/api/services?limit=100&offset=${offset()}`)
  const ids = ((await page.json()) as { id: string }[]).map(({ id }) => id)
  const id = () => ids[random(ids.length)]
  const phrase = () => encodeURIComponent(`${word(zipfRank(random))} ${word(zipfRank(random))}`)
  const reads = [
    () => `/api/services/${id()}`,
    () => `/api/services/${id()}/status`,
    () => `/api/services?limit=20&offset=${random(1_000)}`,
    () => `/api/services?category=ai&chain=base&sortBy=price&offset=${random(500)}`,
    () => `/api/catalog/search?q=${phrase()}`,
    () => `/api/services/search/intent?q=${phrase()}`,
  ]
  const again = registration(1)
  return Array.from({ length: 20_000 }, (_, i) => {
    if (i % 50 === 0)
      return toLine(
        'POST',
        '/api/services',
        [`Authorization: Bearer ${KEY}`, 'Idempotency-Key: again'],
        again,
      )
    // Half of all requests are for one service.
    const pick = reads[random(2) === 0 ? random(2) : 2 + random(reads.length - 2)]!
    return toLine('GET', pick(), random(3) === 0 ? ['Accept-Encoding: gzip'] : [])
  })
}

/** A whole request in one line of the file: \1 stands for the ends of its own lines. */
function toLine(method: string, path: string, headers: readonly string[], body = ''): string {
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]
  return [`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1', ...headers, ...length, '', body].join('\x01')
}

function load(pauseMs: number, seconds: number) {
  const requests = `${readLines('requests', join(folder, 'requests.txt'))}
for i, line in ipairs(requests) do requests[i] = line:gsub("\\1", "\\r\\n") end
local at = ${random(20_000)}
request = function() at = at % #requests + 1 return requests[at] end
${pauseMs > 0 ? `delay = function() return ${pauseMs} end` : ''}`
  return sendScripted(folder, server, requests, seconds, { connections: CONNECTIONS })
}
