// Sign-in messages for wallets, stored until they are signed or expire.
import { MAX_AHEAD_MS } from '../../domain/ahead.ts'
import { CHALLENGE_COLUMNS, type ChallengeTable, toChallenge } from '../keys.ts'
import { rowsOf, type SqliteSession } from './session.ts'

export function createChallengeTable(session: SqliteSession): ChallengeTable {
  const insert = session.prepare(`INSERT INTO challenges (${CHALLENGE_COLUMNS}) VALUES (?, ?, ?, ?, ?)`)
  const find = session.prepare(`SELECT ${CHALLENGE_COLUMNS} FROM challenges WHERE nonce = ?`)
  const take = session.prepare(`DELETE FROM challenges WHERE nonce = ? RETURNING ${CHALLENGE_COLUMNS}`)
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
    find: (nonce, now) => session.read(() => toChallenge(rowsOf(find, nonce)[0], now)),
    take: (nonce, now) => session.write(() => toChallenge(rowsOf(take, nonce)[0], now)),
  }
}
