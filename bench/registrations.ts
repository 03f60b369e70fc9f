// How many durable registrations a second, against one row a commit with the same settings? Options: clients (64), seconds (5), rounds (3).
import { join } from 'node:path'
import { createRandom, registration } from './catalog.ts'
import { type Load, median, readLines, sendScripted } from './load.ts'
import { startShirube, temporaryFolder } from './processes.ts'

const [clients = 64, seconds = 5, rounds = 3] = process.argv.slice(2).map(Number)
const BODIES = 20_000
const WARM_UP_SECONDS = 5
const KEY = 'a-key-for-the-bench'
const ALONE = { BUN_OPTIONS: `--preload=${join(import.meta.dir, 'one-row-a-commit.ts')}` }

const folder = temporaryFolder()
const requests = await writeRequests()

const pairs: { shared: Load; alone: Load }[] = []
for (let round = 0; round < rounds; round++) {
  const shared = await measure(`shared-${round}`, {})
  const alone = await measure(`alone-${round}`, ALONE)
  pairs.push({ shared, alone })
}

console.log(`${clients} clients over HTTP, on disk at every 201`)
console.log('commit            registrations/s   by CPU second   p50 ms   p99 ms')
for (const kind of ['shared', 'alone'] as const) {
  const of = (pick: (load: Load) => number) => median(pairs.map(pair => pick(pair[kind])))
  const cells = [
    of(({ perSecond }) => perSecond)
      .toFixed(0)
      .padStart(17),
    of(({ perCpuSecond }) => perCpuSecond)
      .toFixed(0)
      .padStart(16),
    of(({ p50Ms }) => p50Ms)
      .toFixed(2)
      .padStart(9),
    of(({ p99Ms }) => p99Ms)
      .toFixed(2)
      .padStart(9),
  ]
  console.log((kind === 'shared' ? 'shared' : 'one row each').padEnd(16) + cells.join(''))
}
const ratios = pairs.map(({ shared, alone }) => shared.perSecond / alone.perSecond)
console.log(
  `${median(ratios).toFixed(2)} times one row a commit (rounds: ${ratios.map(ratio => ratio.toFixed(2)).join(', ')})`,
)

async function writeRequests(): Promise<string> {
  const random = createRandom(7)
  const list = join(folder, 'bodies.ndjson')
  await Bun.write(list, Array.from({ length: BODIES }, () => `${registration(random(1_000_000))}\n`).join(''))
  return `${readLines('bodies', list)}
local headers = { ["Authorization"] = "Bearer ${KEY}", ["Content-Type"] = "application/json" }
local at = 0
request = function() at = at % #bodies + 1 return wrk.format("POST", "/api/services", headers, bodies[at]) end`
}

/** On a database of its own, so that every round writes into one of the same size. */
async function measure(name: string, settings: Record<string, string>): Promise<Load> {
  using server = await startShirube(`sqlite:${join(folder, `${name}.db`)}`, { API_KEYS: KEY, ...settings })
  const load = (forSeconds: number) =>
    sendScripted(folder, server, requests, forSeconds, { connections: clients })
  // What is compiled as it runs comes to rest first, on both sides, as in a server that has been up for a while.
  load(WARM_UP_SECONDS)
  const measured = load(seconds)
  const list = await fetch(`${server.url}/api/services?limit=1`)
  const kept = Number(list.headers.get('x-total-count'))
  if (measured.failed > 0 || kept < measured.requests)
    throw new Error(`${measured.requests} sent, ${measured.failed} failed, ${kept} kept`)
  return measured
}
