// Do two workers serve twice as much as one? Options: entries (20000), seconds (4), rounds (3). Counted by the CPU time of the workers.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../test/postgres.ts'
import { median } from './load.ts'
import { importCatalog, temporaryFolder } from './processes.ts'

const [entries = 20_000, seconds = 4, rounds = 3] = process.argv.slice(2).map(Number)
const MAIN = join(import.meta.dir, '../src/cli/main.ts')
const CLOCK_TICKS = 100
const CONNECTIONS = 64
if (!existsSync('/usr/bin/wrk')) throw new Error('wrk is not installed: apt-get install wrk')

const folder = temporaryFolder()
const { databaseUrl } = await importCatalog(folder, entries)

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)

const cpuSeconds = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS
}

async function start(workers: number) {
  const port = await freePort()
  const child = Bun.spawn([process.execPath, MAIN, 'serve', '--workers', String(workers)], {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      PORT: String(port),
      HOST: '127.0.0.1',
      PROBE: 'off',
      RATE_LIMIT: '0',
    },
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  const url = `http://127.0.0.1:${port}`
  // Every process must be ready, and each connection reaches one of them.
  for (let calm = 0; calm < 20; ) {
    const answer = await fetch(`${url}/readyz`, { headers: { connection: 'close' } }).catch(() => undefined)
    calm = answer?.ok ? calm + 1 : 0
    if (calm === 0) await Bun.sleep(50)
  }
  return { child, url, pids: workers === 1 ? [child.pid] : childrenOf(child.pid) }
}

/** What the workers would serve each second if every one of them had a core to itself. */
function measure({ url, pids }: { url: string; pids: readonly number[] }, paths: readonly string[]) {
  const list = join(folder, 'paths.txt')
  const script = join(folder, 'paths.lua')
  writeFileSync(list, paths.join('\n'))
  writeFileSync(
    script,
    `local paths = {} for line in io.lines("${list}") do paths[#paths + 1] = line end
local at = 0
request = function() at = at % #paths + 1 return wrk.format("GET", paths[at]) end
done = function(summary) io.write(string.format("RESULT %d\\n", summary.requests)) end`,
  )
  const before = pids.map(cpuSeconds)
  const { stdout } = Bun.spawnSync([
    '/usr/bin/wrk',
    '-t1',
    `-c${CONNECTIONS}`,
    `-d${seconds}`,
    '-s',
    script,
    url,
  ])
  const used = pids.map((pid, index) => cpuSeconds(pid) - before[index]!)
  const requests = Number(/RESULT (\d+)/.exec(stdout.toString())?.[1])
  const total = used.reduce((sum, each) => sum + each, 0)
  return { capacity: (requests / total) * pids.length, shares: used.map(each => each / total), requests }
}

const paths = {
  detail: [] as string[],
  list: Array.from({ length: 500 }, (_, i) => `/api/services?sortBy=price&offset=${i * 20}`),
}
const one = await start(1)
const services = (await (await fetch(`${one.url}/api/services?limit=100`)).json()) as { id: string }[]
paths.detail = services.map(({ id }) => `/api/services/${id}`)
const two = await start(2)
console.log('question   one, requests/CPU-s   two, requests/s on two cores   ratio   shares of the two')
for (const [name, list] of Object.entries(paths)) {
  const pairs = Array.from({ length: rounds }, () => [measure(one, list), measure(two, list)] as const)
  const ratio = median(pairs.map(([alone, both]) => both.capacity / alone.capacity))
  const cells = [
    name.padEnd(8),
    median(pairs.map(([alone]) => alone.capacity))
      .toFixed(0)
      .padStart(12),
    median(pairs.map(([, both]) => both.capacity))
      .toFixed(0)
      .padStart(22),
    ratio.toFixed(2).padStart(18),
    pairs
      .map(([, both]) => both.shares.map(share => share.toFixed(2)).join('/'))
      .join(' ')
      .padStart(20),
  ]
  console.log(cells.join(' '))
}
for (const { child } of [one, two]) child.kill('SIGTERM')
await Promise.all([one.child.exited, two.child.exited])
process.exit(0)
