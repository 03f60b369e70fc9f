import type { Clock } from '../clock.ts'
import { DirectoryError } from '../domain/errors.ts'
import { createSqliteStore } from './sqlite.ts'
import { openSqliteFile, openSqliteMemory } from './sqlite-file.ts'
import type { Store } from './store.ts'

const SUPPORTED = 'use sqlite:<path of a file> or sqlite::memory:'

/** @throws DirectoryError `store_unavailable` with a sentence for the operator; what is there is then untouched. */
export async function openStore(databaseUrl: string, { clock }: { clock: Clock }): Promise<Store> {
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*):(.*)$/is.exec(databaseUrl) ?? []
  if (scheme.toLowerCase() !== 'sqlite') {
    // The address may carry a password: only its scheme is repeated.
    const what = scheme
      ? `A database address that begins with "${scheme}:"`
      : 'A database address without a scheme'
    throw new DirectoryError('store_unavailable', `${what} is not supported; ${SUPPORTED}.`)
  }
  if (rest === ':memory:') return createSqliteStore(openSqliteMemory(), { clock })
  // Whoever writes sqlite:///var/lib/x.db means /var/lib/x.db.
  const path = rest.replace(/^\/\/(?=.)/, '')
  if (path.trim() === '') {
    throw new DirectoryError('store_unavailable', `The database address names no file; ${SUPPORTED}.`)
  }
  return createSqliteStore(await openSqliteFile(path, { clock }), { clock })
}
