// Computes when a service is probed next: pure.
import { runLength } from '../../domain/standing/judge.ts'
import { isCounted, isFailed, type ProbeRecord } from '../../domain/standing/probes.ts'
import type { Status } from '../../domain/standing/standing.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const STEADY_MS = HOUR_MS
/** After the first, second, third failure in a row, and each further one. */
const BACK_OFF_MS = [1 * HOUR_MS, 6 * HOUR_MS, 24 * HOUR_MS, 72 * HOUR_MS] as const
/** A service that refuses is probed less often, unless it has a verified status to lose. */
const REFUSED_MS = 6 * HOUR_MS
/** A service that answers after a long outage is probed soon for the second success that reactivates it. */
const RETURNING_MS = 5 * MINUTE_MS
/** Spreads services that were registered together. */
const JITTER = 0.1
/**
 * Bounds of an interval, as factors of the mean. The shortest is one second of an hour, the minimum distance of
 * requests to a host: right after a probe the next is possible.
 */
const SHORTEST = 1 / 3_600
const LONGEST = 3

/**
 * A provider who can predict the next probe can be honest then and cheat in between. So the intervals of listed
 * services are exponentially distributed, without memory: a probe is equally likely at any time.
 * @param latest the newest probes that count, newest first, including this one if it counts
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
