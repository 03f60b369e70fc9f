// Trouble of the engine, told in sentences that are safe to show: no SQL, no path. The cause stays attached for the log.
import { SQLiteError } from 'bun:sqlite'
import { DirectoryError } from '../../domain/errors.ts'

const SENTENCES: Readonly<Record<string, string>> = {
  BUSY: 'The store is busy with another writer; try again in a moment.',
  LOCKED: 'The store is busy with another writer; try again in a moment.',
  FULL: 'The disk of the store is full; free some space and try again.',
  READONLY: 'The store can be read but not written; check the permissions of its file and folder.',
  IOERR: 'The file of the store could not be read or written; check its disk.',
  CORRUPT: 'The store is damaged; restore it from a backup.',
  NOTADB: 'The store is damaged; restore it from a backup.',
}
const OTHERWISE = 'The store cannot be reached right now; try again in a moment.'

/** SQLITE_BUSY_RECOVERY and its like say more than is needed here: the second word is the kind of trouble. */
const kindOf = (error: SQLiteError): string => (error.code ?? '').split('_')[1] ?? ''

export const isBusy = (error: unknown): boolean =>
  error instanceof SQLiteError && ['BUSY', 'LOCKED', 'PROTOCOL'].includes(kindOf(error))

export const isFull = (error: unknown): boolean =>
  (error instanceof SQLiteError && kindOf(error) === 'FULL') ||
  (error as NodeJS.ErrnoException | undefined)?.code === 'ENOSPC'

export const isDamage = (error: unknown): boolean =>
  error instanceof SQLiteError && ['CORRUPT', 'NOTADB'].includes(kindOf(error))

/** Trouble that lasts until somebody sees to it, or something makes room. */
export const isTrouble = (error: unknown): boolean =>
  error instanceof SQLiteError && !isBusy(error) && kindOf(error) !== 'CONSTRAINT'

/** Errors of the engine become `store_unavailable`; a caller's own error passes as it is. */
export function toStoreError(error: unknown): unknown {
  if (!(error instanceof SQLiteError)) return error
  const kind = kindOf(error)
  // A broken rule of the schema is a mistake of the program, not trouble that passes.
  if (kind === 'CONSTRAINT')
    return new Error('The store refused a row that breaks its rules.', { cause: error })
  return new DirectoryError('store_unavailable', SENTENCES[kind] ?? OTHERWISE, [], { cause: error })
}
