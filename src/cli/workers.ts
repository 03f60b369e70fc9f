// Several processes on one port, each with its own catalog, all following the same store. One that dies is replaced.
import { fileURLToPath } from 'node:url'
import type { Subprocess } from 'bun'
import { systemClock } from '../clock.ts'
import type { Config } from '../config.ts'
import { EXIT } from './command.ts'
import { firstSignal } from './first-signal.ts'
import { type Listening, listeningText, toStartFailure } from './listening.ts'
import { print, say } from './terminal.ts'

const WORKER = fileURLToPath(new URL('./worker.ts', import.meta.url))
/** A worker that dies again and again is started less and less often. */
const PAUSE_MS = { first: 100, most: 5_000 }

export type WorkerOptions = { readonly port: number; readonly sample: boolean }

type Worker = {
  readonly child: Subprocess
  /** undefined: it ended before it listened. */
  readonly listening: Promise<Listening | undefined>
}

export async function runWorkers(
  config: Config,
  { workers: count, sample }: { readonly workers: number; readonly sample: boolean },
): Promise<number> {
  const ended = firstSignal()
  assertFree(config)
  const running = new Set<Subprocess>()
  let isEnding = false
  const endAll = () => {
    isEnding = true
    for (const child of running) child.kill('SIGTERM')
  }
  void ended.then(endAll)

  const start = (options: WorkerOptions): Worker => {
    const worker = startWorker(options)
    running.add(worker.child)
    void worker.child.exited.then(() => running.delete(worker.child))
    return worker
  }
  const keep = async (worker: Worker, options: WorkerOptions) => {
    for (let failures = 0; !isEnding; ) {
      await worker.child.exited
      if (isEnding) return
      say(`Worker ${worker.child.pid} has ended (${reasonOf(worker.child)}); another takes its place.`)
      await systemClock.sleep(Math.min(PAUSE_MS.first * 2 ** failures, PAUSE_MS.most))
      if (isEnding) return
      worker = start(options)
      failures = (await worker.listening) ? 0 : failures + 1
    }
  }

  // The first one finds the port and fills a new database; the others join it there.
  const first = start({ port: config.port, sample })
  const listening = await first.listening
  const port = Number(new URL(listening?.urls[0] ?? 'http://localhost').port)
  const options = { port, sample: false }
  const others = listening ? Array.from({ length: count - 1 }, () => start(options)) : []
  const joined = await Promise.all(others.map(worker => worker.listening))
  const hasStarted = listening !== undefined && joined.every(each => each !== undefined)
  if (hasStarted && !isEnding) {
    await print(listeningText(config.directoryName, listening))
    await Promise.all([first, ...others].map(worker => keep(worker, options)))
  }
  // What kept a worker from starting it has said itself.
  const code = hasStarted || isEnding ? EXIT.fine : EXIT.failed
  endAll()
  await Promise.all([first, ...others].map(({ child }) => child.exited))
  while (running.size > 0) await [...running][0]!.exited
  return code
}

function startWorker(options: WorkerOptions): Worker {
  const { promise, resolve } = Promise.withResolvers<Listening | undefined>()
  const child = Bun.spawn([process.execPath, WORKER, JSON.stringify(options)], {
    stdin: 'ignore',
    stdout: 'inherit',
    stderr: 'inherit',
    ipc: message => resolve(message as Listening),
    // After what it may have sent.
    onExit: () => void setImmediate(resolve, undefined),
  })
  return { child, listening: promise }
}

const reasonOf = ({ signalCode, exitCode }: Subprocess): string =>
  signalCode === null ? `code ${exitCode}` : String(signalCode)

/** Workers share the port with whoever asks for it: a stranger that has it already must not be joined. */
function assertFree({ hosts, port }: Config): void {
  if (port === 0) return
  for (const hostname of hosts) {
    try {
      void Bun.serve({ hostname, port, reusePort: false, fetch: () => new Response() }).stop(true)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EADDRINUSE' || code === 'EACCES') throw toStartFailure(error, port)
    }
  }
}
