// Does a round of probes slow the reads down? Options: services that are due (10000), reads a second (200), pairs of stretches (12), --one-core.
import { Database } from 'bun:sqlite'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { registration } from './catalog.ts'
import { median } from './load.ts'
import { canPin, type Measured, onCore, startShirube, stayOnCore, temporaryFolder } from './processes.ts'

const args = process.argv.slice(2)
const [services = 10_000, perSecond = 200, pairs = 12] = args.filter(arg => !arg.startsWith('-')).map(Number)
const cores = toCores(args.includes('--one-core'), navigator.hardwareConcurrency)
const STRETCH_SECONDS = 8
/** What was under way when a stretch ended is settled by then. */
const SETTLED_SECONDS = 2
const PAYEE = `0x${'1'.repeat(40)}`
const QUANTILES = [0.5, 0.99, 0.999]
const folder = temporaryFolder()

stayOnCore(cores.load)
const merchants = await startMerchants()
const path = join(folder, 'round.db')
await importServices(merchants.port)
using db = new Database(path)
db.run('PRAGMA busy_timeout = 5000')
// What waits for its first probe is put off and brought back, so that quiet and busy stretches take turns in one process.
const PUT_OFF = 4_000_000_000_000
const putOff = () => db.run(`UPDATE probe_schedule SET due_at = ${PUT_OFF} WHERE due_at < ${Date.now()}`)
const bringBack = () => db.run('UPDATE probe_schedule SET due_at = 0 WHERE due_at = ?', [PUT_OFF])

putOff()
const stretchesFile = join(folder, 'stretches')
using server = await startShirube(
  `sqlite:${path}`,
  { PROBE: 'on', ALLOW_PRIVATE_ENDPOINTS: 'on', METRICS: 'open', STRETCHES_FILE: stretchesFile },
  { core: cores.server, flags: ['--preload', join(import.meta.dir, 'stretches.ts')] },
)
const read = await createReads(server)
await read(STRETCH_SECONDS)
const quiet: number[][] = []
const busy: number[][] = []
const used = { quiet: 0, busy: 0 }
const waited = { quiet: 0, busy: 0 }
const elsewhere = { quiet: 0, busy: 0 }
const long = { quiet: 0, busy: 0 }
for (let i = 0; i < pairs; i++) {
  quiet.push(await stretch('quiet'))
  bringBack()
  await Bun.sleep(SETTLED_SECONDS * 1_000)
  busy.push(await stretch('busy'))
  putOff()
  await Bun.sleep(SETTLED_SECONDS * 1_000)
}
const { probed, outcomes } = await readCounters(server)
const seconds = pairs * (STRETCH_SECONDS + SETTLED_SECONDS)
merchants.process.kill('SIGKILL')

console.log(`${services} due, ${probed} of them probed in ${seconds} s of ${pairs} stretches: ${outcomes}`)
console.log(
  canPin()
    ? `pinned: the server with all its threads to core ${cores.server}, the merchants to ${cores.merchants}, the load to ${cores.load}, of ${navigator.hardwareConcurrency}`
    : 'nothing was pinned to a core: there is one only, or no taskset',
)
for (const kind of ['quiet', 'busy'] as const) {
  const share = ((100 * used[kind]) / (pairs * STRETCH_SECONDS)).toFixed(1)
  const often = ((10 * long[kind]) / (pairs * STRETCH_SECONDS)).toFixed(1)
  const others = ((100 * elsewhere[kind]) / (pairs * STRETCH_SECONDS)).toFixed(1)
  const waits = ((1_000 * waited[kind]) / (pairs * STRETCH_SECONDS)).toFixed(1)
  console.log(
    `the serving thread, ${kind}: ${share} % of a core, ${waits} ms a second waiting for it, over 2 ms at a time ${often} times in 10 s; all other threads ${others} %`,
  )
}
console.log(`reads at ${perSecond} a second`.padEnd(34) + ['p50 ms', 'p99 ms', 'p99.9 ms'].map(pad).join(''))
for (const [name, stretches] of [['quiet', quiet] as const, ['during the round', busy] as const])
  console.log(name.padEnd(34) + QUANTILES.map(q => pad(at(stretches.flat(), q).toFixed(2))).join(''))
console.log(
  'ratio'.padEnd(34) +
    QUANTILES.map(q => pad((at(busy.flat(), q) / at(quiet.flat(), q)).toFixed(2))).join(''),
)
const paired = (q: number) => median(busy.map((each, i) => at(each, q) / at(quiet[i]!, q)))
console.log(
  'median of the ratios of each pair'.padEnd(34) + QUANTILES.map(q => pad(paired(q).toFixed(2))).join(''),
)

/**
 * The server has cores that nobody else uses, two at least where the machine has three: its rounds find one beside its requests. On
 * a machine of two it has both, and shares the second with those who ask and those who are asked.
 */
