import {
  createProgress,
  type WebhookDraft,
  type WebhookProgress,
  type WebhookRecord,
} from '../domain/webhooks.ts'
import type { PostgresSession } from './postgres-session.ts'
import { toWebhookCounts, type WebhookTable } from './webhooks.ts'

const COLUMNS = 'id, owner, secret, draft, created_at, cursor, due_at, progress'
/** What of the progress no query asks for. */
type Rest = Omit<WebhookProgress, 'cursor' | 'dueAt'>

// Rows that another process is claiming at this moment are passed over instead of waited for.
const CLAIM = `
  WITH claimed AS (
    UPDATE webhooks SET lease = $4, leased_until = $3 WHERE id IN
      (SELECT id FROM webhooks
       WHERE due_at <= $1 AND (leased_until IS NULL OR leased_until <= $1) 
         AND cursor < (SELECT coalesce(max(number), 0) FROM events)
       ORDER BY due_at, id LIMIT $2 FOR UPDATE SKIP LOCKED)
    RETURNING ${COLUMNS})
  SELECT ${COLUMNS} FROM claimed ORDER BY due_at, id`

const COUNT = `
  SELECT count(*) FILTER (WHERE due_at IS NOT NULL AND (progress->>'failures')::int = 0),
    count(*) FILTER (WHERE due_at IS NOT NULL AND (progress->>'failures')::int > 0),
    count(*) FILTER (WHERE due_at IS NULL),
    count(*) FILTER (WHERE due_at IS NOT NULL AND cursor < last),
    coalesce(max(last - cursor) FILTER (WHERE due_at IS NOT NULL), 0)
  FROM webhooks, (SELECT coalesce(max(number), 0) AS last FROM events) AS log`

const REVIVE = `
  UPDATE webhooks SET due_at = $1, progress = (progress::jsonb || $2::text::jsonb)::json
  WHERE id = $3 AND (leased_until IS NULL OR leased_until <= $1)`

export const createWebhookTable = (session: PostgresSession): WebhookTable => ({
  // Under the lock of all writers: two calls at once must not both find the last place free.
  insert: (webhook, most) =>
    session.write([`webhooks of ${webhook.owner}`], async ({ query }) => {
      const { id, owner, secret, url, events, filter, createdAt } = webhook
      const [[held], [last]] = await Promise.all([
        query('SELECT count(*) FROM webhooks WHERE owner = $1', [owner]),
        query('SELECT coalesce(max(number), 0) FROM events'),
      ])
      if ((held![0] as number) >= most) return undefined
      const cursor = last![0] as number
      const draft: WebhookDraft = { url, events, filter }
      const progress = createProgress(cursor, createdAt)
      await query(
        `INSERT INTO webhooks (${COLUMNS}) VALUES ($1, $2, $3, $4::text::json, $5, $6, $7, $8::text::json)`,
        [id, owner, secret, JSON.stringify(draft), createdAt, ...toValues(progress)],
      )
      return { ...webhook, progress }
    }),
  list: owner =>
    session.run(async query => {
      const text = `SELECT ${COLUMNS} FROM webhooks WHERE owner = $1 ORDER BY created_at, id`
      return (await query(text, [owner])).map(toWebhookRecord)
    }),
  find: id =>
    session.run(async query => {
      const [row] = await query(`SELECT ${COLUMNS} FROM webhooks WHERE id = $1`, [id])
      return row && toWebhookRecord(row)
    }),
  remove: id =>
    session.run(async query => (await query('DELETE FROM webhooks WHERE id = $1', [id])).count > 0),
  claim: (now, limit, leaseMs) =>
    session.run(async query => {
      const lease = crypto.randomUUID()
      const rows = await query(CLAIM, [now.getTime(), limit, now.getTime() + leaseMs, lease])
      return rows.map(row => ({ ...toWebhookRecord(row), lease }))
    }),
  settle: ({ id, lease }, progress) =>
    session.run(async query => {
      const text = `UPDATE webhooks SET cursor = $1, due_at = $2, progress = $3::text::json, lease = NULL,
        leased_until = NULL WHERE id = $4 AND lease = $5`
      return (await query(text, [...toValues(progress), id, lease])).count > 0
    }),
  count: () => session.run(async query => toWebhookCounts((await query(COUNT))[0]!)),
  revive: (id, now) =>
    session.run(async query => {
      const clean = { failures: 0, failingSince: null, reason: null, lastDeliveredAt: now.toISOString() }
      await query(REVIVE, [now.getTime(), JSON.stringify(clean satisfies Partial<Rest>), id])
    }),
})

const toValues = ({ cursor, dueAt, ...rest }: WebhookProgress) =>
  [cursor, dueAt?.getTime() ?? null, JSON.stringify(rest satisfies Rest)] as const

function toWebhookRecord(row: readonly unknown[]): WebhookRecord {
  const [id, owner, secret, draft, createdAt, cursor, dueAt, rest] = row as [
    ...[string, string, string, WebhookDraft, string, number, number | null, Rest],
  ]
  return {
    id,
    owner,
    secret,
    ...draft,
    createdAt,
    progress: { cursor, dueAt: dueAt === null ? null : new Date(dueAt), ...rest },
  }
}
