// Carries every change from the store to the catalog: boot, catch-up and live are one loop from a different cursor.
import type { Clock } from '../clock.ts'
import { DirectoryError } from '../domain/errors.ts'
import type { Seq, Store } from '../store/store.ts'
import type { Catalog } from './catalog.ts'

const PAGE = 5_000
/** How long to wait before the store is asked again after it failed. */
const RETRY_MS = { first: 100, most: 5_000 }

export interface Follower extends AsyncDisposable {
  /** Whether the catalog has caught up once since the start. */
  readonly ready: boolean
  /** Resolves when it has. */
  readonly caughtUp: Promise<void>
  /** How long the catalog has been behind, or the store away. */
  lagMs(): number
  /** Whether the store failed to answer when it was last asked. */
  readonly away: boolean
  /** How often the store failed to answer. */
  readonly storeErrors: number
}

export function openFollower({
  store,
  catalog,
  clock,
  onProgress,
}: {
  store: Pick<Store, 'changes' | 'watch'>
  catalog: Catalog
  clock: Clock
  onProgress?: (progress: { services: number; seq: Seq }) => void
}): Follower {
  const stopping = new AbortController()
  const first = Promise.withResolvers<void>()
  let ready = false
  let behindSince: number | undefined = clock.now().getTime()
  let cursor: Seq = 0
  let failures = 0
  let storeErrors = 0
  let wake = Promise.withResolvers<void>()
  const unwatch = store.watch(() => {
    behindSince ??= clock.now().getTime()
    wake.resolve()
  })

  async function catchUp(): Promise<void> {
    for (;;) {
      const page = await store.changes(cursor, PAGE)
      const more = page.length === PAGE
      cursor = page.at(-1)?.seq ?? cursor
      catalog.apply(page, { more })
      if (!more) return
      onProgress?.({ services: catalog.size, seq: cursor })
      // Lets requests through between two pages.
      await new Promise<void>(resolve => setImmediate(resolve))
      if (stopping.signal.aborted) return
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      wake = Promise.withResolvers()
      try {
        await catchUp()
        failures = 0
        behindSince = undefined
        if (!ready) first.resolve()
        ready = true
        await wake.promise
      } catch (error) {
        // A store that is away comes back; anything else is a fault of ours and must not leave a stale catalog serving.
        if (!(error instanceof DirectoryError && error.code === 'store_unavailable')) throw error
        storeErrors++
        behindSince ??= clock.now().getTime()
        await clock.sleep(Math.min(RETRY_MS.first * 2 ** failures++, RETRY_MS.most), stopping.signal)
      }
    }
  }

  const running = run()
  return {
    get ready() {
      return ready
    },
    get away() {
      return failures > 0
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
