// Sends load with wrk (Debian package `wrk`) from the other core, and reads what it counted.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Measured, onCore } from './processes.ts'

export type Load = {
  readonly perSecond: number
  /** Requests for each second of the server's own processor time: other work on the machine does not count. */
  readonly perCpuSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly failed: number
}

const CONNECTIONS = 16

/** Asks for `paths` in turn, each connection from another place on. */
export function sendLoad(folder: string, server: Measured, paths: readonly string[], seconds: number): Load {
  const command = toCommand(folder, 'paths', { server, paths }, seconds)
  const cpuBefore = server.cpuSeconds()
  const { stdout } = Bun.spawnSync(command)
  return toLoad(stdout.toString(), server.cpuSeconds() - cpuBefore)
}

export type Target = {
  readonly server: Measured
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
    targets.map((target, index) => {
      const command = toCommand(folder, `paths-${index}`, target, seconds)
      return new Response(Bun.spawn(command, { stdout: 'pipe' }).stdout).text()
    }),
  )
  return said.map((text, index) => toLoad(text, targets[index]!.server.cpuSeconds() - cpuBefore[index]!))
}

function toCommand(folder: string, name: string, target: Target, seconds: number): string[] {
  const { server, paths, connections = CONNECTIONS } = target
  if (!existsSync('/usr/bin/wrk')) throw new Error('wrk is not installed: apt-get install wrk')
  const list = join(folder, `${name}.txt`)
  const script = join(folder, `${name}.lua`)
  writeFileSync(list, paths.join('\n'))
  writeFileSync(
    script,
    `local paths = {} for line in io.lines("${list}") do paths[#paths + 1] = line end
local at = 0
request = function() at = at % #paths + 1 return wrk.format("GET", paths[at]) end
done = function(summary, latency)
  io.write(string.format("RESULT %d %d %d %d %d\\n", summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), summary.errors.status + summary.errors.read + summary.errors.timeout))
end`,
  )
  const options = ['-t1', `-c${connections}`, `-d${seconds}`, '-s', script]
  return onCore(1, ['/usr/bin/wrk', ...options, server.url])
}

function toLoad(said: string, cpu: number): Load {
  const found = /RESULT (\d+) (\d+) (\d+) (\d+) (\d+)/.exec(said)
  if (!found) throw new Error(`wrk said: ${said}`)
  const [requests, micros, p50, p99, failed] = found.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ]
  return {
    perSecond: requests / (micros / 1e6),
    perCpuSecond: requests / cpu,
    p50Ms: p50 / 1000,
    p99Ms: p99 / 1000,
    failed,
  }
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1]!
