// The event log.
import type { EventType, ServiceEvent } from '../domain/feed.ts'
import { readMessage } from '../messages/message.ts'
import { fromJson, insertRows, type Session, type Transaction, toJson } from './session.ts'
import type { EventLog, Seq, StoredEvent } from './store.ts'

export type NewEvent = { readonly serviceId: string; readonly seq: Seq; readonly event: ServiceEvent }

const COLUMNS = 'number, seq, service_id, type, at, reason, before, after'

/** Appends inside the transaction of the change. */
export async function appendEvents(
  { query, drawEvents }: Transaction,
  newEvents: readonly NewEvent[],
): Promise<void> {
  if (newEvents.length === 0) return
  const first = drawEvents(newEvents.length) - newEvents.length + 1
  const rows = newEvents.map(({ serviceId, seq, event: { type, at, reason, before, after } }, index) => [
    first + index,
    seq,
    serviceId,
    type,
    at,
    toJson(reason),
    toJson(before),
    toJson(after),
  ])
  await insertRows(query, `INSERT INTO events (${COLUMNS})`, rows)
}

export const createEventLog = (session: Session): EventLog => ({
  last: () => session.read(async query => (await query<[number]>('SELECT event FROM counter'))[0]![0]),
  after: (number, limit) =>
    session.read(async query => {
      const sql = `SELECT ${COLUMNS} FROM events WHERE number > $1 ORDER BY number LIMIT $2`
      return (await query(sql, [number, limit])).map(toStoredEvent)
    }),
  of: (serviceId, limit, before = Number.MAX_SAFE_INTEGER) =>
    session.read(async query => {
      const sql = `SELECT ${COLUMNS} FROM events WHERE service_id = $1 AND number < $2 ORDER BY number DESC LIMIT $3`
      return (await query(sql, [serviceId, before, limit])).map(toStoredEvent)
    }),
})

/** @param row in the order of the columns */
export const toStoredEvent = ([
  number,
  seq,
  serviceId,
  type,
  at,
  reason,
  before,
  after,
]: readonly unknown[]) =>
  ({
    number: number as number,
    seq: seq as Seq,
    serviceId: serviceId as string,
    type: type as EventType,
    at: at as string,
    reason: reason === null ? null : readMessage(fromJson(reason)),
    before: fromJson(before),
    after: fromJson(after),
  }) satisfies StoredEvent
