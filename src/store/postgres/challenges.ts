// Sign-in messages for wallets, stored until they are signed or expire.
import { isAhead, MAX_AHEAD_MS } from '../../domain/ahead.ts'
import type { ChallengeTable } from '../keys.ts'
import type { PostgresSession } from './session.ts'

const prune = (condition: string) =>
  `DELETE FROM challenges WHERE nonce IN
     (SELECT nonce FROM challenges WHERE ${condition} ORDER BY expires_at LIMIT 20 FOR UPDATE SKIP LOCKED)`

export const createChallengeTable = (session: PostgresSession): ChallengeTable => ({
  put: ({ nonce, message, address, wallet, expiresAt }, now) =>
    session.run(async query => {
      const far = new Date(now.getTime() + MAX_AHEAD_MS.challenge).toISOString()
      // Two statements: a combined condition would scan the whole table.
      await query(prune('expires_at <= $1'), [now.toISOString()])
      await query(prune('expires_at > $1'), [far])
      await query(
        'INSERT INTO challenges (nonce, message, address, wallet, expires_at) VALUES ($1, $2, $3, $4, $5)',
        [nonce, message, address, wallet, expiresAt],
      )
    }),
  take: (nonce, now) =>
    session.run(async query => {
      const [row] = await query(
        'DELETE FROM challenges WHERE nonce = $1 RETURNING message, address, wallet, expires_at',
        [nonce],
      )
      if (!row) return undefined
      const [message, address, wallet, expiresAt] = row as unknown as [string, string, string, string]
      return isAhead(Date.parse(expiresAt), now.getTime(), MAX_AHEAD_MS.challenge)
        ? { nonce, message, address, wallet, expiresAt }
        : undefined
    }),
})
