// The event log.
import type { ServiceEvent } from '../domain/feed.ts'
import { type Message, readMessage } from '../messages/message.ts'
import { insertRows, json, type Session, Table, type Transaction } from './session.ts'
import type { EventLog, Seq, StoredEvent } from './store.ts'

export type NewEvent = { readonly serviceId: string; readonly seq: Seq; readonly event: ServiceEvent }

export const EVENTS = new Table<StoredEvent>('events', {
  number: true,
  seq: true,
  serviceId: true,
  type: true,
  at: true,
  reason: json<Message | null>(readMessage),
  before: json(),
  after: json(),
})

/** Appends inside the transaction of the change. */
export async function appendEvents(
  { query, takeEventNumbers }: Transaction,
  newEvents: readonly NewEvent[],
): Promise<void> {
  if (newEvents.length === 0) return
  const first = takeEventNumbers(newEvents.length) - newEvents.length + 1
  const rows = newEvents.map(({ event, ...of }, index) =>
    EVENTS.values({ number: first + index, ...of, ...event }),
  )
  await insertRows(query, `INSERT INTO events (${EVENTS.names})`, rows)
}

export const createEventLog = (session: Session): EventLog => ({
  last: () => session.read(async query => (await query<[number]>('SELECT event FROM counter'))[0]![0]),
  after: (number, limit) =>
    session.read(query => EVENTS.select(query, 'WHERE number > $1 ORDER BY number LIMIT $2', number, limit)),
  of: (serviceId, limit, before = Number.MAX_SAFE_INTEGER) =>
    session.read(query => {
      const page = 'WHERE service_id = $1 AND number < $2 ORDER BY number DESC LIMIT $3'
      return EVENTS.select(query, page, serviceId, before, limit)
    }),
})
