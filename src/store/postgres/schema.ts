// The schema, as forward-only migration steps. A released step is never edited; a change is a new step at the end.

import { DirectoryError } from '../../domain/errors.ts'
import { verbatim } from '../../messages/message.ts'
import { isLacking } from './capabilities.ts'
import { isKind } from './errors.ts'
import { EVENTS, KEYS, PAYMENTS, PROBES, SERVICES } from './first-tables.ts'
import {
  CATALOG_IMAGES,
  CENSUS,
  CLAIMS,
  CONSENT,
  DUE_TIMES,
  EMBEDDINGS,
  HOST_TURNS,
  LEASES,
  MESSAGES,
  MOVES,
  OUTLETS,
  PURCHASES,
  REPORTED_OUTCOMES,
  REPORTS,
  SAMPLE_STANDINGS,
  SEEN,
  SETTLEMENTS,
  SOURCES,
  TERMS,
  TIMELINES,
  WALLETS,
  WEBHOOKS,
} from './later-steps.ts'
import type { PostgresLink } from './link.ts'
import { addPurchasePlaces } from './purchase-places-step.ts'

/** SQL statements, or a function. */
type Step = string | ((link: PostgresLink) => Promise<void>)

const STEPS: readonly Step[] = [
  SERVICES + EVENTS + PROBES + KEYS + PAYMENTS,
  WALLETS,
  WEBHOOKS,
  SOURCES,
  OUTLETS,
  LEASES,
  EMBEDDINGS,
  HOST_TURNS,
  CATALOG_IMAGES,
  MOVES,
  CLAIMS,
  CONSENT,
  TIMELINES,
  SEEN,
  MESSAGES,
  REPORTS,
  SETTLEMENTS,
  TERMS,
  PURCHASES,
  REPORTED_OUTCOMES,
  DUE_TIMES,
  addPurchasePlaces,
  CENSUS,
  SAMPLE_STANDINGS,
]

export const SCHEMA_VERSION = STEPS.length

/** Arbitrary advisory lock key that no other program in the same database uses. */
const MIGRATION_LOCK = 0x53_48_52_42
const TABLE_EXISTS = '42P07'

/** Runs the pending steps; safe to call from several processes at once. @throws DirectoryError `store_unavailable` */
export async function migrate(link: PostgresLink, { to = SCHEMA_VERSION } = {}): Promise<void> {
  if ((await readVersion(link)) >= to) return
  await link.query('BEGIN')
  try {
    // Waiting for the migration of another process must not run into the usual time limits.
    await link.script('SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0')
    await takeLock(link)
    // Read again under the lock: another process may have been faster.
    const version = await readVersion(link)
    for (const step of STEPS.slice(version, to))
      await (typeof step === 'string' ? link.script(step) : step(link))
    if (version === 0) await link.script('CREATE TABLE shirube_schema (version integer NOT NULL)')
    await link.script(
      `DELETE FROM shirube_schema; INSERT INTO shirube_schema VALUES (${Math.max(version, to)})`,
    )
    await link.query('COMMIT')
  } catch (error) {
    await link.query('ROLLBACK').catch(() => link.destroy())
    if (!link.dead && (await readVersion(link)) >= to) return
    if (isKind(error, TABLE_EXISTS)) {
      throw new DirectoryError(
        'store_unavailable',
        verbatim('The database was not made by this program; name an empty one.'),
      )
    }
    throw error
  }
}

/** On an engine without advisory locks, concurrent migrations collide on the tables: all but one fail and find the work done. */
async function takeLock(link: PostgresLink): Promise<void> {
  await link.query('SAVEPOINT before_lock')
  try {
    await link.script(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`)
  } catch (error) {
    if (!isLacking(error)) throw error
    await link.query('ROLLBACK TO before_lock')
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
  if (version > SCHEMA_VERSION) {
    throw new DirectoryError(
      'store_unavailable',
      verbatim(
        'The database was written by a newer version of this program; start that version or a later one.',
      ),
    )
  }
  return version
}
