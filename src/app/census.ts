// Stores the daily census and searches without results, every hour and when the process ends.
import type { Catalog } from '../catalog/catalog.ts'
import type { UnmetSearches } from '../catalog/unmet.ts'
import { dayOf, daysBefore } from '../domain/census.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Store } from '../store/store.ts'

const HOUR_MS = 3_600_000
const UNMET_RETAINED_DAYS = 90

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
  /** Resolves when the catalog is complete. */
  readonly after: Promise<unknown>
  readonly clock: Clock
  readonly onTrouble: (message: string, error: unknown) => void
}): AsyncDisposable {
  const stopping = new AbortController()
  const { signal } = stopping
  const stopped = new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()))
  let isComplete = false

  async function save(): Promise<void> {
    const now = clock.now()
    const today = dayOf(now)
    for (const { day, searches } of unmet.take(today)) await store.census.putUnmet(day, searches)
    await store.census.pruneUnmet(daysBefore(now, UNMET_RETAINED_DAYS))
    // An empty store stays empty, so that a backup can be restored into it.
    if (catalog.size > 0) await store.census.put(catalog.census(today))
  }

  const trySave = () =>
    save().catch(error => onTrouble('the census could not be stored; the next attempt is in an hour', error))

  async function run(): Promise<void> {
    await Promise.race([after.then(() => (isComplete = true)).catch(() => {}), stopped])
    while (isComplete && !signal.aborted) {
      await trySave()
      await clock.sleep(HOUR_MS, signal)
    }
    if (isComplete) await trySave()
  }

  const running = run()
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await running
    },
  }
}
