// A write is answered when the catalog of this process shows it.
import type { Catalog } from '../catalog/catalog.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Seq } from '../store/store.ts'

/** A write is answered after at most twice this time, even if the catalog has not caught up. */
const VISIBLE_WITHIN_MS = 1_000

/** Returns a function that waits for a write; it never fails. */
export function createVisibilityWait(
  catalog: Pick<Catalog, 'seq' | 'reached'>,
  clock: Clock,
): (seq: Seq) => Promise<void> {
  let waiting: Promise<void> | undefined

  /** Ends within VISIBLE_WITHIN_MS. All writes share one timer: there are thousands of registrations a second. */
  function timeout(): Promise<void> {
    waiting ??= clock.sleep(VISIBLE_WITHIN_MS).then(() => {
      waiting = undefined
    })
    return waiting
  }

  return async seq => {
    const reached = catalog.reached(seq)
    // Twice, because the shared timer may be about to end.
    for (let tries = 0; tries < 2 && catalog.seq < seq; tries++) await Promise.race([reached, timeout()])
  }
}
