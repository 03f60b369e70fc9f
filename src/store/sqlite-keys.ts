import type { Scope } from '../domain/scopes.ts'
import type { Row } from './rows.ts'
import { rowsOf, type SqliteSession } from './sqlite-session.ts'
import type { KeyRecord, KeyTable } from './store.ts'

export function createKeyTable(session: SqliteSession): KeyTable {
  const columns = 'id, name, hash, scopes, wallet, created_at, expires_at, revoked_at, last_used_at'
  const insert = session.prepare(`INSERT INTO api_keys (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const find = session.prepare(`SELECT ${columns} FROM api_keys WHERE hash = ?`)
  const list = session.prepare(`SELECT ${columns} FROM api_keys ORDER BY created_at, id`)
  const own = session.prepare(
    `SELECT ${columns} FROM api_keys WHERE id = ?1 OR wallet = ?2 ORDER BY created_at, id`,
  )
  const revoke = session.prepare('UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL')
  const touch = session.prepare(
    // Processes report out of order; the latest use stays.
    'UPDATE api_keys SET last_used_at = ?1 WHERE id = ?2 AND (last_used_at IS NULL OR last_used_at < ?1)',
  )
  return {
    async insert({ id, name, hash, scopes, wallet, createdAt, expiresAt, revokedAt, lastUsedAt }) {
      const times = [createdAt, expiresAt, revokedAt, lastUsedAt]
      const values = [id, name, hash, JSON.stringify(scopes), wallet, ...times]
      await session.write(() => insert.run(...values))
    },
    find: hash => session.read(() => rowsOf(find, hash).map(toKeyRecord)[0]),
    list: () => session.read(() => rowsOf(list).map(toKeyRecord)),
    own: (id, wallet) => session.read(() => rowsOf(own, id, wallet).map(toKeyRecord)),
    revoke: (id, at) => session.write(() => revoke.run(at.toISOString(), id).changes > 0),
    async touch(id, at) {
      await session.write(() => touch.run(at.toISOString(), id))
    },
  }
}

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
