// Maps errors of the engine to messages that are safe to publish: no SQL, no path. The cause stays attached for the log.

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
const AWAY = say('store_away')

/** The primary result code: `BUSY` for SQLITE_BUSY_RECOVERY. */
const kindOf = (error: SQLiteError): string => (error.code ?? '').split('_')[1] ?? ''

export const isBusy = (error: unknown): boolean =>
  error instanceof SQLiteError && ['BUSY', 'LOCKED', 'PROTOCOL'].includes(kindOf(error))

export const isFull = (error: unknown): boolean =>
  (error instanceof SQLiteError && kindOf(error) === 'FULL') ||
  (error as NodeJS.ErrnoException | undefined)?.code === 'ENOSPC'

export const isDamage = (error: unknown): boolean =>
  error instanceof SQLiteError && ['CORRUPT', 'NOTADB'].includes(kindOf(error))

/** Trouble that lasts until the operator acts or disk space is freed. */
export const isTrouble = (error: unknown): boolean =>
  error instanceof SQLiteError && !isBusy(error) && kindOf(error) !== 'CONSTRAINT'

/** Errors of the engine become `store_unavailable`; errors that the caller threw pass unchanged. */
export function toStoreError(error: unknown): unknown {
  if (!(error instanceof SQLiteError)) return error
  const kind = kindOf(error)
  // A violated constraint is a bug of this program, not temporary trouble.
  if (kind === 'CONSTRAINT')
    return new Error('The store refused a row that breaks its rules.', { cause: error })
  return new DirectoryError('store_unavailable', MESSAGES[kind] ?? AWAY, [], { cause: error })
}
