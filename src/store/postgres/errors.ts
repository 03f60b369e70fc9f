// Maps errors of the engine and of the connection to messages that are safe to publish: no SQL, no address, no password.

import { DirectoryError } from '../../domain/errors.ts'
import { type Message, say } from '../../messages/message.ts'

const AWAY = say('store_away')

/** By SQLSTATE, or by its class, which is the first two characters. */
const MESSAGES: Readonly<Record<string, Message>> = {
  '25006': say('store_read_only'),
  '28': say('store_user_refused'),
  '3D': say('store_database_missing'),
  '42501': say('store_user_not_allowed'),
  '53100': say('store_full'),
  '53': say('store_crowded'),
  '55P03': say('store_busy'),
}

/** SQLSTATE classes of violated constraints, bad values and wrong statements: bugs of this program, not temporary trouble. */
const MISTAKES = /^(0A|21|22|23|42)/

/** A failed or timed-out connection, as opposed to an error that the server returned. */
export class ConnectionTrouble extends Error {
  override readonly name = 'ConnectionTrouble'
}

const codeOf = (error: unknown): string => {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : ''
}

const isServerError = (error: unknown): boolean => error instanceof Error && error.name === 'PostgresError'

/** Whether the connection is lost and must be closed. */
export function isConnectionTrouble(error: unknown): boolean {
  if (error instanceof ConnectionTrouble) return true
  if (isServerError(error)) return /^(08|57P0)/.test(codeOf(error))
  return /^(CONNECTION_|CONNECT_|E[A-Z]+$|ERR_)/.test(codeOf(error))
}

/** Whether a retry can succeed: the server is unreachable, starting, or failing over. */
export const isUnavailable = (error: unknown): boolean =>
  isConnectionTrouble(error) || (isServerError(error) && /^(25006|53|57|55P03)/.test(codeOf(error)))

export const isKind = (error: unknown, sqlState: string): boolean =>
  isServerError(error) && codeOf(error).startsWith(sqlState)

/** Errors of the engine become `store_unavailable`; errors that the caller threw pass unchanged. */
export function toStoreError(error: unknown): unknown {
  if (!isServerError(error) && !isConnectionTrouble(error)) return error
  const code = codeOf(error)
  // The client attaches statement and values to its errors; the cause keeps only what may be logged.
  const cause = new Error(`${code} ${(error as Error).message}`.trim())
  const message = isServerError(error) ? (MESSAGES[code] ?? MESSAGES[code.slice(0, 2)]) : AWAY
  if (message === undefined && MISTAKES.test(code)) {
    return new Error('The store refused a row that breaks its rules.', { cause })
  }
  return new DirectoryError('store_unavailable', message ?? AWAY, [], { cause })
}
