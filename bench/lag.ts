// How soon does a second node show what the first one was told, and do its reads keep their pace? Options: writes a second (200), seconds (10).
import { createCluster, createDatabase, freePort, startPostgres } from '../test/postgres.ts'
import { sendLoad } from './load.ts'
import { type Measured, startShirube, temporaryFolder } from './processes.ts'

const [perSecond = 200, seconds = 10] = process.argv.slice(2).map(Number)
const KEY = 'a-key-for-the-lag'
const CLIENTS = 16

const folder = temporaryFolder()
const server = await startPostgres(await createCluster(), { port: await freePort() })
const databaseUrl = await createDatabase(server)
const settings = { API_KEYS: KEY, LOG_LEVEL: 'warn' }
const writer = await startShirube(databaseUrl, settings)
const reader = await startShirube(databaseUrl, settings)

const answeredAt = new Map<string, number>()
const shownAt = new Map<string, number>()

async function register(name: string): Promise<string> {
  const answer = await fetch(`${writer.url}/api/services`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      name,
      description: 'Tells how late a second node is',
      endpoint: 'https://lag.example/v1',
      category: 'weather',
      pricing: { currency: 'USDC', pricePerRequest: '0.001' },
      x402Config: { paymentAddress: `0x${'1'.repeat(40)}`, network: 'base' },
    }),
  })
  if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`)
  const { id } = (await answer.json()) as { id: string }
  answeredAt.set(id, performance.now())
  return id
}

async function write(forSeconds: number): Promise<void> {
  const everyMs = (1_000 * CLIENTS) / perSecond
  const until = performance.now() + forSeconds * 1_000
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      await Bun.sleep((everyMs * client) / CLIENTS)
      while (performance.now() < until) {
        const before = performance.now()
        await register(`Client ${client}`)
        await Bun.sleep(Math.max(0, everyMs - (performance.now() - before)))
      }
    }),
  )
}

/** Changes as the second node shows them, by itself: a question for an id would make it ask the store. */
async function listen(node: Measured, signal: AbortSignal): Promise<void> {
  for (let since = 0; ; ) {
    const answer = await fetch(`${node.url}/api/changes?since=${since}&wait=10`, { signal })
    const { changes, next } = (await answer.json()) as { changes: { id: string }[]; next: number }
    const now = performance.now()
    for (const { id } of changes) if (!shownAt.has(id)) shownAt.set(id, now)
    since = next
  }
}

const first = await register('First')
const leaving = new AbortController()
const listening = listen(reader, leaving.signal).catch(() => {})
await Bun.sleep(500)
await write(seconds)
while (shownAt.size < answeredAt.size) await Bun.sleep(20)
const lags = [...answeredAt]
  .filter(([id]) => shownAt.has(id))
  .map(([id, at]) => Math.max(0, shownAt.get(id)! - at))
  .toSorted((a, b) => a - b)
const quantile = (share: number) =>
  lags[Math.min(lags.length - 1, Math.floor(lags.length * share))]!.toFixed(1)
console.log(
  `${lags.length} writes at ${perSecond} a second: shown by the second node after the 201 of the first: ` +
    `p50 ${quantile(0.5)} ms, p99 ${quantile(0.99)} ms, most ${quantile(1)} ms`,
)
leaving.abort()
await listening

const paths = [`/api/services/${first}`]
const quiet = sendLoadFor(3)
const isWriting = Bun.spawn([process.execPath, '-e', writerScript(8)], {
  stdio: ['ignore', 'ignore', 'inherit'],
})
await Bun.sleep(1_000)
const busy = sendLoadFor(3)
isWriting.kill()
console.log(
  `reads of the second node while writes run: ${(busy.perCpuSecond / quiet.perCpuSecond).toFixed(2)} of those without, ` +
    `p99 ${busy.p99Ms.toFixed(2)} ms against ${quiet.p99Ms.toFixed(2)} ms, ${busy.failed + quiet.failed} failed`,
)
for (const node of [writer, reader]) node[Symbol.dispose]()
await server.stop()
process.exit(0)

function sendLoadFor(forSeconds: number) {
  return sendLoad(folder, reader, paths, forSeconds)
}

/** In a process of its own: while wrk runs this one waits. */
function writerScript(forSeconds: number): string {
  const body = JSON.stringify({
    name: 'Beside the reads',
    description: 'Written while the other node is read',
    endpoint: 'https://lag.example/v1',
    category: 'weather',
    pricing: { currency: 'USDC', pricePerRequest: '0.001' },
    x402Config: { paymentAddress: `0x${'1'.repeat(40)}`, network: 'base' },
  })
  return `const until = Date.now() + ${forSeconds * 1_000}
await Promise.all(Array.from({ length: ${CLIENTS} }, async () => {
  while (Date.now() < until) {
    await fetch('${writer.url}/api/services', { method: 'POST', headers: { authorization: 'Bearer ${KEY}', 'content-type': 'application/json' }, body: ${JSON.stringify(body)} })
    await Bun.sleep(${(1_000 * CLIENTS) / perSecond})
  }
}))`
}
