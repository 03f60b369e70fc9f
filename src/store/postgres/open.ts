// Opens a database: waits for a server that is unreachable, and creates or migrates the tables before anything is read or written.
import { DirectoryError } from '../../domain/errors.ts'
import { verbatim } from '../../messages/message.ts'
import { checkVersion, isEarlier, type OnUpgraded, SCHEMA_VERSION, stepsFrom } from '../schema.ts'
import type { OpenOptions } from '../store.ts'
import {
  isKind,
  isUnavailable,
  type PostgresAddress,
  PostgresConnector,
  type PostgresLink,
  toStoreError,
} from './link.ts'

const PAUSE_MS = 500

export async function preparePostgres(
  address: PostgresAddress,
  { clock, onWaiting, onUpgraded, signal }: OpenOptions,
): Promise<void> {
  await using connector = new PostgresConnector({ address, clock, connections: 1 })
  let isWaiting = false
  for (;;) {
    try {
      const link = await connector.link()
      await migrate(link, onUpgraded)
      return await assertFeatures(link)
    } catch (error) {
      if (!onWaiting || !isUnavailable(error)) throw toStoreError(error)
      if (!isWaiting) onWaiting((toStoreError(error) as Error).message)
      isWaiting = true
    }
    await clock.sleep(PAUSE_MS, signal)
    if (signal?.aborted) {
      throw new DirectoryError(
        'store_unavailable',
        verbatim('The store could not be reached before the end was asked for.'),
      )
    }
  }
}

/** Text is compared by bytes, whatever the locale of the database, because ids and times require it. */
const withOwnTypes = (schema: string): string =>
  schema
    .replaceAll(/ STRICT(, WITHOUT ROWID)?/g, '')
    .replaceAll(/\bTEXT\b/g, 'text COLLATE "C"')
    .replaceAll(/\bINTEGER\b/g, 'bigint')
    .replaceAll(/\bREAL\b/g, 'double precision')
    .replaceAll(/\bBLOB\b/g, 'bytea')

/** Arbitrary advisory lock key that no other program in the same database uses. */
const MIGRATION_LOCK = 0x53_48_52_42
const TABLE_EXISTS = '42P07'

/** Embeddings are practically random, and are read at every start; the counter is updated by every commit. */
const ONCE = `
  ALTER TABLE embeddings ALTER COLUMN embedding SET STORAGE EXTERNAL;
  ALTER TABLE counter SET (fillfactor = 10)`

/** Runs the pending steps; safe to call from several processes at once. @throws DirectoryError `store_unavailable` */
async function migrate(link: PostgresLink, onUpgraded?: OnUpgraded): Promise<void> {
  if ((await readVersion(link)) === SCHEMA_VERSION) return
  await link.query('BEGIN')
  try {
    // Waiting for the migration of another process must not run into the usual time limits.
    await link.script('SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0')
    await link.query(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`)
    // Read again under the lock: another process may have been faster.
    const version = await readVersion(link)
    for (const { sql } of stepsFrom(version)) await link.script(withOwnTypes(sql))
    if (version === 0) await link.script(`${ONCE}; CREATE TABLE shirube_schema (version integer NOT NULL)`)
    await link.script(`DELETE FROM shirube_schema; INSERT INTO shirube_schema VALUES (${SCHEMA_VERSION})`)
    await link.query('COMMIT')
    if (isEarlier(version)) onUpgraded?.({ from: version, to: SCHEMA_VERSION })
  } catch (error) {
    await link.query('ROLLBACK').catch(() => link.destroy())
    if (!link.dead && (await readVersion(link)) === SCHEMA_VERSION) return
    if (isKind(error, TABLE_EXISTS)) {
      throw new DirectoryError(
        'store_unavailable',
        verbatim('The database was not made by this program; name an empty one.'),
      )
    }
    throw error
  }
}

async function readVersion(link: PostgresLink): Promise<number> {
  // Reads pg_class: to_regclass may return a result from before the lock was taken.
  const [found] = await link.query(
    "SELECT EXISTS (SELECT FROM pg_class WHERE relname = 'shirube_schema' AND pg_table_is_visible(oid))",
  )
  if (found?.[0] !== true) return 0
  const [row] = await link.query('SELECT version FROM shirube_schema')
  const version = row?.[0] as number
  checkVersion(version, 'The database')
  return version
}

export const CHANNEL = 'shirube_seq'

/** The server's timeline id: PostgreSQL increments it at every promotion and every point-in-time recovery. */
export const TIMELINE = 'left(pg_walfile_name(pg_current_wal_lsn()), 8)'

/** SQLSTATEs: feature not supported, undefined function, insufficient privilege. */
const LACKING = ['0A000', '42883', '42501']

/** Every write uses these. A standby before its promotion refuses them too, and has them. */
async function assertFeatures(link: PostgresLink): Promise<void> {
  try {
    await link.query(`SELECT pg_notify('${CHANNEL}', '0'), ${TIMELINE}`)
  } catch (error) {
    if (!LACKING.some(state => isKind(error, state))) return
    throw new DirectoryError(
      'store_unavailable',
      verbatim('The database has no pg_notify or pg_current_wal_lsn, or its user may not call them.'),
    )
  }
}
