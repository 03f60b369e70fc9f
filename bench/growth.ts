// How do the costs of a node grow with its entries? Options: sizes (1000 10000 100000). Microseconds of its CPU for each request.
import { createRandom, word, zipfRank } from './catalog.ts'
import { median, sendLoad } from './load.ts'
import { importCatalog, type Measured, startShirube, temporaryFolder } from './processes.ts'
import { KEY, registerSteadily } from './two-nodes.ts'

const given = process.argv.slice(2).map(Number)
const sizes = given.length > 0 ? given : [1_000, 10_000, 100_000]
const SECONDS = 2
const ROUNDS = 3
const WRITES_A_SECOND = 100
const folder = temporaryFolder()
const range = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i))

const read = (server: Measured, paths: readonly string[]) =>
  median(range(ROUNDS, () => 1e6 / sendLoad(folder, server, paths, SECONDS).perCpuSecond))

async function register(server: Measured): Promise<number> {
  const run = async () => {
    let count = 0
    const before = server.cpuSeconds()
    await registerSteadily(server.url, WRITES_A_SECOND, AbortSignal.timeout(SECONDS * 1_000), () => count++)
    return ((server.cpuSeconds() - before) * 1e6) / count
  }
  const measured: number[] = []
  for (let round = 0; round < ROUNDS; round++) measured.push(await run())
  return median(measured)
}

console.log('entries   detail   list   filtered   keyword   registration   memory, KiB an entry')
for (const entries of sizes) {
  const random = createRandom(42)
  const { databaseUrl } = await importCatalog(folder, entries)
  using server = await startShirube(databaseUrl, { API_KEYS: KEY, LOG_LEVEL: 'warn' })
  const memory = server.residentBytes() / 1024 / entries
  const page = (await (await fetch(`${server.url}/api/services?limit=100`)).json()) as { id: string }[]
  const questions = [
    page.map(({ id }) => `/api/services/${id}`),
    range(8_000, i => `/api/services?sortBy=price&limit=${1 + (i % 40)}&offset=${random(entries)}`),
    range(
      8_000,
      i =>
        `/api/services?category=data&chain=base&sortBy=price&maxPricePerRequest=${(0.05 + i / 1e5).toFixed(5)}`,
    ),
    range(8_000, () => `/api/catalog/search?q=${word(zipfRank(random))}%20${word(zipfRank(random))}`),
  ]
  const costs = [...questions.map(paths => read(server, paths)), await register(server)]
  const cells = [...costs.map(cost => cost.toFixed(0)), memory.toFixed(1)]
  console.log(
    String(entries).padStart(7) + cells.map((cell, i) => cell.padStart([9, 7, 11, 10, 15, 23][i]!)).join(''),
  )
}
process.exit(0)
