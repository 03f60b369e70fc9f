import { MAX_AHEAD_MS } from '../../domain/ahead.ts'
import { KEY_COLUMNS, type KeyTable, toKeyRecord, toKeyValues } from '../keys.ts'
import type { PostgresSession } from './session.ts'

export function createKeyTable(session: PostgresSession): KeyTable {
  const insert = `INSERT INTO api_keys (${KEY_COLUMNS}) VALUES ($1, $2, $3, $4::text::json, $5, $6, $7, $8, $9)`
  const isLive = 'revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)'
  return {
    insert: record =>
      session.run(async query => {
        await query(insert, toKeyValues(record))
      }),
    // Under the write lock: two concurrent calls must not both take the last free place.
    insertOwn: (record, { most, revokesOthers }) =>
      session.write([`keys of ${record.wallet}`], async ({ query }) => {
        const own = [record.wallet, record.createdAt]
        if (revokesOthers)
          await query(`UPDATE api_keys SET revoked_at = $2 WHERE wallet = $1 AND ${isLive}`, own)
        const [live] = await query(`SELECT count(*) FROM api_keys WHERE wallet = $1 AND ${isLive}`, own)
        if (Number(live![0]) >= most) return false
        await query(
          `DELETE FROM api_keys WHERE id IN (SELECT id FROM api_keys WHERE wallet = $1 AND NOT (${isLive})
             ORDER BY created_at DESC, id DESC OFFSET $3)`,
          [...own, most],
        )
        await query(insert, toKeyValues(record))
        return true
      }),
    find: hash =>
      session.run(async query => {
        const [row] = await query(`SELECT ${KEY_COLUMNS} FROM api_keys WHERE hash = $1`, [hash])
        return row && toKey(row)
      }),
    list: () =>
      session.run(async query =>
        (await query(`SELECT ${KEY_COLUMNS} FROM api_keys ORDER BY created_at, id`)).map(toKey),
      ),
    own: (id, wallet) =>
      session.run(async query => {
        const text = `SELECT ${KEY_COLUMNS} FROM api_keys WHERE id = $1 OR wallet = $2 ORDER BY created_at, id`
        return (await query(text, [id, wallet])).map(toKey)
      }),
    revoke: (id, at) =>
      session.run(async query => {
        const text = 'UPDATE api_keys SET revoked_at = $1 WHERE id = $2 AND revoked_at IS NULL'
        return (await query(text, [at.toISOString(), id])).count > 0
      }),
    expire: (id, at) =>
      session.run(async query => {
        const text = `UPDATE api_keys SET expires_at = $1
          WHERE id = $2 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $1)`
        return (await query(text, [at.toISOString(), id])).count > 0
      }),
    touch: (id, at) =>
      session.run(async query => {
        await query(
          // Processes report out of order: the latest time wins, unless it is in the future.
          `UPDATE api_keys SET last_used_at = $1
           WHERE id = $2 AND (last_used_at IS NULL OR last_used_at < $1 OR last_used_at > $3)`,
          [at.toISOString(), id, new Date(at.getTime() + MAX_AHEAD_MS.past).toISOString()],
        )
      }),
  }
}

const toKey = (row: readonly unknown[]) => toKeyRecord(row, json => json)
