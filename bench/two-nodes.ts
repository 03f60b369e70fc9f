// A PostgreSQL and two nodes on it: one that is written to, and one that follows.
import { join } from 'node:path'
import { freePort } from '../test/free-port.ts'
import { createCluster, createDatabase, startPostgres } from '../test/postgres.ts'
import { writeCatalog } from './catalog.ts'
import { type Measured, startShirube } from './processes.ts'

const MAIN = join(import.meta.dir, '../src/cli/main.ts')
export const KEY = 'a-key-for-two-nodes'

export async function openTwoNodes(
  folder: string,
  entries: number,
): Promise<AsyncDisposable & { readonly writer: Measured; readonly reader: Measured }> {
  const server = await startPostgres(await createCluster(), { port: await freePort() })
  const databaseUrl = await createDatabase({ server })
  const file = join(folder, 'catalog.ndjson')
  await writeCatalog(file, entries)
  const { exitCode } = Bun.spawnSync([process.execPath, MAIN, 'import', file], {
    env: { ...process.env, DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (exitCode !== 0) throw new Error(`import ended with ${exitCode}`)
  const settings = { API_KEYS: KEY, LOG_LEVEL: 'warn' }
  // The node that is measured has a core to itself, as far as the machine has one.
  const writer = await startShirube(databaseUrl, settings, { core: 1 })
  const reader = await startShirube(databaseUrl, settings, { core: 0 })
  return {
    writer,
    reader,
    async [Symbol.asyncDispose]() {
      for (const node of [writer, reader]) node[Symbol.dispose]()
      await server.stop()
    },
  }
}

/** Resolves to the id of the new entry. */
export async function register(url: string, name: string): Promise<string> {
  const answer = await fetch(`${url}/api/services`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      name,
      description: 'Tells how late a second node is, and what it costs it',
      endpoint: 'https://lag.example/v1',
      category: 'weather',
      pricing: { currency: 'USDC', pricePerRequest: '0.001' },
      x402Config: { paymentAddress: `0x${'1'.repeat(40)}`, network: 'base' },
    }),
  })
  if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`)
  return ((await answer.json()) as { id: string }).id
}

/** Registers so many a second until it is told to end; each id is handed over when it was answered. */
export async function registerSteadily(
  url: string,
  perSecond: number,
  signal: AbortSignal,
  onAnswer: (id: string) => void = () => {},
): Promise<void> {
  const clients = 16
  const everyMs = (1_000 * clients) / perSecond
  const run = async (client: number) => {
    let dueAt = performance.now() + (everyMs * client) / clients
    while (!signal.aborted) {
      await Bun.sleep(Math.max(0, dueAt - performance.now()))
      onAnswer(await register(url, `Client ${client}`))
      // A client that is late does not hurry: nobody sends faster than was asked for.
      dueAt = Math.max(dueAt + everyMs, performance.now())
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, client) => run(client)))
}

// As a process of its own, for those who block while they measure.
if (import.meta.main) {
  const [url, perSecond] = process.argv.slice(2)
  await registerSteadily(url!, Number(perSecond), new AbortController().signal)
}
