// How soon does a second node show what the first one was told? Options: writes a second (200), seconds (10), entries (20000).
import { type Measured, temporaryFolder } from './processes.ts'
import { openTwoNodes, registerSteadily } from './two-nodes.ts'

const [perSecond = 200, seconds = 10, entries = 20_000] = process.argv.slice(2).map(Number)

await using nodes = await openTwoNodes(temporaryFolder(), entries)
const { writer, reader } = nodes
const answeredAt = new Map<string, number>()
const shownAt = new Map<string, number>()

/** Changes as the second node shows them, by itself: a question for an id would make it ask the store. */
async function listen(node: Measured, signal: AbortSignal): Promise<void> {
  const { seq } = (await (await fetch(`${node.url}/readyz`)).json()) as { seq: number }
  for (let since = String(seq); ; ) {
    const answer = await fetch(`${node.url}/api/changes?since=${since}`, { signal })
    const { changes, next } = (await answer.json()) as { changes: { id: string }[]; next: string }
    const now = performance.now()
    for (const { id } of changes) if (!shownAt.has(id)) shownAt.set(id, now)
    since = next
    if (changes.length === 0) await Bun.sleep(2)
  }
}

const leaving = new AbortController()
const listening = listen(reader, leaving.signal).catch(() => {})
await Bun.sleep(500)
// The first seconds go to compilers.
for (const forSeconds of [3, seconds]) {
  answeredAt.clear()
  const began = performance.now()
  const cpuBefore = reader.cpuSeconds()
  await registerSteadily(writer.url, perSecond, AbortSignal.timeout(forSeconds * 1_000), id =>
    answeredAt.set(id, performance.now()),
  )
  const reached = answeredAt.size / ((performance.now() - began) / 1_000)
  while ([...answeredAt.keys()].some(id => !shownAt.has(id))) await Bun.sleep(20)
  if (forSeconds !== seconds) continue
  const lags = [...answeredAt].map(([id, at]) => Math.max(0, shownAt.get(id)! - at)).toSorted((a, b) => a - b)
  const quantile = (share: number) => lags[Math.min(lags.length - 1, Math.floor(lags.length * share))]!
  const cpuMs = ((reader.cpuSeconds() - cpuBefore) * 1_000) / lags.length
  console.log(
    `${lags.length} writes, ${reached.toFixed(0)} a second, ${entries} entries: shown by the second node after the 201 of the first: ` +
      `p50 ${quantile(0.5).toFixed(1)} ms, p99 ${quantile(0.99).toFixed(1)} ms, most ${quantile(1).toFixed(1)} ms; ` +
      `${cpuMs.toFixed(2)} ms of its CPU for each`,
  )
}
leaving.abort()
await listening
await nodes[Symbol.asyncDispose]()
process.exit(0)
