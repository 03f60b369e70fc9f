// Results of insertions, stored for a day, so that a registration retried at any node is registered once.

import { MAX_AHEAD_MS } from '../../domain/ahead.ts'
import { DirectoryError } from '../../domain/errors.ts'
import { IDEMPOTENCY_KEY_RETENTION_MS } from '../../domain/idempotency-key.ts'
import type { Entry } from '../../domain/listing/service.ts'
import { say } from '../../messages/message.ts'
import type { IdempotencyKey, InsertResult, Seq } from '../store.ts'
import type { Transaction } from './group-commit.ts'

/** Rows deleted with every new key: the table stays small, and no single call deletes those of a whole day. */
const PRUNED_AT_ONCE = 20

/**
 * The first result, if there is one. To be called inside the transaction of the insert.
 * @throws DirectoryError `idempotency_conflict`
 */
export async function findResult(
  { query }: Transaction,
  { caller, key, fingerprint, at }: IdempotencyKey,
): Promise<InsertResult | undefined> {
  const [row] = await query(
    'SELECT fingerprint, seq, entries FROM request_keys WHERE caller = $1 AND key = $2 AND at > $3',
    [caller, key, at.getTime() - IDEMPOTENCY_KEY_RETENTION_MS],
  )
  if (!row) return undefined
  if (row[0] !== fingerprint) {
    throw new DirectoryError('idempotency_conflict', say('request_key_reused'))
  }
  return { seq: row[1] as number, entries: row[2] as Entry[], repeated: true }
}

export async function saveResult(
  { query }: Transaction,
  { caller, key, fingerprint, at }: IdempotencyKey,
  seq: Seq,
  entries: readonly Entry[],
): Promise<void> {
  await Promise.all([
    query(
      `DELETE FROM request_keys WHERE (caller, key) IN
         (SELECT caller, key FROM request_keys WHERE at <= $1 ORDER BY at LIMIT ${PRUNED_AT_ONCE})`,
      [at.getTime() - IDEMPOTENCY_KEY_RETENTION_MS],
    ),
    // A row dated in the future would be stored until a day after that time.
    query(
      `UPDATE request_keys SET at = $1 WHERE (caller, key) IN
         (SELECT caller, key FROM request_keys WHERE at > $2 LIMIT ${PRUNED_AT_ONCE})`,
      [at.getTime(), at.getTime() + MAX_AHEAD_MS.past],
    ),
    query(
      `INSERT INTO request_keys (caller, key, fingerprint, at, seq, entries) VALUES ($1, $2, $3, $4, $5, $6::text::json)
       ON CONFLICT (caller, key) DO UPDATE SET
         fingerprint = excluded.fingerprint, at = excluded.at, seq = excluded.seq, entries = excluded.entries`,
      [caller, key, fingerprint, at.getTime(), seq, JSON.stringify(entries)],
    ),
  ])
}
