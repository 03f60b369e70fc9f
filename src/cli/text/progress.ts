// Reports the progress, rate and remaining time of long work: an updated line on a terminal, an occasional line elsewhere.
import { type Clock, systemClock } from '../../runtime/clock.ts'
import { printMessage } from './terminal.ts'

/** Work between two reports, on a terminal and elsewhere. */
const TERMINAL_STEP = 1_000
const LINE_STEP = 10_000
/** Earlier, a rate is meaningless. */
const MIN_ELAPSED_MS = 1_000
const HOUR_S = 3_600

export type ProgressOptions = {
  /** The unit, such as `services read`. */
  readonly what: string
  /** The share of the work done, from 0 to 1; undefined if the total is unknown. */
  readonly fraction?: () => number | undefined
  readonly clock?: Clock
}

export function createProgress({ what, fraction, clock = systemClock }: ProgressOptions) {
  const isTerminal = process.stderr.isTTY === true
  const startMs = clock.now().getTime()
  let reported = 0
  return {
    reach(count: number): void {
      if (count - reported < (isTerminal ? TERMINAL_STEP : LINE_STEP)) return
      reported = count
      const elapsedMs = clock.now().getTime() - startMs
      const text = progressText({ what, count, elapsedMs, fraction: fraction?.() })
      if (isTerminal) process.stderr.write(`\r\u001b[K${text}`)
      else printMessage(text)
    },
    /** Clears the line for other output. */
    clear(): void {
      if (isTerminal) process.stderr.write('\r\u001b[K')
    },
  }
}

export function progressText({
  what,
  count,
  elapsedMs,
  fraction,
}: {
  readonly what: string
  readonly count: number
  readonly elapsedMs: number
  readonly fraction?: number | undefined
}): string {
  const done = `${count.toLocaleString('en')} ${what}`
  if (elapsedMs < MIN_ELAPSED_MS) return done
  const rate = `${Math.round((count * 1_000) / elapsedMs).toLocaleString('en')} a second`
  const isKnown = fraction !== undefined && fraction > 0 && fraction < 1
  const left = isKnown ? [`${durationText((elapsedMs * (1 - fraction)) / fraction)} left`] : []
  return [done, rate, ...left].join(', ')
}

function durationText(ms: number): string {
  const seconds = Math.ceil(ms / 1_000)
  if (seconds < 60) return `${seconds} s`
  if (seconds < HOUR_S) return `${Math.ceil(seconds / 60)} min`
  return `${Math.floor(seconds / HOUR_S)} h ${Math.floor((seconds % HOUR_S) / 60)} min`
}
