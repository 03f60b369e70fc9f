// Fills a catalog from the store, or updates one that was restored from a snapshot. No request waits yet, so pages are large; a
// database server reads the next page while this one is applied.
import { ignoreRejection } from '../../runtime/ignore-rejection.ts'
import { yieldToEventLoop } from '../../runtime/yield-to-event-loop.ts'
import type { Seq, Store } from '../../store/store.ts'
import type { Catalog } from '../catalog.ts'

const PAGE = 5_000
/** Entries applied without yielding. */
const SLICE = 1_000

/** The caller builds the sorted indexes. Stops early when the signal is aborted. */
export async function loadAll({
  store,
  catalog,
  since,
  signal,
  onPage,
}: {
  readonly store: Pick<Store, 'changes' | 'timelines'>
  readonly catalog: Catalog
  readonly since: Seq
  readonly signal: AbortSignal
  /** Everything up to `seq` is applied. */
  readonly onPage: (count: number, seq: Seq, more: boolean) => void
}): Promise<void> {
  let cursor = since
  let nextPage = store.changes(cursor, PAGE)
  for (let more = true; more; ) {
    const page = await nextPage
    cursor = page.at(-1)?.seq ?? cursor
    more = page.length === PAGE
    if (more) nextPage = ignoreRejection(store.changes(cursor, PAGE))
    for (let at = 0; at < page.length; at += SLICE) {
      catalog.apply(page.slice(at, at + SLICE), { more: true })
      await yieldToEventLoop()
      if (signal.aborted) return
    }
    catalog.apply([], { more: true, timelines: store.timelines })
    onPage(page.length, cursor, more)
  }
}
