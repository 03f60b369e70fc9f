// Results of insertions, so that a registration that is retried at any node is registered once.
import { DirectoryError } from '../domain/errors.ts'
import { IDEMPOTENCY_KEY_RETENTION_MS } from '../domain/ids.ts'
import type { Entry } from '../domain/listing/service.ts'
import { say } from '../messages/message.ts'
import type { Query } from './session.ts'
import type { IdempotencyKey, InsertResult, Seq } from './store.ts'

/**
 * Results are kept longer than a key binds its caller: a clock that jumps a day ahead must not make a retry register twice, neither
 * while it is ahead nor after it was set back.
 */
const STORED_MS = 7 * IDEMPOTENCY_KEY_RETENTION_MS

/** Rows deleted with every new key: the table stays small, and no single call deletes those of a whole day. */
const PRUNED_AT_ONCE = 20

/**
 * The first result, if there is one. To be called inside the transaction of the insert.
 * @throws DirectoryError `idempotency_conflict`
 */
export async function findResult(
  query: Query,
  { caller, key, fingerprint, at }: IdempotencyKey,
): Promise<InsertResult | undefined> {
  const [row] = await query<[string, number, Seq, string]>(
    'SELECT fingerprint, at, seq, entries FROM idempotency_keys WHERE caller = $1 AND key = $2',
    [caller, key],
  )
  if (!row) return undefined
  const [first, firstAt, seq, entries] = row
  if (first === fingerprint) return { seq, entries: JSON.parse(entries) as Entry[], repeated: true }
  if (firstAt <= at.getTime() - IDEMPOTENCY_KEY_RETENTION_MS) return undefined
  throw new DirectoryError('idempotency_conflict', say('request_key_reused'))
}

const PRUNE = `
  DELETE FROM idempotency_keys WHERE (caller, key) IN
    (SELECT caller, key FROM idempotency_keys WHERE at <= $1 ORDER BY at LIMIT ${PRUNED_AT_ONCE})`

export async function saveResult(
  query: Query,
  { caller, key, fingerprint, at }: IdempotencyKey,
  seq: Seq,
  entries: readonly Entry[],
): Promise<void> {
  const atMs = at.getTime()
  await Promise.all([
    query(PRUNE, [atMs - STORED_MS]),
    query(
      `INSERT INTO idempotency_keys (caller, key, fingerprint, at, seq, entries) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (caller, key) DO UPDATE SET
         fingerprint = excluded.fingerprint, at = excluded.at, seq = excluded.seq, entries = excluded.entries`,
      [caller, key, fingerprint, atMs, seq, JSON.stringify(entries)],
    ),
  ])
}
