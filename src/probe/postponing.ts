// Services of a busy host or address queue up behind each other, so that one with thousands of them is not claimed again and again.

import { isAhead } from '../domain/ahead.ts'
import type { Clock } from '../runtime/clock.ts'
import type { HostBusy } from './host-gate.ts'

/** Who would wait longer than this for a host gives the place to others and comes back. */
export const HOST_PATIENCE_MS = 5_000
const MAX_PLACES = 10_000
const LONGEST_MS = 24 * 60 * 60_000

/** Answers when the next service that leads to a busy place may come back. */
export function createPostponing(clock: Clock): (busy: HostBusy) => Date {
  const places = new Map<string, number>()
  return ({ place, apartMs }) => {
    if (places.size >= MAX_PLACES) places.clear()
    const nowMs = clock.now().getTime()
    const earliestMs = nowMs + HOST_PATIENCE_MS
    const lastMs = places.get(place) ?? 0
    // A queue of days begins anew, and so does one that a clock has made which has been put back since.
    const atMs = (isAhead(lastMs, earliestMs, LONGEST_MS) ? lastMs : earliestMs) + apartMs
    places.set(place, atMs)
    return new Date(atMs)
  }
}
