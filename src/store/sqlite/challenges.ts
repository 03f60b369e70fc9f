// Sign-in messages for wallets, stored until they are signed or expire.
import { isAhead, MAX_AHEAD_MS } from '../../domain/ahead.ts'
import type { ChallengeTable } from '../keys.ts'
import { rowsOf, type SqliteSession } from './session.ts'

export function createChallengeTable(session: SqliteSession): ChallengeTable {
  const insert = session.prepare(
    'INSERT INTO challenges (nonce, message, address, wallet, expires_at) VALUES (?, ?, ?, ?, ?)',
  )
  const take = session.prepare(
    'DELETE FROM challenges WHERE nonce = ? RETURNING message, address, wallet, expires_at',
  )
  const prune = session.prepare(
    `DELETE FROM challenges WHERE nonce IN
       (SELECT nonce FROM challenges WHERE expires_at <= ? ORDER BY expires_at LIMIT 20)`,
  )
  const pruneFar = session.prepare(
    'DELETE FROM challenges WHERE nonce IN (SELECT nonce FROM challenges WHERE expires_at > ? LIMIT 20)',
  )
  return {
    async put({ nonce, message, address, wallet, expiresAt }, now) {
      await session.write(() => {
        prune.run(now.toISOString())
        pruneFar.run(new Date(now.getTime() + MAX_AHEAD_MS.challenge).toISOString())
        insert.run(nonce, message, address, wallet, expiresAt)
      })
    },
    take: (nonce, now) =>
      session.write(() => {
        const [row] = rowsOf(take, nonce)
        if (!row) return undefined
        const [message, address, wallet, expiresAt] = row as [string, string, string, string]
        return isAhead(Date.parse(expiresAt), now.getTime(), MAX_AHEAD_MS.challenge)
          ? { nonce, message, address, wallet, expiresAt }
          : undefined
      }),
  }
}
