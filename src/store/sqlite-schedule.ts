// When each service is probed next, and who is at it.
import type { Entry } from '../domain/service.ts'
import { ENTRY_COLUMNS, toEntry } from './rows.ts'
import { rowsOf, type SqliteSession } from './sqlite-session.ts'
import type { ProbeSchedule } from './store.ts'

export type ScheduleTable = {
  readonly schedule: ProbeSchedule
  /** Inside the transaction of the insert. */
  readonly add: (entry: Entry, dueAt: Date) => void
  /** Inside the transaction of the removal. */
  readonly drop: (serviceId: string) => void
}

export function createScheduleTable(session: SqliteSession): ScheduleTable {
  const insert = session.prepare('INSERT INTO probe_schedule (service_id, due_at) VALUES (?, ?)')
  const remove = session.prepare('DELETE FROM probe_schedule WHERE service_id = ?')
  const due = session.prepare(
    `SELECT ${ENTRY_COLUMNS.join(', ')} FROM probe_schedule JOIN services ON id = service_id
     WHERE due_at <= ?1 AND (leased_until IS NULL OR leased_until <= ?1) ORDER BY due_at, service_id LIMIT ?2`,
  )
  const lease = session.prepare('UPDATE probe_schedule SET leased_until = ? WHERE service_id = ?')
  const set = session.prepare(
    `INSERT INTO probe_schedule (service_id, due_at)
       SELECT id, ? FROM services WHERE id = ? AND removed = 0 AND sample = 0
     ON CONFLICT DO UPDATE SET due_at = excluded.due_at, leased_until = NULL`,
  )
  return {
    schedule: {
      claimDue: (now, limit, leaseMs) =>
        session.write(() => {
          const entries = rowsOf(due, now.getTime(), limit).map(row => toEntry(row, 0))
          for (const { id } of entries) lease.run(now.getTime() + leaseMs, id)
          return entries
        }),
      async set(serviceId, dueAt) {
        await session.write(() => (dueAt ? set.run(dueAt.getTime(), serviceId) : remove.run(serviceId)))
      },
    },
    add(entry, dueAt) {
      if (!entry.sample) insert.run(entry.id, dueAt.getTime())
    },
    drop: serviceId => void remove.run(serviceId),
  }
}
