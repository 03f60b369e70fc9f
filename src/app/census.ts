// Keeps the census of every day, and what was searched and not found: every hour, and when the process ends.
import type { Catalog } from '../catalog/catalog.ts'
import type { UnmetSearches } from '../catalog/unmet.ts'
import { dayOf, daysBefore } from '../domain/census.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Store } from '../store/store.ts'

const HOUR_MS = 3_600_000
const UNMET_KEPT_DAYS = 90

export function openCensusKeeper({
  store,
  catalog,
  unmet,
  after,
  clock,
  onTrouble,
}: {
  readonly store: Pick<Store, 'census'>
  readonly catalog: Pick<Catalog, 'census' | 'size'>
  readonly unmet: UnmetSearches
  /** Until then the catalog is not whole. */
  readonly after: Promise<unknown>
  readonly clock: Clock
  readonly onTrouble: (message: string, error: unknown) => void
}): AsyncDisposable {
  const stopping = new AbortController()
  const { signal } = stopping
  const stopped = new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()))
  let isWhole = false

  async function keep(): Promise<void> {
    const now = clock.now()
    const today = dayOf(now)
    for (const { day, searches } of unmet.take(today)) await store.census.putUnmet(day, searches)
    await store.census.pruneUnmet(daysBefore(now, UNMET_KEPT_DAYS))
    // A store that never held anything stays empty, so that a backup can be restored into it.
    if (catalog.size > 0) await store.census.put(catalog.census(today))
  }

  const tryKeep = () =>
    keep().catch(error => onTrouble('the census could not be kept, and is tried again in an hour', error))

  async function run(): Promise<void> {
    await Promise.race([after.then(() => (isWhole = true)).catch(() => {}), stopped])
    while (isWhole && !signal.aborted) {
      await tryKeep()
      await clock.sleep(HOUR_MS, signal)
    }
    if (isWhole) await tryKeep()
  }

  const running = run()
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await running
    },
  }
}
