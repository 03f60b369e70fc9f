import { latestPlausibleMs, MAX_AHEAD_MS } from '../../domain/ahead.ts'
import {
  createProgress,
  type WebhookPool as Pool,
  toConfirmed,
  type WebhookDraft,
  type WebhookProgress,
  type WebhookRecord,
} from '../../domain/webhooks.ts'
import { toWebhookCounts, type WebhookTable } from '../webhooks.ts'
import type { PostgresSession } from './session.ts'

const COLUMNS = 'id, owner, secret, draft, created_at, cursor, due_at, confirmed_at, slow, progress'
/** The part of the progress that no query filters by. */
type Rest = Omit<WebhookProgress, 'cursor' | 'dueAt' | 'confirmedAt' | 'isSlow'>

const inPool = (pool: Pool, table: string): string =>
  ({
    challenge: `${table}.confirmed_at IS NULL`,
    prompt: `${table}.confirmed_at IS NOT NULL AND NOT ${table}.slow`,
    slow: `${table}.confirmed_at IS NOT NULL AND ${table}.slow`,
  })[pool]

// Leased webhooks of an owner count as its first ones. Skips rows that another process is claiming at this moment.
const claimIn = (pool: Pool) => `
  WITH due AS (
    SELECT id, row_number() OVER (PARTITION BY owner ORDER BY due_at, id) +
      (SELECT count(*) FROM webhooks AS held
       WHERE held.owner = waiting.owner AND held.leased_until > $1 AND ${inPool(pool, 'held')}) AS share
    FROM webhooks AS waiting
    WHERE due_at <= $1 AND (leased_until IS NULL OR leased_until <= $1) AND ${inPool(pool, 'waiting')}
      AND (confirmed_at IS NULL OR cursor < (SELECT coalesce(max(number), 0) FROM events))),
  chosen AS (
    SELECT webhooks.id, share FROM webhooks JOIN due ON due.id = webhooks.id
    WHERE share <= $5 AND (leased_until IS NULL OR leased_until <= $1)
    ORDER BY share, due_at, webhooks.id LIMIT $2 FOR UPDATE OF webhooks SKIP LOCKED),
  claimed AS (
    UPDATE webhooks SET lease = $4, leased_until = $3 FROM chosen WHERE webhooks.id = chosen.id
    RETURNING webhooks.*, share)
  SELECT ${COLUMNS} FROM claimed ORDER BY share, due_at, id`

const CLAIM: Readonly<Record<Pool, string>> = {
  challenge: claimIn('challenge'),
  prompt: claimIn('prompt'),
  slow: claimIn('slow'),
}

const BRING_BACK = `
  UPDATE webhooks SET due_at = CASE WHEN due_at > $1 THEN $3 ELSE due_at END,
    lease = CASE WHEN leased_until > $2 THEN NULL ELSE lease END,
    leased_until = CASE WHEN leased_until > $2 THEN NULL ELSE leased_until END
  WHERE due_at > $1 OR leased_until > $2`

const COUNT = `
  SELECT count(*) FILTER (WHERE due_at IS NOT NULL AND confirmed_at IS NULL),
    count(*) FILTER (WHERE due_at IS NOT NULL AND confirmed_at IS NOT NULL AND (progress->>'failures')::int = 0),
    count(*) FILTER (WHERE due_at IS NOT NULL AND confirmed_at IS NOT NULL AND (progress->>'failures')::int > 0),
    count(*) FILTER (WHERE due_at IS NULL),
    count(*) FILTER (WHERE due_at IS NOT NULL AND confirmed_at IS NOT NULL AND cursor < last),
    coalesce(max(last - cursor) FILTER (WHERE due_at IS NOT NULL AND confirmed_at IS NOT NULL), 0)
  FROM webhooks, (SELECT coalesce(max(number), 0) AS last FROM events) AS log`

const WRITE = `
  UPDATE webhooks SET cursor = $1, due_at = $2, confirmed_at = $3, slow = $4, progress = $5::text::json, lease = NULL,
    leased_until = NULL WHERE id = $6`

