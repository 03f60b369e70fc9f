// Applies every change from the store to the catalog: start, catch-up and live updates are one loop from different cursors.
import { DirectoryError } from '../domain/errors.ts'
import type { Timelines } from '../domain/feed.ts'
import type { Clock } from '../runtime/clock.ts'
import { yieldToEventLoop } from '../runtime/scheduling.ts'
import type { Change, Seq, Store } from '../store/store.ts'
import type { Catalog } from './catalog.ts'

/** Of the first load: no request waits yet, so pages are large. `slice` entries are applied without yielding. */
const LOAD = { page: 5_000, slice: 1_000 }
/** Changes per page, so that a page delays no request. */
const PAGE = 250
/** Applied without yielding: at most this many entries, and fewer while they take longer than `ms`, as before the code is JIT-compiled. */
const SLICE = { entries: 25, ms: 5 }
const MIN_COLLECTED = 10_000
/** Back-off after the store failed. */
const RETRY_MS = { min: 100, max: 5_000 }

export interface Follower extends AsyncDisposable {
  /** Whether the catalog has caught up once since the start. */
  readonly isReady: boolean
  /** The share of the store that the first load has read, 0 to 1. */
  readonly loaded: number
  /** Resolves when `isReady` becomes true. */
  readonly caughtUp: Promise<void>
  /** How long the catalog has been behind, or the store unavailable. */
  lagMs(): number
  /** The error of the last read from the store; undefined if it succeeded. */
  readonly storeTrouble: string | undefined
  /** How often the store failed. */
  readonly storeErrors: number
}

export function openFollower({
  store,
  catalog,
  clock,
  onProgress,
}: {
  store: Pick<Store, 'changes' | 'watch' | 'timelines' | 'lastSeq'>
  catalog: Catalog
  clock: Clock
  onProgress?: (progress: { services: number; percent: number }) => void
}): Follower {
  const stopping = new AbortController()
  const first = Promise.withResolvers<void>()
  let isReady = false
  let loaded = 0
  let behindSince: number | undefined = clock.now().getTime()
  let cursor: Seq = 0
  let failures = 0
  let storeTrouble: string | undefined
  let storeErrors = 0
  let wake = Promise.withResolvers<void>()
  /** Set after a failover or a restore has ended the history that was read: the entries that may be gone, and the last seq read of it. */
  let lost: { readonly ids: Set<string>; readonly seq: Seq } | undefined
  const unwatch = store.watch(() => {
    behindSince ??= clock.now().getTime()
    wake.resolve()
  })

  /** The next page of the present history. If what was read is of another one, all is read again, like by any other follower. */
  async function read(page: Promise<Change[]>, limit: number): Promise<Change[]> {
    const changes = await page
    if (store.timelines.has('seq', { number: cursor }, Number.MAX_SAFE_INTEGER)) return changes
    lost = { ids: new Set(catalog.everyId()), seq: Math.max(cursor, lost?.seq ?? 0) }
    cursor = 0
    return read(store.changes(cursor, limit), limit)
  }

  const apply = (changes: readonly Change[], options: Parameters<Catalog['apply']>[1]) => {
    for (const { id } of changes) lost?.ids.delete(id)
    catalog.apply(changes, options)
  }

  /** Once all is read again. The numbers after the last one are unused. */
  function dropLost(): void {
    if (!lost) return
    let { seq } = lost
    const gone = [...lost.ids].map((id): Change => ({ seq: ++seq, objectSeq: seq, id, entry: null }))
    lost = undefined
    catalog.apply(gone)
  }

  /** Fills the catalog from the last applied page on; the sorted indexes are built once, after the last page. */
  async function load(): Promise<void> {
    const last = await store.lastSeq()
    let nextPage = store.changes(cursor, LOAD.page)
    for (let more = true; more; ) {
      const page = await read(nextPage, LOAD.page)
      const seq = page.at(-1)?.seq ?? cursor
      more = page.length === LOAD.page
      // A database server reads the next page while this one is applied.
      if (more) nextPage = ignoreRejection(store.changes(seq, LOAD.page))
      for (let at = 0; at < page.length; at += LOAD.slice) {
        apply(page.slice(at, at + LOAD.slice), { more: true })
        await yieldToEventLoop()
        if (stopping.signal.aborted) return
      }
      catalog.apply([], { more: true, timelines: store.timelines })
      cursor = seq
      loaded = last === 0 ? 1 : Math.min(1, seq / last)
      if (more) onProgress?.({ services: catalog.size, percent: Math.floor(100 * loaded) })
    }
    for (const _ of catalog.placing()) await yieldToEventLoop()
    catalog.apply([])
    dropLost()
    // Collects the garbage of loading now: later it would delay a request, or stay for long.
    if (catalog.size >= MIN_COLLECTED) Bun.gc(true)
  }

  let slice = 1
  async function applyInSlices(page: readonly Change[], timelines: Timelines): Promise<void> {
    if (page.length === 0) catalog.apply(page, { timelines })
    for (let at = 0; at < page.length; ) {
      if (at > 0) await yieldToEventLoop()
      const beganMs = clock.now().getTime()
      const count = Math.min(slice, page.length - at)
      apply(page.slice(at, at + count), { timelines })
      at += count
      // Only a full slice shows that a larger one may be tried.
      if (clock.now().getTime() - beganMs > SLICE.ms) slice = Math.max(1, count >> 1)
      else if (count === slice) slice = Math.min(SLICE.entries, slice * 2)
    }
  }

  async function catchUp(): Promise<void> {
    for (let more = true; more && !stopping.signal.aborted; ) {
      const page = await read(store.changes(cursor, PAGE), PAGE)
      more = page.length === PAGE
      cursor = page.at(-1)?.seq ?? cursor
      await applyInSlices(page, store.timelines)
      if (more) await yieldToEventLoop()
    }
    dropLost()
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      wake = Promise.withResolvers()
      try {
        if (!isReady) await load()
        else await catchUp()
        failures = 0
        storeTrouble = undefined
        behindSince = undefined
        if (!isReady) first.resolve()
        isReady = true
        await wake.promise
      } catch (error) {
        // An unavailable store recovers; any other error is a bug and must not leave a stale catalog serving.
        if (!(error instanceof DirectoryError && error.code === 'store_unavailable')) throw error
        storeErrors++
        storeTrouble = error.message
        behindSince ??= clock.now().getTime()
        await clock.sleep(Math.min(RETRY_MS.min * 2 ** failures++, RETRY_MS.max), stopping.signal)
      }
    }
  }

  const running = run()
  return {
    get isReady() {
      return isReady
    },
    get loaded() {
      return loaded
    },
    get storeTrouble() {
      return storeTrouble
    },
    get storeErrors() {
      return storeErrors
    },
    caughtUp: first.promise,
    lagMs: () => (behindSince === undefined ? 0 : clock.now().getTime() - behindSince),
    async [Symbol.asyncDispose]() {
      stopping.abort()
      unwatch()
      wake.resolve()
      await running
    },
  }
}

