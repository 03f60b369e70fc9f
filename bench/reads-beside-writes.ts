// Do the reads of a node keep their ratio to a bare server while another node takes writes? Options: writes a second (200), rounds (5), entries (20000).
import { median, sendLoad } from './load.ts'
import { type Measured, startBare, temporaryFolder } from './processes.ts'
import { openTwoNodes } from './two-nodes.ts'

const [perSecond = 200, rounds = 5, entries = 20_000] = process.argv.slice(2).map(Number)
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
async function whileWriting<T>(work: () => T): Promise<T> {
  const script = new URL('./two-nodes.ts', import.meta.url).pathname
  const child = Bun.spawn([process.execPath, script, writer.url, String(perSecond)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const seqOf = async () => ((await (await fetch(`${reader.url}/readyz`)).json()) as { seq: number }).seq
  for (const before = await seqOf(); (await seqOf()) < before + perSecond / 2; ) await Bun.sleep(20)
  try {
    return work()
  } finally {
    child.kill()
    await child.exited
  }
}

console.log('question                    ratio to bare, by CPU: quiet   while writing   of quiet (rounds)')
for (const [name, paths] of Object.entries(questions)) {
  const bytes = (await (await fetch(reader.url + paths[0]!)).bytes()).length
  using bare = await startBare(bytes)
  const ratio = () => rateOf(reader, paths) / rateOf(bare, ['/'])
  ratio()
  const measured: { quiet: number; busy: number }[] = []
  for (let round = 0; round < rounds; round++) {
    measured.push({ quiet: ratio(), busy: await whileWriting(ratio) })
  }
  const shares = measured.map(({ quiet, busy }) => busy / quiet)
  const cells = [
    name.padEnd(28),
    median(measured.map(({ quiet }) => quiet))
      .toFixed(2)
      .padStart(28),
    median(measured.map(({ busy }) => busy))
      .toFixed(2)
      .padStart(15),
    `${median(shares).toFixed(2)} (${shares.map(share => share.toFixed(2)).join(' ')})`.padStart(20),
  ]
  console.log(cells.join(' '))
}
await nodes[Symbol.asyncDispose]()
process.exit(0)

function rateOf(server: Measured, paths: readonly string[]): number {
  return sendLoad(folder, server, paths, SECONDS).perCpuSecond
}
