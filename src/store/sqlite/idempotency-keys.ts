// Results of insertions, stored for a day, so that a retried registration is registered once.

import { MAX_AHEAD_MS } from '../../domain/ahead.ts'
import { DirectoryError } from '../../domain/errors.ts'
import { IDEMPOTENCY_KEY_RETENTION_MS } from '../../domain/idempotency-key.ts'
import type { Entry } from '../../domain/listing/service.ts'
import { say } from '../../messages/message.ts'
import type { IdempotencyKey, InsertResult, Seq } from '../store.ts'
import { rowsOf, type SqliteSession } from './session.ts'

/** Rows deleted with every new key: the table stays small, and no single call deletes those of a whole day. */
const PRUNED_AT_ONCE = 20

export interface IdempotencyKeys {
  /**
   * The first result, if there is one. To be called inside the transaction of the insert.
   * @throws DirectoryError `idempotency_conflict`
   */
  find(idempotencyKey: IdempotencyKey): InsertResult | undefined
  save(idempotencyKey: IdempotencyKey, seq: Seq, entries: readonly Entry[]): void
}

export function createIdempotencyKeys(session: SqliteSession): IdempotencyKeys {
  const select = session.prepare(
    'SELECT fingerprint, seq, entries FROM request_keys WHERE caller = ? AND key = ? AND at > ?',
  )
  const replace = session.prepare(
    'INSERT OR REPLACE INTO request_keys (caller, key, fingerprint, at, seq, entries) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const prune = session.prepare(
    `DELETE FROM request_keys WHERE rowid IN
       (SELECT rowid FROM request_keys WHERE at <= ? ORDER BY at LIMIT ${PRUNED_AT_ONCE})`,
  )
  // A row dated in the future would be stored until a day after that time.
  const redate = session.prepare(
    `UPDATE request_keys SET at = ?1 WHERE rowid IN
       (SELECT rowid FROM request_keys WHERE at > ?2 LIMIT ${PRUNED_AT_ONCE})`,
  )
  return {
    find({ caller, key, fingerprint, at }) {
      const [row] = rowsOf(select, caller, key, at.getTime() - IDEMPOTENCY_KEY_RETENTION_MS)
      if (!row) return undefined
      const [firstFingerprint, seq, entries] = row as [string, number, string]
      if (fingerprint !== firstFingerprint) {
        throw new DirectoryError('idempotency_conflict', say('request_key_reused'))
      }
      return { seq, entries: JSON.parse(entries) as Entry[], repeated: true }
    },
    save({ caller, key, fingerprint, at }, seq, entries) {
      const atMs = at.getTime()
      prune.run(atMs - IDEMPOTENCY_KEY_RETENTION_MS)
      redate.run(atMs, atMs + MAX_AHEAD_MS.past)
      replace.run(caller, key, fingerprint, atMs, seq, JSON.stringify(entries))
    },
  }
}
