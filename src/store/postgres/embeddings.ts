// Embeddings of entries' texts, stored for the next start. They are opaque to the store.

import type { StoredEmbedding } from '../store.ts'
import type { Query } from './link.ts'

/** Several processes may write the same embeddings concurrently: ordered by id, so that they do not deadlock. */
export async function putEmbeddings(query: Query, embeddings: readonly StoredEmbedding[]): Promise<void> {
  const rows = embeddings.map(({ id, embedding }) => ({
    id,
    gist: Buffer.from(embedding).toString('base64'),
  }))
  await query(
    `INSERT INTO gists (service_id, gist)
       SELECT id, decode(row.gist, 'base64') FROM json_to_recordset($1::text::json) AS row (id text, gist text)
         JOIN services USING (id) WHERE entry IS NOT NULL ORDER BY id
     ON CONFLICT (service_id) DO UPDATE SET gist = excluded.gist WHERE gists.gist <> excluded.gist`,
    [JSON.stringify(rows)],
  )
}
