// How long is /healthz silent while strangers ask for all they can? Options: services (64), database URL (a new SQLite file).
import { mapBounded } from '../src/runtime/scheduling.ts'
import { importInto, startShirube, temporaryFolder } from './processes.ts'

const [services = '64', url] = process.argv.slice(2)
const folder = temporaryFolder()
const databaseUrl = url ?? `sqlite:${folder}/flood.db`
await importInto(databaseUrl, folder, Number(services))
using server = await startShirube(databaseUrl, { TRUST_PROXY: '1', RATE_LIMIT: '6000' })

type Sent = { readonly status: number; readonly bytes: number }

async function send(path: string, from: string, init: RequestInit = {}): Promise<Sent> {
  const headers = { ...(init.headers as Record<string, string>), 'x-forwarded-for': from }
  let [status, bytes] = [0, 0]
  try {
    const answer = await fetch(server.url + path, { ...init, headers })
    status = answer.status
    for await (const chunk of answer.body ?? []) bytes += chunk.length
  } catch {
    // A stream that was left.
  }
  return { status, bytes }
}

const SENTENCE =
  'translate a long contract into Japanese and then send it by mail for less than a cent on Base'
const message = (from: string, id: number, method: string, params: object) =>
  send('/mcp', from, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
  })
const post = (from: string, id: number, given: object = {}) =>
  message(from, id, 'tools/call', {
    name: 'find_service',
    arguments: { ...given, q: `${SENTENCE} ${id}` },
  })
const LONG = { limit: 100 }
const NAMES = Array.from({ length: 1_500 }, (_, i) => `k${i}_`)
/** More connections than this, and the client itself keeps /healthz waiting. */
const MAX_IN_FLIGHT = 200
const times = (count: number, make: (i: number) => Promise<Sent>) =>
  mapBounded(Array.from({ length: count }), MAX_IN_FLIGHT, (_, i) => make(i))
const stream = (from: string) => send('/api/events?after=0', from, { signal: AbortSignal.timeout(5_000) })

const one = (octet: number) => `203.0.113.${octet}`
const sixtyFour = (block: number, i: number) => `2001:db8:${block}:${i.toString(16)}::1`
let octet = 0

/** Each from addresses that have not asked before. */
const ATTACKS: Readonly<Record<string, () => Promise<Sent[]>>> = {
  'one MCP request, which loads the library': () => times(1, i => post(one(octet), i)),
  nothing: () => times(0, i => post(one(octet), i)),
  '800 MCP requests': () => times(800, i => post(one(octet), i)),
  'the same from 40 addresses': () => times(800, i => post(`198.51.100.${i % 40}`, i)),
  'the same from 40 networks of a /48': () => times(800, i => post(sixtyFour(1, i % 40), i)),
  '800 MCP requests for long lists': () => times(800, i => post(`198.18.0.${i % 20}`, i, LONG)),
  '80 MCP requests with 1500 unknown names': () =>
    times(80, i => post(`198.18.1.${i % 20}`, i, Object.fromEntries(NAMES.map(name => [name, i])))),
  '80 MCP messages of 16 KB that are all wrong': () =>
    times(80, i =>
      message(`198.18.2.${i % 20}`, i, 'initialize', {
        protocolVersion: '2025-06-18',
        capabilities: { experimental: Object.fromEntries(NAMES.slice(0, 1_200).map(name => [name, 1])) },
        clientInfo: { name: 'x', version: '1' },
      }),
    ),
  '600 lists by what has no index': () =>
    times(600, i =>
      send(`/api/services?level=listed&protocol=x402&maxUsdPrice=9.${i}&sortBy=name`, one(octet)),
    ),
  '80 lists with 1500 unknown names': () =>
    times(80, () => send(`/api/services?${NAMES.join('=1&')}`, one(octet))),
  '300 lists with 20 unknown names of 60 letters': () =>
    times(300, () =>
      send(
        `/api/services?${NAMES.slice(0, 20)
          .map(name => name.padEnd(60, 'x'))
          .join('=1&')}`,
        one(octet),
      ),
    ),
  '200 pages of the catalog': () => times(200, i => send(`/catalog?${i}`, one(octet))),
  '600 sentences over HTTP': () =>
    times(600, i =>
      send(`/api/services/search/intent?q=${encodeURIComponent(`${SENTENCE} ${i}`)}`, one(octet)),
    ),
  '300 search pages': () =>
    times(300, i => send(`/?q=${encodeURIComponent(`${SENTENCE} ${i}`)}`, one(octet))),
  '150 replays': () => times(150, () => stream(one(octet))),
  '150 replays from 10 addresses': () => times(150, i => stream(`192.0.2.${i % 10}`)),
  '200 exports': () => times(200, () => send('/api/export', one(octet))),
  '200 pages of 1000 changes': () => times(200, () => send('/api/changes?limit=1000', one(octet))),
  '200 feeds': () => times(200, () => send('/feeds/changed.atom', one(octet))),
}

for (const [name, attack] of Object.entries(ATTACKS)) {
  octet++
  let isRunning = true
  const before = server.cpuSeconds()
  const began = performance.now()
  const running = Promise.all([attack(), Bun.sleep(500)]).finally(() => {
    isRunning = false
  })
  const silences: number[] = []
  let mostBytes = 0
  while (isRunning) {
    const asked = performance.now()
    await (await fetch(`${server.url}/healthz`)).bytes()
    silences.push(performance.now() - asked)
    mostBytes = Math.max(mostBytes, server.residentBytes())
    await Bun.sleep(2)
  }
  const [answers] = await running
  const seconds = (performance.now() - began) / 1000
  const sorted = silences.toSorted((a, b) => a - b)
  const counts = Object.entries(Object.groupBy(answers, ({ status }) => status))
  console.log(
    `${name.padEnd(42)} healthz median ${sorted[sorted.length >> 1]!.toFixed(1)} ms, longest ${sorted.at(-1)!.toFixed(0)} ms; ` +
      `${counts.map(([status, each]) => `${each!.length}×${status}`).join(' ')}; ` +
      `${(answers.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6).toFixed(1)} MB; ` +
      `${(server.cpuSeconds() - before).toFixed(1)} s of CPU in ${seconds.toFixed(1)} s; ${(mostBytes / 1e6).toFixed(0)} MB resident`,
  )
}
process.exit(0)
