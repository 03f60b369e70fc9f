// Stores computed embeddings in small batches, so that the next start does not compute them again.

import { DirectoryError } from '../../domain/errors.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Store } from '../../store/store.ts'
import type { Catalog } from '../catalog.ts'

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
