// Runs on like the machine's, only faster: what waits out of politeness between two requests is soon done. Limits on what a remote
// may take are not of this clock, so that a slow machine is given up on no earlier. What looks again every few milliseconds is not
// hurried: a directory that rests would look at its file every millisecond, which takes a twelfth of a core.
import { type Clock, systemClock } from '../src/runtime/clock.ts'

const SPEED = 20
const SHORT_MS = 20

export type HurriedClock = Clock & {
  /** From now on it runs no faster than the machine's: what is asked again every few minutes no longer is while a test goes on. */
  calm(): void
}

export function createHurriedClock(): HurriedClock {
  let fromMs = Date.now()
  let since = performance.now()
  let speed = SPEED
  const nowMs = () => fromMs + (performance.now() - since) * speed
  return {
    now: () => new Date(nowMs()),
    sleep: (ms, signal) => systemClock.sleep(Math.max(ms / speed, Math.min(ms, SHORT_MS)), signal),
    calm() {
      fromMs = nowMs()
      since = performance.now()
      speed = 1
    },
  }
}
