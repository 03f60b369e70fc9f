// When a service is probed again: pure.
import { runLength } from '../domain/judge-status.ts'
import { isCounted, isFailed, type ProbeRecord } from '../domain/probes.ts'
import type { Status } from '../domain/standing.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const STEADY_MS = HOUR_MS
/** After the first, second, third failure in a row, and every further one. */
const BACK_OFF_MS = [1 * HOUR_MS, 6 * HOUR_MS, 24 * HOUR_MS, 72 * HOUR_MS] as const
/** Whoever refuses is not asked every hour for it, unless it is to lose something. */
const REFUSED_MS = 6 * HOUR_MS
/** What answers after a long silence is soon asked for the second answer that brings it back. */
const RETURNING_MS = 5 * MINUTE_MS
/** So that services that were registered together are not asked together for ever. */
const JITTER = 0.1
/**
 * Parts of the mean between which an interval lies. The shortest is a second of an hour, as far apart as a host is asked at all:
 * after no probe there is a time in which none can come.
 */
const SHORTEST = 1 / 3_600
const LONGEST = 3

/**
 * Whoever knows when the next probe comes can be honest then and steal in between. So the intervals of what is offered are those of
 * a process without memory: at no time a probe is more likely than at any other, whenever the last one was.
 * @param latest the newest probes that count, newest first, this one included where it counts
 * @param random from 0 to 1
 */
export function nextIntervalMs(
  probe: ProbeRecord,
  status: Status,
  latest: readonly ProbeRecord[],
  random: number,
): number {
  const spread =
    status === 'inactive'
      ? 1 - JITTER + 2 * JITTER * random
      : Math.min(LONGEST, Math.max(SHORTEST, -Math.log(1 - random)))
  return Math.round(intervalMs(probe, status, latest) * spread)
}

function intervalMs(probe: ProbeRecord, status: Status, latest: readonly ProbeRecord[]): number {
  if (!isCounted(probe)) return status === 'verified' ? STEADY_MS : REFUSED_MS
  const failures = runLength(latest, isFailed)
  if (failures > 0) return BACK_OFF_MS[Math.min(failures, BACK_OFF_MS.length) - 1]!
  return status === 'inactive' ? RETURNING_MS : STEADY_MS
}
