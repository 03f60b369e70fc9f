import { latestPlausibleMs, MAX_AHEAD_MS } from '../../domain/ahead.ts'
import {
  createProgress,
  type WebhookPool as Pool,
  toConfirmed,
  type WebhookDraft,
  type WebhookProgress,
  type WebhookRecord,
} from '../../domain/webhooks.ts'
import type { Row } from '../rows.ts'
import { toWebhookCounts, type WebhookTable } from '../webhooks.ts'
import { rowsOf, type SqliteSession } from './session.ts'

const COLUMNS = 'id, owner, secret, draft, created_at, cursor, due_at, confirmed_at, slow, progress'
/** The part of the progress that no query filters by. */
type Rest = Omit<WebhookProgress, 'cursor' | 'dueAt' | 'confirmedAt' | 'isSlow'>

const IN_POOL: Readonly<Record<Pool, string>> = {
  challenge: 'confirmed_at IS NULL',
  prompt: 'confirmed_at IS NOT NULL AND slow = 0',
  slow: 'confirmed_at IS NOT NULL AND slow = 1',
}

/** Limits of the due date and of the lease. */
const FAR_OF = [MAX_AHEAD_MS.webhook, MAX_AHEAD_MS.webhookLease] as const

/** Leased webhooks of an owner count as its first ones. */
const dueIn = (pool: Pool) => `
  WITH due AS (
    SELECT id, due_at AS at, row_number() OVER (PARTITION BY owner ORDER BY due_at, id) +
      (SELECT count(*) FROM webhooks AS held
       WHERE held.owner = webhooks.owner AND held.leased_until > ?1 AND ${IN_POOL[pool]}) AS share
    FROM webhooks
    WHERE due_at <= ?1 AND (leased_until IS NULL OR leased_until <= ?1) AND ${IN_POOL[pool]}
      AND (confirmed_at IS NULL OR cursor < (SELECT coalesce(max(number), 0) FROM events)))
  SELECT ${COLUMNS} FROM webhooks JOIN due USING (id) WHERE share <= ?3 ORDER BY share, at, id LIMIT ?2`

