// The tables in a database file. Its version is in the header.
import { constants, Database } from 'bun:sqlite'
import { lazily } from '../../memory/lazily.ts'
import { stepsFrom } from '../schema.ts'

/** Marks a file as ours in its header ("SHRB"), so that a start never writes into a foreign database. */
export const APPLICATION_ID = 0x53_48_52_42

/** Bytes, more than any machine has. By default the engine limits a deserialized database to 1 GB. */
const MAX_MEMORY_BYTES = 2n ** 46n

/** Runs the pending steps, each in its own transaction; safe to call from several processes at once. */
export function migrate(db: Database): void {
  for (const { to, sql } of stepsFrom(schemaVersion(db))) {
    const takeStep = db.transaction(() => {
      // Read again under the write lock: another process may have been faster.
      if (schemaVersion(db) >= to) return
      db.run(sql)
      db.run(`PRAGMA user_version = ${to}`)
    })
    takeStep.immediate()
  }
}

const createOnce = lazily(() => {
  using db = new Database(':memory:')
  db.run(`PRAGMA application_id = ${APPLICATION_ID}`)
  migrate(db)
  return { file: db.serialize(), names: schemaNames(db), version: schemaVersion(db) }
})

export function openSqliteMemory(): Database {
  const db = Database.deserialize(createOnce().file)
  db.fileControl(constants.SQLITE_FCNTL_SIZE_LIMIT, BigInt64Array.of(MAX_MEMORY_BYTES))
  return db
}

/** The bytes of an empty database file. */
export const emptyFile = (): Uint8Array => createOnce().file

/** Whether every table and index exists; of an earlier version that is unknown. */
export function isComplete(db: Database): boolean {
  const { names, version } = createOnce()
  const present = new Set(schemaNames(db))
  return schemaVersion(db) !== version || names.every(name => present.has(name))
}

function schemaNames(db: Database): string[] {
  using statement = db.prepare('SELECT name FROM sqlite_schema')
  return statement.values().map(([name]) => name as string)
}

export const schemaVersion = (db: Database): number => readNumber(db, 'PRAGMA user_version')

/** Runs a statement that returns one number. */
export function readNumber(db: Database, sql: string): number {
  using statement = db.prepare(sql)
  return statement.values()[0]?.[0] as number
}
