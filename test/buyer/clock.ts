// The machine's clock, moved ahead by the test: signatures are dated by the machine's own, so that a clock of another year would not do.
import { RESPONSE_TIMEOUT_MS } from '../../src/chain/evm-node.ts'
import { type Clock, systemClock } from '../../src/runtime/clock.ts'

export type ShiftedClock = Clock & { advance(ms: number): void }

const SHORT_MS = 20

export function createShiftedClock(): ShiftedClock {
  let shiftMs = 0
  return {
    now: () => new Date(systemClock.now().getTime() + shiftMs),
    // A deadline is no wait: a node that is busy has its time to answer.
    sleep: (ms, signal) =>
      systemClock.sleep(ms === RESPONSE_TIMEOUT_MS ? ms : Math.min(ms, SHORT_MS), signal),
    advance(ms) {
      shiftMs += ms
    },
  }
}