export function createWebhookTable(session: SqliteSession): WebhookTable {
  const count = session.prepare(
    'SELECT count(*), count(*) FILTER (WHERE confirmed_at IS NULL) FROM webhooks WHERE owner = ?',
  )
  const lastEvent = session.prepare('SELECT coalesce(max(number), 0) FROM events')
  const insert = session.prepare(`INSERT INTO webhooks (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const list = session.prepare(`SELECT ${COLUMNS} FROM webhooks WHERE owner = ? ORDER BY created_at, id`)
  const find = session.prepare(`SELECT ${COLUMNS} FROM webhooks WHERE id = ?`)
  const remove = session.prepare('DELETE FROM webhooks WHERE id = ?')
  const dueBy = {
    challenge: session.prepare(dueIn('challenge')),
    prompt: session.prepare(dueIn('prompt')),
    slow: session.prepare(dueIn('slow')),
  }
  const counts = session.prepare(
    `SELECT count(*) FILTER (WHERE due_at IS NOT NULL AND confirmed_at IS NULL),
       count(*) FILTER (WHERE due_at IS NOT NULL AND confirmed_at IS NOT NULL AND progress ->> '$.failures' = 0),
       count(*) FILTER (WHERE due_at IS NOT NULL AND confirmed_at IS NOT NULL AND progress ->> '$.failures' > 0),
       count(*) FILTER (WHERE due_at IS NULL),
       count(*) FILTER (WHERE due_at IS NOT NULL AND confirmed_at IS NOT NULL AND cursor < last),
       coalesce(max(last - cursor) FILTER (WHERE due_at IS NOT NULL AND confirmed_at IS NOT NULL), 0)
     FROM webhooks, (SELECT coalesce(max(number), 0) AS last FROM events)`,
  )
  const hasFar = session.prepare('SELECT 1 FROM webhooks WHERE due_at > ?1 OR leased_until > ?2 LIMIT 1')
  const bringBack = session.prepare(
    `UPDATE webhooks SET due_at = CASE WHEN due_at > ?1 THEN ?3 ELSE due_at END,
       lease = CASE WHEN leased_until > ?2 THEN NULL ELSE lease END,
       leased_until = CASE WHEN leased_until > ?2 THEN NULL ELSE leased_until END
     WHERE due_at > ?1 OR leased_until > ?2`,
  )
  const takeLease = session.prepare('UPDATE webhooks SET lease = ?, leased_until = ? WHERE id = ?')
  const record = session.prepare(
    `UPDATE webhooks SET cursor = ?, due_at = ?, confirmed_at = ?, slow = ?, progress = ?, lease = NULL, leased_until = NULL
     WHERE id = ? AND lease = ?`,
  )
  const overwrite = session.prepare(
    `UPDATE webhooks SET cursor = ?, due_at = ?, confirmed_at = ?, slow = ?, progress = ?, lease = NULL, leased_until = NULL
     WHERE id = ?`,
  )
  const revive = session.prepare(
    `UPDATE webhooks SET due_at = ?1, progress = json_set(progress,
       '$.failures', 0, '$.failingSince', NULL, '$.reason', NULL, '$.lastDeliveredAt', ?2)
     WHERE id = ?3 AND (leased_until IS NULL OR leased_until <= ?1)`,
  )

  return {
    insert: (webhook, { most, mostUnconfirmed }) =>
      session.write(() => {
        const { id, owner, secret, url, events, filter, createdAt } = webhook
        const [held, unconfirmed] = rowsOf(count, owner)[0] as unknown as [number, number]
        if (held >= most) return 'most'
        if (unconfirmed >= mostUnconfirmed) return 'mostUnconfirmed'
        const cursor = rowsOf(lastEvent)[0]![0] as number
        const draft: WebhookDraft = { url, events, filter }
        const progress = createProgress(cursor, createdAt)
        insert.run(id, owner, secret, JSON.stringify(draft), createdAt, ...toValues(progress))
        return { ...webhook, progress }
      }),
    list: owner => session.read(() => rowsOf(list, owner).map(toWebhookRecord)),
    find: id => session.read(() => rowsOf(find, id).map(toWebhookRecord)[0]),
    remove: id => session.write(() => remove.run(id).changes > 0),

    async claim(now, { pool, limit, perOwner, leaseMs }) {
      const due = dueBy[pool]
      const far = FAR_OF.map(mostMs => latestPlausibleMs(now, session.clock, mostMs))
      // A read first: an empty claim blocks no writer.
      const isEmpty = await session.read(
        () => rowsOf(due, now.getTime(), 1, perOwner).length === 0 && rowsOf(hasFar, ...far).length === 0,
      )
      if (isEmpty) return []
      return session.write(() => {
        bringBack.run(...far, now.getTime())
        const lease = crypto.randomUUID()
        const webhooks = rowsOf(due, now.getTime(), limit, perOwner).map(toWebhookRecord)
        for (const { id } of webhooks) takeLease.run(lease, now.getTime() + leaseMs, id)
        return webhooks.map(webhook => ({ ...webhook, lease }))
      })
    },
    record: ({ id, lease }, progress) =>
      session.write(() => record.run(...toValues(progress), id, lease).changes > 0),
    count: () => session.read(() => toWebhookCounts(rowsOf(counts)[0]!)),
    async revive(id, now) {
      await session.write(() => revive.run(now.getTime(), now.toISOString(), id))
    },
    confirm: (id, network, now) =>
      session.write(() => {
        const [webhook] = rowsOf(find, id).map(toWebhookRecord)
        if (webhook) overwrite.run(...toValues(toConfirmed(webhook.progress, network, now)), id)
      }),
  }
}

const toValues = ({ cursor, dueAt, confirmedAt, isSlow, ...rest }: WebhookProgress) =>
  [
    ...[cursor, dueAt?.getTime() ?? null, confirmedAt, isSlow ? 1 : 0],
    JSON.stringify(rest satisfies Rest),
  ] as const

function toWebhookRecord(row: Row): WebhookRecord {
  const [id, owner, secret, draft, createdAt, cursor, dueAt, confirmedAt, slow, rest] = row as [
    ...[string, string, string, string, string, number, number | null, string | null, number, string],
  ]
  return {
    id,
    owner,
    secret,
    ...(JSON.parse(draft) as WebhookDraft),
    createdAt,
    progress: {
      cursor,
      dueAt: dueAt === null ? null : new Date(dueAt),
      confirmedAt,
      isSlow: slow === 1,
      // A node of an older version writes none.
      networks: [],
      ...(JSON.parse(rest) as Partial<Rest> & Omit<Rest, 'networks'>),
    },
  }
}
