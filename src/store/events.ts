// The event log.
import type { ServiceEvent } from '../domain/feed.ts'
import { type Message, readMessage } from '../messages/message.ts'
import { Columns, insertRows, json, type Row, type Session, type Transaction } from './session.ts'
import type { EventLog, Seq, StoredEvent } from './store.ts'

export type NewEvent = { readonly serviceId: string; readonly seq: Seq; readonly event: ServiceEvent }

export const EVENT = new Columns<StoredEvent>({
  number: true,
  seq: true,
  serviceId: true,
  type: true,
  at: true,
  reason: json<Message | null>(readMessage),
  before: json(),
  after: json(),
})

export const toStoredEvent = (row: Row): StoredEvent => EVENT.read(row)

/** Appends inside the transaction of the change. */
export async function appendEvents(
  { query, takeEventNumbers }: Transaction,
  newEvents: readonly NewEvent[],
): Promise<void> {
  if (newEvents.length === 0) return
  const first = takeEventNumbers(newEvents.length) - newEvents.length + 1
  const rows = newEvents.map(({ event, ...of }, index) =>
    EVENT.values({ number: first + index, ...of, ...event }),
  )
  await insertRows(query, `INSERT INTO events (${EVENT.names})`, rows)
}

export const createEventLog = (session: Session): EventLog => ({
  last: () => session.read(async query => (await query<[number]>('SELECT event FROM counter'))[0]![0]),
  after: (number, limit) =>
    session.read(async query => {
      const sql = `SELECT ${EVENT.names} FROM events WHERE number > $1 ORDER BY number LIMIT $2`
      return (await query(sql, [number, limit])).map(toStoredEvent)
    }),
  of: (serviceId, limit, before = Number.MAX_SAFE_INTEGER) =>
    session.read(async query => {
      const sql = `SELECT ${EVENT.names} FROM events WHERE service_id = $1 AND number < $2 ORDER BY number DESC LIMIT $3`
      return (await query(sql, [serviceId, before, limit])).map(toStoredEvent)
    }),
})
