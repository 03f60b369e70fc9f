// Runs on like the machine's, only faster: what waits out of politeness between two requests is soon done. Limits on what a remote
// may take are not of this clock, so that a slow machine is given up on no earlier. What looks again every few milliseconds is not
// hurried: a directory that rests would look at its file every millisecond, which takes a twelfth of a core.
import { type Clock, systemClock } from '../src/runtime/clock.ts'

const SPEED = 20
const SHORT_MS = 20

export function createHurriedClock(): Clock {
  const startMs = Date.now()
  const startedAt = performance.now()
  return {
    now: () => new Date(startMs + (performance.now() - startedAt) * SPEED),
    sleep: (ms, signal) => systemClock.sleep(Math.max(ms / SPEED, Math.min(ms, SHORT_MS)), signal),
  }
}
