// Single probes are stored for 30 days, daily totals for a year.
import type { Clock } from '../../runtime/clock.ts'
import type { Store } from '../../store/store.ts'

const EVERY_MS = 60 * 60_000
const DAY_MS = 24 * 60 * 60_000
const RETENTION_MS = { probes: 30 * DAY_MS, days: 365 * DAY_MS }

/** Returns a function that deletes old probes in the background, at most once an hour. */
export function createProbePruner(
  probes: Pick<Store['probes'], 'prune'>,
  clock: Clock,
  onTrouble: (message: string, error: unknown) => void,
): () => void {
  let lastAtMs = Number.NEGATIVE_INFINITY
  return () => {
    const nowMs = clock.now().getTime()
    if (Math.abs(nowMs - lastAtMs) < EVERY_MS) return
    lastAtMs = nowMs
    const before = {
      probes: new Date(nowMs - RETENTION_MS.probes),
      days: new Date(nowMs - RETENTION_MS.days),
    }
    probes.prune(before).catch(error => onTrouble('old probes could not be deleted', error))
  }
}
