// Several real processes on one database: one of them probes, and when it is killed another goes on.
import { expect, test } from 'bun:test'
import type { Health } from '../../src/directory/directory.ts'
import type { Service } from '../../src/domain/listing/service.ts'
import type { History } from '../../src/domain/standing/history.ts'
import { openFolder, type Serving } from '../cli/shirube.ts'
import { draft } from '../entries.ts'
import { askAgain } from '../http/ask-again.ts'
import { createReadyDatabase } from '../postgres.ts'
import { asksV2, PAYEE } from './merchant.ts'

const KEY = 'a-key-for-probing'
const NODES = 3

const readJson = async <T>(url: string): Promise<T> => (await (await fetch(url)).json()) as T
const proberOf = async ({ url }: Serving) => (await readJson<Health>(`${url}/readyz`)).probing
const until = async (isSo: () => Promise<boolean>) => {
  while (!(await isSo())) await Bun.sleep(250)
}

/** The launcher starts Bun, which does the work. */
const childOf = (pid: number): number =>
  Number(Bun.spawnSync(['ps', '-o', 'pid=', '--ppid', String(pid)]).stdout.toString())

/** Every loopback address is a host of its own; `until` it is let go, an answer is kept waiting. */
function openHosts() {
  const asked: string[] = []
  let answering = Promise.resolve()
  const server = Bun.serve({
    hostname: '0.0.0.0',
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const { hostname, pathname } = new URL(request.url)
      // A probe of what is new begins so; then it asks under its name, for documents, and sometimes once more as a customer.
      if (pathname === '/v1' && !request.headers.get('user-agent')?.startsWith('Shirube'))
        asked.push(hostname)
      await answering
      return asksV2()
    },
  })
  return {
    asked,
    port: server.port!,
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>()
      answering = promise
      return resolve
    },
    [Symbol.asyncDispose]: () => server.stop(true),
  }
}

// Both wait most of the time, and neither for the other.
test.concurrent.each(['SQLite', 'PostgreSQL'])('on %s', async engine => {
  await using folder = await openFolder({
    API_KEYS: KEY,
    PROBE: 'on',
    // It asks again and again until something holds.
    RATE_LIMIT: '0',
    ALLOW_PRIVATE_ENDPOINTS: 'on',
    ...(engine === 'PostgreSQL' && { DATABASE_URL: await createReadyDatabase() }),
  })
  await using parts = new AsyncDisposableStack()
  const hosts = parts.use(openHosts())
  const nodes: Serving[] = []
  for (let i = 0; i < NODES; i++) nodes.push(parts.use(await folder.serve()))
  const register = async (node: Serving, host: string): Promise<string> => {
    const x402Config = { paymentAddress: PAYEE, network: 'base' }
    const answer = await askAgain(`${node.url}/api/services`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${KEY}`,
        'content-type': 'application/json',
        'idempotency-key': crypto.randomUUID(),
      },
      body: JSON.stringify(draft({ endpoint: `http://${host}:${hosts.port}/v1`, x402Config })),
    })
    expect(answer.status).toBe(201)
    return ((await answer.json()) as Service).id
  }
  const registerMany = (among: readonly Serving[], net: number) =>
    Promise.all(
      Array.from({ length: 20 }, (_, i) => register(among[i % among.length]!, `127.0.${net}.${i + 1}`)),
    )
  const isVerified = async (node: Serving, ids: readonly string[]) => {
    const verified = await readJson<Service[]>(`${node.url}/api/services?status=verified&limit=100`)
    return ids.every(id => verified.some(service => service.id === id))
  }
  const by = async (node: Serving) => (await proberOf(node))?.by

  const early = await registerMany(nodes, 1)
  await until(() => isVerified(nodes[0]!, early))
  const states = await Promise.all(nodes.map(by))
  expect(states.toSorted()).toEqual(['another', 'another', 'this'])
  expect(new Set(hosts.asked).size).toBe(20)
  const askedEarly = hosts.asked.length

  const prober = nodes[states.indexOf('this')]!
  const others = nodes.filter(node => node !== prober)
  const letGo = hosts.hold()
  const late = await registerMany(others, 2)
  const askedOfLate = () => hosts.asked.slice(askedEarly).filter(host => host.startsWith('127.0.2.'))
  await until(async () => askedOfLate().length === 20)
  process.kill(childOf(prober.pid), 'SIGKILL')
  letGo()

  await until(() => isVerified(others[0]!, late))
  await until(() => isVerified(others[1]!, late))
  expect((await Promise.all(others.map(by))).toSorted()).toEqual(['another', 'this'])
  for (const id of [...early, ...late]) {
    const { items } = await readJson<History>(`${others[0]!.url}/api/services/${id}/history`)
    const times = items.filter(({ kind }) => kind === 'probe').map(({ at }) => Date.parse(at))
    expect(times.length).toBeGreaterThan(0)
    // The next one may be drawn for any time from a second on; two processes that probed it at once would be closer.
    for (const [i, time] of times.slice(1).entries())
      expect(Math.abs(time - times[i]!)).toBeGreaterThanOrEqual(1_000)
  }
  // What the dead one had asked and not kept is asked once more.
  const askedLate = Map.groupBy(askedOfLate(), host => host)
  expect([...askedLate.values()].filter(times => times.length >= 2)).toHaveLength(20)
})
