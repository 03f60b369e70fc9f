// What search indexes have worked out of entries' texts, kept for the next start.

import type { KeptGist } from '../store.ts'
import type { SqliteSession } from './session.ts'

export function createGistTable(session: SqliteSession) {
  const keep = session.prepare(
    `INSERT INTO gists (service_id, gist) SELECT id, ?2 FROM services WHERE id = ?1 AND removed = 0
     ON CONFLICT (service_id) DO UPDATE SET gist = excluded.gist WHERE gist <> excluded.gist`,
  )
  const drop = session.prepare('DELETE FROM gists WHERE service_id = ?')
  return {
    keep: (gists: readonly KeptGist[]): Promise<void> =>
      session.write(() => {
        for (const { id, gist } of gists) keep.run(id, gist)
      }),
    /** As a part of the removal of its entry. */
    drop: (id: string): void => void drop.run(id),
  }
}
