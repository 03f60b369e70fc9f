// Sends load with wrk (Debian package `wrk`) from the other core, and reads what it counted.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Measured, onCore } from './processes.ts'

export type Load = {
  readonly requests: number
  readonly perSecond: number
  /** Requests for each second of the server's own processor time: other work on the machine does not count. */
  readonly perCpuSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly failed: number
}

type Loaded = Pick<Measured, 'url' | 'cpuSeconds'>

type Sending = {
  readonly connections?: number
  /** Where the load comes from; null: wherever there is room. */
  readonly core?: number | null
}

/** Asks for `paths` in turn, each connection from another place on. */
export const sendLoad = (
  folder: string,
  server: Loaded,
  paths: readonly string[],
  seconds: number,
  sending?: Sending,
): Load => sendScripted(folder, server, askingFor(folder, 'paths', paths), seconds, sending)

/** @param requests Lua that defines the function `request` */
export function sendScripted(
  folder: string,
  server: Loaded,
  requests: string,
  seconds: number,
  sending?: Sending,
): Load {
  const command = toCommand(folder, 'load', server, requests, seconds, sending)
  const cpuBefore = server.cpuSeconds()
  const { stdout } = Bun.spawnSync(command)
  return toLoad(stdout.toString(), server.cpuSeconds() - cpuBefore)
}

export type Target = {
  readonly server: Loaded
  readonly paths: readonly string[]
  readonly connections?: number
}

/** Loads several servers at the same moment: whatever slows the machine down meanwhile slows all of them. */
export async function sendLoads(
  folder: string,
  targets: readonly Target[],
  seconds: number,
): Promise<Load[]> {
  const cpuBefore = targets.map(({ server }) => server.cpuSeconds())
  const said = await Promise.all(
    targets.map(({ server, paths, ...sending }, index) => {
      const requests = askingFor(folder, `paths-${index}`, paths)
      const command = toCommand(folder, `load-${index}`, server, requests, seconds, sending)
      return new Response(Bun.spawn(command, { stdout: 'pipe' }).stdout).text()
    }),
  )
  return said.map((text, index) => toLoad(text, targets[index]!.server.cpuSeconds() - cpuBefore[index]!))
}

/** Lua that reads the lines of a file into a table. */
export const readLines = (table: string, file: string): string =>
  `local ${table} = {} for line in io.lines("${file}") do ${table}[#${table} + 1] = line end`

function askingFor(folder: string, name: string, paths: readonly string[]): string {
  const list = join(folder, `${name}.txt`)
  writeFileSync(list, paths.join('\n'))
  return `${readLines('paths', list)}
local at = 0
request = function() at = at % #paths + 1 return wrk.format("GET", paths[at]) end`
}

const DONE = `done = function(summary, latency)
  io.write(string.format("RESULT %d %d %d %d %d\\n", summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), summary.errors.status + summary.errors.read + summary.errors.timeout))
end`

function toCommand(
  folder: string,
  name: string,
  { url }: Loaded,
  requests: string,
  seconds: number,
  { connections = 16, core = 1 }: Sending = {},
): string[] {
  if (!existsSync('/usr/bin/wrk')) throw new Error('wrk is not installed: apt-get install wrk')
  const script = join(folder, `${name}.lua`)
  writeFileSync(script, `${requests}\n${DONE}`)
  const command = ['/usr/bin/wrk', '-t1', `-c${connections}`, `-d${seconds}`, '-s', script, url]
  return core === null ? command : onCore(core, command)
}

function toLoad(said: string, cpu: number): Load {
  const found = /RESULT (\d+) (\d+) (\d+) (\d+) (\d+)/.exec(said)
  if (!found) throw new Error(`wrk said: ${said}`)
  const [requests = 0, micros = 0, p50 = 0, p99 = 0, failed = 0] = found.slice(1).map(Number)
  return {
    requests,
    perSecond: requests / (micros / 1e6),
    perCpuSecond: requests / cpu,
    p50Ms: p50 / 1000,
    p99Ms: p99 / 1000,
    failed,
  }
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1]!

/** Above the rows of `besideBare`. */
export const BESIDE_BARE =
  'question                        of bare   by CPU   requests/s   p50 ms   p99 ms   bare p99   failed'

/** A row of our loads, each with that of a bare server right after it. */
export function besideBare(
  name: string,
  pairs: readonly (readonly [ours: Load, bare: Load])[],
  digits: number,
): string {
  const ratio = (of: (load: Load) => number) =>
    median(pairs.map(([ours, bare]) => of(ours) / of(bare))).toFixed(digits)
  const ours = (of: (load: Load) => number) => median(pairs.map(([load]) => of(load)))
  const cells = [
    ratio(load => load.perSecond),
    ratio(load => load.perCpuSecond),
    ours(load => load.perSecond).toFixed(0),
    ours(load => load.p50Ms).toFixed(2),
    ours(load => load.p99Ms).toFixed(2),
    median(pairs.map(([, bare]) => bare.p99Ms)).toFixed(2),
    String(pairs.reduce((sum, [load]) => sum + load.failed, 0)),
  ]
  return name.padEnd(30) + cells.map((cell, i) => cell.padStart([9, 9, 13, 9, 9, 11, 9][i]!)).join('')
}
