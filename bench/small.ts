// What does a small directory take to start and to live, part by part? On Linux. Options: rounds (5), packed (as it is published).
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../test/free-port.ts'
import { installPacked } from '../test/packed.ts'
import { median } from './load.ts'
import { childrenOf, cpuSecondsOf, residentBytesOf, temporaryFolder } from './processes.ts'

const rounds = Number(process.argv[2] ?? 5)
const ROOT = join(import.meta.dir, '..')
const folder = temporaryFolder()
const isPacked = process.argv[3] === 'packed'
const HOME = isPacked ? (await installPacked(folder)).place : ROOT
const LAUNCHER = ['node', join(HOME, 'bin/shirube.mjs')]
const bun = process.execPath
/** What the launcher starts. */
const SHIRUBE = [bun, join(HOME, 'src/cli/main.ts')]
/** A start has settled by then: what is loaded later has come, and garbage has gone. */
const SETTLE_MS = 2_000

/** Each loads its modules and all before it: what they add is what the part takes. */
const PARTS: readonly (readonly [name: string, ...modules: string[]])[] = [
  ['the runtime alone'],
  ['schemas (zod, domain)', 'domain/queries/queries.ts', 'domain/webhooks.ts', 'domain/terms/terms.ts'],
  ['store', 'store/open.ts'],
  ['catalog and search', 'catalog/catalog.ts', 'search/search-index.ts'],
  ['probes, webhooks, chains', 'app/probing/probing.ts', 'webhooks/deliveries.ts', 'chain/indexer.ts'],
  ['HTTP and OpenAPI', 'http/server.ts'],
  ['the rest of a server', 'app/server.ts'],
  ['pages, when they are asked for', 'web/renderers.ts'],
]

const toMb = (bytes: number): string => (bytes / 1024 / 1024).toFixed(1)

/** A process and all that it has started. */
const familyOf = (pid: number): number[] => [pid, ...childrenOf(pid).flatMap(familyOf)]

/** How long a command takes to its end, in milliseconds. */
function timed(command: readonly string[]): number {
  const startedAt = performance.now()
  Bun.spawnSync([...command], { cwd: folder, stdout: 'ignore', stderr: 'ignore' })
  return performance.now() - startedAt
}

type Life = { readonly readyMs: number; readonly cpuMs: number; readonly bytes: number }

/** From the start to the first answer, and what it holds when it has answered the paths. */
async function live(
  command: readonly string[],
  env: Record<string, string> = {},
  ...paths: readonly string[]
): Promise<Life> {
  const port = String(await freePort())
  const startedAt = performance.now()
  const child = Bun.spawn([...command], {
    cwd: folder,
    env: { ...process.env, LOG_LEVEL: 'error', PORT: port, ...env },
    stdout: 'ignore',
    stderr: 'inherit',
  })
  while (!(await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.ok) await Bun.sleep(2)
  const readyMs = performance.now() - startedAt
  const family = familyOf(child.pid)
  const cpu = family.reduce((sum, pid) => sum + cpuSecondsOf(pid) * 1_000, 0)
  for (const path of paths) await (await fetch(`http://127.0.0.1:${port}${path}`)).text()
  await Bun.sleep(SETTLE_MS)
  const bytes = familyOf(child.pid).reduce((sum, pid) => sum + residentBytesOf(pid), 0)
  child.kill('SIGINT')
  await child.exited
  return { readyMs, cpuMs: cpu, bytes }
}

async function row(name: string, once: () => Promise<Life>): Promise<Life> {
  const lives: Life[] = []
  for (let round = 0; round < rounds; round++) lives.push(await once())
  const life = {
    readyMs: median(lives.map(each => each.readyMs)),
    cpuMs: median(lives.map(each => each.cpuMs)),
    bytes: median(lives.map(each => each.bytes)),
  }
  const cells = [life.readyMs.toFixed(0), life.cpuMs.toFixed(0), toMb(life.bytes)]
  console.log(name.padEnd(44) + cells.map(cell => cell.padStart(14)).join(''))
  return life
}

const BARE = `Bun.serve({ port: Number(process.env.PORT), fetch: () => new Response('{}') })`
const forget = () => {
  for (const file of ['db', 'db-wal', 'db-shm', 'db.catalog'])
    rmSync(join(folder, `sample.${file}`), { force: true })
}
const database = { DATABASE_URL: `sqlite:${join(folder, 'sample.db')}` }
const serve = ['serve', '--sample']

console.log('64 services                                    to ready, ms       CPU, ms   resident, MiB')
await row('a bare Bun.serve, for comparison', () => live([bun, '-e', BARE]))
await row('a new database', () => {
  forget()
  return live([...SHIRUBE, ...serve], database)
})
await row('the same database again', () => live([...SHIRUBE, ...serve], database))
await row('the same after a search by sentence', () =>
  live([...SHIRUBE, ...serve], database, '/api/services/search/intent?q=weather+in+tokyo'),
)
await row('the same after its pages were looked at', () =>
  live([...SHIRUBE, ...serve], database, '/?q=weather', '/catalog', '/docs'),
)
await row('the same without probes and webhooks', () =>
  live([...SHIRUBE, ...serve], { ...database, PROBE: 'off', WEBHOOKS: 'off' }),
)
await row('the same by node bin/shirube.mjs', () => live([...LAUNCHER, ...serve], database))

// Built, a part is no file of its own any more.
if (!isPacked) console.log('\nby part                                          CPU, ms   resident, MiB')
let before = { cpu: 0, bytes: 0 }
for (let count = 1; count <= PARTS.length && !isPacked; count++) {
  const [name] = PARTS[count - 1]!
  const modules = PARTS.slice(0, count).flatMap(([, ...each]) => each)
  const imports = modules.map(each => `await import(${JSON.stringify(join(ROOT, 'src', each))})`).join('\n')
  const script = `${imports}\nconst { user, system } = process.cpuUsage()
    console.log(JSON.stringify({ cpu: (user + system) / 1000, bytes: process.memoryUsage.rss() }))`
  const seen = Array.from({ length: rounds }, () =>
    JSON.parse(Bun.spawnSync([bun, '-e', script], { cwd: folder }).stdout.toString()),
  ) as { cpu: number; bytes: number }[]
  const whole = { cpu: median(seen.map(each => each.cpu)), bytes: median(seen.map(each => each.bytes)) }
  const cells = [(whole.cpu - before.cpu).toFixed(0), toMb(whole.bytes - before.bytes)]
  console.log(name.padEnd(44) + cells.map(cell => cell.padStart(12)).join(''))
  before = whole
}

console.log('\na command                                          ms, median')
for (const [name, command] of [
  ['node, and nothing else', ['node', '-e', '0']],
  ['--help without the launcher', [...SHIRUBE, '--help']],
  ['node bin/shirube.mjs --help', [...LAUNCHER, '--help']],
] as const)
  console.log(
    name.padEnd(50) +
      median(Array.from({ length: rounds }, () => timed(command)))
        .toFixed(0)
        .padStart(12),
  )
process.exit(0)
