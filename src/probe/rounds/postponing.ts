// Queues the services of a busy host or address, so that a host with thousands of them is not claimed over and over.

import { isAhead } from '../../domain/ahead.ts'
import { hasDomainProof, isByWallet } from '../../domain/listing/backing.ts'
import type { Entry } from '../../domain/listing/service.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { HostBusy } from '../requests/host-gate.ts'

/** A probe that would wait longer for its host is postponed. */
export const HOST_PATIENCE_MS = 5_000
const MAX_QUEUES = 40_000
const LONGEST_MS = 24 * 60 * 60_000
/** Requests of the probe of a new service, including its domain proof: such a probe occupies its host this long. */
const REQUESTS_OF_NEW = 8
const STRANGERS = 'strangers'
/** At most this many services of one host come back at the same time; all but one of them wait or are postponed again. */
const QUEUES_OF_OWNERS = 8

/**
 * Returns when a service on a busy host or address may be probed. Anyone can list hundreds of services on a stranger's host, so each
 * owner has a separate queue there, and verified services have one. Wallets cost nothing to create: their services share one queue
 * until verified or proved by their domain, with one probe at a time, so that the host stays free for others.
 */
export function createPostponing(clock: Clock): (busy: HostBusy, entry: Entry) => Date {
  const queues = new Map<string, number>()
  return ({ place, apartMs }, entry) => {
    if (queues.size >= MAX_QUEUES) queues.clear()
    const nowMs = clock.now().getTime()
    const earliestMs = nowMs + HOST_PATIENCE_MS
    const name = queueOf(entry)
    const queue = `${place} ${name}`
    const lastMs = queues.get(queue) ?? 0
    const nextMs = lastMs + apartMs * (name === STRANGERS ? REQUESTS_OF_NEW : 1)
    // Restarts a queue that is days long, or that was built by a clock that has been set back since.
    const atMs = isAhead(lastMs, earliestMs, LONGEST_MS) ? nextMs : earliestMs + apartMs
    queues.set(queue, atMs)
    return new Date(atMs)
  }
}

function queueOf(entry: Entry): string {
  if (entry.standing.status === 'verified') return 'verified'
  if (isByWallet(entry) && !hasDomainProof(entry)) return STRANGERS
  return `${Bun.hash.crc32(entry.owner ?? '') % QUEUES_OF_OWNERS}`
}
