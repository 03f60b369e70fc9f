// The event log.
import type { EventType, ServiceEvent } from '../../domain/events.ts'
import { readMessage } from '../../messages/message.ts'
import type { Row } from '../rows.ts'
import type { EventLog, Seq, StoredEvent } from '../store.ts'
import { rowsOf, type SqliteSession } from './session.ts'

/** Appends inside the transaction of the change. */
export type AppendEvent = (serviceId: string, seq: Seq, event: ServiceEvent) => void

export const EVENT_COLUMNS = [
  'number',
  'seq',
  'service_id',
  'type',
  'at',
  'reason',
  'before',
  'after',
] as const

export function createEventLog(session: SqliteSession): { log: EventLog; append: AppendEvent } {
  const columns = EVENT_COLUMNS.join(', ')
  // Numbers continue after the last one, or after the gap that a restore left.
  const insert = session.prepare(
    `INSERT INTO events (number, seq, service_id, type, at, reason, before, after) VALUES (
       1 + max((SELECT coalesce(max(number), 0) FROM events), (SELECT value FROM counter WHERE name = 'event')),
       ?, ?, ?, ?, ?, ?, ?)`,
  )
  const after = session.prepare(`SELECT ${columns} FROM events WHERE number > ? ORDER BY number LIMIT ?`)
  const last = session.prepare('SELECT coalesce(max(number), 0) FROM events')
  const of = session.prepare(
    `SELECT ${columns} FROM events WHERE service_id = ? AND number < ? ORDER BY number DESC LIMIT ?`,
  )
  return {
    log: {
      after: (number, limit) => session.read(() => rowsOf(after, number, limit).map(toStoredEvent)),
      last: () => session.read(() => rowsOf(last)[0]?.[0] as number),
      of: (serviceId, limit, before = Number.MAX_SAFE_INTEGER) =>
        session.read(() => rowsOf(of, serviceId, before, limit).map(toStoredEvent)),
    },
    append(serviceId, seq, event) {
      const { type, at, reason } = event
      insert.run(seq, serviceId, type, at, toJson(reason), toJson(event.before), toJson(event.after))
    },
  }
}

export const toJson = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value)

export const toStoredEvent = ([
  number,
  seq,
  serviceId,
  type,
  at,
  reason,
  before,
  after,
]: Row): StoredEvent => ({
  number: number as number,
  seq: seq as number,
  serviceId: serviceId as string,
  type: type as EventType,
  at: at as string,
  reason: reason === null ? null : readMessage(JSON.parse(reason as string)),
  before: before === null ? null : JSON.parse(before as string),
  after: after === null ? null : JSON.parse(after as string),
})
