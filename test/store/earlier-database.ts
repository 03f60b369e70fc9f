// Databases of an earlier version: the first migration steps are run, and a test writes its rows.
import { Database } from 'bun:sqlite'
import { systemClock } from '../../src/runtime/clock.ts'
import { readPostgresAddress } from '../../src/store/postgres/address.ts'
import { PostgresConnector } from '../../src/store/postgres/connector.ts'
import { migrate as migratePostgres } from '../../src/store/postgres/schema.ts'
import { APPLICATION_ID, migrate } from '../../src/store/sqlite/schema.ts'
import { createDatabase } from '../postgres.ts'
import { temporaryPath } from './temporary-path.ts'

type PostgresLink = Awaited<ReturnType<PostgresConnector['link']>>

/** Returns its address. @param steps of the schema that the earlier version knew */
export function createEarlierSqlite(steps: number, write: (db: Database) => void): string {
  const path = temporaryPath('store.db')
  const db = new Database(path)
  db.run(`PRAGMA application_id = ${APPLICATION_ID}`)
  migrate(db, { to: steps })
  write(db)
  db.close(true)
  return `sqlite:${path}`
}

export async function createEarlierPostgres(
  steps: number,
  write: (link: PostgresLink) => Promise<unknown>,
): Promise<string> {
  const url = await createDatabase()
  await using connector = new PostgresConnector({
    address: readPostgresAddress(url),
    clock: systemClock,
    role: 'primary',
    connections: 1,
  })
  const link = await connector.link()
  await migratePostgres(link, { to: steps })
  await write(link)
  return url
}
