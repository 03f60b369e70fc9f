import { DirectoryError } from '../domain/errors.ts'
import { verbatim } from '../messages/message.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Store } from './store.ts'

const SUPPORTED =
  'use sqlite:<path of a file>, sqlite::memory: or postgres://<user>:<password>@<host>/<database>'

export type OpenOptions = {
  readonly clock: Clock
  /** A standby of the same database, for boots and long catch-ups. */
  readonly replicaUrl?: string | undefined
  /** Connections of a database server to read by; 4 unless given. */
  readonly readers?: number | undefined
  /** Where it is given, a database server that is away is waited for; it is told why, once. Without it that is an error. */
  readonly onWaiting?: (sentence: string) => void
  /** Told in sentences, each once, what the database does not do as well as it could. */
  readonly onLacking?: (sentence: string) => void
  /** Told in a sentence that writes are not kept any more, and why; undefined: they are again. */
  readonly onTrouble?: ((sentence: string | undefined) => void) | undefined
  /** Others have it open, threads of this process perhaps: a file that is not there is an error. Otherwise the first one makes it. */
  readonly mustExist?: boolean | undefined
  /** Ends the waiting. */
  readonly signal?: AbortSignal | undefined
}

/** Whether only who opens it can read it. */
export const isInMemory = (databaseUrl: string): boolean => /^sqlite::memory:$/i.test(databaseUrl)

/** The file of a database that is one. */
export function toFilePath(databaseUrl: string): string | undefined {
  if (isInMemory(databaseUrl)) return undefined
  // Whoever writes sqlite:///var/lib/x.db means /var/lib/x.db.
  const path = /^sqlite:(?:\/\/(?=.))?(.*)$/is.exec(databaseUrl)?.[1] ?? ''
  return path.trim() === '' ? undefined : path
}

/** @throws DirectoryError `store_unavailable` with a sentence for the operator; what is there is then untouched. */
export async function openStore(databaseUrl: string, options: OpenOptions): Promise<Store> {
  const [, scheme = ''] = /^([a-z][a-z0-9+.-]*):/i.exec(databaseUrl) ?? []
  if (/^postgres(ql)?$/i.test(scheme)) return openPostgres(databaseUrl, options)
  if (scheme.toLowerCase() !== 'sqlite') {
    // The address may carry a password: only its scheme is repeated.
    const what = scheme
      ? `A database address that begins with "${scheme}:"`
      : 'A database address without a scheme'
    throw new DirectoryError('store_unavailable', verbatim(`${what} is not supported; ${SUPPORTED}.`))
  }
  return openSqlite(databaseUrl, options)
}

// Only the engine that is used is loaded.

async function openPostgres(databaseUrl: string, options: OpenOptions): Promise<Store> {
  const { readPostgresAddress } = await import('./postgres/address.ts')
  const { clock, replicaUrl, readers, onLacking = () => {}, onTrouble } = options
  const address = readPostgresAddress(databaseUrl)
  const replica = replicaUrl === undefined ? undefined : readPostgresAddress(replicaUrl)
  const { preparePostgres } = await import('./postgres/open.ts')
  const capabilities = await preparePostgres(address, options)
  const { toLackingSentences } = await import('./postgres/capabilities.ts')
  for (const sentence of toLackingSentences(capabilities)) onLacking(sentence)
  const { createPostgresStore } = await import('./postgres/store.ts')
  return createPostgresStore(address, { capabilities, clock, replica, readers, onLacking, onTrouble })
}

async function openSqlite(databaseUrl: string, options: OpenOptions): Promise<Store> {
  const { clock, mustExist, onTrouble } = options
  const { createSqliteStore } = await import('./sqlite/store.ts')
  if (isInMemory(databaseUrl)) {
    const { openSqliteMemory } = await import('./sqlite/empty-database.ts')
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
  return createSqliteStore(await openSqliteFile(path, { clock, mustExist }), { clock, onTrouble })
}
