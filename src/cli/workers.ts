// Runs several processes on one port, each with its own catalog, all following the same store. A worker that dies is replaced.
import type { Subprocess } from 'bun'
import type { Config } from '../app/config.ts'
import { ownCommand } from '../package/files.ts'
import { systemClock } from '../runtime/clock.ts'
import { type Listening, listenForEnd, listeningText, toStartFailure } from './end-signals.ts'
import { EXIT, WORKER } from './syntax/command.ts'
import { print, printMessage } from './text/terminal.ts'

/** Restart delay, doubled while a worker keeps dying. */
const PAUSE_MS = { first: 100, max: 5_000 }

export type WorkerOptions = {
  readonly port: number
  readonly sample: boolean
  /** The first worker listens while it loads; the others listen once they are ready. */
  readonly isFirst: boolean
}

type Worker = {
  readonly child: Subprocess
  /** undefined: it ended before it listened. */
  readonly listening: Promise<Listening | undefined>
}

export async function runWorkers(
  config: Config,
  { workers: count, sample }: { readonly workers: number; readonly sample: boolean },
): Promise<number> {
  using signals = listenForEnd()
  assertFree(config)
  const crew = new Crew()
  void signals.first.then(() => crew.end())
  // The first worker finds the port and fills a new database; the others join.
  const first = crew.start({ port: config.port, sample, isFirst: true })
  const listening = await first.listening
  const port = Number(new URL(listening?.urls[0] ?? 'http://localhost').port)
  const options = { port, sample, isFirst: false }
  const others =
    listening && !crew.isEnding ? Array.from({ length: count - 1 }, () => crew.start(options)) : []
  const joined = await Promise.all(others.map(worker => worker.listening))
  const hasStarted = listening !== undefined && joined.every(each => each !== undefined)
  if (hasStarted && !crew.isEnding) {
    await print(listeningText(config, listening))
    await Promise.all([first, ...others].map(worker => crew.supervise(worker, options)))
  }
  // The worker itself printed why it did not start.
  const code = hasStarted || crew.isEnding ? EXIT.fine : EXIT.failed
  await crew.end()
  return code
}

class Crew {
  readonly #running = new Set<Subprocess>()
  isEnding = false

  start(options: WorkerOptions): Worker {
    const worker = startWorker(options)
    this.#running.add(worker.child)
    void worker.child.exited.then(() => this.#running.delete(worker.child))
    return worker
  }

  /** Restarts the worker until the shutdown. */
  async supervise(first: Worker, options: WorkerOptions): Promise<void> {
    let worker = first
    for (let failures = 0; !this.isEnding; ) {
      await worker.child.exited
      if (this.isEnding) return
      printMessage(
        `Worker ${worker.child.pid} has ended (${reasonOf(worker.child)}); another takes its place.`,
      )
      await systemClock.sleep(Math.min(PAUSE_MS.first * 2 ** failures, PAUSE_MS.max))
      if (this.isEnding) return
      worker = this.start(options)
      failures = (await worker.listening) ? 0 : failures + 1
    }
  }

  async end(): Promise<void> {
    this.isEnding = true
    for (const child of this.#running) child.kill('SIGTERM')
    while (this.#running.size > 0) await [...this.#running][0]!.exited
  }
}

function startWorker(options: WorkerOptions): Worker {
  const { promise, resolve } = Promise.withResolvers<Listening | undefined>()
  const child = Bun.spawn(ownCommand(WORKER, JSON.stringify(options)), {
    stdin: 'ignore',
    stdout: 'inherit',
    stderr: 'inherit',
    ipc: message => resolve(message as Listening),
    // After any message it has sent.
    onExit: () => void setImmediate(resolve, undefined),
  })
  return { child, listening: promise }
}

const reasonOf = ({ signalCode, exitCode }: Subprocess): string =>
  signalCode === null ? `code ${exitCode}` : String(signalCode)

/** Workers share the port, so a port in use by another program must be detected before. */
function assertFree(config: Config): void {
  const { hosts, port } = config
  if (port === 0) return
  for (const hostname of hosts) {
    try {
      void Bun.serve({ hostname, port, reusePort: false, fetch: () => new Response() }).stop(true)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EADDRINUSE' || code === 'EACCES') throw toStartFailure(error, config)
    }
  }
}
