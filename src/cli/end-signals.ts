import { systemClock } from '../runtime/clock.ts'

/** One Ctrl+C reaches a process several times: from the terminal, npm, the launcher and the parent. */
const SAME_SIGNAL_MS = 500
const EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const

type Ending = keyof typeof EXIT_CODES

/** Keeps the process alive until disposed. */
export interface EndSignals extends Disposable {
  /** The first signal to end; the exit of the process that started this one counts as SIGTERM. */
  readonly first: Promise<Ending>
}

/** Listens for signals to end. A second, later one ends the process at once. SIGHUP from a closed terminal ends it in order. */
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
  // The launcher, and the process that starts workers, hold an IPC channel. It closes when they end, also if they are killed.
  const onOrphaned = () => resolve('SIGTERM')
  process.once('disconnect', onOrphaned)
  return { first: promise, [Symbol.dispose]: () => process.off('disconnect', onOrphaned) }
}

/** SIGUSR1 and SIGUSR2 would end the process if nothing handled them. */
export function surviveUserSignals(onReplace: () => void): void {
  process.on('SIGUSR1', () => {})
  process.on('SIGUSR2', onReplace)
}
