// Does a round of probes slow the reads down? Options: services that are due (10000), reads a second (300).
import { join } from 'node:path'
import { registration } from './catalog.ts'
import { type Measured, onCore, startShirube, temporaryFolder } from './processes.ts'

const [services = 10_000, perSecond = 300] = process.argv.slice(2).map(Number)
const QUIET_SECONDS = 15
const PAYEE = `0x${'1'.repeat(40)}`
const folder = temporaryFolder()

const merchants = await startMerchants()
const databaseUrl = await importServices(merchants.port)
const quiet = async () => {
  using server = await startShirube(databaseUrl, { METRICS: 'open' })
  return await measure(server, () => false)
}

const before = await quiet()
let during: readonly number[]
let seconds: number
let outcomes: string
{
  using server = await startShirube(databaseUrl, {
    PROBE: 'on',
    ALLOW_PRIVATE_ENDPOINTS: 'on',
    METRICS: 'open',
  })
  const began = performance.now()
  const progress = watchRound(server)
  during = await measure(server, () => !progress.isDone)
  seconds = (performance.now() - began) / 1000
  outcomes = progress.outcomes
}
const after = await quiet()
merchants.process.kill('SIGKILL')

console.log(`${services} services probed in ${seconds.toFixed(0)} s: ${outcomes}`)
console.log(`reads at ${perSecond} a second`.padEnd(26) + ['p50 ms', 'p99 ms', 'p99.9 ms'].map(pad).join(''))
const quietly = [...before, ...after]
for (const [name, latencies] of [['quiet', quietly] as const, ['during the round', during] as const])
  console.log(name.padEnd(26) + [0.5, 0.99, 0.999].map(q => pad(at(latencies, q).toFixed(2))).join(''))
console.log(
  'ratio'.padEnd(26) + [0.5, 0.99, 0.999].map(q => pad((at(during, q) / at(quietly, q)).toFixed(2))).join(''),
)

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
  const child = Bun.spawn(onCore(1, [process.execPath, '-e', script]), { stdout: 'pipe' })
  const { value } = await child.stdout.getReader().read()
  return { process: child, port: Number(new TextDecoder().decode(value)) }
}

async function importServices(port: number): Promise<string> {
  const file = join(folder, 'services.ndjson')
  const lines = Array.from({ length: services }, (_, i) => {
    const host = `127.${1 + (i >> 16)}.${(i >> 8) & 255}.${i & 255}`
    const x402Config = { paymentAddress: PAYEE, network: 'base' }
    return JSON.stringify({ ...JSON.parse(registration(i)), endpoint: `http://${host}:${port}/`, x402Config })
  })
  await Bun.write(file, lines.join('\n'))
  const databaseUrl = `sqlite:${join(folder, 'round.db')}`
  const { exitCode } = Bun.spawnSync([process.execPath, 'src/cli/main.ts', 'import', file], {
    cwd: join(import.meta.dir, '..'),
    env: { ...process.env, DATABASE_URL: databaseUrl, ALLOW_PRIVATE_ENDPOINTS: 'on' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (exitCode !== 0) throw new Error(`import ended with ${exitCode}`)
  return databaseUrl
}

/** Reads the counters of the server until nothing is due any more. */
function watchRound(server: Measured): { isDone: boolean; outcomes: string } {
  const progress = { isDone: false, outcomes: '' }
  const look = async () => {
    while (!progress.isDone) {
      await Bun.sleep(1_000)
      const text = await (await fetch(`${server.url}/metrics`)).text()
      const counts = [...text.matchAll(/shirube_probes_total\{outcome="(\w+)"\} (\d+)/g)]
      const probed = counts.reduce((sum, [, , count]) => sum + Number(count), 0)
      progress.outcomes = counts.map(([, outcome, count]) => `${count} ${outcome}`).join(', ')
      progress.isDone = probed >= services
    }
  }
  void look()
  return progress
}

/** Sends reads at a steady pace, whether or not the last one was answered: a stall is seen by all that come in meanwhile. */
async function measure(server: Measured, goesOn: () => boolean): Promise<number[]> {
  const listed = (await (await fetch(`${server.url}/api/services?limit=100`)).json()) as { id: string }[]
  const paths = listed.flatMap(({ id }, i) => [`/api/services/${id}`, `/api/services?limit=20&offset=${i}`])
  const latencies: number[] = []
  const pending = new Set<Promise<void>>()
  const began = performance.now()
  const atLeastMs = QUIET_SECONDS * 1_000
  for (let i = 0; performance.now() - began < atLeastMs || goesOn(); i++) {
    const dueMs = began + (i * 1_000) / perSecond
    if (dueMs > performance.now()) await Bun.sleep(dueMs - performance.now())
    const one = fetch(server.url + paths[i % paths.length])
      .then(answer => answer.arrayBuffer())
      .then(() => void latencies.push(performance.now() - Math.max(dueMs, began)))
      .finally(() => pending.delete(one))
    pending.add(one)
  }
  await Promise.all(pending)
  return latencies
}

function at(latencies: readonly number[], quantile: number): number {
  const sorted = latencies.toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) * quantile)]!
}

function pad(text: string): string {
  return text.padStart(10)
}
