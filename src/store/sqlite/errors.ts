// Trouble of the engine, told in words that are safe to show: no SQL, no path. The cause stays attached for the log.

import { SQLiteError } from 'bun:sqlite'
import { DirectoryError } from '../../domain/errors.ts'
import { type Message, say } from '../../messages/message.ts'

const MESSAGES: Readonly<Record<string, Message>> = {
  BUSY: say('store_busy'),
  LOCKED: say('store_busy'),
  FULL: say('store_full'),
  READONLY: say('store_file_read_only'),
  IOERR: say('store_file_failed'),
  CORRUPT: say('store_damaged'),
  NOTADB: say('store_damaged'),
}
const OTHERWISE = say('store_away')

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
  return new DirectoryError('store_unavailable', MESSAGES[kind] ?? OTHERWISE, [], { cause: error })
}
