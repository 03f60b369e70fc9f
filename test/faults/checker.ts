// Knows nothing but requests and answers: registers services on several nodes and remembers every 201, and at the end
// asks each node for everything. A process of its own; told what to do in JSON, tells what it saw in JSON lines.
import { judgeExports } from './judge-exports.ts'

type Task = {
  readonly nodes: readonly string[]
  readonly key: string
  readonly clients: number
  readonly perSecond: number
  /** How long the nodes may take to agree after the last fault. */
  readonly agreeMs: number
}
const { nodes, key, clients, perSecond, agreeMs } = JSON.parse(process.argv[2]!) as Task

const GIVE_UP_MS = 5_000

/** What was promised: the name that was sent, by the id that was answered. */
const promised = new Map<string, string>()
const seen = { requests: 0, accepted: 0, refused: 0, failed: 0, brokenPromises: 0 }
let isStopping = false

const toBody = (name: string) => ({
  name,
  description: `Registered while everything around it fails: ${name}`,
  endpoint: 'https://faults.example/v1',
  category: 'weather',
  pricing: { currency: 'USDC', pricePerRequest: '0.001' },
  x402Config: { paymentAddress: `0x${'1'.repeat(40)}`, network: 'base' },
})

async function register(node: string, name: string): Promise<string | undefined> {
  seen.requests++
  try {
    const answer = await fetch(`${node}/api/services`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': name.replaceAll(' ', '-'),
      },
      body: JSON.stringify(toBody(name)),
      signal: AbortSignal.timeout(GIVE_UP_MS),
    })
    const body = (await answer.json()) as { id: string; name: string }
    if (answer.status === 201) return body.id
    if (answer.status !== 503) throw new Error(`${answer.status} ${JSON.stringify(body)}`)
    if (!answer.headers.get('retry-after')) throw new Error('503 without Retry-After')
    seen.refused++
  } catch (error) {
    if (!(error instanceof Error) || /^\d|^503/.test(error.message)) throw error
    seen.failed++
  }
  return undefined
}

/** Sends a registration again, to whichever node, until it is accepted; the idempotency key makes that safe. */
async function registerSurely(name: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const node = nodes[Math.floor(Math.random() * nodes.length)]!
    const id = await register(node, name)
    if (id !== undefined) {
      seen.accepted++
      promised.set(id, name)
      // Whoever gets 201 finds the entry at once on the node that answered.
      const found = await fetch(`${node}/api/services/${id}`, {
        signal: AbortSignal.timeout(GIVE_UP_MS),
      }).catch(() => undefined)
      if (found && found.status !== 200 && found.status !== 503) seen.brokenPromises++
      return
    }
    if (isStopping && attempt > 20) return
    await Bun.sleep(50 + Math.random() * 200)
  }
}

async function runClient(number: number): Promise<void> {
  const everyMs = (1_000 * clients) / perSecond
  for (let count = 0; !isStopping; count++) {
    const before = performance.now()
    await registerSurely(`Client ${number} registration ${count}`)
    await Bun.sleep(Math.max(0, everyMs - (performance.now() - before)))
  }
}

async function readExport(node: string): Promise<string | undefined> {
  const answer = await fetch(`${node}/api/export`, { signal: AbortSignal.timeout(30_000) }).catch(
    () => undefined,
  )
  if (answer?.status !== 200) return undefined
  return (await answer.text()).replace(/"exportedAt":"[^"]*"/, '"exportedAt":""')
}

async function compare() {
  const giveUpAt = performance.now() + agreeMs
  for (;;) {
    const judgement = judgeExports(promised, await Promise.all(nodes.map(readExport)))
    const isFine = judgement.isEqual && judgement.problems.length === 0
    if (isFine || performance.now() > giveUpAt) return { ...seen, promised: promised.size, ...judgement }
    await Bun.sleep(200)
  }
}

const telling = setInterval(() => console.log(JSON.stringify({ accepted: seen.accepted })), 100)
const working = Promise.all(Array.from({ length: clients }, (_, number) => runClient(number)))
for await (const line of console) {
  if (line === 'stop') break
  if (line === 'count') console.log(JSON.stringify({ counted: seen.accepted }))
}
isStopping = true
await working
clearInterval(telling)
console.log(JSON.stringify({ verdict: await compare() }))
process.exit(0)
