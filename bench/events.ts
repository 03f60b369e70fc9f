// What do 2,000 open event streams cost while 50 entries a second change? Options: streams (2000), changes a second (50), seconds (10).
import { type Measured, startShirube, temporaryFolder } from './processes.ts'

const [streams = 2_000, perSecond = 50, seconds = 10] = process.argv.slice(2).map(Number)
const KEY = 'a-key-for-the-benchmark'
const SERVICES = 200
const QUIET_MS = 30_000
const folder = temporaryFolder()
using server = await startShirube(`sqlite:${folder}/events.db`, { API_KEYS: KEY })
const { hostname, port } = new URL(server.url)

const ids = await Promise.all(Array.from({ length: SERVICES }, (_, i) => register(i)))
const before = { memory: server.residentBytes() }

/** One line of the protocol is all that is read: the number of each event, and when it came. */
class Listener {
  readonly arrivals: number[] = []
  #rest = ''
  isOpen = false

  take(bytes: Uint8Array): void {
    const now = performance.now()
    const text = this.#rest + Buffer.from(bytes).toString('latin1')
    this.isOpen ||= text.includes('retry: ')
    const last = text.lastIndexOf('\n')
    this.#rest = text.slice(last + 1)
    for (const _ of text.slice(0, last + 1).matchAll(/^event: /gm)) this.arrivals.push(now)
  }
}

const listeners = Array.from({ length: streams }, () => new Listener())
for (let i = 0; i < streams; i += 100) {
  await Promise.all(listeners.slice(i, i + 100).map(open))
}
while (listeners.some(({ isOpen }) => !isOpen)) await Bun.sleep(20)
const idle = await measure(server, async () => Bun.sleep(5_000))
console.log(`${streams} streams: ${perStream(server, before.memory)} KiB each`)
console.log(`idle: ${(idle.cpu * 100).toFixed(1)} % of a core`)

const total = perSecond * seconds
const sent: number[] = []
const busy = await measure(server, async () => {
  const began = performance.now()
  for (let i = 0; i < perSecond * seconds; i++) {
    const due = i * (1_000 / perSecond)
    const wait = due - (performance.now() - began)
    if (wait > 0) await Bun.sleep(wait)
    sent.push(performance.now())
    void change(i)
  }
  await untilToldOrQuiet()
})

const missing = listeners.reduce((sum, { arrivals }) => sum + total - arrivals.length, 0)
const delays = listeners
  .flatMap(({ arrivals }) => arrivals.map((at, i) => at - sent[i]!))
  .sort((a, b) => a - b)
const at = (share: number) => delays[Math.floor(delays.length * share)]?.toFixed(0)
console.log(
  `${perSecond} changes a second: ${(busy.cpu * 100).toFixed(1)} % of a core, ${delays.length} events told, ${missing} missing`,
)
console.log(`from the change to the listener: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, last ${at(0.999999)} ms`)
console.log(`memory: ${perStream(server, before.memory)} KiB a stream`)
process.exit(0)

/** Events are missing where none has come for so long, not where a busy machine takes its time. */
async function untilToldOrQuiet(): Promise<void> {
  let [told, quietSince] = [0, performance.now()]
  while (performance.now() - quietSince < QUIET_MS) {
    const now = listeners.reduce((sum, { arrivals }) => sum + arrivals.length, 0)
    if (now >= total * streams) return
    if (now !== told) quietSince = performance.now()
    told = now
    await Bun.sleep(50)
  }
}

async function open(listener: Listener): Promise<void> {
  await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      open: socket => void socket.write('GET /api/events HTTP/1.1\r\nHost: x\r\n\r\n'),
      data: (_, bytes) => listener.take(bytes),
    },
  })
}

async function measure(target: Measured, work: () => Promise<unknown>): Promise<{ cpu: number }> {
  const cpu = target.cpuSeconds()
  const begun = performance.now()
  await work()
  return { cpu: (target.cpuSeconds() - cpu) / ((performance.now() - begun) / 1_000) }
}

function perStream(target: Measured, memory: number): string {
  return ((target.residentBytes() - memory) / streams / 1_024).toFixed(1)
}

async function register(i: number): Promise<string> {
  const answer = await send('POST', '/api/services', {
    name: `Service ${i}`,
    description: 'A service whose price changes.',
    endpoint: `https://service-${i}.example/v1`,
    category: 'data',
    pricing: { currency: 'USDC', pricePerRequest: '1' },
    x402Config: { paymentAddress: `0x${'1'.repeat(40)}`, network: 'base' },
  })
  return ((await answer.json()) as { id: string }).id
}

async function change(i: number): Promise<void> {
  const answer = await send('PATCH', `/api/services/${ids[i % SERVICES]}`, {
    pricing: { pricePerRequest: `0.${1_000 + i}` },
  })
  if (!answer.ok) throw new Error(`a change was answered ${answer.status}`)
  await answer.arrayBuffer()
}

function send(method: string, path: string, body: unknown): Promise<Response> {
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
  return fetch(server.url + path, { method, headers, body: JSON.stringify(body) })
}
