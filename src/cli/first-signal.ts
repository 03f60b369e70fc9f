import { systemClock } from '../clock.ts'

/** One Ctrl+C reaches a process several times: from the terminal, from npm, from the launcher and from the parent. */
const SAME_SIGNAL_MS = 500

/** Resolves at the first signal to end; a second one, later, ends the process at once. */
export function firstSignal(): Promise<void> {
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
