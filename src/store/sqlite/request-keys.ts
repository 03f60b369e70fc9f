// Answers kept for a day, so that a registration sent twice is registered once.

import { MAX_AHEAD_MS } from '../../domain/ahead.ts'
import { DirectoryError } from '../../domain/errors.ts'
import { REQUEST_KEY_KEPT_MS } from '../../domain/request-key.ts'
import type { Entry } from '../../domain/service.ts'
import { say } from '../../messages/message.ts'
import type { Inserted, RequestKey, Seq } from '../store.ts'
import { rowsOf, type SqliteSession } from './session.ts'

/** Every new key takes out a few old ones: the table follows its use, and no call pays for a whole day. */
const PRUNED_AT_ONCE = 20

export interface RequestKeys {
  /**
   * The first answer where there is one. To be called inside the transaction of the insert.
   * @throws DirectoryError `idempotency_conflict`
   */
  find(once: RequestKey): Inserted | undefined
  keep(once: RequestKey, seq: Seq, entries: readonly Entry[]): void
}

export function createRequestKeys(session: SqliteSession): RequestKeys {
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
  // What lies ahead would be kept for a day after that time has come.
  const redate = session.prepare(
    `UPDATE request_keys SET at = ?1 WHERE rowid IN
       (SELECT rowid FROM request_keys WHERE at > ?2 LIMIT ${PRUNED_AT_ONCE})`,
  )
  return {
    find(once) {
      const [row] = rowsOf(select, once.caller, once.key, once.at.getTime() - REQUEST_KEY_KEPT_MS)
      if (!row) return undefined
      const [fingerprint, seq, entries] = row as [string, number, string]
      if (fingerprint !== once.fingerprint) {
        throw new DirectoryError('idempotency_conflict', say('request_key_reused'))
      }
      return { seq, entries: JSON.parse(entries) as Entry[], repeated: true }
    },
    keep(once, seq, entries) {
      const atMs = once.at.getTime()
      prune.run(atMs - REQUEST_KEY_KEPT_MS)
      redate.run(atMs, atMs + MAX_AHEAD_MS.past)
      replace.run(once.caller, once.key, once.fingerprint, atMs, seq, JSON.stringify(entries))
    },
  }
}