// Stores computed embeddings in small batches, so that the next start does not compute them again.

/** Small enough to block the event loop and the write lock for only a few milliseconds. */
const BATCH = 100
const PAUSE_MS = 20
/** Waits while entries are being written, at most MAX_ROUNDS times: storing embeddings is never urgent. */
const SETTLE_MS = 5_000
const MAX_ROUNDS = 12

export function openEmbeddingWriter({
  store,
  catalog,
  clock,
}: {
  store: Pick<Store, 'putEmbeddings'>
  catalog: Catalog
  clock: Clock
}): AsyncDisposable {
  const stopping = new AbortController()

  async function storeSome(): Promise<boolean> {
    const embeddings = catalog.takeEmbeddings(BATCH)
    if (embeddings.length === 0) return false
    try {
      await store.putEmbeddings(embeddings)
    } catch (error) {
      // They are lost; the next start computes them again.
      if (!(error instanceof DirectoryError && error.code === 'store_unavailable')) throw error
      return false
    }
    return true
  }

  async function run(): Promise<void> {
    let lastSeq = -1
    let rounds = 0
    while (!stopping.signal.aborted) {
      const isIdle = catalog.seq === lastSeq || ++rounds === MAX_ROUNDS
      lastSeq = catalog.seq
      if (isIdle) {
        rounds = 0
        while (!stopping.signal.aborted && (await storeSome())) await clock.sleep(PAUSE_MS, stopping.signal)
      }
      await clock.sleep(SETTLE_MS, stopping.signal)
    }
  }

  const running = run()
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await running
    },
  }
}

/** Prevents an unhandled rejection; callers that await the promise still get the error. */
function ignoreRejection<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}
