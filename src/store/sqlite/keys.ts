import { FURTHEST_MS } from '../../domain/ahead.ts'
import type { Scope } from '../../domain/scopes.ts'
import type { KeyRecord, KeyTable } from '../keys.ts'
import type { Row } from '../rows.ts'
import { rowsOf, type SqliteSession } from './session.ts'

export function createKeyTable(session: SqliteSession): KeyTable {
  const columns = 'id, name, hash, scopes, wallet, created_at, expires_at, revoked_at, last_used_at'
  const insert = session.prepare(`INSERT INTO api_keys (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const find = session.prepare(`SELECT ${columns} FROM api_keys WHERE hash = ?`)
  const list = session.prepare(`SELECT ${columns} FROM api_keys ORDER BY created_at, id`)
  const own = session.prepare(
    `SELECT ${columns} FROM api_keys WHERE id = ?1 OR wallet = ?2 ORDER BY created_at, id`,
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
    // Processes report out of order; the latest use stays, unless it lies ahead.
    `UPDATE api_keys SET last_used_at = ?1
     WHERE id = ?2 AND (last_used_at IS NULL OR last_used_at < ?1 OR last_used_at > ?3)`,
  )
  return {
    async insert(record) {
      await session.write(() => insert.run(...toValues(record)))
    },
    insertOwn: (record, { most, revokesOthers }) =>
      session.write(() => {
        const { wallet, createdAt } = record
        if (revokesOthers) revokeAll.run(wallet, createdAt)
        if ((rowsOf(countLive, wallet, createdAt)[0]![0] as number) >= most) return false
        forgetDead.run(wallet, createdAt, most)
        insert.run(...toValues(record))
        return true
      }),
    find: hash => session.read(() => rowsOf(find, hash).map(toKeyRecord)[0]),
    list: () => session.read(() => rowsOf(list).map(toKeyRecord)),
    own: (id, wallet) => session.read(() => rowsOf(own, id, wallet).map(toKeyRecord)),
    revoke: (id, at) => session.write(() => revoke.run(at.toISOString(), id).changes > 0),
    expire: (id, at) => session.write(() => expire.run(at.toISOString(), id).changes > 0),
    async touch(id, at) {
      const far = new Date(at.getTime() + FURTHEST_MS.past).toISOString()
      await session.write(() => touch.run(at.toISOString(), id, far))
    },
  }
}

const toValues = (record: KeyRecord) => [
  record.id,
  record.name,
  record.hash,
  JSON.stringify(record.scopes),
  record.wallet,
  record.createdAt,
  record.expiresAt,
  record.revokedAt,
  record.lastUsedAt,
]

const toKeyRecord = ([
  id,
  name,
  hash,
  scopes,
  wallet,
  createdAt,
  expiresAt,
  revokedAt,
  lastUsedAt,
]: Row): KeyRecord => ({
  id: id as string,
  name: name as string,
  hash: hash as string,
  scopes: JSON.parse(scopes as string) as Scope[],
  wallet: wallet as string | null,
  createdAt: createdAt as string,
  expiresAt: expiresAt as string | null,
  revokedAt: revokedAt as string | null,
  lastUsedAt: lastUsedAt as string | null,
})
