import { systemClock } from '../runtime/clock.ts'
import { watchLauncher } from './launcher.ts'

/** One Ctrl+C reaches a process several times: from the terminal, from npm, from the launcher and from the parent. */
const SAME_SIGNAL_MS = 500
const EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const

type Ending = keyof typeof EXIT_CODES

/** While it is held, the process does not end by itself. */
export interface EndSignals extends Disposable {
  /** The first signal to end; that the launcher is gone counts as SIGTERM. */
  readonly first: Promise<Ending>
}

/**
 * Listens for signals to end. A second one, later, ends the process at once. A terminal that closes sends SIGHUP: whoever
 * closes it wants an end, but no loss.
 */
export function listenForEnd(): EndSignals {
  const { promise, resolve } = Promise.withResolvers<Ending>()
  let firstAtMs: number | undefined
  const onSignal = (signal: Ending) => {
    const nowMs = systemClock.now().getTime()
    if (firstAtMs !== undefined && Math.abs(nowMs - firstAtMs) > SAME_SIGNAL_MS) {
      process.exit(EXIT_CODES[signal])
    }
    firstAtMs ??= nowMs
    resolve(signal)
  }
  for (const signal of Object.keys(EXIT_CODES) as Ending[]) process.on(signal, () => onSignal(signal))
  const launcher = watchLauncher(() => resolve('SIGTERM'))
  return { first: promise, [Symbol.dispose]: () => launcher[Symbol.dispose]() }
}

/** Signals for something else would end a process that does not listen for them. */
export function keepThrough(onReplace: () => void): void {
  process.on('SIGUSR1', () => {})
  process.on('SIGUSR2', onReplace)
}
