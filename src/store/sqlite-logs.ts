// What happened (events) and what was measured (probes).
import type { EventType, ServiceEvent } from '../domain/events.ts'
import type { Row } from './rows.ts'
import { rowsOf, type SqliteSession } from './sqlite-session.ts'
import type { EventLog, ProbeLog, ProbeOutcome, ProbeRecord, Seq, StoredEvent } from './store.ts'

/** Appends inside the transaction of the change itself. */
export type AppendEvent = (serviceId: string, seq: Seq, event: ServiceEvent) => void

export function createEventLog(session: SqliteSession): { log: EventLog; append: AppendEvent } {
  const columns = 'number, seq, service_id, type, at, reason, before, after'
  const insert = session.prepare(
    'INSERT INTO events (seq, service_id, type, at, reason, before, after) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  const after = session.prepare(`SELECT ${columns} FROM events WHERE number > ? ORDER BY number LIMIT ?`)
  const of = session.prepare(
    `SELECT ${columns} FROM events WHERE service_id = ? AND number < ? ORDER BY number DESC LIMIT ?`,
  )
  return {
    log: {
      after: (number, limit) => session.read(() => rowsOf(after, number, limit).map(toStoredEvent)),
      of: (serviceId, limit, before = Number.MAX_SAFE_INTEGER) =>
        session.read(() => rowsOf(of, serviceId, before, limit).map(toStoredEvent)),
    },
    append(serviceId, seq, event) {
      const { type, at, reason } = event
      insert.run(seq, serviceId, type, at, reason, toJson(event.before), toJson(event.after))
    },
  }
}

const toJson = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value)

const toStoredEvent = ([number, seq, serviceId, type, at, reason, before, after]: Row): StoredEvent => ({
  number: number as number,
  seq: seq as number,
  serviceId: serviceId as string,
  type: type as EventType,
  at: at as string,
  reason: reason as string | null,
  before: before === null ? null : JSON.parse(before as string),
  after: after === null ? null : JSON.parse(after as string),
})

/** A long history is forgotten in transactions short enough to write between them. */
const PRUNED_AT_ONCE = 5_000
/** Sorts after every ISO time. */
const END_OF_TIME = '~'

export function createProbeLog(session: SqliteSession): ProbeLog {
  const columns = 'service_id, at, outcome, http_status, latency_ms, price_seen, reasons'
  const insert = session.prepare(
    // The same probe handed in again, after an answer that was lost, is kept once.
    `INSERT OR REPLACE INTO probes (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?)`,
  )
  const of = session.prepare(
    `SELECT ${columns} FROM probes WHERE service_id = ? AND at < ? ORDER BY at DESC LIMIT ?`,
  )
  const prune = session.prepare(
    `DELETE FROM probes WHERE (service_id, at) IN
       (SELECT service_id, at FROM probes WHERE at < ? ORDER BY at LIMIT ${PRUNED_AT_ONCE})`,
  )
  return {
    async append(records) {
      if (records.length === 0) return
      await session.write(() => {
        for (const { serviceId, at, outcome, httpStatus, latencyMs, priceSeen, reasons } of records) {
          insert.run(serviceId, at, outcome, httpStatus, latencyMs, priceSeen, JSON.stringify(reasons))
        }
      })
    },
    of: (serviceId, limit, before = END_OF_TIME) =>
      session.read(() => rowsOf(of, serviceId, before, limit).map(toProbeRecord)),
    async prune(before) {
      let pruned = 0
      for (;;) {
        const { changes } = await session.write(() => prune.run(before))
        pruned += changes
        if (changes < PRUNED_AT_ONCE) return pruned
      }
    },
  }
}

const toProbeRecord = ([
  serviceId,
  at,
  outcome,
  httpStatus,
  latencyMs,
  priceSeen,
  reasons,
]: Row): ProbeRecord => ({
  serviceId: serviceId as string,
  at: at as string,
  outcome: outcome as ProbeOutcome,
  httpStatus: httpStatus as number | null,
  latencyMs: latencyMs as number | null,
  priceSeen: priceSeen as string | null,
  reasons: JSON.parse(reasons as string) as string[],
})
