// Services of a busy host or address queue up behind each other, so that one with thousands of them is not claimed again and again.

import { isAhead } from '../domain/ahead.ts'
import { hasDomainProof, isByWallet } from '../domain/backing.ts'
import type { Entry } from '../domain/service.ts'
import type { Clock } from '../runtime/clock.ts'
import type { HostBusy } from './host-gate.ts'

/** Who would wait longer than this for a host gives the place to others and comes back. */
export const HOST_PATIENCE_MS = 5_000
const MAX_QUEUES = 40_000
const LONGEST_MS = 24 * 60 * 60_000
/** Requests of the probe of a new service, with those for the proof of its domain: so long such a probe takes its host. */
const REQUESTS_OF_NEW = 8
const STRANGERS = 'strangers'
/** So many of the services of one place at most want the same moment, of which all but one wait or come back once more. */
const QUEUES_OF_OWNERS = 8

/**
 * Returns when the next service that leads to a busy place may come back. Anybody can list hundreds of services on a host of
 * somebody else's: so the queue of a place is one for each owner, and one for what is verified there. Wallets cost nothing: what
 * they list shares one queue until it is verified or its domain speaks for it, one at a time, so that the host is free for others.
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
    // A queue of days begins anew, and so does one that a clock has made which has been put back since.
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
