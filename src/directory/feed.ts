// Operations for followers of the catalog.

import type { Catalog } from '../catalog/catalog.ts'
import type { EventTail } from '../catalog/follow/event-tail.ts'
import { historyChanged, invalid, toProblem } from '../domain/errors.ts'
import type { Changes, FeedEvent } from '../domain/feed.ts'
import type { Encoded } from '../domain/json/encoded.ts'
import type { ChangesQuery } from '../domain/queries/queries.ts'
import { type Cursor, readCursor } from '../domain/timelines.ts'
import { say } from '../messages/message.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Store } from '../store/store.ts'

export interface Feed {
  /**
   * The present state of every entry whose public object changed after `since`, removals included, oldest change first. If there is
   * none, it waits `wait` seconds for a change, or until the signal is aborted.
   * @throws DirectoryError `history_changed`
   */
  changes(query: ChangesQuery, signal?: AbortSignal): Promise<Encoded<Changes>>
  /** Events from now on, or after the event of the cursor; never ends. @throws DirectoryError `history_changed` */
  events(from?: { readonly after?: string | number; readonly signal?: AbortSignal }): AsyncIterable<FeedEvent>
}

/** @throws DirectoryError `invalid_request` */
export function toCursor(path: string, text: string | number): Cursor {
  const cursor = readCursor(text)
  if (!cursor) throw invalid([toProblem(path, say('feed_cursor_expected'))])
  return cursor
}

export function createFeed({
  ready,
  tail,
  clock,
  store,
}: {
  readonly store: Pick<Store, 'history'>
  /** @throws DirectoryError `not_ready` */
  readonly ready: () => Catalog
  readonly tail: EventTail
  readonly clock: Clock
}): Feed {
  async function waitForChange(since: number, ms: number, signal: AbortSignal | undefined): Promise<void> {
    const catalog = ready()
    const changed = new AbortController()
    const unwatch = catalog.watch(() => {
      if (catalog.lastChange > since) changed.abort()
    })
    await clock.sleep(ms, signal ? AbortSignal.any([signal, changed.signal]) : changed.signal)
    unwatch()
  }

  /** Another process may be ahead of this one, so the store decides. */
  async function toSince(cursor: Cursor): Promise<number> {
    const catalog = ready()
    if (!(await catalog.includes('seq', cursor, catalog.seq, () => store.history())))
      throw historyChanged('since', say('read_changes_anew'))
    return cursor.number
  }

  return {
    async changes({ since: from, limit, wait }, signal) {
      const since = await toSince(toCursor('since', from))
      const { page, count } = ready().changes(since, limit)
      if (count > 0 || wait === 0) return page
      await waitForChange(since, wait * 1_000, signal)
      return ready().changes(since, limit).page
    },

    async *events({ after, signal } = {}) {
      ready()
      const from = after === undefined ? undefined : toCursor('after', after)
      for await (const { events } of tail.listen(from, signal)) yield* events
    },
  }
}
