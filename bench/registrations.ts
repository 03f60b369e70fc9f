// How many durable registrations a second, against one row a commit with the same settings? Options: clients (64), seconds (5), rounds (3).
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createRandom, registration } from './catalog.ts'
import { median } from './load.ts'
import { onCore, startShirube, temporaryFolder } from './processes.ts'

const [clients = 64, seconds = 5, rounds = 3] = process.argv.slice(2).map(Number)
const BODIES = 20_000
const WARM_UP_SECONDS = 5
const KEY = 'a-key-for-the-bench'
const ALONE = { BUN_OPTIONS: `--preload=${join(import.meta.dir, 'one-row-a-commit.ts')}` }

type Measured = {
  readonly perSecond: number
  /** For each second of the server's own processor time: other work on the machine does not count. */
  readonly perCpuSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

if (!existsSync('/usr/bin/wrk')) throw new Error('wrk is not installed: apt-get install wrk')
const folder = temporaryFolder()
const script = join(folder, 'register.lua')
await writeScript()

const pairs: { shared: Measured; alone: Measured }[] = []
for (let round = 0; round < rounds; round++) {
  const shared = await measure(`shared-${round}`, {})
  const alone = await measure(`alone-${round}`, ALONE)
  pairs.push({ shared, alone })
}

console.log(`${clients} clients over HTTP, on disk at every 201`)
console.log('commit            registrations/s   by CPU second   p50 ms   p99 ms')
for (const kind of ['shared', 'alone'] as const) {
  const of = (pick: (measured: Measured) => number) => median(pairs.map(pair => pick(pair[kind])))
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

async function writeScript(): Promise<void> {
  const random = createRandom(7)
  const list = join(folder, 'bodies.ndjson')
  await Bun.write(list, Array.from({ length: BODIES }, () => `${registration(random(1_000_000))}\n`).join(''))
  await Bun.write(
    script,
    `local bodies = {} for line in io.lines("${list}") do bodies[#bodies + 1] = line end
local headers = { ["Authorization"] = "Bearer ${KEY}", ["Content-Type"] = "application/json" }
local at = 0
request = function() at = at % #bodies + 1 return wrk.format("POST", "/api/services", headers, bodies[at]) end
done = function(summary, latency)
  io.write(string.format("RESULT %d %d %d %d %d\\n", summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), summary.errors.status + summary.errors.read + summary.errors.timeout))
end`,
  )
}

/** On a database of its own, so that every round writes into one of the same size. */
async function measure(name: string, settings: Record<string, string>): Promise<Measured> {
  using server = await startShirube(`sqlite:${join(folder, `${name}.db`)}`, { API_KEYS: KEY, ...settings })
  const load = (forSeconds: number) =>
    Bun.spawnSync(
      onCore(1, ['/usr/bin/wrk', '-t1', `-c${clients}`, `-d${forSeconds}`, '-s', script, server.url]),
    )
  // What is compiled as it runs comes to rest first, on both sides, as in a server that has been up for a while.
  load(WARM_UP_SECONDS)
  const cpuBefore = server.cpuSeconds()
  const { stdout } = load(seconds)
  const cpu = server.cpuSeconds() - cpuBefore
  const found = /RESULT (\d+) (\d+) (\d+) (\d+) (\d+)/.exec(stdout.toString())
  if (!found) throw new Error(`wrk said: ${stdout}`)
  const [requests = 0, micros = 0, p50 = 0, p99 = 0, failed = 0] = found.slice(1).map(Number)
  const list = await fetch(`${server.url}/api/services?limit=1`)
  const kept = Number(list.headers.get('x-total-count'))
  if (failed > 0 || kept < requests) throw new Error(`${requests} sent, ${failed} failed, ${kept} kept`)
  return {
    perSecond: requests / (micros / 1e6),
    perCpuSecond: requests / cpu,
    p50Ms: p50 / 1000,
    p99Ms: p99 / 1000,
  }
}
