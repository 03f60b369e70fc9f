// An empty database. The migrated schema is cached and copied: running every migration step takes far longer.
import { constants, Database } from 'bun:sqlite'
import { createTimelineId } from '../../domain/timelines.ts'
import { lazily } from '../../memory/lazily.ts'
import { APPLICATION_ID, migrate } from './schema.ts'

/** Bytes, more than any machine has. By default the engine limits a deserialized database to 1 GB. */
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
  // Every database has its own timeline: a cursor of one must never be valid in another.
  db.run('UPDATE timelines SET id = ?', [createTimelineId()])
  return db
}

/** The bytes of an empty database file. */
export function emptyFile(): Uint8Array {
  using db = openSqliteMemory()
  return db.serialize()
}
