// Fills a catalog from the store, or brings one from an image up to date. Nobody waits for a single entry yet, so pages are
// as large as pays; a database server reads the next one, and another core its words, while this one is applied.
import { availableParallelism } from 'node:os'
import { quiet } from '../runtime/ignore-rejection.ts'
import { breath } from '../runtime/yield-to-event-loop.ts'
import type { Words, WordsAhead } from '../search/index/analysis-thread.ts'
import type { Change, Seq, Store } from '../store/store.ts'
import type { Catalog } from './catalog.ts'

const PAGE = 5_000
/** Applied in one go. */
const SLICE = 1_000

type Slice = { readonly changes: readonly Change[]; readonly words: Promise<Words> | undefined }
type Page = { readonly count: number; readonly last: Seq; readonly slices: readonly Slice[] }

/** The kept orders are left to the caller. Stops in between when it is told to. */
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
  using parts = new DisposableStack()
  let ahead: WordsAhead | undefined

  async function read(since: Seq): Promise<Page> {
    // None for the first page: the thread has to get going, and a small catalog needs none at all.
    const reader = ahead
    const page = await store.changes(since, PAGE)
    const slices: Slice[] = []
    for (let at = 0; at < page.length; at += SLICE) {
      const changes = page.slice(at, at + SLICE)
      slices.push({ changes, words: reader?.read(changes.map(({ entry }) => entry)) })
    }
    return { count: page.length, last: page.at(-1)?.seq ?? since, slices }
  }

  let coming = read(since)
  for (let more = true; more; ) {
    const { count, last, slices } = await coming
    more = count === PAGE
    if (more && availableParallelism() > 1) ahead ??= parts.use(catalog.openWordsAhead())
    if (more) coming = quiet(read(last))
    for (const { changes, words } of slices) {
      catalog.apply(changes, { more: true, words: await words })
      await breath()
      if (signal.aborted) return
    }
    catalog.timelines = store.timelines
    onPage(count, last, more)
  }
}
