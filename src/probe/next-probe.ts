// When a service is probed next: after a probe, and while its host is busy.
import { hasDomainProof, isByWallet } from '../domain/listing/backing.ts'
import type { Entry } from '../domain/listing/service.ts'
import { runLength } from '../domain/standing/judge.ts'
import { isCounted, isFailed, type ProbeRecord, type Status } from '../domain/standing/standing.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../domain/time.ts'
import type { Clock } from '../runtime/clock.ts'
import type { HostBusy } from './requests/host-gate.ts'

const STEADY_MS = HOUR_MS
/** After the first, second, third failure in a row, and each further one. */
const BACK_OFF_MS = [1 * HOUR_MS, 6 * HOUR_MS, 24 * HOUR_MS, 72 * HOUR_MS] as const
/** A service that refuses is probed less often, unless it has a verified status to lose. */
const REFUSED_MS = 6 * HOUR_MS
const DECLINED_MS = DAY_MS
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
    status === 'inactive' ? jittered(1, random) : Math.min(LONGEST, Math.max(SHORTEST, -Math.log(1 - random)))
  return Math.round(intervalMs(probe, status, latest) * spread)
}

/** How soon the file of an origin that asks not to be probed is read again. */
export const declinedIntervalMs = (random: number): number => jittered(DECLINED_MS, random)

const jittered = (mean: number, random: number): number => mean * (1 - JITTER + 2 * JITTER * random)

function intervalMs(probe: ProbeRecord, status: Status, latest: readonly ProbeRecord[]): number {
  if (!isCounted(probe)) return status === 'verified' ? STEADY_MS : REFUSED_MS
  const failures = runLength(latest, isFailed)
  if (failures > 0) return BACK_OFF_MS[Math.min(failures, BACK_OFF_MS.length) - 1]!
  return status === 'inactive' ? RETURNING_MS : STEADY_MS
}

// Queues the services of a busy host or address, so that a host with thousands of them is not leased over and over.

/** A probe that would wait longer for its host is postponed. */
export const HOST_PATIENCE_MS = 5_000
const MAX_QUEUES = 40_000
const LONGEST_MS = DAY_MS
/** Requests of the probe of a new service, including its domain proof: such a probe occupies its host this long. */
const REQUESTS_OF_NEW = 8

/**
 * Returns when a service on a busy host or address may be probed. Anyone can list hundreds of services on a stranger's host, so verified
 * services have a queue of their own there, and so have listings by wallets, which cost nothing to create: until verified or proved by
 * their domain, one of them at a time is probed.
 */
export function createPostponing(clock: Clock): (busy: HostBusy, entry: Entry) => Date {
  const queues = new Map<string, number>()
  return ({ host, apartMs }, entry) => {
    if (queues.size >= MAX_QUEUES) queues.clear()
    const nowMs = clock.now().getTime()
    const earliestMs = nowMs + HOST_PATIENCE_MS
    const isVerified = entry.standing.status === 'verified'
    const isByStranger = !isVerified && isByWallet(entry) && !hasDomainProof(entry)
    const queue = `${host} ${isVerified} ${isByStranger}`
    const lastMs = queues.get(queue) ?? 0
    const nextMs = lastMs + apartMs * (isByStranger ? REQUESTS_OF_NEW : 1)
    // Restarts a queue that is days long.
    const isWaiting = lastMs > earliestMs && lastMs <= earliestMs + LONGEST_MS
    const atMs = isWaiting ? nextMs : earliestMs + apartMs
    queues.set(queue, atMs)
    return new Date(atMs)
  }
}
