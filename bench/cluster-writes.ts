// How many registrations a second do nodes on one PostgreSQL take? Options: seconds (5), clients of each node (64).
import { freePort } from '../test/free-port.ts'
import { createCluster, createDatabase, startPostgres } from '../test/postgres.ts'
import { type Measured, startShirube } from './processes.ts'

const [seconds = 5, clients = 64] = process.argv.slice(2).map(Number)
const KEY = 'a-key-for-the-writes'
const BODY = JSON.stringify({
  name: 'Written as fast as it goes',
  description: 'One of very many registrations',
  endpoint: 'https://writes.example/v1',
  category: 'weather',
  pricing: { currency: 'USDC', pricePerRequest: '0.001' },
  x402Config: { paymentAddress: `0x${'1'.repeat(40)}`, network: 'base' },
})

const cores = Math.min(2, navigator.hardwareConcurrency)
const server = await startPostgres(await createCluster(), { port: await freePort() })
console.log('nodes   registrations/s   p50 ms   p99 ms   node CPU ms each')
for (const count of [1, 2, 3]) {
  const databaseUrl = await createDatabase({ server })
  const nodes: Measured[] = []
  for (let i = 0; i < count; i++) {
    // In turn on the cores of the machine.
    nodes.push(await startShirube(databaseUrl, { API_KEYS: KEY, LOG_LEVEL: 'warn' }, { core: i % cores }))
  }
  const before = nodes.reduce((sum, node) => sum + node.cpuSeconds(), 0)
  const times: number[] = []
  const until = performance.now() + seconds * 1_000
  await Promise.all(
    Array.from({ length: clients * count }, async (_, client) => {
      const url = `${nodes[client % count]!.url}/api/services`
      while (performance.now() < until) {
        const began = performance.now()
        const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
        const answer = await fetch(url, { method: 'POST', headers, body: BODY })
        if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`)
        await answer.bytes()
        times.push(performance.now() - began)
      }
    }),
  )
  const used = nodes.reduce((sum, node) => sum + node.cpuSeconds(), 0) - before
  times.sort((a, b) => a - b)
  const cells = [
    String(count).padStart(5),
    (times.length / seconds).toFixed(0).padStart(17),
    times[times.length >> 1]!.toFixed(1).padStart(8),
    times[Math.floor(times.length * 0.99)]!.toFixed(1).padStart(8),
    ((used * 1_000) / times.length).toFixed(2).padStart(18),
  ]
  console.log(cells.join(' '))
  for (const node of nodes) node[Symbol.dispose]()
}
await server.stop()
process.exit(0)