const REVIVE = `
  UPDATE webhooks SET due_at = $1, progress = (progress::jsonb || $2::text::jsonb)::json
  WHERE id = $3 AND (leased_until IS NULL OR leased_until <= $1)`

export const createWebhookTable = (session: PostgresSession): WebhookTable => ({
  // Under the write lock: two concurrent calls must not both take the last free place.
  insert: (webhook, { most, mostUnconfirmed }) =>
    session.write([`webhooks of ${webhook.owner}`], async ({ query }) => {
      const { id, owner, secret, url, events, filter, createdAt } = webhook
      const [[held], [last]] = await Promise.all([
        query(
          'SELECT count(*), count(*) FILTER (WHERE confirmed_at IS NULL) FROM webhooks WHERE owner = $1',
          [owner],
        ),
        query('SELECT coalesce(max(number), 0) FROM events'),
      ])
      if ((held![0] as number) >= most) return 'most'
      if ((held![1] as number) >= mostUnconfirmed) return 'mostUnconfirmed'
      const cursor = last![0] as number
      const draft: WebhookDraft = { url, events, filter }
      const progress = createProgress(cursor, createdAt)
      await query(
        `INSERT INTO webhooks (${COLUMNS}) 
         VALUES ($1, $2, $3, $4::text::json, $5, $6, $7, $8, $9, $10::text::json)`,
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
  claim: (now, { pool, limit, perOwner, leaseMs }) =>
    session.run(async query => {
      const lease = crypto.randomUUID()
      const far = [MAX_AHEAD_MS.webhook, MAX_AHEAD_MS.webhookLease].map(mostMs =>
        latestPlausibleMs(now, session.clock, mostMs),
      )
      await query(BRING_BACK, [...far, now.getTime()])
      const rows = await query(CLAIM[pool], [now.getTime(), limit, now.getTime() + leaseMs, lease, perOwner])
      return rows.map(row => ({ ...toWebhookRecord(row), lease }))
    }),
  record: ({ id, lease }, progress) =>
    session.run(async query => {
      return (await query(`${WRITE} AND lease = $7`, [...toValues(progress), id, lease])).count > 0
    }),
  count: () => session.run(async query => toWebhookCounts((await query(COUNT))[0]!)),
  revive: (id, now) =>
    session.run(async query => {
      const clean = { failures: 0, failingSince: null, reason: null, lastDeliveredAt: now.toISOString() }
      await query(REVIVE, [now.getTime(), JSON.stringify(clean satisfies Partial<Rest>), id])
    }),
  // FOR UPDATE locks the row until the commit, so that a delivery in progress does not write in between.
  confirm: (id, network, now) =>
    session.write([`webhook ${id}`], async ({ query }) => {
      const [row] = await query(`SELECT ${COLUMNS} FROM webhooks WHERE id = $1 FOR UPDATE`, [id])
      if (!row) return
      await query(WRITE, [...toValues(toConfirmed(toWebhookRecord(row).progress, network, now)), id])
    }),
})

const toValues = ({ cursor, dueAt, confirmedAt, isSlow, ...rest }: WebhookProgress) =>
  [cursor, dueAt?.getTime() ?? null, confirmedAt, isSlow, JSON.stringify(rest satisfies Rest)] as const

function toWebhookRecord(row: readonly unknown[]): WebhookRecord {
  const [id, owner, secret, draft, createdAt, cursor, dueAt, confirmedAt, isSlow, rest] = row as [
    ...[string, string, string, WebhookDraft, string, number, number | null, string | null, boolean, Rest],
  ]
  return {
    id,
    owner,
    secret,
    ...draft,
    createdAt,
    progress: {
      cursor,
      dueAt: dueAt === null ? null : new Date(dueAt),
      confirmedAt,
      isSlow,
      // A node of an older version writes none.
      networks: [],
      ...(rest as Partial<Rest> & Omit<Rest, 'networks'>),
    },
  }
}
