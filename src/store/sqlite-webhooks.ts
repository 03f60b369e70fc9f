import {
  createProgress,
  type WebhookDraft,
  type WebhookProgress,
  type WebhookRecord,
} from '../domain/webhooks.ts'
import type { Row } from './rows.ts'
import { rowsOf, type SqliteSession } from './sqlite-session.ts'
import { toWebhookCounts, type WebhookTable } from './webhooks.ts'

const COLUMNS = 'id, owner, secret, draft, created_at, cursor, due_at, progress'
/** What of the progress no query asks for. */
type Rest = Omit<WebhookProgress, 'cursor' | 'dueAt'>

export function createWebhookTable(session: SqliteSession): WebhookTable {
  const count = session.prepare('SELECT count(*) FROM webhooks WHERE owner = ?')
  const lastEvent = session.prepare('SELECT coalesce(max(number), 0) FROM events')
  const insert = session.prepare(`INSERT INTO webhooks (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`)
  const list = session.prepare(`SELECT ${COLUMNS} FROM webhooks WHERE owner = ? ORDER BY created_at, id`)
  const find = session.prepare(`SELECT ${COLUMNS} FROM webhooks WHERE id = ?`)
  const remove = session.prepare('DELETE FROM webhooks WHERE id = ?')
  const due = session.prepare(
    `SELECT ${COLUMNS} FROM webhooks
     WHERE due_at <= ?1 AND (leased_until IS NULL OR leased_until <= ?1)
       AND cursor < (SELECT coalesce(max(number), 0) FROM events)
     ORDER BY due_at, id LIMIT ?2`,
  )
  const counts = session.prepare(
    `SELECT count(*) FILTER (WHERE due_at IS NOT NULL AND progress ->> '$.failures' = 0),
       count(*) FILTER (WHERE due_at IS NOT NULL AND progress ->> '$.failures' > 0),
       count(*) FILTER (WHERE due_at IS NULL),
       count(*) FILTER (WHERE due_at IS NOT NULL AND cursor < last),
       coalesce(max(last - cursor) FILTER (WHERE due_at IS NOT NULL), 0)
     FROM webhooks, (SELECT coalesce(max(number), 0) AS last FROM events)`,
  )
  const takeLease = session.prepare('UPDATE webhooks SET lease = ?, leased_until = ? WHERE id = ?')
  const settle = session.prepare(
    `UPDATE webhooks SET cursor = ?, due_at = ?, progress = ?, lease = NULL, leased_until = NULL
     WHERE id = ? AND lease = ?`,
  )
  const revive = session.prepare(
    `UPDATE webhooks SET due_at = ?1, progress = json_set(progress,
       '$.failures', 0, '$.failingSince', NULL, '$.reason', NULL, '$.lastDeliveredAt', ?2)
     WHERE id = ?3 AND (leased_until IS NULL OR leased_until <= ?1)`,
  )

  return {
    insert: (webhook, most) =>
      session.write(() => {
        const { id, owner, secret, url, events, filter, createdAt } = webhook
        if ((rowsOf(count, owner)[0]![0] as number) >= most) return undefined
        const cursor = rowsOf(lastEvent)[0]![0] as number
        const draft: WebhookDraft = { url, events, filter }
        const progress = createProgress(cursor, createdAt)
        insert.run(id, owner, secret, JSON.stringify(draft), createdAt, ...toValues(progress))
        return { ...webhook, progress }
      }),
    list: owner => session.read(() => rowsOf(list, owner).map(toWebhookRecord)),
    find: id => session.read(() => rowsOf(find, id).map(toWebhookRecord)[0]),
    remove: id => session.write(() => remove.run(id).changes > 0),

    async claim(now, limit, leaseMs) {
      // An empty look disturbs no writer.
      if ((await session.read(() => rowsOf(due, now.getTime(), 1))).length === 0) return []
      return session.write(() => {
        const lease = crypto.randomUUID()
        const webhooks = rowsOf(due, now.getTime(), limit).map(toWebhookRecord)
        for (const { id } of webhooks) takeLease.run(lease, now.getTime() + leaseMs, id)
        return webhooks.map(webhook => ({ ...webhook, lease }))
      })
    },
    settle: ({ id, lease }, progress) =>
      session.write(() => settle.run(...toValues(progress), id, lease).changes > 0),
    count: () => session.read(() => toWebhookCounts(rowsOf(counts)[0]!)),
    async revive(id, now) {
      await session.write(() => revive.run(now.getTime(), now.toISOString(), id))
    },
  }
}

const toValues = ({ cursor, dueAt, ...rest }: WebhookProgress) =>
  [cursor, dueAt?.getTime() ?? null, JSON.stringify(rest satisfies Rest)] as const

function toWebhookRecord(row: Row): WebhookRecord {
  const [id, owner, secret, draft, createdAt, cursor, dueAt, rest] = row as [
    ...[string, string, string, string, string, number, number | null, string],
  ]
  return {
    id,
    owner,
    secret,
    ...(JSON.parse(draft) as WebhookDraft),
    createdAt,
    progress: { cursor, dueAt: dueAt === null ? null : new Date(dueAt), ...(JSON.parse(rest) as Rest) },
  }
}
