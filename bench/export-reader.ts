// Does an export to a slow reader disturb other reads, or cost memory? Options: entries (100000), seconds (4), rounds (5), readers (50).
import { connect } from 'node:net'
import { type Load, median, sendLoad } from './load.ts'
import { importCatalog, onCore, startShirube, temporaryFolder } from './processes.ts'

const [entries = 100_000, seconds = 4, rounds = 5, readers = 50] = process.argv.slice(2).map(Number)
const folder = temporaryFolder()
const { databaseUrl } = await importCatalog(folder, entries)
using server = await startShirube(databaseUrl)
const list = await fetch(`${server.url}/api/services?limit=100`)
const paths = ((await list.json()) as { id: string }[]).map(({ id }) => `/api/services/${id}`)
const exportBytes = (await (await fetch(`${server.url}/api/export`)).arrayBuffer()).byteLength

/**
 * Takes as long for one export as a measurement lasts, then asks for the next, and tells how much it took when it is told
 * to end. A process of its own: this one waits for wrk.
 */
const READER = `
const { connect } = require('node:net')
const bytesEach10Ms = ${Math.ceil(exportBytes / (seconds * 100))}
let received = 0
process.on('SIGTERM', () => { console.log(received); process.exit() })
const read = () => {
  const socket = connect(${new URL(server.url).port}, '127.0.0.1')
  socket.write('GET /api/export HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n')
  let allowed = 0
  const timer = setInterval(() => { allowed += bytesEach10Ms; if (allowed > 0) socket.resume() }, 10)
  socket.on('data', chunk => { received += chunk.length; allowed -= chunk.length; if (allowed <= 0) socket.pause() })
  socket.on('close', () => { clearInterval(timer); read() })
}
read()
console.log('reading')
`

async function startReader() {
  const child = Bun.spawn(onCore(1, [process.execPath, '-e', READER]), { stdout: 'pipe', stderr: 'inherit' })
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader()
  await lines.read()
  return {
    async end(): Promise<number> {
      child.kill('SIGTERM')
      return Number((await lines.read()).value)
    },
  }
}

const measure = () => sendLoad(folder, server, paths, seconds)
measure()
const pairs: { without: Load; during: Load; readBytes: number }[] = []
for (let round = 0; round < rounds; round++) {
  const without = measure()
  const reader = await startReader()
  const during = measure()
  pairs.push({ without, during, readBytes: await reader.end() })
}

console.log(`${entries} entries, export of ${(exportBytes / 2 ** 20).toFixed(1)} MiB`)
console.log('detail                  requests/s   p50 ms   p99 ms   failed')
for (const kind of ['without', 'during'] as const) {
  const of = (pick: (load: Load) => number) => median(pairs.map(pair => pick(pair[kind])))
  const cells = [
    of(({ perSecond }) => perSecond).toFixed(0),
    of(({ p50Ms }) => p50Ms).toFixed(2),
    of(({ p99Ms }) => p99Ms).toFixed(2),
    String(pairs.reduce((sum, pair) => sum + pair[kind].failed, 0)),
  ]
  const name = kind === 'without' ? 'alone' : 'beside a slow export'
  console.log(name.padEnd(22) + cells.map((cell, i) => cell.padStart([12, 9, 9, 9][i]!)).join(''))
}
const ratios = pairs.map(({ without, during }) => during.p99Ms / without.p99Ms)
console.log(
  `p99 ${median(ratios).toFixed(2)} times (rounds: ${ratios.map(ratio => ratio.toFixed(2)).join(', ')}); the reader took ${(median(pairs.map(({ readBytes }) => readBytes)) / 2 ** 20).toFixed(1)} MiB a round`,
)

const before = await settledMemory()
const stopped = await Promise.all(Array.from({ length: readers }, stopAfterFirstBytes))
const after = await settledMemory()
console.log(
  `resident memory ${before.toFixed(0)} MiB, with ${readers} readers that stopped reading ${after.toFixed(0)} MiB; copies of the document would take ${((readers * exportBytes) / 2 ** 20).toFixed(0)} MiB`,
)
for (const socket of stopped) socket.destroy()

async function stopAfterFirstBytes() {
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  socket.write('GET /api/export HTTP/1.1\r\nHost: x\r\n\r\n')
  await new Promise(resolve => socket.once('data', resolve))
  return socket.pause()
}

/** The collector moves it up and down all the time: the least of some seconds, in MiB. */
async function settledMemory(): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < 30; i++) {
    least = Math.min(least, server.residentBytes())
    await Bun.sleep(100)
  }
  return least / 2 ** 20
}
