// How close do reads come to a bare server that sends the same number of bytes? Options: entries (100000), seconds (3), rounds (3).
import { createRandom, word, zipfRank } from './catalog.ts'
import { BESIDE_BARE, besideBare, type Load, median, sendLoad } from './load.ts'
import { importCatalog, type Measured, startBare, startShirube, temporaryFolder } from './processes.ts'

const [entries = 100_000, seconds = 3, rounds = 3] = process.argv.slice(2).map(Number)
const WARM_UP_REQUESTS = 10_000
const folder = temporaryFolder()
const { databaseUrl, seconds: importSeconds } = await importCatalog(folder, entries)
using server = await startShirube(databaseUrl)
const random = createRandom(42)
const range = (count: number, make: (i: number) => string) => Array.from({ length: count }, (_, i) => make(i))

const services = (
  await Promise.all(
    range(40, () => `/api/services?limit=100&offset=${random(Math.max(1, entries - 100))}`).map(getJson),
  )
).flat() as { id: string; endpoint: string; x402Config: { paymentAddress: string } }[]
const ids = services.map(({ id }) => id)
const filtered = (i: number) =>
  `/api/services?category=${['ai', 'data', 'weather', 'finance', 'crypto'][i % 5]}&chain=${['base', 'solana', 'polygon'][i % 3]}&maxPricePerRequest=${(0.05 + (i % 15_000) / 100_000).toFixed(5)}&sortBy=price`
const phrase = () => encodeURIComponent(`${word(zipfRank(random))} ${word(zipfRank(random))}`)

const payment = ({ endpoint, x402Config }: (typeof services)[number], below = '') =>
  `/api/resolve?${new URLSearchParams({ url: endpoint + below, payTo: x402Config.paymentAddress })}`

const questions: Record<string, string[]> = {
  detail: ids.map(id => `/api/services/${id}`),
  status: ids.map(id => `/api/services/${id}/status`),
  'resolve, the same payments': services.map(service => payment(service)),
  'resolve, every URL different': range(30_000, i => payment(services[i % services.length]!, `/${i}`)),
  'list, the same pages': range(20, i => `/api/services?offset=${i * 20}`),
  'list, every URL different': range(
    30_000,
    i =>
      `/api/services?sortBy=${['price', 'name', 'trustScore'][i % 3]}&offset=${i % Math.max(20, entries - 20)}`,
  ),
  'filtered, the same pages': range(15, filtered),
  'filtered, every URL different': range(15_000, filtered),
  'keyword, every URL different': range(30_000, () => `/api/catalog/search?q=${phrase()}`),
}

console.log(
  `${entries} entries: import ${importSeconds.toFixed(1)} s, start to ready ${server.readySeconds.toFixed(2)} s`,
)
console.log(BESIDE_BARE)
for (const [name, paths] of Object.entries(questions)) {
  const bytes = median(
    await Promise.all(
      paths.slice(0, 20).map(async path => (await (await fetch(server.url + path)).bytes()).length),
    ),
  )
  using bare = await startBare(bytes)
  // What is compiled as it runs comes to rest first, on both sides, as in a server that has been up for a while.
  for (const target of [server, bare]) warmUp(target, paths)
  const pairs = range(rounds, String).map(() => [measure(server, paths), measure(bare, ['/'])] as const)
  console.log(besideBare(name, pairs, 2))
}
console.log(`resident memory ${(server.residentBytes() / entries / 1024).toFixed(2)} KiB an entry`)

/** By requests, not by time: on a busy machine a second is too short for the code to be compiled. */
function warmUp(target: Measured, paths: readonly string[]): void {
  for (let asked = 0; asked < WARM_UP_REQUESTS; ) asked += measure(target, paths).perSecond * seconds
}

function measure(target: Measured, paths: readonly string[]): Load {
  return sendLoad(folder, target, paths, seconds)
}

async function getJson(path: string): Promise<unknown[]> {
  return (await (await fetch(server.url + path)).json()) as unknown[]
}
