// Sign-in messages for wallets, stored until they are signed or expire.
import { MAX_AHEAD_MS } from '../../domain/ahead.ts'
import { CHALLENGE_COLUMNS, type ChallengeTable, toChallenge } from '../keys.ts'
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
      await query(`INSERT INTO challenges (${CHALLENGE_COLUMNS}) VALUES ($1, $2, $3, $4, $5)`, [
        nonce,
        message,
        address,
        wallet,
        expiresAt,
      ])
    }),
  find: (nonce, now) =>
    session.run(async query => {
      const [row] = await query(`SELECT ${CHALLENGE_COLUMNS} FROM challenges WHERE nonce = $1`, [nonce])
      return toChallenge(row as readonly unknown[] | undefined, now)
    }),
  take: (nonce, now) =>
    session.run(async query => {
      const [row] = await query(`DELETE FROM challenges WHERE nonce = $1 RETURNING ${CHALLENGE_COLUMNS}`, [
        nonce,
      ])
      return toChallenge(row as readonly unknown[] | undefined, now)
    }),
})