function toCores(isOneCore: boolean, count: number) {
  const last = String(count - 1)
  if (isOneCore || count < 2) return { server: '0', merchants: last, load: last }
  if (count === 2) return { server: '0-1', merchants: '1', load: '1' }
  return {
    server: `0-${Math.max(1, count - 3)}`,
    merchants: count > 3 ? String(count - 2) : last,
    load: last,
  }
}

/** Of the first thread of the server alone: how long it had a core, and how long it waited for one. */
function servingThread(): { used: number; waited: number } {
  const fields = readFileSync(`/proc/${server.pid}/task/${server.pid}/schedstat`, 'utf8').split(' ')
  const [used, waited] = fields.map(nanoseconds => Number(nanoseconds) / 1e9)
  return { used: used!, waited: waited! }
}

function longStretches(): number {
  return Number(readFileSync(stretchesFile, 'utf8'))
}

async function stretch(kind: keyof typeof used): Promise<number[]> {
  const before = { ...servingThread(), all: server.cpuSeconds(), long: longStretches() }
  const latencies = await read(STRETCH_SECONDS)
  const after = servingThread()
  const serving = after.used - before.used
  used[kind] += serving
  waited[kind] += after.waited - before.waited
  elsewhere[kind] += server.cpuSeconds() - before.all - serving
  long[kind] += longStretches() - before.long
  return latencies
}

/** Every loopback address is a host of its own; one process answers for all of them. */
async function startMerchants() {
  const accepts = [
    {
      scheme: 'exact',
      network: 'eip155:8453',
      amount: '2500',
      asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      payTo: PAYEE,
      maxTimeoutSeconds: 60,
    },
  ]
  const terms = { x402Version: 2, resource: { url: 'https://merchant.example/' }, accepts }
  const header = Buffer.from(JSON.stringify(terms)).toString('base64')
  const script = `const server = Bun.serve({ port: 0, hostname: '0.0.0.0', fetch: () => new Response('{}', { status: 402, headers: { 'PAYMENT-REQUIRED': '${header}' } }) }); console.log(server.port)`
  const child = Bun.spawn(onCore(cores.merchants, [process.execPath, '-e', script]), { stdout: 'pipe' })
  const { value } = await child.stdout.getReader().read()
  return { process: child, port: Number(new TextDecoder().decode(value)) }
}

async function importServices(port: number): Promise<void> {
  const file = join(folder, 'services.ndjson')
  const lines = Array.from({ length: services }, (_, i) => {
    const host = `127.${1 + (i >> 16)}.${(i >> 8) & 255}.${i & 255}`
    const x402Config = { paymentAddress: PAYEE, network: 'base' }
    return JSON.stringify({ ...JSON.parse(registration(i)), endpoint: `http://${host}:${port}/`, x402Config })
  })
  await Bun.write(file, lines.join('\n'))
  const { exitCode } = Bun.spawnSync([process.execPath, 'src/cli/main.ts', 'import', file], {
    cwd: join(import.meta.dir, '..'),
    env: { ...process.env, DATABASE_URL: `sqlite:${path}`, ALLOW_PRIVATE_ENDPOINTS: 'on' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (exitCode !== 0) throw new Error(`import ended with ${exitCode}`)
}

async function readCounters({ url }: Measured) {
  const text = await (await fetch(`${url}/metrics`)).text()
  const counts = [...text.matchAll(/shirube_probes_total\{outcome="(\w+)"\} (\d+)/g)]
  return {
    probed: counts.reduce((sum, [, , count]) => sum + Number(count), 0),
    outcomes: counts.map(([, outcome, count]) => `${count} ${outcome}`).join(', '),
  }
}

/** Answers what sends reads at a steady pace, whether or not the last one was answered: a stall is seen by all that come in meanwhile. */
async function createReads({ url }: Measured): Promise<(seconds: number) => Promise<number[]>> {
  const listed = (await (await fetch(`${url}/api/services?limit=100`)).json()) as { id: string }[]
  const paths = listed.flatMap(({ id }, i) => [`/api/services/${id}`, `/api/services?limit=20&offset=${i}`])
  return async stretchSeconds => {
    const latencies: number[] = []
    const pending = new Set<Promise<void>>()
    const began = performance.now()
    for (let i = 0; i < stretchSeconds * perSecond; i++) {
      const dueMs = began + (i * 1_000) / perSecond
      if (dueMs > performance.now()) await Bun.sleep(dueMs - performance.now())
      const fromMs = Math.min(dueMs, performance.now())
      const one = fetch(url + paths[i % paths.length])
        .then(answer => answer.arrayBuffer())
        .then(() => void latencies.push(performance.now() - fromMs))
        .finally(() => pending.delete(one))
      pending.add(one)
    }
    await Promise.all(pending)
    return latencies
  }
}

function at(latencies: readonly number[], quantile: number): number {
  const sorted = latencies.toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) * quantile)]!
}

function pad(text: string): string {
  return text.padStart(10)
}
