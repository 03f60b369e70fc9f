// Single probes are kept for 30 days, the sums of their days for a year.
import type { Clock } from '../runtime/clock.ts'
import type { Store } from '../store/store.ts'

const EVERY_MS = 60 * 60_000
const DAY_MS = 24 * 60 * 60_000
const KEPT_MS = { probes: 30 * DAY_MS, days: 365 * DAY_MS }

/** Returns what forgets what is too old, once an hour however often it is called, beside everything else. */
export function createForgetting(
  probes: Pick<Store['probes'], 'prune'>,
  clock: Clock,
  onTrouble: (message: string, error: unknown) => void,
): () => void {
  let lastAtMs = Number.NEGATIVE_INFINITY
  return () => {
    const nowMs = clock.now().getTime()
    if (Math.abs(nowMs - lastAtMs) < EVERY_MS) return
    lastAtMs = nowMs
    const before = { probes: new Date(nowMs - KEPT_MS.probes), days: new Date(nowMs - KEPT_MS.days) }
    probes.prune(before).catch(error => onTrouble('old probes could not be forgotten', error))
  }
}
