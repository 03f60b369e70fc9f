// The operations by which others follow the catalog.
import type { Catalog } from './catalog/catalog.ts'
import type { EventTail } from './catalog/event-tail.ts'
import type { Clock } from './clock.ts'
import type { Encoded } from './domain/encoded.ts'
import type { Changes, FeedEvent } from './domain/feed.ts'
import type { ChangesQuery } from './domain/queries.ts'

export interface Feed {
  /**
   * The present state of everything whose public object changed after `since`, oldest change first, what was removed
   * included. Where there is nothing, it waits so many seconds for something, or until the signal is raised.
   */
  changes(query: ChangesQuery, signal?: AbortSignal): Promise<Encoded<Changes>>
  /** What happens from now on, or happened after the event of that number; without end. */
  events(from?: { readonly after?: number; readonly signal?: AbortSignal }): AsyncIterable<FeedEvent>
}

export function createFeed({
  ready,
  tail,
  clock,
}: {
  /** @throws DirectoryError `not_ready` */
  readonly ready: () => Catalog
  readonly tail: EventTail
  readonly clock: Clock
}): Feed {
  async function waitForChange(since: number, ms: number, signal: AbortSignal | undefined): Promise<void> {
    const catalog = ready()
    const enough = new AbortController()
    const unwatch = catalog.watch(() => {
      if (catalog.lastChange > since) enough.abort()
    })
    await clock.sleep(ms, signal ? AbortSignal.any([signal, enough.signal]) : enough.signal)
    unwatch()
  }

  return {
    async changes({ since, limit, wait }, signal) {
      const { page, count } = ready().changes(since, limit)
      if (count > 0 || wait === 0) return page
      await waitForChange(since, wait * 1_000, signal)
      return ready().changes(since, limit).page
    },

    async *events({ after, signal } = {}) {
      ready()
      for await (const { events } of tail.listen(after, signal)) yield* events
    },
  }
}
