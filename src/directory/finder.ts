// Finds what an operation is about, and says why it cannot be found.
import type { Catalog } from '../catalog/catalog.ts'
import { DirectoryError } from '../domain/errors.ts'
import { idTimeMs, isServiceId } from '../domain/ids.ts'
import { hiddenError } from '../domain/listing/edit.ts'
import type { Entry } from '../domain/listing/service.ts'
import { say } from '../messages/message.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Store, StoredEntry } from '../store/store.ts'

/** Each @throws DirectoryError `not_found`, `hidden` */
export type Finder = {
  requireFound<T>(value: T | undefined, id: string): T
  /** Checks what the store has; another process may just have hidden it. */
  requireVisible(stored: StoredEntry | undefined, id: string): StoredEntry
  /** An entry for which another node may just have sent 201; older ids that are unknown here do not exist. */
  findRecent(id: string): Promise<Entry>
}

/** Within this time every node on the store learns of an entry; includes a margin for clocks that differ. */
const VISIBLE_EVERYWHERE_MS = 10_000

export function createFinder({
  store,
  catalog,
  clock,
}: {
  readonly store: Pick<Store, 'find'>
  readonly catalog: Pick<Catalog, 'hidden'>
  readonly clock: Clock
}): Finder {
  function requireFound<T>(value: T | undefined, id: string): T {
    const hidden = catalog.hidden(id)
    if (hidden) throw hiddenError(hidden)
    if (value === undefined)
      throw new DirectoryError('not_found', say('service_unknown', { id: id.slice(0, 64) }))
    return value
  }

  return {
    requireFound,
    requireVisible(stored, id) {
      const present = requireFound(stored, id)
      if (present.entry.hidden) throw hiddenError(present.entry.hidden)
      return present
    },
    async findRecent(id) {
      const isRecent =
        isServiceId(id) && Math.abs(clock.now().getTime() - idTimeMs(id)) < VISIBLE_EVERYWHERE_MS
      const entry = isRecent ? (await store.find(id))?.entry : undefined
      if (entry?.hidden) throw hiddenError(entry.hidden)
      return requireFound(entry, id)
    },
  }
}
