// Opens the store that the URL of a database names.
import { DirectoryError } from '../domain/errors.ts'
import { verbatim } from '../messages/message.ts'
import type { OpenOptions, Store } from './store.ts'

const SUPPORTED =
  'use sqlite:<path of a file>, sqlite::memory: or postgres://<user>:<password>@<host>/<database>'

/** An in-memory database is visible only to the connection that opened it. */
export const isInMemory = (databaseUrl: string): boolean => /^sqlite::memory:$/i.test(databaseUrl)

/** The path of a database file; undefined for any other database. */
export function toFilePath(databaseUrl: string): string | undefined {
  if (isInMemory(databaseUrl)) return undefined
  // sqlite:///var/lib/x.db means /var/lib/x.db.
  const path = /^sqlite:(?:\/\/(?=.))?(.*)$/is.exec(databaseUrl)?.[1] ?? ''
  return path.trim() === '' ? undefined : path
}

/** @throws DirectoryError `store_unavailable` with a sentence for the operator; the database is then unchanged. */
export async function openStore(databaseUrl: string, options: OpenOptions): Promise<Store> {
  const store = await openEngine(databaseUrl, options)
  await store.useFormula()
  return store
}

async function openEngine(databaseUrl: string, options: OpenOptions): Promise<Store> {
  const [, scheme = ''] = /^([a-z][a-z0-9+.-]*):/i.exec(databaseUrl) ?? []
  if (/^postgres(ql)?$/i.test(scheme)) return openPostgres(databaseUrl, options)
  if (scheme.toLowerCase() !== 'sqlite') {
    // The address may contain a password, so the error repeats only its scheme.
    const what = scheme
      ? `A database address that begins with "${scheme}:"`
      : 'A database address without a scheme'
    throw new DirectoryError('store_unavailable', verbatim(`${what} is not supported; ${SUPPORTED}.`))
  }
  return openSqlite(databaseUrl, options)
}

// Each engine is loaded on demand.

async function openPostgres(databaseUrl: string, options: OpenOptions): Promise<Store> {
  const { readPostgresAddress } = await import('./postgres/link.ts')
  const address = readPostgresAddress(databaseUrl)
  const { preparePostgres } = await import('./postgres/open.ts')
  await preparePostgres(address, options)
  const { createPostgresStore } = await import('./postgres/store.ts')
  return createPostgresStore(address, options)
}

async function openSqlite(databaseUrl: string, options: OpenOptions): Promise<Store> {
  const { clock, mustExist, onTrouble, onUpgraded } = options
  const { createSqliteStore } = await import('./sqlite/store.ts')
  if (isInMemory(databaseUrl)) {
    const { openSqliteMemory } = await import('./sqlite/open.ts')
    return createSqliteStore(openSqliteMemory(), { clock, onTrouble })
  }
  const path = toFilePath(databaseUrl)
  if (path === undefined) {
    throw new DirectoryError(
      'store_unavailable',
      verbatim(`The database address names no file; ${SUPPORTED}.`),
    )
  }
  const { openSqliteFile } = await import('./sqlite/open.ts')
  return createSqliteStore(await openSqliteFile(path, { clock, mustExist, onUpgraded }), { clock, onTrouble })
}
