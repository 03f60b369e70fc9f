// Starts what is measured: our server or a bare one, each alone on one core where the machine has two.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../test/free-port.ts'
import { writeCatalog } from './catalog.ts'

const ROOT = join(import.meta.dir, '..')
const MAIN = join(ROOT, 'src/cli/main.ts')
const TASKSET = '/usr/bin/taskset'
const CLOCK_TICKS = 100

export const canPin = (): boolean => existsSync(TASKSET) && navigator.hardwareConcurrency > 1

/** @param cores one, or several as `taskset` writes them, like `0-2` */
export const onCore = (cores: number | string, command: string[]): string[] =>
  canPin() ? [TASKSET, '-c', String(cores), ...command] : command

/** Moves this process with all its threads. */
export function stayOnCore(cores: string): void {
  if (canPin()) Bun.spawnSync([TASKSET, '-a', '-c', '-p', cores, String(process.pid)])
}

/** A folder that is gone when the benchmark ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'shirube-bench-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export function cpuSecondsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS
}

export const residentBytesOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024

/** Processes that a process has started. */
export const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)

const running = new Set<Measured>()
/** Also where a benchmark ends by `process.exit`, which disposes of nothing. */
process.on('exit', () => {
  for (const measured of running) measured[Symbol.dispose]()
})

export class Measured implements Disposable {
  constructor(
    readonly url: string,
    readonly process: Bun.Subprocess,
  ) {
    running.add(this)
  }

  get pid(): number {
    return this.process.pid
  }

  /** Seconds of processor time used so far. */
  cpuSeconds(): number {
    return cpuSecondsOf(this.pid)
  }

  residentBytes(): number {
    return residentBytesOf(this.pid)
  }

  [Symbol.dispose](): void {
    running.delete(this)
    this.process.kill('SIGKILL')
  }
}

/** Imports a made-up catalog into a fresh database; resolves to its address and the seconds that the import took. */
export async function importCatalog(
  folder: string,
  entries: number,
): Promise<{ databaseUrl: string; seconds: number }> {
  const databaseUrl = `sqlite:${join(folder, `${entries}.db`)}`
  return { databaseUrl, seconds: await importInto(databaseUrl, folder, entries) }
}

/** Imports made-up entries from the given number on; resolves to the seconds that it took. */
export async function importInto(
  databaseUrl: string,
  folder: string,
  entries: number,
  first = 0,
): Promise<number> {
  const file = join(folder, `${entries}.ndjson`)
  await writeCatalog(file, entries, first)
  const began = performance.now()
  const { exitCode } = Bun.spawnSync([process.execPath, MAIN, 'import', file], {
    cwd: ROOT,
    env: { ...process.env, DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (exitCode !== 0) throw new Error(`import ended with ${exitCode}`)
  return (performance.now() - began) / 1000
}

/** Everything on: log lines (to nowhere), metrics, rate limit, ETag. */
export async function startShirube(
  databaseUrl: string,
  settings: Record<string, string> = {},
  { core = 0, flags = [] }: { readonly core?: number | string; readonly flags?: readonly string[] } = {},
): Promise<Measured & { readySeconds: number }> {
  const port = String(await freePort())
  const began = performance.now()
  const child = Bun.spawn(onCore(core, [process.execPath, ...flags, MAIN, 'serve']), {
    cwd: ROOT,
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      PORT: port,
      HOST: '127.0.0.1',
      PROBE: 'off',
      RATE_LIMIT: '0',
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  const measured = new Measured(`http://127.0.0.1:${port}`, child)
  await answers(`${measured.url}/readyz`)
  return Object.assign(measured, { readySeconds: (performance.now() - began) / 1000 })
}

/** A program that sends the same number of bytes and does nothing else. */
export const bareServer = (port: number, bytes: number, reusePort = false): string =>
  `const body = new Uint8Array(${bytes}).fill(97); Bun.serve({ port: ${port}, hostname: '127.0.0.1', reusePort: ${reusePort}, fetch: () => new Response(body, { headers: { 'Content-Type': 'application/json' } }) })`

export async function startBare(bytes: number): Promise<Measured> {
  const port = await freePort()
  const script = bareServer(port, bytes)
  const child = Bun.spawn(onCore(0, [process.execPath, '-e', script]), {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const measured = new Measured(`http://127.0.0.1:${port}`, child)
  await answers(measured.url)
  return measured
}

async function answers(url: string): Promise<void> {
  for (let i = 0; i < 6000; i++) {
    const answer = await fetch(url).catch(() => undefined)
    if (answer?.ok) return
    await Bun.sleep(20)
  }
  throw new Error(`${url} does not answer`)
}
