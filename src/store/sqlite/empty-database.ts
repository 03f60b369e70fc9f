// A database with nothing in it yet. To take every step of the schema takes far longer than to copy what came of it.
import { constants, Database } from 'bun:sqlite'
import { createTimelineId } from '../../domain/timelines.ts'
import { lazily } from '../../memory/lazily.ts'
import { APPLICATION_ID, migrate } from './schema.ts'

/** More than any machine has. Without it the engine keeps a copy below 1 GB. */
const MAX_MEMORY_BYTES = 2n ** 46n

const migrateOnce = lazily(() => {
  using db = new Database(':memory:')
  db.run(`PRAGMA application_id = ${APPLICATION_ID}`)
  migrate(db)
  return db.serialize()
})

export function openSqliteMemory(): Database {
  const db = Database.deserialize(migrateOnce())
  db.fileControl(constants.SQLITE_FCNTL_SIZE_LIMIT, BigInt64Array.of(MAX_MEMORY_BYTES))
  // No two databases have one history: a cursor of one must never be taken for one of the other.
  db.run('UPDATE timelines SET id = ?', [createTimelineId()])
  return db
}

/** Returns the bytes of its file. */
export function emptyFile(): Uint8Array {
  using db = openSqliteMemory()
  return db.serialize()
}
