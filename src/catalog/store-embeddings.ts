// Stores embeddings that had to be made, a few at a time, so that the next start is spared the work.

import { DirectoryError } from '../domain/errors.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Store } from '../store/store.ts'
import type { Catalog } from './catalog.ts'

/** Small enough to hold neither the event loop nor the write lock for more than a few milliseconds. */
const BATCH = 100
const PAUSE_MS = 20
/** While entries are being written this waits, though not for ever: it is never urgent. */
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
      // They are lost until the next start, which makes them again.
      if (!(error instanceof DirectoryError && error.code === 'store_unavailable')) throw error
      return false
    }
    return true
  }

  async function run(): Promise<void> {
    let seen = -1
    let rounds = 0
    while (!stopping.signal.aborted) {
      const isIdle = catalog.seq === seen || ++rounds === MAX_ROUNDS
      seen = catalog.seq
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
