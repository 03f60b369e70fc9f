// Services of a busy host queue up behind each other, so that one with thousands of them is not claimed again and again.
import type { Clock } from '../clock.ts'
import { APART_MS } from './host-turns.ts'

/** Who would wait longer than this for a host gives the place to others and comes back. */
export const HOST_PATIENCE_MS = 5_000
const MAX_HOSTS = 10_000

/** Answers when the next service of a host may come back. */
export function createPostponing(clock: Clock): (host: string) => Date {
  const hosts = new Map<string, number>()
  return host => {
    if (hosts.size >= MAX_HOSTS) hosts.clear()
    const earliestMs = clock.now().getTime() + HOST_PATIENCE_MS
    const atMs = Math.max(hosts.get(host) ?? 0, earliestMs) + APART_MS
    hosts.set(host, atMs)
    return new Date(atMs)
  }
}
