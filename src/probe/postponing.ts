// Services of a busy host or address queue up behind each other, so that one with thousands of them is not claimed again and again.

import { isAhead } from '../domain/ahead.ts'
import type { Entry } from '../domain/service.ts'
import type { Clock } from '../runtime/clock.ts'
import type { HostBusy } from './host-gate.ts'

/** Who would wait longer than this for a host gives the place to others and comes back. */
export const HOST_PATIENCE_MS = 5_000
const MAX_QUEUES = 40_000
const LONGEST_MS = 24 * 60 * 60_000
/** So many of the services of one place at most want the same moment, of which all but one wait or come back once more. */
const QUEUES_OF_OWNERS = 8

/**
 * Returns when the next service that leads to a busy place may come back. Anybody can list hundreds of services on a host of
 * somebody else's: so the queue of a place is one for each owner, and one for what is verified there.
 */
export function createPostponing(clock: Clock): (busy: HostBusy, entry: Entry) => Date {
  const queues = new Map<string, number>()
  return ({ place, apartMs }, entry) => {
    if (queues.size >= MAX_QUEUES) queues.clear()
    const nowMs = clock.now().getTime()
    const earliestMs = nowMs + HOST_PATIENCE_MS
    const queue = `${place} ${queueOf(entry)}`
    const lastMs = queues.get(queue) ?? 0
    // A queue of days begins anew, and so does one that a clock has made which has been put back since.
    const atMs = (isAhead(lastMs, earliestMs, LONGEST_MS) ? lastMs : earliestMs) + apartMs
    queues.set(queue, atMs)
    return new Date(atMs)
  }
}

const queueOf = ({ owner, standing }: Entry): string =>
  standing.status === 'verified' ? 'verified' : `${Bun.hash.crc32(owner ?? '') % QUEUES_OF_OWNERS}`
