// Trouble of the engine and of the way to it, told in words that are safe to show: no SQL, no address, no password.

import { DirectoryError } from '../../domain/errors.ts'
import { type Message, say } from '../../messages/message.ts'

const AWAY = say('store_away')

/** By SQLSTATE, or by its class, the first two characters. */
const MESSAGES: Readonly<Record<string, Message>> = {
  '25006': say('store_read_only'),
  '28': say('store_user_refused'),
  '3D': say('store_database_missing'),
  '42501': say('store_user_not_allowed'),
  '53100': say('store_full'),
  '53': say('store_crowded'),
  '55P03': say('store_busy'),
}

/** Rules of the schema, values that fit no column, statements that are wrong: mistakes of the program, not trouble that passes. */
const MISTAKES = /^(0A|21|22|23|42)/

/** Trouble on the way rather than an answer: the connection, or the wait for one. */
export class ConnectionTrouble extends Error {
  override readonly name = 'ConnectionTrouble'
}

const codeOf = (error: unknown): string => {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : ''
}

const isAnswer = (error: unknown): boolean => error instanceof Error && error.name === 'PostgresError'

/** Whether the way to the engine, or the engine itself, is gone: the connection is of no more use. */
export function isConnectionTrouble(error: unknown): boolean {
  if (error instanceof ConnectionTrouble) return true
  if (isAnswer(error)) return /^(08|57P0)/.test(codeOf(error))
  return /^(CONNECTION_|CONNECT_|E[A-Z]+$|ERR_)/.test(codeOf(error))
}

/** Whether waiting helps: the engine is away, starting, or in the middle of a failover. */
export const isAway = (error: unknown): boolean =>
  isConnectionTrouble(error) || (isAnswer(error) && /^(25006|53|57|55P03)/.test(codeOf(error)))

export const isKind = (error: unknown, sqlState: string): boolean =>
  isAnswer(error) && codeOf(error).startsWith(sqlState)

/** Errors of the engine become `store_unavailable`; a caller's own error passes as it is. */
export function toStoreError(error: unknown): unknown {
  if (!isAnswer(error) && !isConnectionTrouble(error)) return error
  const code = codeOf(error)
  // The client hangs statement and values on its errors: only what the log may show is kept.
  const cause = new Error(`${code} ${(error as Error).message}`.trim())
  const said = isAnswer(error) ? (MESSAGES[code] ?? MESSAGES[code.slice(0, 2)]) : AWAY
  if (said === undefined && MISTAKES.test(code)) {
    return new Error('The store refused a row that breaks its rules.', { cause })
  }
  return new DirectoryError('store_unavailable', said ?? AWAY, [], { cause })
}
