// Do two workers serve twice as much as one? Options: entries (20000), seconds (1), rounds (9). By the CPU time of the workers, with bare servers beside them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../test/free-port.ts'
import { median, sendLoad } from './load.ts'
import { bareServer, childrenOf, cpuSecondsOf, importCatalog, temporaryFolder } from './processes.ts'

const [entries = 20_000, seconds = 1, rounds = 9] = process.argv.slice(2).map(Number)
const MAIN = join(import.meta.dir, '../src/cli/main.ts')
const CONNECTIONS = 64

const folder = temporaryFolder()
const { databaseUrl } = await importCatalog(folder, entries)

type Workers = { readonly url: string; readonly pids: readonly number[] }
const children: Bun.Subprocess[] = []
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

function start(command: readonly string[], env: Record<string, string> = {}): Bun.Subprocess {
  const child = Bun.spawn([process.execPath, ...command], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  children.push(child)
  return child
}

/** Workers that join listen when they are ready. */
function countListeners(port: string): number {
  const place = `:${Number(port).toString(16).toUpperCase().padStart(4, '0')} 00000000:0000 0A`
  return readFileSync('/proc/net/tcp', 'utf8').split(place).length - 1
}

/** Every process must be ready, and each connection reaches one of them. */
async function untilCalm(url: string): Promise<void> {
  for (let calm = 0; calm < 20; ) {
    const answer = await fetch(url, { headers: { connection: 'close' } }).catch(() => undefined)
    calm = answer?.ok ? calm + 1 : 0
    if (calm === 0) await Bun.sleep(50)
  }
}

async function startShirube(workers: number): Promise<Workers> {
  const port = String(await freePort())
  const { pid } = start([MAIN, 'serve', ...(workers > 1 ? ['--workers', String(workers)] : [])], {
    DATABASE_URL: databaseUrl,
    PORT: port,
    HOST: '127.0.0.1',
    PROBE: 'off',
    RATE_LIMIT: '0',
    LOG_LEVEL: 'silent',
  })
  const url = `http://127.0.0.1:${port}`
  await untilCalm(`${url}/readyz`)
  while (countListeners(port) < workers) await Bun.sleep(50)
  return { url, pids: workers === 1 ? [pid] : childrenOf(pid) }
}

/** Processes that send the same number of bytes and do nothing else: what they lose by sharing a machine, anybody loses. */
async function startBare(workers: number, bytes: number): Promise<Workers> {
  const port = await freePort()
  const script = bareServer(port, bytes, workers > 1)
  const pids = Array.from({ length: workers }, () => start(['-e', script]).pid)
  const url = `http://127.0.0.1:${port}`
  await untilCalm(url)
  return { url, pids }
}

/** What the workers would serve each second if every one of them had a core to itself: the load generator's share does not count. */
function measure({ url, pids }: Workers, paths: readonly string[]): number {
  const cpuSeconds = () => pids.reduce((sum, pid) => sum + cpuSecondsOf(pid), 0)
  const sending = { connections: CONNECTIONS, core: null }
  return sendLoad(folder, { url, cpuSeconds }, paths, seconds, sending).perCpuSecond * pids.length
}

const one = await startShirube(1)
const two = await startShirube(2)
const services = (await (await fetch(`${one.url}/api/services?limit=100`)).json()) as { id: string }[]
const questions = {
  detail: services.map(({ id }) => `/api/services/${id}`),
  list: Array.from({ length: 500 }, (_, i) => `/api/services?sortBy=price&offset=${i * 20}`),
}
console.log('question   one, requests/CPU-s   two   two/one (rounds)   bare two/one (rounds)')
for (const [name, paths] of Object.entries(questions)) {
  const bytes = (await (await fetch(one.url + paths[0]!)).bytes()).length
  const bare = [await startBare(1, bytes), await startBare(2, bytes)] as const
  const ask = (workers: Workers) => measure(workers, workers === one || workers === two ? paths : ['/'])
  const all = [one, two, ...bare]
  // Compilers are done and pages kept before it counts.
  for (const workers of all) ask(workers)
  const measured = Array.from({ length: rounds }, () => all.map(ask))
  const ratios = (of: number, to: number) => measured.map(round => round[of]! / round[to]!)
  const tell = (values: readonly number[]) =>
    `${median(values).toFixed(2)} (${values.map(value => value.toFixed(2)).join(' ')})`
  const middle = (column: number) => median(measured.map(round => round[column]!)).toFixed(0)
  console.log(
    `${name.padEnd(8)} ${middle(0).padStart(20)} ${middle(1).padStart(8)}   ${tell(ratios(1, 0))}   ${tell(ratios(3, 2))}`,
  )
  for (const { pids } of bare) for (const pid of pids) process.kill(pid, 'SIGKILL')
}
process.exit(0)
