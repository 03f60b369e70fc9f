// Do the reads of a node keep their ratio to a bare server while another node takes writes? Options: writes a second (200), rounds (7), entries (20000).
import { type Load, median, sendLoads } from './load.ts'
import { startBare, temporaryFolder } from './processes.ts'
import { openTwoNodes } from './two-nodes.ts'

const [perSecond = 200, rounds = 7, entries = 20_000] = process.argv.slice(2).map(Number)
const SECONDS = 2
const folder = temporaryFolder()
await using nodes = await openTwoNodes(folder, entries)
const { writer, reader } = nodes

const pages = await Promise.all(
  Array.from({ length: 5 }, async (_, i) => {
    const answer = await fetch(`${reader.url}/api/services?limit=100&offset=${i * 500}`)
    return (await answer.json()) as { id: string }[]
  }),
)
const questions = {
  detail: pages.flat().map(({ id }) => `/api/services/${id}`),
  'list, every URL different': Array.from(
    { length: 8_000 },
    (_, i) => `/api/services?sortBy=price&offset=${i}`,
  ),
}

/** Writes run in a process of their own for as long as `work` lasts. */
async function whileWriting<T>(work: () => Promise<T>): Promise<T> {
  const script = new URL('./two-nodes.ts', import.meta.url).pathname
  const child = Bun.spawn([process.execPath, script, writer.url, String(perSecond)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const seqOf = async () => ((await (await fetch(`${reader.url}/readyz`)).json()) as { seq: number }).seq
  for (const before = await seqOf(); (await seqOf()) < before + perSecond / 2; ) await Bun.sleep(20)
  try {
    return await work()
  } finally {
    child.kill()
    await child.exited
  }
}

/** Processor seconds that the node spends each second on following alone. */
async function measureFollowing(): Promise<number> {
  const before = reader.cpuSeconds()
  await Bun.sleep(SECONDS * 1_000)
  return (reader.cpuSeconds() - before) / SECONDS
}

const tell = (values: readonly number[]) =>
  `${median(values).toFixed(2)} (${values.map(value => value.toFixed(2)).join(' ')})`

await whileWriting(measureFollowing)
const following = await whileWriting(measureFollowing)
console.log(`following ${perSecond} writes a second takes ${(following * 100).toFixed(0)} % of a core`)
for (const [name, paths] of Object.entries(questions)) {
  const bytes = (await (await fetch(reader.url + paths[0]!)).bytes()).length
  using bare = await startBare(bytes)
  // The bare server is loaded lightly at the same moment: it tells how fast the machine is just then, and takes little of it.
  const targets = [
    { server: reader, paths, connections: 32 },
    { server: bare, paths: ['/'], connections: 2 },
  ]
  const measure = async () => {
    const before = reader.cpuSeconds()
    const [ours, theirs] = (await sendLoads(folder, targets, SECONDS)) as [Load, Load]
    return {
      ratio: ours.perCpuSecond / theirs.perCpuSecond,
      core: (reader.cpuSeconds() - before) / SECONDS,
    }
  }
  await measure()
  const measured = []
  for (let round = 0; round < rounds; round++) {
    measured.push({ quiet: await measure(), busy: await whileWriting(measure) })
  }
  const kept = measured.map(({ quiet, busy }) => busy.ratio / quiet.ratio)
  const core = median(measured.map(({ busy }) => busy.core))
  console.log(
    `${name}: while writing ${tell(kept)} of the ratio to bare without, by CPU, what following takes included; ` +
      `the node had ${(core * 100).toFixed(0)} % of a core`,
  )
}
await nodes[Symbol.asyncDispose]()
process.exit(0)
