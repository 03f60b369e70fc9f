// Embeddings of entries' texts, stored for the next start. They are opaque to the store.

import type { StoredEmbedding } from '../store.ts'
import type { SqliteSession } from './session.ts'

export function createEmbeddingTable(session: SqliteSession) {
  const put = session.prepare(
    `INSERT INTO gists (service_id, gist) SELECT id, ?2 FROM services WHERE id = ?1 AND removed = 0
     ON CONFLICT (service_id) DO UPDATE SET gist = excluded.gist WHERE gist <> excluded.gist`,
  )
  const drop = session.prepare('DELETE FROM gists WHERE service_id = ?')
  return {
    put: (embeddings: readonly StoredEmbedding[]): Promise<void> =>
      session.write(() => {
        for (const { id, embedding } of embeddings) put.run(id, embedding)
      }),
    /** Inside the transaction that removes the entry. */
    drop: (id: string): void => void drop.run(id),
  }
}
