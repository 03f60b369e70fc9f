// The embeddings of entries' texts, kept for the next start. The store does not look inside.

import type { StoredEmbedding } from '../store.ts'
import type { Query } from './link.ts'

/** Several processes write the same embeddings at the same time: in one order, so that they do not wait for each other in a ring. */
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
