import { openApp } from '../app.ts'
import { systemClock } from '../clock.ts'
import { loadConfig } from '../config.ts'
import { CommandFailed, EXIT, type Line } from './command.ts'
import { print, say } from './terminal.ts'

/** One Ctrl+C reaches a process several times: from the terminal, from npm and from the launcher. */
const SAME_SIGNAL_MS = 500

export async function runServe({ flags, switches }: Line): Promise<number> {
  const config = loadConfig(flags)
  // Listened for from the start: a signal while the catalog loads must not leave the store half-open.
  const ended = firstSignal()
  const app = await openApp(config, { sample: switches.has('sample') }).catch(error => {
    throw toStartFailure(error, config.port)
  })
  const lines = [`${config.directoryName} is listening: ${app.urls.join(' ')}`]
  if (app.firstKey !== undefined) lines.push(`A first API key, shown this once only: ${app.firstKey}`)
  await print(lines.join('\n'))
  app.ready.catch(error => {
    say(`The catalog could not be loaded: ${error instanceof Error ? error.message : error}`)
    process.exit(EXIT.failed)
  })
  await ended
  await app[Symbol.asyncDispose]()
  return EXIT.fine
}

/** Resolves at the first signal to end; a second one, later, ends the process at once. */
function firstSignal(): Promise<void> {
  return new Promise(resolve => {
    let firstAtMs: number | undefined
    const onSignal = (signal: NodeJS.Signals) => {
      const nowMs = systemClock.now().getTime()
      if (firstAtMs !== undefined && Math.abs(nowMs - firstAtMs) > SAME_SIGNAL_MS) {
        process.exit(signal === 'SIGINT' ? 130 : 143)
      }
      firstAtMs ??= nowMs
      resolve()
    }
    process.on('SIGINT', onSignal)
    process.on('SIGTERM', onSignal)
  })
}

function toStartFailure(error: unknown, port: number): unknown {
  const code = (error as NodeJS.ErrnoException | undefined)?.code
  if (code === 'EADDRINUSE') {
    return new CommandFailed(
      `Port ${port} is in use already. End what listens there, or choose another with --port.`,
    )
  }
  if (code === 'EACCES')
    return new CommandFailed(`Port ${port} may not be used here. Choose one above 1023 with --port.`)
  return error
}
