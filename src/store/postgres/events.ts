// The event log.
import type { ServiceEvent } from '../../domain/events.ts'
import { readMessage } from '../../messages/message.ts'
import type { EventLog, Seq, StoredEvent } from '../store.ts'
import type { Transaction } from './group-commit.ts'
import type { PostgresSession } from './session.ts'

export type NewEvent = { readonly serviceId: string; readonly seq: Seq; readonly event: ServiceEvent }

/** Appends inside the transaction of the change. */
export async function appendEvents(transaction: Transaction, newEvents: readonly NewEvent[]): Promise<void> {
  if (newEvents.length === 0) return
  const first = transaction.drawEvents(newEvents.length) - newEvents.length + 1
  const rows = newEvents.map(({ serviceId, seq, event }, index) => {
    const { type, at, reason, before = null, after = null } = event
    // As text inside the JSON: a provider's text may contain characters that only a json column can store.
    const json = JSON.stringify({ type, reason, before, after })
    return { number: first + index, seq, service_id: serviceId, at, event: json }
  })
  await transaction.query(
    `INSERT INTO events (number, seq, service_id, at, event)
       SELECT number, seq, service_id, at, event::json FROM json_to_recordset($1::text::json)
         AS row (number bigint, seq bigint, service_id text, at text, event text)`,
    [JSON.stringify(rows)],
  )
}

export const EVENT_COLUMNS = 'number, seq, service_id, at, event'

export function createEventLog(session: PostgresSession): EventLog {
  return {
    last: () => session.run(async query => (await query('SELECT event FROM counter'))[0]![0] as number),
    after: (number, limit) =>
      session.run(async query => {
        const text = `SELECT ${EVENT_COLUMNS} FROM events WHERE number > $1 ORDER BY number LIMIT $2`
        return (await query(text, [number, limit])).map(toStoredEvent)
      }),
    of: (serviceId, limit, before = Number.MAX_SAFE_INTEGER) =>
      session.run(async query => {
        const text = `SELECT ${EVENT_COLUMNS} FROM events
          WHERE service_id = $1 AND number < $2 ORDER BY number DESC LIMIT $3`
        return (await query(text, [serviceId, before, limit])).map(toStoredEvent)
      }),
  }
}

export const toStoredEvent = ([number, seq, serviceId, at, event]: readonly unknown[]): StoredEvent => {
  const { type, reason, before, after } = event as Omit<ServiceEvent, 'at'>
  return {
    number: number as number,
    seq: seq as number,
    serviceId: serviceId as string,
    type,
    at: at as string,
    reason: reason === null ? null : readMessage(reason),
    before,
    after,
  }
}
