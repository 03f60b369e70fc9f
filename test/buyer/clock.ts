// The machine's clock, moved ahead by the test: signatures are dated by the machine's own, so that a clock of another year would not do.
import { type Clock, systemClock } from '../../src/runtime/clock.ts'

export type ShiftedClock = Clock & { advance(ms: number): void }

export function createShiftedClock(): ShiftedClock {
  let shiftMs = 0
  return {
    now: () => new Date(systemClock.now().getTime() + shiftMs),
    sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 20), signal),
    advance(ms) {
      shiftMs += ms
    },
  }
}
