// Webhooks, the delivery progress of each, and their leases.
import {
  createProgress,
  toConfirmed,
  type WebhookDraft,
  type WebhookProgress,
  type WebhookRecord,
} from '../domain/webhooks.ts'
import { didWrite, type Query, type Row, type Session, type Value } from './session.ts'

export type NewWebhook = Omit<WebhookRecord, 'progress'>

/** A webhook that the caller holds exclusively until the lease ends. */
export type LeasedWebhook = WebhookRecord & { readonly lease: string }

type LeaseBounds = {
  readonly limit: number
  /** Maximum leased of one owner at a time. */
  readonly perOwner: number
  readonly leaseMs: number
}

export type WebhookBounds = { readonly most: number; readonly mostUnconfirmed: number }

export interface WebhookTable {
  /** Delivers from the next event on. Resolves to the name of the bound if the owner has reached one. */
  insert(webhook: NewWebhook, bounds: WebhookBounds): Promise<WebhookRecord | keyof WebhookBounds>
  /** Oldest first. */
  list(owner: string): Promise<WebhookRecord[]>
  find(id: string): Promise<WebhookRecord | undefined>
  /** Resolves to false if there is none. */
  remove(id: string): Promise<boolean>
  /**
   * Leases due webhooks that have a challenge or events to send: no other process gets them until the lease ends. One of each owner comes before a second of any; then the longest overdue first.
   */
  leaseDue(now: Date, bounds: LeaseBounds): Promise<LeasedWebhook[]>
  /** Stores the progress and ends the lease; resolves to false and writes nothing if the lease is lost. */
  record(webhook: Pick<LeasedWebhook, 'id' | 'lease'>, progress: WebhookProgress): Promise<boolean>
  /** Makes it due at once without failures, even if it was disabled; does nothing during a delivery. */
  revive(id: string, now: Date): Promise<void>
  /** Records the receiver's consent, and makes it due at once without failures. A delivery in progress loses its lease. */
  confirm(id: string, now: Date): Promise<void>
}

const COLUMNS = 'id, owner, secret, draft, created_at, cursor, due_at, confirmed_at, failures, progress'

/** The part of the progress that no statement filters by. */
type Rest = Omit<WebhookProgress, 'cursor' | 'dueAt' | 'confirmedAt' | 'failures'>

const toValues = ({ cursor, dueAt, confirmedAt, failures, ...rest }: WebhookProgress): Value[] => [
  cursor,
  dueAt?.getTime() ?? null,
  confirmedAt,
  failures,
  JSON.stringify(rest satisfies Rest),
]

function toWebhookRecord(row: Row): WebhookRecord {
  const [id, owner, secret, draft, createdAt] = row as [string, string, string, string, string]
  const [cursor, dueAt, confirmedAt, failures, rest] = row.slice(5) as [
    ...[number, number | null, string | null, number, string],
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
      failures,
      ...(JSON.parse(rest) as Rest),
    },
  }
}

/** Leased webhooks of an owner count as its first ones. $1 is now, $2 the number of each owner. */
const DUE = `
  WITH due AS (
    SELECT ${COLUMNS}, row_number() OVER (PARTITION BY owner ORDER BY due_at, id) +
      (SELECT count(*) FROM webhooks AS held WHERE held.owner = webhooks.owner AND held.leased_until > $1) AS share
    FROM webhooks
    WHERE due_at <= $1 AND (leased_until IS NULL OR leased_until <= $1)
      AND (confirmed_at IS NULL OR cursor < (SELECT event FROM counter)))
  SELECT ${COLUMNS} FROM due WHERE share <= $2 ORDER BY share, due_at, id LIMIT $3`

const WRITE = `
  UPDATE webhooks SET cursor = $1, due_at = $2, confirmed_at = $3, failures = $4, progress = $5, lease = NULL,
    leased_until = NULL WHERE id = $6`

async function find(query: Query, id: string): Promise<WebhookRecord | undefined> {
  const [row] = await query(`SELECT ${COLUMNS} FROM webhooks WHERE id = $1`, [id])
  return row && toWebhookRecord(row)
}

// Everything that reads a webhook and then writes it is under the write lock.
export const createWebhookTable = (session: Session): WebhookTable => ({
  insert: (webhook, { most, mostUnconfirmed }) =>
    session.write([`webhooks of ${webhook.owner}`], async ({ query }) => {
      const { id, owner, secret, url, events, filter, createdAt } = webhook
      const [[held], [last]] = await Promise.all([
        query<[number, number]>(
          'SELECT count(*), count(*) FILTER (WHERE confirmed_at IS NULL) FROM webhooks WHERE owner = $1',
          [owner],
        ),
        query<[number]>('SELECT coalesce(max(number), 0) FROM events'),
      ])
      if (held![0] >= most) return 'most'
      if (held![1] >= mostUnconfirmed) return 'mostUnconfirmed'
      const draft: WebhookDraft = { url, events, filter }
      const progress = createProgress(last![0], createdAt)
      await query(`INSERT INTO webhooks (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`, [
        ...[id, owner, secret, JSON.stringify(draft), createdAt],
        ...toValues(progress),
      ])
      return { ...webhook, progress }
    }),
  list: owner =>
    session.read(async query => {
      const sql = `SELECT ${COLUMNS} FROM webhooks WHERE owner = $1 ORDER BY created_at, id`
      return (await query(sql, [owner])).map(toWebhookRecord)
    }),
  find: id => session.read(query => find(query, id)),
  remove: id => didWrite(session, 'DELETE FROM webhooks WHERE id = $1', id),
  async leaseDue(now, { limit, perOwner, leaseMs }) {
    const nowMs = now.getTime()
    // A read first: where nothing is due, no writer is blocked.
    const due = await session.read(query => query(DUE, [nowMs, perOwner, 1]))
    if (due.length === 0) return []
    return session.write(undefined, async ({ query }) => {
      const lease = crypto.randomUUID()
      const webhooks = (await query(DUE, [nowMs, perOwner, limit])).map(toWebhookRecord)
      const sql = 'UPDATE webhooks SET lease = $2, leased_until = $3 WHERE id = $1'
      await Promise.all(webhooks.map(({ id }) => query(sql, [id, lease, nowMs + leaseMs])))
      return webhooks.map(webhook => ({ ...webhook, lease }))
    })
  },
  record: ({ id, lease }, progress) =>
    didWrite(session, `${WRITE} AND lease = $7`, ...toValues(progress), id, lease),
  revive: (id, now) =>
    session.write([`webhook ${id}`], async ({ query }) => {
      const webhook = await find(query, id)
      if (!webhook) return
      const clean = { failures: 0, failingSince: null, reason: null, lastDeliveredAt: now.toISOString() }
      const progress = { ...webhook.progress, ...clean, dueAt: now }
      await query(`${WRITE} AND (leased_until IS NULL OR leased_until <= $7)`, [
        ...[...toValues(progress), id, now.getTime()],
      ])
    }),
  confirm: (id, now) =>
    session.write([`webhook ${id}`], async ({ query }) => {
      const webhook = await find(query, id)
      if (webhook) await query(WRITE, [...toValues(toConfirmed(webhook.progress, now)), id])
    }),
})
