import { MAX_AHEAD_MS } from '../../domain/ahead.ts'
import { KEY_COLUMNS, type KeyTable, toKeyRecord, toKeyValues } from '../keys.ts'
import type { Row } from '../rows.ts'
import { rowsOf, type SqliteSession } from './session.ts'

export function createKeyTable(session: SqliteSession): KeyTable {
  const insert = session.prepare(`INSERT INTO api_keys (${KEY_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const find = session.prepare(`SELECT ${KEY_COLUMNS} FROM api_keys WHERE hash = ?`)
  const list = session.prepare(`SELECT ${KEY_COLUMNS} FROM api_keys ORDER BY created_at, id`)
  const own = session.prepare(
    `SELECT ${KEY_COLUMNS} FROM api_keys WHERE id = ?1 OR wallet = ?2 ORDER BY created_at, id`,
  )
  const revoke = session.prepare('UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL')
  const expire = session.prepare(
    `UPDATE api_keys SET expires_at = ?1
     WHERE id = ?2 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?1)`,
  )
  const isLive = 'revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?2)'
  const revokeAll = session.prepare(`UPDATE api_keys SET revoked_at = ?2 WHERE wallet = ?1 AND ${isLive}`)
  const countLive = session.prepare(`SELECT count(*) FROM api_keys WHERE wallet = ?1 AND ${isLive}`)
  const forgetDead = session.prepare(
    `DELETE FROM api_keys WHERE id IN (SELECT id FROM api_keys WHERE wallet = ?1 AND NOT (${isLive})
       ORDER BY created_at DESC, id DESC LIMIT -1 OFFSET ?3)`,
  )
  const touch = session.prepare(
    // Processes report out of order: the latest time wins, unless it is in the future.
    `UPDATE api_keys SET last_used_at = ?1
     WHERE id = ?2 AND (last_used_at IS NULL OR last_used_at < ?1 OR last_used_at > ?3)`,
  )
  return {
    async insert(record) {
      await session.write(() => insert.run(...toKeyValues(record)))
    },
    insertOwn: (record, { most, revokesOthers }) =>
      session.write(() => {
        const { wallet, createdAt } = record
        if (revokesOthers) revokeAll.run(wallet, createdAt)
        if ((rowsOf(countLive, wallet, createdAt)[0]![0] as number) >= most) return false
        forgetDead.run(wallet, createdAt, most)
        insert.run(...toKeyValues(record))
        return true
      }),
    find: hash => session.read(() => rowsOf(find, hash).map(toKey)[0]),
    list: () => session.read(() => rowsOf(list).map(toKey)),
    own: (id, wallet) => session.read(() => rowsOf(own, id, wallet).map(toKey)),
    revoke: (id, at) => session.write(() => revoke.run(at.toISOString(), id).changes > 0),
    expire: (id, at) => session.write(() => expire.run(at.toISOString(), id).changes > 0),
    async touch(id, at) {
      const far = new Date(at.getTime() + MAX_AHEAD_MS.past).toISOString()
      await session.write(() => touch.run(at.toISOString(), id, far))
    },
  }
}

const toKey = (row: Row) => toKeyRecord(row, json => JSON.parse(json as string))
