// Assembly of imports: records of a file, and sync with a source.
import { createIdSource } from '../domain/ids.ts'
import { createSafeFetch } from '../probe/requests/safe-fetch.ts'
import type { Clock } from '../runtime/clock.ts'
import { openEmbedder } from '../search/embedding/model.ts'
import { createSemanticIndex, type SemanticIndex } from '../search/embedding/semantic-index.ts'
import type { Store } from '../store/store.ts'
import { createRecordImport, type RecordImport } from '../sync/import-records.ts'
import { createSync, SOURCE_LIMITS, type Sync } from '../sync/sync.ts'
import type { Config } from './config.ts'
import { toUserAgent } from './probing/probing.ts'

export function openImport(store: Store, clock: Clock): RecordImport {
  const records = createRecordImport({ store, newId: createIdSource(), now: () => clock.now() })
  let semantic: SemanticIndex | undefined
  return {
    get report() {
      return records.report
    },
    async write(batch, onSkipped) {
      const written = await records.write(batch, onSkipped)
      semantic ??= createSemanticIndex(openEmbedder())
      const { embedDocument } = semantic
      await store.putEmbeddings(written.map(entry => ({ id: entry.id, embedding: embedDocument(entry) })))
      return written
    },
  }
}

export const openSync = (config: Config, store: Store, clock: Clock): Sync =>
  createSync({
    store,
    clock,
    fetch: createSafeFetch({ allowPrivate: config.allowPrivateEndpoints, limits: SOURCE_LIMITS }),
    bounds: { bytes: config.syncMaxBytes, entries: config.syncMaxEntries },
    policy: { allowPrivateEndpoints: config.allowPrivateEndpoints, strictAddresses: false },
    userAgent: toUserAgent('Sync', config.publicUrl),
  })
