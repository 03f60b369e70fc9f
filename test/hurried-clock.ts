// Runs on like the machine's, only faster: what waits out of politeness between two requests is soon done. Limits on what a remote
// may take are not of this clock, so that a slow machine is given up on no earlier.
import { type Clock, systemClock } from '../src/runtime/clock.ts'

const SPEED = 20

export function createHurriedClock(): Clock {
  const startMs = Date.now()
  const startedAt = performance.now()
  return {
    now: () => new Date(startMs + (performance.now() - startedAt) * SPEED),
    sleep: (ms, signal) => systemClock.sleep(ms / SPEED, signal),
  }
}
