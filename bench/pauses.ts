// How long is a request held up while entries are read, registered and imported? Options: entries (100000), seconds (20), cores of the server (0; or like 2-15).
import { join } from 'node:path'
import { registration, writeCatalog } from './catalog.ts'
import { importCatalog, onCore, startBare, startShirube, temporaryFolder } from './processes.ts'

const [entriesText = '100000', secondsText = '20', core = '0'] = process.argv.slice(2)
const [entries, seconds] = [Number(entriesText), Number(secondsText)]
const IMPORTED = 10_000
const EVERY_MS = 2
const WRITES_PER_SECOND = 50
const KEY = 'a-key-for-the-bench'

const folder = temporaryFolder()
const { databaseUrl } = await importCatalog(folder, entries)
using server = await startShirube(databaseUrl, { API_KEYS: KEY }, { core })
using bare = await startBare(20)

/** Asks again and again from a process of its own, and tells how long answers took, in milliseconds. */
function ask(url: string) {
  const script = `
    const times = []
    const until = performance.now() + ${seconds * 1000}
    while (performance.now() < until) {
      const began = performance.now()
      await (await fetch('${url}')).arrayBuffer()
      times.push(performance.now() - began)
      await Bun.sleep(${EVERY_MS})
    }
    times.sort((a, b) => a - b)
    const at = share => times[Math.min(times.length - 1, Math.floor(times.length * share))]
    console.log(JSON.stringify({ asked: times.length, p50: at(0.5), p99: at(0.99), longest: times.at(-1) }))`
  const child = Bun.spawn(onCore(1, [process.execPath, '-e', script]), {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return new Response(child.stdout).json() as Promise<Record<string, number>>
}

async function writeAlong(): Promise<number> {
  const until = performance.now() + seconds * 1000
  let written = 0
  while (performance.now() < until) {
    const response = await fetch(`${server.url}/api/services`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: registration(entries + IMPORTED + written),
    })
    if (response.status !== 201) throw new Error(`A registration was answered ${response.status}.`)
    written++
    await Bun.sleep(1000 / WRITES_PER_SECOND)
  }
  return written
}

async function importAlong(): Promise<void> {
  const file = join(folder, 'more.ndjson')
  await writeCatalog(file, IMPORTED)
  const main = join(import.meta.dir, '../src/cli/main.ts')
  const child = Bun.spawn(onCore(1, [process.execPath, main, 'import', file]), {
    env: { ...process.env, DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  if ((await child.exited) !== 0) throw new Error('The import failed.')
}

const quiet = await ask(`${server.url}/api/services?limit=20`)
const [busy, beside, written] = await Promise.all([
  ask(`${server.url}/api/services?limit=20`),
  ask(bare.url),
  writeAlong(),
  importAlong(),
])
console.log(
  `${entries} entries, the server on core ${core}; beside the busy one ${written} registrations and an import of ${IMPORTED} lines`,
)
console.log('a request every 2 ms          asked   p50 ms   p99 ms   longest ms')
for (const [name, measured] of Object.entries({
  'nothing is written': quiet,
  'entries are written': busy,
  'a bare server meanwhile': beside,
})) {
  const cells = [
    String(measured.asked),
    ...['p50', 'p99', 'longest'].map(figure => measured[figure]!.toFixed(2)),
  ]
  console.log(name.padEnd(26) + cells.map((cell, i) => cell.padStart([9, 9, 9, 13][i]!)).join(''))
}
